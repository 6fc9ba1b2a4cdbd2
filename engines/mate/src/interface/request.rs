//! The options of a request to a mate solver.

use hasami_api::{MateGame, is_mated, is_mated_for_composers};

/// The rules by which the length of a mate is counted, which do not affect whether there is a mate.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, Default)]
pub enum MateRules {
    /// Every legal defence counts.
    #[default]
    Strict,
    /// Futile interpositions do not count (docs/guide/solve.md).
    Tsume,
}

impl MateRules {
    /// Returns true if the side to move is mated according to `self`; see [`is_mated`] and [`is_mated_for_composers`].
    pub fn is_mated<G: MateGame>(self, game: &G) -> bool {
        match self {
            Self::Strict => is_mated(game),
            Self::Tsume => is_mated_for_composers(game),
        }
    }
}

/// The options of a request to find a mate.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct MateRequest {
    /// Whether to prove that no shorter mate exists.
    pub shortest: bool,
    /// The rules by which lengths are counted.
    pub rules: MateRules,
    /// Whether the attacker may play moves other than checks.
    pub any_moves: bool,
    /// Whether the side to move is to be mated.
    pub defender_first: bool,
    /// Whether to find the other checks that mate, at every move of the main line.
    pub others: bool,
    /// Whether to find other defences against the moves of the main line, and checks that fail.
    pub variations: bool,
    /// Number of lines to report, each with its own first move: mates or, if there is no mate, answered checks.
    pub lines: u16,
    /// Maximum number of attacking moves in the reported proof; 0 for no proof.
    pub proof: usize,
}
