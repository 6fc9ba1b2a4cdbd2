//! The value of a position in a proof-number search.

use hasami_api::Hand;

/// Represents infinity: larger than any sum of proof or disproof numbers.
pub(crate) const INFINITE: u32 = u32::MAX / 2;

/// Note of a disproof that holds on every path to its position.
pub(crate) const UNCONDITIONAL: i16 = i16::MAX;
/// Note of a disproof that depends on the moves before the root (repetition, counters).
pub(crate) const HISTORY: i16 = -1;
/// Note of a result that depends on the depth limit and is therefore no disproof.
pub(crate) const CUT: i16 = -2;

/// Proof and disproof numbers of a position, from the attacker's point of view. The position is proved if `pn` is 0,
/// and disproved if `dn` is 0.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) struct ProofNumbers {
    pub(crate) pn: u32,
    pub(crate) dn: u32,
    /// The attacker's hand for which the numbers hold. A proof also holds for all hands that cover this hand, and a
    /// disproof for all hands that this hand covers.
    pub(crate) hand: Hand,
    /// Length of a proof in plies. For a disproof, the smallest depth of the path on which the disproof depends, or one
    /// of the constants of this module.
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
