//! The reports of a searcher during a search.

use crate::{MoveText, Score};
use serde::{Deserialize, Serialize};

/// The relation of a reported value to the true value.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, Default, Serialize, Deserialize)]
pub enum Bound {
    /// The reported value is the true value.
    #[default]
    Exact,
    /// The true value is at least the reported value.
    Lower,
    /// The true value is at most the reported value.
    Upper,
}

impl Bound {
    /// Converts the bound to the other side's point of view.
    #[must_use]
    pub const fn flipped(self) -> Self {
        match self {
            Self::Exact => Self::Exact,
            Self::Lower => Self::Upper,
            Self::Upper => Self::Lower,
        }
    }

    /// Returns the depth of the last finished iteration, given that the iteration of depth `depth` has reported a value
    /// with this bound.
    pub const fn finished(self, depth: u16) -> u16 {
        if matches!(self, Self::Exact) { depth } else { depth.saturating_sub(1) }
    }
}

/// A root move and the number of nodes searched below it.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub struct RankedMove {
    /// The move.
    pub text: MoveText,
    /// Number of nodes searched below the move.
    pub nodes: u64,
}

/// A result of a search, from the point of view of the side to move in the task's position.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
pub struct Report {
    /// Depth of the iteration that found the score, in plies. An exact `bound` means that the iteration is finished. In
    /// an unfinished iteration, a lower bound covers only the moves searched so far.
    pub depth: u16,
    /// Length of the deepest line that was searched, in plies.
    pub seldepth: u16,
    /// Rank of the line, counted from 1 for the best line; above 1 only if the task requested several lines.
    pub multipv: u16,
    /// The value for the side to move.
    pub score: Score,
    /// The relation of `score` to the true value.
    pub bound: Bound,
    /// Whether the score is the exact value of the line's first move, and only a lower bound on the value of the
    /// position.
    pub of_move: bool,
    /// Number of moves made since the task began, without the null moves of null-move searches.
    pub nodes: u64,
    /// Share of the transposition table in use, in permille.
    pub hashfull: u16,
    /// Number of positions found in endgame tables since the task began; not sent to other machines, whose tables may
    /// differ.
    #[serde(skip)]
    pub table_hits: u64,
    /// The principal variation from the task's position; empty if the position has no moves or only a bound is known.
    pub pv: Vec<MoveText>,
    /// Root moves in descending order of their node counts; empty if the searcher does not count nodes by move.
    pub ranking: Vec<RankedMove>,
}

impl Report {
    /// A report of depth 0 with this score and no moves.
    pub fn new(score: Score) -> Self {
        Self {
            depth: 0,
            seldepth: 0,
            multipv: 1,
            score,
            bound: Bound::Exact,
            of_move: false,
            nodes: 0,
            hashfull: 0,
            table_hits: 0,
            pv: Vec::new(),
            ranking: Vec::new(),
        }
    }
}

/// The answer of a mate solver.
#[derive(Clone, PartialEq, Eq, Debug, Default, Serialize, Deserialize)]
pub enum MateAnswer {
    /// A forced mate, with a main line of moves of both sides from the task's position.
    Mate(Vec<MoveText>),
    /// A proof that the position has no mate.
    NoMate,
    /// The search ended without a result, at a limit or because it was stopped.
    #[default]
    Unknown,
}
