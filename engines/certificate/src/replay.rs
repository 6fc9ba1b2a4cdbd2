//! Start and result of a replay.

use crate::certificate::{Claim, Plies};
use hasami_api::{Game, InvalidPosition, Rules, Start};
use std::fmt;
use std::sync::Arc;

/// Limits of a verification.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct VerifyLimits {
    /// Positions that are visited, each once for each node that serves it: 60 bytes each, 200 for the
    /// defender's strategies.
    pub positions: u64,
    /// Moves of the attacker in one line: at most 30,000, which is what a game's history can hold.
    pub depth: usize,
}

impl Default for VerifyLimits {
    fn default() -> Self {
        Self { positions: 50_000_000, depth: 2_000 }
    }
}

/// A claim that is proved.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Verified {
    /// The claim that was verified.
    pub claim: Claim,
    /// The longest length of the attacker's strategy in plies; 0 for a mate.
    pub plies: Option<u16>,
    /// How many positions were visited.
    pub positions: u64,
}

impl fmt::Display for Verified {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}", self.claim)?;
        match (self.claim, self.plies) {
            (Claim::Brinkmate { .. }, Some(0)) => f.write_str(" (proved: a mate)")?,
            (Claim::Brinkmate { plies: claimed }, Some(plies)) if plies < claimed => {
                write!(f, " (proved: {})", Plies(plies))?;
            }
            _ => {}
        }
        write!(f, ", {} positions", self.positions)
    }
}

/// The position of a text, by the rules of problems.
pub(crate) fn set_up<G: Game>(text: &str) -> Result<G, InvalidPosition> {
    G::new(&Start { text: Some(Arc::from(text)), rules: Rules::OF_PROBLEMS })
}
