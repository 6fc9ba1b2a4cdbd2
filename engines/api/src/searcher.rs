//! The interface between a worker and its search.

use crate::{Line, MateAnswer, MoveText, Report, Stop};
use serde::{Deserialize, Serialize};
use std::fmt;

/// The limits that end a search. If all limits are `None`, only the [`Stop`] flag ends the search.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default, Serialize, Deserialize)]
pub struct Limits {
    /// Maximum depth of iterative deepening, in plies.
    pub depth: Option<u16>,
    /// Maximum number of nodes. Each move that the search makes counts as a node; null moves do not count.
    pub nodes: Option<u64>,
    /// A mate in at most this many plies ends the search.
    pub mate: Option<u16>,
}

impl Limits {
    /// Returns a node count so large that an engine that reaches it must be ignoring the limit `nodes`. Engines may
    /// exceed a node limit slightly, because they check it only occasionally.
    pub fn far_beyond(nodes: u64) -> u64 {
        nodes.saturating_mul(2).saturating_add(100_000)
    }
}

/// The question that a task asks about its position.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default, Serialize, Deserialize)]
pub enum Goal {
    /// Find the best move and its value.
    #[default]
    Best,
    /// Find a mate in which every move of the side to move gives check, or prove that no such mate exists.
    Mate,
    /// Find the shortest mate, quiet moves allowed, within [`Limits::mate`] plies, or prove that no such mate exists.
    MateWithin,
    /// Find a mate of any length, quiet moves allowed, or prove that no such mate exists.
    MateByAnyMoves,
    /// Find a defence against mate by a series of checks or, if there is none, the longest defence.
    Mated,
}

/// A unit of work for a searcher: a position, and a question about the position.
#[derive(Clone, PartialEq, Eq, Debug, Default, Serialize, Deserialize)]
pub struct Task {
    /// The position, with the moves that led to it.
    pub line: Line,
    /// The question about the position.
    pub goal: Goal,
    /// Root moves to which the search is restricted; empty for no restriction.
    pub only: Vec<MoveText>,
    /// Root moves that the search excludes. A task for an inner node of the master tree excludes the moves that have
    /// child nodes.
    pub except: Vec<MoveText>,
    /// Number of lines to report; 0 counts as 1.
    pub multipv: u16,
    /// The limits that end the search.
    pub limits: Limits,
    /// Number of the search variant, which keeps searches of the same position from doing the same work.
    pub variant: u16,
    /// Number of the task's search group. Tasks with the same number search the same position at the same time and
    /// exchange [`crate::News`]; 0 means no search group.
    pub team: u64,
    /// Maximum number of bytes of news to send to the search group; 0 means unlimited.
    pub news: u32,
}

/// What a search returns at its end. The value of the position is in the last [`Report`].
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
pub enum Answer {
    /// The best move and the expected reply.
    Best {
        /// The move to play; `None` if there is no legal move.
        best: Option<MoveText>,
        /// The expected reply, if one is known.
        ponder: Option<MoveText>,
    },
    /// The answer to a task that asks for a mate.
    Mate(MateAnswer),
}

/// The error for a task that cannot be searched, such as one with an illegal move.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct TaskError(pub String);

impl fmt::Display for TaskError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0)
    }
}

impl std::error::Error for TaskError {}

/// A sequential search or solver, owned by one thread.
pub trait Searcher: Send {
    /// Searches `task` until the search is finished or stopped, and passes its reports to `tell`. Blocks until the
    /// search ends, which takes less than a millisecond after `stop` is set. The searcher keeps its learned data for
    /// the next task of the same game.
    fn search(&mut self, task: &Task, stop: &Stop, tell: &mut dyn FnMut(Report)) -> Result<Answer, TaskError>;

    /// Allocates memory in advance, so that searches need not wait for the system. The allocation ends early when
    /// `enough`, which is called from time to time, returns true; the remaining memory is then allocated on demand.
    fn prepare(&mut self, enough: &dyn Fn() -> bool) {
        let _ = enough;
    }

    /// Discards all learned data, because the next task belongs to another game. The call may take as long as clearing
    /// the transposition table.
    fn new_game(&mut self);
}
