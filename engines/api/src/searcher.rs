//! The seam between a worker and whatever searches inside it.

use crate::{Line, MateAnswer, MoveText, Report, Stop};
use std::fmt;

/// When a search ends by itself. All `None`: only by its [`Stop`].
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct Limits {
    /// Plies of iterative deepening.
    pub depth: Option<u16>,
    /// Moves made.
    pub nodes: Option<u64>,
    /// Stop at a mate of at most so many plies.
    pub mate: Option<u16>,
}

impl Limits {
    /// Engines look at their limits now and then only: who has made so many more moves does not heed `nodes`.
    pub fn far_beyond(nodes: u64) -> u64 {
        nodes.saturating_mul(2).saturating_add(100_000)
    }
}

/// The question about a position.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub enum Goal {
    /// The best move and its value.
    #[default]
    Best,
    /// A mate by checks for the side to move, or that there is none.
    Mate,
    /// A mate within [`Limits::mate`] plies by any moves, the shortest one, or that there is none.
    MateWithin,
    /// A mate for the side to move by any moves, however long it is, or that there is none.
    MateByAnyMoves,
    /// Whether the side to move is mated by checks, whatever it plays: the longest defence, or that one holds.
    Mated,
}

/// One piece of work: a position and what to find out about it.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Task {
    /// The position, with the moves that led to it.
    pub line: Line,
    /// The question.
    pub goal: Goal,
    /// Search these root moves only; empty: all.
    pub only: Vec<MoveText>,
    /// Leave these root moves out ("others" of a master tree's node).
    pub except: Vec<MoveText>,
    /// Lines to report; 0 counts as 1.
    pub multipv: u16,
    /// When to end.
    pub limits: Limits,
    /// 0: as always. Others may search the same thing in another order, so that several workers on one position differ.
    pub variant: u16,
    /// Tasks with the same number search the same thing at the same time and tell one another [`crate::News`]; 0: alone.
    pub team: u64,
    /// Bytes of news that it may tell its team; 0: any number.
    pub news: u32,
}

/// The end of a search. The last [`Report`] before it holds the value.
#[derive(Clone, PartialEq, Debug)]
pub enum Answer {
    /// The best move and the answer expected to it; `None` when there is no move to play.
    Best {
        /// The move to play.
        best: Option<MoveText>,
        /// The reply to it that is expected, if one is known.
        ponder: Option<MoveText>,
    },
    /// To a question about mates.
    Mate(MateAnswer),
}

/// A task that cannot be searched: what was expected and what was found.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct TaskError(pub String);

impl fmt::Display for TaskError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0)
    }
}

impl std::error::Error for TaskError {}

/// A sequential search or a solver. One thread owns it.
pub trait Searcher: Send {
    /// Works on `task` until it is done or stopped, telling `tell` what it finds. Blocks; answers soon (under a
    /// millisecond) after `stop`. Keeps what it learned for the next task of the same game.
    fn search(&mut self, task: &Task, stop: &Stop, tell: &mut dyn FnMut(Report)) -> Result<Answer, TaskError>;

    /// Gets what searches would otherwise have to wait for (memory). May take long: it asks now and then whether that is
    /// `enough`. What is left then is got as it is needed.
    fn prepare(&mut self, enough: &dyn Fn() -> bool) {
        let _ = enough;
    }

    /// The next task belongs to another game: forget everything. May take as long as clearing the table does.
    fn new_game(&mut self);
}
