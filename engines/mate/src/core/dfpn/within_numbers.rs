//! Proof and disproof numbers for the question whether there is a mate within a number of plies, and their limits.

use crate::core::value::INFINITE;
use hasami_api::Hand;

/// The proof and disproof numbers of a question, which is decided if one of the two numbers is 0.
#[derive(Clone, Copy)]
pub(super) struct Numbers {
    pub(super) pn: u32,
    pub(super) dn: u32,
    /// The attacker's hand for which the question is decided.
    pub(super) hand: Hand,
    /// True if the proof holds for every larger hand, or the disproof for every smaller one.
    pub(super) is_general: bool,
    /// The smallest number of plies for which a proof holds, or the largest for which a disproof holds.
    pub(super) plies: usize,
    /// Whether the answer depends on a draw or a win by the rules, and thus on the moves that led to the position.
    pub(super) is_bound: bool,
}

impl Numbers {
    pub(super) const fn open(pn: u32, dn: u32) -> Self {
        Self { pn, dn, hand: Hand::EMPTY, is_general: false, plies: 0, is_bound: false }
    }

    pub(super) const fn yes(hand: Hand, is_general: bool, plies: usize) -> Self {
        Self { pn: 0, dn: INFINITE, hand, is_general, plies, is_bound: false }
    }

    pub(super) const fn no(hand: Hand, is_general: bool, plies: usize) -> Self {
        Self { pn: INFINITE, dn: 0, hand, is_general, plies, is_bound: false }
    }

    pub(super) const fn is_yes(self) -> bool {
        self.pn == 0
    }

    pub(super) const fn is_no(self) -> bool {
        self.dn == 0
    }

    pub(super) const fn is_decided(self) -> bool {
        self.is_yes() || self.is_no()
    }

    /// Restricts the answer to `hand`, unless the answer is general.
    pub(super) const fn kept_for(self, hand: Hand) -> Self {
        if self.is_general { self } else { Self { hand, ..self } }
    }
}

/// The numbers at which the search of a question stops and another question is searched.
#[derive(Clone, Copy)]
pub(super) struct Limits {
    pub(super) pn: u32,
    pub(super) dn: u32,
}

impl Limits {
    pub(super) const NONE: Self = Self { pn: INFINITE, dn: INFINITE };

    pub(super) const fn are_reached_by(self, numbers: Numbers) -> bool {
        numbers.is_decided() || numbers.pn >= self.pn || numbers.dn >= self.dn
    }

    pub(super) const fn exchanged(self) -> Self {
        Self { pn: self.dn, dn: self.pn }
    }
}
