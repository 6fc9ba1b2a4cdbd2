//! The interface of the search manager and of the services that it uses: a book, an emergency search, and mate proofs.

use crate::event::{Action, Arrivals, Time, WorkerEvent, WorkerId};
use hasami_api::{Line, MoveText, Report, Score};
use hasami_protocol::{Command, Settings};

/// A book's note about one of its moves.
#[derive(Clone, Copy, PartialEq, Debug, Default)]
pub struct BookNote {
    /// The reply that the book expects.
    pub reply: Option<MoveText>,
    /// The move's value for the side to move, and the depth of the search that produced it.
    pub value: Option<(Score, u16)>,
}

/// A source of book moves, implemented by the crate `hasami-games`.
pub trait Opening: Send {
    /// Handles changed options: `OwnBook` opens and closes the book, and `BookFile` names the file. The error is one
    /// line, which is reported to the GUI once.
    fn on_settings(&mut self, _settings: &Settings) -> Result<(), String> {
        Ok(())
    }

    /// The book's moves and their weights in a position, the best first; empty if the position is not in the book.
    fn moves(&self, line: &Line) -> Vec<(MoveText, u32)>;

    /// The book's note about one of its moves. The note is empty if the book's format has no notes.
    fn note(&self, _line: &Line, _m: MoveText) -> BookNote {
        BookNote::default()
    }
}

/// A search that takes only a millisecond or two, so that the manager may run it while it handles an event, for example
/// if a move is due and no worker has reported anything. The search covers the given moves, or all moves if none are
/// given. Returns `None` if there is no move to search.
pub type EmergencySearch = Box<dyn FnMut(&Line, &[MoveText]) -> Option<Report> + Send>;

/// A small search that determines within a number of nodes whether a line mates by checks against every defence.
pub type MateProof = Box<dyn FnMut(&Line, &[MoveText], u64) -> bool + Send>;

/// The manager of any game, whose methods the driver (`workers/driver.rs`) calls.
pub trait Manage: Send {
    /// Handles changed options. Options that change during a search take effect when the next search begins.
    fn on_settings(&mut self, now: Time, settings: &Settings) -> Vec<Action>;

    /// Discards the tree and the workers, because all workers have left and others may join. The position and the
    /// options are kept.
    fn on_dismissal(&mut self, settings: &Settings);

    /// Returns whether a `go` has not been answered yet.
    fn owes_answer(&self) -> bool {
        false
    }

    /// The position that the GUI sent last; `None` if it was refused.
    fn position(&self) -> Option<&Line> {
        None
    }

    /// Handles a command from the GUI. `Hello`, `IsReady`, `SetOption`, `Debug` and `Quit` are handled by the session
    /// and ignored here.
    fn on_command(&mut self, now: Time, command: Command) -> Vec<Action>;

    fn on_worker(&mut self, now: Time, event: WorkerEvent) -> Vec<Action>;

    fn on_alarm(&mut self, now: Time) -> Vec<Action>;

    /// Sets the name that messages use for a worker until it has joined.
    fn on_worker_added(&mut self, _worker: WorkerId, _name: &str) {}

    /// Forgets a lost worker that will never return and whose number is not reused.
    fn on_left(&mut self, _worker: WorkerId) {}

    /// Handles a worker that Hasami has released: its task is reassigned, and the worker is forgotten.
    fn on_released(&mut self, _now: Time, _worker: WorkerId) -> Vec<Action> {
        Vec::new()
    }

    /// Sets whether further workers may still join from other machines.
    fn on_arrivals(&mut self, _arrivals: Arrivals) {}

    /// Called if no worker has started within the time that the GUI allows.
    fn on_absence(&mut self, _now: Time) -> Vec<Action> {
        Vec::new()
    }

    /// A snapshot of the current tree, for pictures and JSON.
    fn snapshot(&self, now: Time) -> crate::Snapshot;
}
