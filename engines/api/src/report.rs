//! The reports of a searcher while it works.

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
    /// Converts the bound to the point of view of the other side.
    #[must_use]
    pub const fn flipped(self) -> Self {
        match self {
            Self::Exact => Self::Exact,
            Self::Lower => Self::Upper,
            Self::Upper => Self::Lower,
        }
    }

    /// Returns the depth of the last finished iteration, if the iteration of `depth` plies has reported a value with
    /// this bound.
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

/// A result of a search for a task's position, from the point of view of the side to move there.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
pub struct Report {
    /// Depth of the iteration that found the score, in plies. The iteration is finished if `bound` is exact. Before
    /// that, only a bound may be known; a lower bound covers only the moves searched up to now.
    pub depth: u16,
    /// Length of the deepest line that was searched, in plies.
    pub seldepth: u16,
    /// Rank of the line: 1 for the best line. Larger ranks exist only if the task requested several lines.
    pub multipv: u16,
    /// The value for the side to move.
    pub score: Score,
    /// The relation of `score` to the true value.
    pub bound: Bound,
    /// Whether the score is the exact value of the first move of the line. In this case it is only a bound on the value
    /// of the position, because other moves may be better.
    pub of_move: bool,
    /// Number of nodes since the task began: moves made, without the passes of null-move searches.
    pub nodes: u64,
    /// Share of the transposition table in use, in permille.
    pub hashfull: u16,
    /// Number of positions found in endgame tables since the task began. It is not sent to other machines, which may
    /// have other tables.
    #[serde(skip)]
    pub table_hits: u64,
    /// Moves from the task's position. The variation is empty if the position has no moves or only a bound is known.
    pub pv: Vec<MoveText>,
    /// Root moves by the number of nodes spent on them, largest first; empty if the searcher does not count them.
    pub ranking: Vec<RankedMove>,
}

impl Report {
    /// An empty report of depth 0.
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
    /// A forced mate, with a main line of both sides' moves from the task's position.
    Mate(Vec<MoveText>),
    /// The position is proved to have no mate.
    NoMate,
    /// A limit ended the search.
    #[default]
    Unknown,
}
