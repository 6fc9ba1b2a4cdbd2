//! The search manager as those who drive it see it, and what it is handed: a book, a small search, a check of mates.

use crate::event::{Action, Arrivals, Time, WorkerEvent, WorkerId};
use hasami_api::{Line, MoveText, Report, Score};
use hasami_protocol::{Command, Settings};
use hasami_words::Message;

/// What a book says of one of its moves.
#[derive(Clone, Copy, PartialEq, Debug, Default)]
pub struct BookNote {
    /// The answer that it expects.
    pub reply: Option<MoveText>,
    /// The value for the side that moves, and the depth of the search that has found it.
    pub value: Option<(Score, u16)>,
}

/// A source of book moves; `book.rs` implements it, `games.rs` hands it to the manager.
pub trait Opening: Send {
    /// Options changed: `OwnBook` opens and closes the book, `BookFile` names it. The error is one line for the GUI,
    /// told once.
    fn on_settings(&mut self, settings: &Settings) -> Result<(), Message> {
        let _ = settings;
        Ok(())
    }

    /// Moves of the book in the position with their weights, best first; empty when out of book.
    fn moves(&self, line: &Line) -> Vec<(MoveText, u32)>;

    /// What it says of one of them. Nothing, if its format has no room for that.
    fn note(&self, line: &Line, m: MoveText) -> BookNote {
        let _ = (line, m);
        BookNote::default()
    }
}

/// A search so small (a millisecond or two) that the manager may do it between two events, when a move is due and no
/// worker has said anything. Of the moves named, or of all moves if none is; `None` if there is no such move.
pub type EmergencySearch = Box<dyn FnMut(&Line, &[MoveText]) -> Option<Report> + Send>;

/// A small search for whether a line mates by checks in this position, whatever the defender answers, within so many nodes.
pub type MateProof = Box<dyn FnMut(&Line, &[MoveText], u64) -> bool + Send>;

/// The manager with its game erased; the driver and the session drive it.
pub trait Manage: Send {
    /// Options changed; what touches a running search takes effect before the next one.
    fn on_settings(&mut self, now: Time, settings: &Settings) -> Vec<Action>;

    /// All workers have left, and others may come: the tree is forgotten. The position and what options name stay.
    fn on_dismissal(&mut self, settings: &Settings);

    /// A `go` is not answered yet.
    fn owes_answer(&self) -> bool {
        false
    }

    /// The position that the GUI sent last; `None`: it was refused.
    fn position(&self) -> Option<&Line> {
        None
    }

    /// A command of the GUI. `Hello`, `IsReady`, `SetOption`, `Debug`, `Quit` are the session's and do nothing here.
    fn on_command(&mut self, now: Time, command: Command) -> Vec<Action>;

    fn on_worker(&mut self, now: Time, event: WorkerEvent) -> Vec<Action>;

    fn on_alarm(&mut self, now: Time) -> Vec<Action>;

    /// A worker's name in messages, before it has come up and if it never does.
    fn on_worker_added(&mut self, worker: WorkerId, name: &str) {
        let _ = (worker, name);
    }

    /// A lost worker never comes again, and nobody gets its number: it is forgotten.
    fn on_left(&mut self, worker: WorkerId) {
        let _ = worker;
    }

    /// A worker is ended by us, without any fault of its own: its task goes to others, and it is forgotten.
    fn on_released(&mut self, now: Time, worker: WorkerId) -> Vec<Action> {
        let _ = (now, worker);
        Vec::new()
    }

    /// Why no worker comes, where that is known: for the line that says who takes over.
    fn on_vacancy(&mut self, why: Option<Message>) {
        let _ = why;
    }

    /// Whether somebody may still come from elsewhere.
    fn on_arrivals(&mut self, arrivals: Arrivals) {
        let _ = arrivals;
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
    fn snapshot(&self, now: Time) -> crate::Snapshot;
}
