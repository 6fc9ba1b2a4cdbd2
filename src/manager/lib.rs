//! The search manager: events in, actions out. No thread, channel, clock or stdout here (decision 1 of the map).
//!
//! # Its parts
//! [`Manager`] takes each event to the parts that it concerns, and then goes through the steps of `core::conclude`. Each
//! part owns its state:
//!
//! | part | its state | what it does |
//! | --- | --- | --- |
//! | `go` | `MoveSearch`: the request, its plan, what is best since when | begins a search, says when its answer is due, and answers |
//! | `assign` | `Assignment`: tree, queue of places, roster, tasks on their way | gives workers nodes and takes them away |
//! | `report` | `Shown`, `Lines`, `Blocks`: what the GUI has seen and could see | info lines |
//! | `fallback` | `Fallback`, and `Service` of each search | calls a worker where nobody does what was asked |
//! | `trust` | `Trust`: what is held back of other machines, and their records | whom it believes |
//! | `probe` | `MateProbe`: when a leaf may be probed again | sends the mate solver to the leaves |
//! | `mate` | `MateSearch`: who was asked and what they said | `go mate`, alone or beside a search for a move |
//! | `handicap` | none: `Handicap` is in the search | chooses the move of a weaker player |
//! | `position` | `Position`: the GUI's position, or that it was refused | takes up a position |
//!
//! `assign` knows none of the others: what the workers are wanted for comes with each call, as a `Demand`, which is read
//! from the settings and the search that runs. `events`, `ended` and `faults` are what workers say, and what follows.
//!
//! # The way of a `go` to its `bestmove`
//! ```text
//!   session/turns -> session -> protocol/uci, protocol/go -> driver -> core -> go -> assign/mod -> assign/places
//!     -> assign/tasks -> (Action::Start) workers/pool -> workers/thread
//!   workers/thread -> (WorkerEvent::Report) driver -> core -> events -> tree/backup
//!     -> go/due -> clock -> go/answer -> report -> (Action::Say) driver -> session -> protocol/uci
//! ```
//! These are 18 files. On the way `assign` asks the queue (`tree/frontier`) and the roster.
//!
//! ```
//! use hasami_chess::Chess;
//! use hasami_manager::Manager;
//! use hasami_protocol::{Command, Settings};
//! use hasami_tree::Transitions;
//! use hasami_tree::event::Time;
//! use hasami_tree::manage::Manage;
//!
//! let mut manager = Manager::<Chess>::new(Settings::default(), Transitions::default(), None);
//! manager.on_command(Time::ZERO, Command::NewGame);
//! assert_eq!(manager.snapshot(Time::ZERO).nodes.len(), 1, "the root alone");
//! ```

mod assign;
pub mod clock;
mod core;
mod ended;
mod events;
mod fallback;
mod faults;
mod go;
mod handicap;
mod mate;
mod position;
mod probe;
mod report;
mod roster;
mod trust;

pub use self::core::Manager;

#[cfg(test)]
mod tests;
