//! What a solver of mates can be asked beyond its answer.

use hasami_api::{MateGame, is_mated, is_mated_for_composers};

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

/// A request about a mate.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct MateRequest {
    /// A shortest mate, which is proved. Until it is, there is no answer.
    pub shortest: bool,
    /// What counts as a mate.
    pub rules: MateRules,
    /// The attacker need not check.
    pub any_moves: bool,
    /// The side to move is the one that is to be mated.
    pub defender_first: bool,
    /// Which other checks mate, at every move of the main line.
    pub others: bool,
    /// So many lines of first moves are wanted: those of other mates, or where there is none an answer to each check.
    pub lines: u16,
    /// How many of the attacker's moves of the proof are to be told; 0: no proof.
    pub proof: usize,
}
