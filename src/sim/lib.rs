//! A simulated world for the manager: a virtual clock, virtual workers, a virtual network of nodes with such workers,
//! and a virtual GUI, all determined by one seed.
//!
//! A [`Scenario`] is drawn from a seed, and a [`World`] plays it: it carries out the manager's actions, and after every
//! step a [`judge::Judge`] checks whether the manager has followed its rules. A violated rule is returned as a
//! [`BrokenRule`], with the shortest scenario found that still violates it.
//!
//! ```
//! use hasami_sim::{examine, manager};
//!
//! assert!(examine(1, &manager).is_ok(), "no rule of the manager breaks in the world of seed 1");
//! ```

mod behaviour;
mod gui;
pub mod judge;
pub mod network;
mod queue;
mod scenario;
mod search;
mod shrink;
mod worker;
mod world;

#[cfg(test)]
mod tests;

pub use behaviour::Behaviour;
pub use gui::{GuiAction, ScriptStep, Wait};
pub use queue::Queue;
pub use scenario::Scenario;
pub use search::manager;
pub use shrink::{BrokenRule, examine, play};
pub use worker::VirtualWorker;
pub use world::{Maker, Summary, World};

use hasami_tree::event::{WorkerEvent, WorkerId};

/// Events in the queue.
#[derive(Clone, PartialEq, Debug)]
pub enum SimEvent {
    /// The next action of the GUI.
    Gui,
    /// The manager's alarm rings. An alarm is ignored if another one has been set since.
    Alarm(u64),
    /// The time that a worker was waiting for has come.
    Tick {
        worker: WorkerId,
        serial: u64,
    },
    /// A message of a worker arrives.
    Worker(WorkerEvent),
    /// The pool passes on an event of a worker on another machine, or reports what has happened to the worker.
    Remote(WorkerEvent),
    /// A worker on another machine has left for good.
    Left(WorkerId),
    Network(network::Event),
}
