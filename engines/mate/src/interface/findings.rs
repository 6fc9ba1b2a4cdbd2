//! What a solver of mates finds.

use super::levels::LevelReport;
use super::options::ProcessorUsage;
use hasami_api::{MateAnswer, MoveText};

/// The finding.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct MateFindings {
    /// The answer.
    pub answer: MateAnswer,
    /// Why the answer is unknown; with a mate, why it is open whether there is a shorter one, which was asked.
    pub open: Option<OpenReason>,
    /// Moves made.
    pub nodes: u64,
    /// By their place in the main line, if they were asked for.
    pub others: Vec<OtherMove>,
    /// Lines of other first moves: of mates the shortest first, or a check and an answer to it where there is no mate.
    pub lines: Vec<Vec<MoveText>>,
    /// The proof as a tree of moves, if it was asked for.
    pub proof: Option<ProofTree>,
    /// Where the side that is to be mated moves first: what becomes of its moves.
    pub defended: Option<DefenceReport>,
    /// Use of the processors, where several have searched.
    pub usage: Option<ProcessorUsage>,
    /// The levels of a level-synchronous search.
    pub levels: Option<LevelReport>,
}

/// A move of the attacker and what it is worth against every defence.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct ProofTree {
    /// The attacker's move.
    pub mv: MoveText,
    /// It mates within so many, itself included.
    pub plies: usize,
    /// The longest defences, that of the main line first; none: it is mate.
    pub answers: Vec<ProofBranch>,
    /// Answers that are not told.
    pub rest: usize,
}

/// A defence, and what the attacker plays then.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct ProofBranch {
    /// The defender's move.
    pub mv: MoveText,
    /// Mate within so many after it; 0: there was no time to prove it again.
    pub plies: usize,
    /// `None`: not told.
    pub next: Option<ProofTree>,
}

/// The moves of a side that is to be mated and moves first.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct DefenceReport {
    /// After this one there is no mate.
    pub escape: Option<MoveText>,
    /// Where there is a mate after each: all of them, that of the main line first, then the longest first.
    pub defences: Vec<ProofBranch>,
}

/// A check that could be played instead of one of the main line.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct OtherMove {
    /// Ply of the main line, from 1.
    pub ply: usize,
    /// The check.
    pub mv: MoveText,
    /// What it is worth.
    pub answer: OtherAnswer,
}

/// The worth of a check beside the main line.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum OtherAnswer {
    /// It mates within so many plies, itself included.
    Mate(usize),
    /// A limit ended the search.
    Open,
}

/// Why a search left its question open.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum OpenReason {
    /// It made as many moves as it was allowed.
    Nodes,
    /// It was stopped from outside.
    Stopped,
    /// The memory was too small for what it had found.
    Memory,
    /// Lines of more plies than that were not looked at.
    Plies(usize),
    /// A search within it was ended by a limit of its own.
    Inner,
}
