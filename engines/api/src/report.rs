//! Reports of a searcher while it works.

use crate::{MoveText, Score};

/// How a value relates to the true one.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, Default)]
pub enum Bound {
    /// It is the true value.
    #[default]
    Exact,
    /// The true value is at least this.
    Lower,
    /// The true value is at most this.
    Upper,
}

impl Bound {
    /// The last finished iteration, where one of `depth` plies has told a value of this kind.
    pub const fn finished(self, depth: u16) -> u16 {
        if matches!(self, Self::Exact) { depth } else { depth.saturating_sub(1) }
    }
}

/// A root move and the effort spent below it.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct RankedMove {
    /// The move.
    pub text: MoveText,
    /// Nodes below it.
    pub nodes: u64,
}

/// What proof numbers are of, where a task is answered by searches that ask for different things.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, Default)]
pub enum ProofQuestion {
    /// What the task asks for.
    #[default]
    Task,
    /// A mate.
    Mate,
    /// A brinkmate, of at most so many plies if there is a limit.
    Brinkmate(Option<u16>),
}

/// One finding about a task's position, from the point of view of the side to move there.
#[derive(Clone, PartialEq, Debug)]
pub struct Report {
    /// Plies of the iteration that found the score. It is finished if `bound` is exact; a bound may be all that is known
    /// of it so far ("at least": of the moves it has searched).
    pub depth: u16,
    /// Plies of the deepest line that was looked at.
    pub seldepth: u16,
    /// 1 for the best line; others only when the task asked for several.
    pub multipv: u16,
    /// The value for the side to move.
    pub score: Score,
    /// How `score` relates to the true value.
    pub bound: Bound,
    /// The score is the exact value of the line's first move, and for the position a bound only because other moves may
    /// be better still.
    pub of_move: bool,
    /// Nodes (moves made) since the task began.
    pub nodes: u64,
    /// Table use, permille.
    pub hashfull: u16,
    /// Positions that endgame tables knew since the task began.
    pub table_hits: u64,
    /// Proof and disproof number of the task's position, where the searcher has them. After a report without them other
    /// numbers follow: those of another search.
    pub proof_numbers: Option<(u32, u32)>,
    /// What the proof numbers are of.
    pub question: ProofQuestion,
    /// Moves from the task's position. May be empty (a position without moves, a bare bound).
    pub pv: Vec<MoveText>,
    /// Root moves by effort, most first, where the searcher knows it; else empty.
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
            proof_numbers: None,
            question: ProofQuestion::Task,
            pv: Vec::new(),
            ranking: Vec::new(),
        }
    }
}

/// The answer of a mate solver.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub enum MateAnswer {
    /// A forced mate: a main line, both sides' moves, from the task's position.
    Mate(Vec<MoveText>),
    /// Proved: there is none.
    NoMate,
    /// A limit ended the search.
    #[default]
    Unknown,
}
