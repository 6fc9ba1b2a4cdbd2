//! The manager's world without machines: a virtual clock, virtual workers, a virtual network with nodes of such
//! workers, and a virtual GUI, all from one seed.
//!
//! A [`Scenario`] is drawn from a seed; a [`World`] plays it: it carries out the manager's actions, and after every step
//! a [`judge::Judge`] looks whether the rules of `manager/` hold. A broken rule comes back as a [`BrokenRule`] with the
//! shortest scenario that still breaks it.

mod gui;
pub mod judge;
pub mod network;
mod queue;
mod scenario;
mod search;
mod shrink;
mod temper;

mod worker;
mod world;

#[cfg(test)]
mod planted;
#[cfg(test)]
mod tests;

pub use gui::{Deed, GuiDeed, Wait};
pub use queue::Queue;
pub use scenario::Scenario;
pub use search::emergency_search;
pub use shrink::{BrokenRule, examine, play};
pub use temper::Temper;
pub use worker::VirtualWorker;
pub use world::{Maker, Summary, World};

use hasami_tree::event::{WorkerEvent, WorkerId};

/// Items of the queue.
#[derive(Clone, PartialEq, Debug)]
pub enum Happening {
    /// The next deed of the GUI.
    Deed,
    /// The manager's alarm, unless it set another one since.
    Alarm(u64),
    /// A worker reaches the moment that it waited for.
    Tick {
        worker: WorkerId,
        serial: u64,
    },
    /// A worker's message arrives.
    Worker(WorkerEvent),
    /// The pool tells what a worker on another machine says, or what has become of it.
    Remote(WorkerEvent),
    /// Such a worker never comes again.
    Left(WorkerId),
    Network(network::Event),
}
