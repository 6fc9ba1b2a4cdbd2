//! The search manager, a function from events to actions, without threads, channels, clocks or standard output.
//!
//! [`Manager`] passes each event to the parts that it concerns, and then goes through the steps of `core::conclude`.
//! Each part owns its state:
//!
//! | part | state | task |
//! | --- | --- | --- |
//! | `go` | `MoveSearch`: the request, its plan, the best move | begins a search, decides when its answer is due, and answers |
//! | `assign` | `Assignment`: tree, queue of work items, roster, running tasks | assigns nodes to workers and takes them back |
//! | `report` | `ReportState`, `Lines`, `Blocks`: what was and what can be sent to the GUI | sends info lines |
//! | `fallback` | `Fallback`, and the `SearchService` of each search | calls an in-process worker if no worker does what was requested |
//! | `trust` | `Trust`: withheld values of remote machines, and the machines' records | decides which values to believe |
//! | `probe` | `MateProbe`: when a leaf may be probed again | sends mate solvers to the leaves |
//! | `mate` | `MateSearch`: the solvers that were asked, and their answers | answers `go mate`, alone or during a search for a move |
//! | `handicap` | none: the `Handicap` belongs to the search | chooses the move of a weaker player |
//! | `position` | `GuiPosition`: the GUI's position, or its refusal | accepts or refuses positions |
//!
//! `assign` does not depend on the other parts: the purpose of the search is passed to each call as a `Demand`, which
//! is derived from the settings and the running search. `events`, `ended` and `faults` handle the workers' events.
//!
//! ```
//! use hasami_chess::Chess;
//! use hasami_manager::Manager;
//! use hasami_protocol::{Command, Settings};
//! use hasami_tree::{Transitions, event::Time, manage::Manage};
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
