//! The search manager: events in, actions out. No thread, channel, clock or stdout here (decision 1 of the map).

mod answer;
mod assign;
mod blocks;
mod budget;
pub mod clock;
mod core;
mod crew;
mod due;
mod early;
mod faults;
mod hear;
mod join;
mod joined;
mod lines;
mod look;
mod mate;
mod member;
mod opening;
mod ponder;
mod position;
mod reassign;
mod report;
mod reserve;
mod shorten;
mod sources;
mod think;
mod waiting;

pub use self::core::Manager;

use crate::event::{Action, Time, WorkerEvent, WorkerId};
use crate::protocol::{Command, Settings};
use hasami_api::{Line, MoveText, Report};

/// A source of book moves; `book.rs` implements it, `games.rs` hands it to the manager.
pub trait Opening: Send {
    /// Options changed: `OwnBook` opens and closes the book, `BookFile` names it. The error is one line for the GUI,
    /// told once.
    fn on_settings(&mut self, settings: &Settings) -> Result<(), String> {
        let _ = settings;
        Ok(())
    }

    /// Moves of the book in the position with their weights, best first; empty when out of book.
    fn moves(&self, line: &Line) -> Vec<(MoveText, u32)>;
}

/// A search so small (a millisecond or two) that the manager may do it between two events, when a move is due and no
/// worker has said anything. Of the moves named, or of all moves if none is; `None` if there is no such move.
pub type Glance = Box<dyn FnMut(&Line, &[MoveText]) -> Option<Report> + Send>;

/// The manager with its game erased; [`crate::session`] drives it.
pub trait Manage: Send {
    /// Options changed; what touches a running search takes effect before the next one.
    fn on_settings(&mut self, now: Time, settings: &Settings) -> Vec<Action>;

    /// All workers have left, and others may come: the tree is forgotten, and the game. What options name stays as it is.
    fn on_dismissal(&mut self, settings: &Settings);

    /// A command of the GUI. `Hello`, `IsReady`, `SetOption`, `Debug`, `Quit` are the session's and do nothing here.
    fn on_command(&mut self, now: Time, command: Command) -> Vec<Action>;

    fn on_worker(&mut self, now: Time, event: WorkerEvent) -> Vec<Action>;

    fn on_alarm(&mut self, now: Time) -> Vec<Action>;

    /// What messages call a worker, before it has come up and if it never does.
    fn on_hired(&mut self, worker: WorkerId, name: &str) {
        let _ = (worker, name);
    }

    /// A lost worker never comes again, and nobody gets its number: it is forgotten.
    fn on_left(&mut self, worker: WorkerId) {
        let _ = worker;
    }

    /// Why no worker comes, where that is known: for the line that says who takes over.
    fn on_vacancy(&mut self, why: Option<String>) {
        let _ = why;
    }

    /// No worker has come up in the time that the GUI allows for it.
    fn on_absence(&mut self, now: Time) -> Vec<Action> {
        let _ = now;
        Vec::new()
    }

    /// Where the values of the root and of its moves come from, in this order: lines of the game.
    fn sources(&self) -> Vec<Vec<MoveText>> {
        Vec::new()
    }

    /// The node at which the worker is has no better value than the worker's.
    fn is_source(&self, worker: WorkerId) -> bool {
        let _ = worker;
        false
    }

    /// The master tree as it stands, for pictures and JSON.
    fn snapshot(&self, now: Time) -> crate::tree::Snapshot;
}

#[cfg(test)]
mod tests;
