//! What a solver of mates can be asked beyond its answer, and the end of a line as composers see it.

use crate::{
    Game, Levels, MateAnswer, MateGame, MoveText, Moves, Post, Searcher, Stop, Task, TaskError, Usage, Verdict,
};

/// How the length of a mate is counted. Whether there is one does not depend on it.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, Default)]
pub enum MateRules {
    /// Every legal defence counts.
    #[default]
    Strict,
    /// Futile interpositions do not count (docs/guide/solve.md).
    Tsume,
}

impl MateRules {
    /// A main line ends here: [`is_mated`] or [`is_mated_for_composers`].
    pub fn is_mated<G: MateGame>(self, game: &G) -> bool {
        match self {
            Self::Strict => is_mated(game),
            Self::Tsume => is_mated_for_composers(game),
        }
    }
}

/// What is wanted of a mate.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct MateWish {
    /// A shortest mate, which is proved. Until it is, there is no answer.
    pub shortest: bool,
    pub rules: MateRules,
    /// The attacker need not check.
    pub any_moves: bool,
    /// Which other checks mate, at every move of the main line.
    pub others: bool,
    /// How many of the attacker's moves of the proof are to be told; 0: no proof.
    pub proof: usize,
}

/// What was found.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Examined {
    pub answer: MateAnswer,
    /// Moves made.
    pub nodes: u64,
    /// By their place in the main line, if they were asked for.
    pub others: Vec<OtherMove>,
    pub proof: Option<Proof>,
    /// Of the processors, where several have searched.
    pub usage: Option<Usage>,
    /// Of a search level after level.
    pub levels: Option<Levels>,
}

/// A move of the attacker and what it is worth against every defence.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Proof {
    pub mv: MoveText,
    /// It mates within so many, itself included.
    pub plies: usize,
    /// The longest defences, that of the main line first; none: it is mate.
    pub answers: Vec<ProofAnswer>,
    /// Answers that are not told.
    pub rest: usize,
}

/// A defence, and what the attacker plays then.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct ProofAnswer {
    pub mv: MoveText,
    /// Mate within so many after it; 0: there was no time to prove it again.
    pub plies: usize,
    /// `None`: not told.
    pub next: Option<Proof>,
}

/// A check that could be played instead of one of the main line.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct OtherMove {
    /// Of the main line, from 1.
    pub ply: usize,
    pub mv: MoveText,
    pub answer: OtherAnswer,
}

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum OtherAnswer {
    /// It mates within so many plies, itself included.
    Mate(usize),
    /// A limit ended the search.
    Open,
}

/// A solver that composers can ask.
pub trait Examiner: Searcher {
    /// Works on a task of [`crate::Goal::Mate`] as [`Searcher::search`] does.
    fn examine(&mut self, task: &Task, wish: MateWish, stop: &Stop) -> Result<Examined, TaskError>;

    /// Cells outside of this program work for it from now on, if it is one that has cells.
    fn employ(&mut self, _post: Box<dyn Post>) {}
}

/// The side to move is in check, has no move, and has lost by it.
pub fn is_mated<G: Game>(game: &G) -> bool {
    game.count_moves() == 0 && is_mated_without_moves(game)
}

/// As [`is_mated`], where it is known that there is no move. A stalemate cannot come from a check; whatever the rules call
/// it, only a loss is a mate.
pub fn is_mated_without_moves<G: Game>(game: &G) -> bool {
    game.in_check() && game.verdict_without_moves() == Verdict::Loss
}

/// The side to move is mated, or would be but for drops between that the piece that checks takes one after the other.
pub fn is_mated_for_composers<G: MateGame>(game: &G) -> bool {
    let mut moves = Moves::new();
    game.legal_moves(&mut moves);
    if moves.is_empty() {
        return is_mated_without_moves(game);
    }
    let mut squares: Vec<u8> = Vec::new();
    for &m in moves.iter() {
        match game.dropped(m) {
            Some((_, square)) => squares.push(square),
            None => return false,
        }
    }
    squares.sort_unstable();
    squares.dedup();
    squares.into_iter().all(|square| game.nearer(square).iter().any(is_mated_for_composers))
}
