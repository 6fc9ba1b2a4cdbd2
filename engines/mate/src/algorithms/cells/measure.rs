//! The two ways to evaluate a tree's nodes: one value (Tatematsu et al. 1996), or proof and disproof numbers.

use crate::core::numbers::ChildCount;
use crate::core::style::Style;
use crate::core::value::INFINITE;
use std::cmp::Reverse;

/// Weight of one answer of the defender in the value of a position. Each ply has weight 1 in the value of a position.
const ANSWER: u32 = 8;

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Measure {
    /// Each leaf has one value, and values are combined by minimax. Leaves are positions after a check.
    Value,
    /// Each leaf has a proof and a disproof number. Leaves are positions in which the attacker is to move.
    Proof,
}

impl Measure {
    /// Returns true if the attacker is to move at leaves.
    pub(crate) const fn leaf_attacks(self) -> bool {
        matches!(self, Self::Proof)
    }

    /// Returns the numbers of a new position at depth `depth` in plies, in which the defender is in check and has
    /// `answers` answers.
    ///
    /// The paper by Tatematsu et al. (1996) does not state its evaluation function, which it calls simple. In this
    /// implementation, positions with fewer answers have better values, as in other programs of 1996. A ply costs an
    /// eighth as much as an answer, so that no line is followed forever.
    pub(crate) const fn first_numbers(self, depth: usize, answers: usize) -> (u32, u32) {
        match self {
            Self::Value => (depth as u32 + ANSWER * answers as u32, 1),
            Self::Proof => (answers as u32, 1),
        }
    }

    /// Returns the rank of a child with the numbers `pn` and `dn` and with `busy` assigned tasks below it. The child
    /// with the smallest rank is searched first. `attacks` states whether the attacker is to move in the parent.
    ///
    /// With proof numbers, assigned tasks make a child less attractive, so that cells also try the next best child (as
    /// with virtual losses in PNS-PDFPN, arXiv 2511.10339).
    pub(crate) fn rank(self, attacks: bool, pn: u32, dn: u32, busy: u32) -> (u32, Reverse<u32>) {
        let more = |own: u32| own.saturating_add(own.saturating_mul(busy) / 4).saturating_add(busy);
        match (self, attacks) {
            (Self::Value, true) => (pn, Reverse(0)),
            (Self::Value, false) => (INFINITE - pn, Reverse(0)),
            (Self::Proof, true) => (more(pn), Reverse(dn)),
            (Self::Proof, false) => (more(dn), Reverse(0)),
        }
    }
}

/// Computes a node's numbers from the numbers of its open children.
pub(crate) struct ChildNumbers {
    measure: Measure,
    attacks: bool,
    part: u32,
    least: u32,
    most: u32,
    numbers: ChildCount,
}

impl ChildNumbers {
    pub(crate) fn new(measure: Measure, attacks: bool) -> Self {
        let part = Style::DFPN.parts[usize::from(attacks)];
        Self { measure, attacks, part, least: INFINITE, most: 0, numbers: ChildCount::default() }
    }

    pub(crate) fn add(&mut self, pn: u32, dn: u32) {
        let (own, other) = if self.attacks { (pn, dn) } else { (dn, pn) };
        (self.least, self.most) = (self.least.min(own), self.most.max(other));
        self.numbers.add(other, self.part);
    }

    /// Returns the node's proof and disproof numbers.
    pub(crate) fn total(&self) -> (u32, u32) {
        match (self.measure, self.attacks) {
            (Measure::Value, true) => (self.least, 1),
            (Measure::Value, false) => (self.most.max(1), 1),
            (Measure::Proof, true) => (self.least, self.numbers.total()),
            (Measure::Proof, false) => (self.numbers.total(), self.least),
        }
    }
}
