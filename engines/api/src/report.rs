//! What a searcher reports during a search.

use crate::{MoveText, Score};
use serde::{Deserialize, Serialize};

/// How a reported value relates to the true value.
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

    /// Returns the depth of the last finished iteration, given that the iteration at depth `depth` has reported a value
    /// with this bound.
    pub const fn finished(self, depth: u16) -> u16 {
        if matches!(self, Self::Exact) { depth } else { depth.saturating_sub(1) }
    }
}

/// A root move and the number of nodes searched below it.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub struct RankedMove {
    /// The root move.
    pub text: MoveText,
    /// Number of nodes searched below the root move.
    pub nodes: u64,
}

/// A result that a search reports, from the point of view of the side to move in the task's position.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
pub struct Report {
    /// Depth of the iteration that found the score, in plies. If `bound` is exact, the iteration is finished. A lower
    /// bound from an unfinished iteration covers only the moves searched so far.
    pub depth: u16,
    /// Length of the deepest line that was searched, in plies.
    pub seldepth: u16,
    /// Rank of the line, counted from 1 for the best line; above 1 only if the task requested several lines.
    pub multipv: u16,
    /// The value of the position for the side to move.
    pub score: Score,
    /// How `score` relates to the true value.
    pub bound: Bound,
    /// Whether the score is the exact value of the line's first move but only a lower bound on the value of the
    /// position.
    pub of_move: bool,
    /// Number of moves that the search has made since the task began, not counting null moves.
    pub nodes: u64,
    /// Share of the transposition table in use, in permille.
    pub hashfull: u16,
    /// Number of positions found in endgame tables since the task began; not sent to other machines, because their
    /// tables may differ.
    #[serde(skip)]
    pub table_hits: u64,
    /// The principal variation from the task's position; empty if the position has no moves or only a bound is known.
    pub pv: Vec<MoveText>,
    /// Root moves in descending order of node count; empty if the searcher does not count the nodes of each move.
    pub ranking: Vec<RankedMove>,
}

impl Report {
    /// Creates a report with depth 0, the score `score` and no moves.
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

/// The answer that a mate solver gives.
#[derive(Clone, PartialEq, Eq, Debug, Default, Serialize, Deserialize)]
pub enum MateAnswer {
    /// A forced mate, with a main line from the task's position to the mate.
    Mate(Vec<MoveText>),
    /// A proof that the position has no mate.
    NoMate,
    /// The search reached a limit or was stopped before it found a result.
    #[default]
    Unknown,
}
