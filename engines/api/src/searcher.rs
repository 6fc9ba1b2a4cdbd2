//! The interface between a worker and the search that it runs.

use crate::{Line, MateAnswer, MoveText, Report, Stop};
use serde::{Deserialize, Serialize};
use std::fmt;

/// The limits at which a search ends by itself. If all limits are `None`, only its [`Stop`] flag ends the search.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default, Serialize, Deserialize)]
pub struct Limits {
    /// Maximum depth of iterative deepening, in plies.
    pub depth: Option<u16>,
    /// Maximum number of nodes: moves made, without the passes of null-move searches.
    pub nodes: Option<u64>,
    /// The search ends when it has found a mate of at most this many plies.
    pub mate: Option<u16>,
}

impl Limits {
    /// Returns the node count beyond which an engine evidently ignores the limit `nodes`. Engines may exceed limits
    /// somewhat, because they check them only occasionally.
    pub fn far_beyond(nodes: u64) -> u64 {
        nodes.saturating_mul(2).saturating_add(100_000)
    }
}

/// The question that a task asks about its position.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default, Serialize, Deserialize)]
pub enum Goal {
    /// The task asks for the best move and its value.
    #[default]
    Best,
    /// The task asks for a mate by checks for the side to move, or a proof that there is none.
    Mate,
    /// The task asks for the shortest mate by any moves within [`Limits::mate`] plies, or a proof that there is none.
    MateWithin,
    /// The task asks for a mate by any moves for the side to move, of any length, or a proof that there is none.
    MateByAnyMoves,
    /// The task asks whether the side to move is mated by checks whatever it plays. The answer is the longest defence,
    /// or the statement that some defence avoids mate.
    Mated,
}

/// A unit of work for a searcher: a position and a question about it.
#[derive(Clone, PartialEq, Eq, Debug, Default, Serialize, Deserialize)]
pub struct Task {
    /// The position, with the moves that led to it.
    pub line: Line,
    /// The question.
    pub goal: Goal,
    /// Root moves to which the search is restricted; empty to search all.
    pub only: Vec<MoveText>,
    /// Root moves that the search leaves out. At an inner node of the master tree, these are the moves that have nodes
    /// of their own.
    pub except: Vec<MoveText>,
    /// Number of lines to report; 0 counts as 1.
    pub multipv: u16,
    /// Limits of the search.
    pub limits: Limits,
    /// Variant of the search. 0 is the standard search; other variants use another move order, so that several workers
    /// on one position do not do the same work.
    pub variant: u16,
    /// Number of the task's search group. Tasks with the same number search the same position at the same time and
    /// exchange [`crate::News`]; 0 means no group.
    pub team: u64,
    /// Maximum number of bytes of news to send to the search group; 0 means unlimited.
    pub news: u32,
}

/// The result at the end of a search. The last [`Report`] before it holds the value.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
pub enum Answer {
    /// The best move and the expected reply.
    Best {
        /// The move to play; `None` if there is no legal move.
        best: Option<MoveText>,
        /// The expected reply, if one is known.
        ponder: Option<MoveText>,
    },
    /// The answer to a question about mates.
    Mate(MateAnswer),
}

/// A task that cannot be searched. The text says what was expected and what was found.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct TaskError(pub String);

impl fmt::Display for TaskError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0)
    }
}

impl std::error::Error for TaskError {}

/// A sequential search or a solver, owned by one thread.
pub trait Searcher: Send {
    /// Works on `task` until it is done or stopped, and passes its results to `tell`. The call blocks, and returns soon
    /// (under a millisecond) after `stop` is set. The searcher keeps what it learned for the next task of the same
    /// game.
    fn search(&mut self, task: &Task, stop: &Stop, tell: &mut dyn FnMut(Report)) -> Result<Answer, TaskError>;

    /// Acquires resources (memory) that searches would otherwise wait for. Because this may take long, it calls
    /// `enough` from time to time and returns as soon as that is true; the remaining memory is acquired on demand.
    fn prepare(&mut self, enough: &dyn Fn() -> bool) {
        let _ = enough;
    }

    /// Discards everything learned, because the next task belongs to another game. The call may take as long as
    /// clearing the table.
    fn new_game(&mut self);
}
