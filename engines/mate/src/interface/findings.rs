//! The results of a mate solver.

use super::levels::LevelReport;
use super::options::ProcessorUsage;
use hasami_api::{MateAnswer, MateGame, MoveText};

/// Results of a task.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct MateFindings {
    /// The answer.
    pub answer: MateAnswer,
    /// The reason why the answer is unknown or, if the shortest mate was requested, why there may be a shorter mate.
    pub open: Option<OpenReason>,
    /// A lower bound on the plies of any mate, if a limit ended the search for the shortest mate.
    pub at_least: Option<usize>,
    /// Number of moves made.
    pub nodes: u64,
    /// Mating checks that are not in the main line, in the order of its moves, if requested.
    pub others: Vec<OtherMove>,
    /// Lines with other first moves: mates, the shortest first, or, if there is no mate, checks, each with an answer.
    pub lines: Vec<Vec<MoveText>>,
    /// Lines other than the main line, in the order in which they branch off, if requested.
    pub variations: Vec<Variation>,
    /// The proof as a tree of moves, if requested.
    pub proof: Option<ProofTree>,
    /// The result of each first move of the defender, if the side to be mated moves first.
    pub defended: Option<DefenceReport>,
    /// Statistics of the processors, if more than one of them searched.
    pub usage: Option<ProcessorUsage>,
    /// The levels of a level-synchronous search.
    pub levels: Option<LevelReport>,
}

/// A move of the attacker and the answers to it.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct ProofTree {
    /// The attacker's move.
    pub mv: MoveText,
    /// Plies to mate, including this move.
    pub plies: usize,
    /// The longest defences, beginning with the main line's defence. The list is empty if the move mates.
    pub answers: Vec<ProofBranch>,
    /// Number of omitted answers.
    pub rest: usize,
}

/// A defence, and the attacker's reply to it.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct ProofBranch {
    /// The defender's move.
    pub mv: MoveText,
    /// Plies to mate after the defence; 0 if a limit prevented a new proof of the mate.
    pub plies: usize,
    /// The attacker's reply; `None` if the reply is omitted.
    pub next: Option<ProofTree>,
}

/// The result of each first move of the side to be mated, if that side moves first.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct DefenceReport {
    /// A move after which there is no mate.
    pub escape: Option<MoveText>,
    /// All moves, if there is a mate after each of them. The move of the main line comes first, then the moves with the
    /// longest mates.
    pub defences: Vec<ProofBranch>,
}

/// A line that branches off from the main line.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Variation {
    /// The ply of the main line, counted from 1, whose move is replaced by the first move of the variation.
    pub ply: usize,
    /// The moves.
    pub moves: Vec<MoveText>,
    /// The purpose of the variation.
    pub kind: VariationKind,
}

/// The purpose of a variation.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum VariationKind {
    /// A defence other than the main line's, and the mate after it.
    Defence,
    /// A check that fails, and a defence that refutes it.
    Attempt,
}

/// A check that could be played instead of a check of the main line.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct OtherMove {
    /// Ply of the main line, counted from 1.
    pub ply: usize,
    /// The check.
    pub mv: MoveText,
    /// The result of the check.
    pub answer: OtherAnswer,
    /// The similarity between this check and the check of the main line.
    pub likeness: MoveLikeness,
}

/// The similarity between a check and the check of the main line.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub enum MoveLikeness {
    /// The two checks have nothing in common that matters to composers.
    #[default]
    None,
    /// The two checks differ in promotion only.
    Promotion,
    /// The two checks differ only in the distance from which the same piece checks.
    Distance,
}

impl MoveLikeness {
    pub(crate) fn of<G: MateGame>(game: &G, one: G::Move, other: G::Move) -> Self {
        if game.differ_in_promotion(one, other) {
            Self::Promotion
        } else if game.differ_in_distance(one, other) {
            Self::Distance
        } else {
            Self::None
        }
    }
}

/// The result of a check other than the main line's check.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum OtherAnswer {
    /// The check mates within this many plies, including the check.
    Mate(usize),
    /// A limit ended the search.
    Open,
}

/// The reason why a search could not answer a question.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum OpenReason {
    /// The search reached its node limit.
    Nodes,
    /// The search was stopped from outside.
    Stopped,
    /// The memory of the search was too small.
    Memory,
    /// Lines of more plies than the given number were not searched.
    Plies(usize),
    /// An inner search reached its own limit.
    Inner,
}
