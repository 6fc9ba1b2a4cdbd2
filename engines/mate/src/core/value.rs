//! Knowledge of a position.

use hasami_api::Hand;

/// A number that no sum reaches.
pub(crate) const INFINITE: u32 = u32::MAX / 2;

/// A disproof that depends on nothing but its position.
pub(crate) const UNCONDITIONAL: i16 = i16::MAX;
/// A disproof that depends on the moves played before the root (repetition, counters).
pub(crate) const HISTORY: i16 = -1;
/// A disproof that depends on the depth limit: no disproof at all.
pub(crate) const CUT: i16 = -2;

/// Proof and disproof number of the attacker: proved if `pn` is 0, disproved if `dn` is 0.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) struct ProofNumbers {
    pub(crate) pn: u32,
    pub(crate) dn: u32,
    /// The attacker's hand for which this holds. Proved: it holds for all that cover it; disproved: for all that it covers.
    pub(crate) hand: Hand,
    /// Proved: plies to mate in the proof found. Disproved: the smallest depth of the path that the disproof depends on,
    /// or one of the constants above.
    pub(crate) note: i16,
}

impl ProofNumbers {
    pub(crate) const fn open(pn: u32, dn: u32, hand: Hand) -> Self {
        Self { pn, dn, hand, note: 0 }
    }

    pub(crate) const fn proved(plies: i16, hand: Hand) -> Self {
        Self { pn: 0, dn: INFINITE, hand, note: plies }
    }

    pub(crate) const fn disproved(depends_on: i16, hand: Hand) -> Self {
        Self { pn: INFINITE, dn: 0, hand, note: depends_on }
    }

    pub(crate) const fn is_proved(self) -> bool {
        self.pn == 0
    }

    pub(crate) const fn is_disproved(self) -> bool {
        self.dn == 0
    }

    pub(crate) const fn is_decided(self) -> bool {
        self.is_proved() || self.is_disproved()
    }
}
