//! What a solver of mates finds.

use super::levels::LevelReport;
use super::options::ProcessorUsage;
use hasami_api::{MateAnswer, MoveText};

/// The finding.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct MateFindings {
    /// The answer.
    pub answer: MateAnswer,
    /// Moves made.
    pub nodes: u64,
    /// By their place in the main line, if they were asked for.
    pub others: Vec<OtherMove>,
    /// The proof as a tree of moves, if it was asked for.
    pub proof: Option<ProofTree>,
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
