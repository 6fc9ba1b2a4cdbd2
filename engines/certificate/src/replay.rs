//! Limits and results of a replay.

use crate::certificate::Claim;
use hasami_api::{Game, InvalidPosition, Rules, Start};
use std::sync::Arc;

/// Limits of a verification.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct VerifyLimits {
    /// Largest number of visited pairs of a position and a node. Each pair takes 60 bytes of memory in an attacker's
    /// strategy, and 200 bytes in a defender's.
    pub positions: u64,
    /// Largest number of attacking moves in one line; at most 30,000, the capacity of a game's history.
    pub depth: usize,
}

impl Default for VerifyLimits {
    fn default() -> Self {
        Self { positions: 50_000_000, depth: 2_000 }
    }
}

/// A claim that has been proved.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Verified {
    /// The claim of the certificate.
    pub claim: Claim,
    /// Length of the longest line of the attacker's strategy, in plies: 0 for a mate, `None` for a strategy of the
    /// defender.
    pub plies: Option<u16>,
    /// Number of positions visited.
    pub positions: u64,
}

/// Sets up a position under the rules for problems.
pub(crate) fn set_up<G: Game>(text: &str) -> Result<G, InvalidPosition> {
    G::new(&Start { text: Some(Arc::from(text)), rules: Rules::OF_PROBLEMS })
}
