//! How the nodes of a tree are valued: by one number as in Tatematsu et al. 1996, or by proof and disproof numbers.

use crate::core::numbers::ChildCount;
use crate::core::style::Style;
use crate::core::value::INFINITE;
use std::cmp::Reverse;

/// Weight of an answer of the defender in the value of a position, where a ply weighs 1.
const ANSWER: u32 = 8;

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Measure {
    /// Min-max of one value of the leaves, those after a check.
    Value,
    /// Proof and disproof numbers; leaves are positions in which the attacker is to move.
    Proof,
}

impl Measure {
    /// A leaf is a position in which the attacker is to move.
    pub(crate) const fn leaf_attacks(self) -> bool {
        matches!(self, Self::Proof)
    }

    /// The value of a position after so many plies in which the defender, in check, has so many answers.
    ///
    /// Tatematsu et al. 1996 calls its evaluation function simple and does not give it. The fewer answers, the better:
    /// what the programs of its time had in common. A ply costs an eighth of an answer, so that no line is followed
    /// forever.
    pub(crate) const fn first_numbers(self, depth: usize, answers: usize) -> (u32, u32) {
        match self {
            Self::Value => (depth as u32 + ANSWER * answers as u32, 1),
            Self::Proof => (answers as u32, 1),
        }
    }

    /// The least is searched first, in a position whose side to move attacks or not, of a child with these numbers and so
    /// many tasks out below it.
    ///
    /// Proof numbers: a task that is out may fail, so that those who come later also try the next best (as virtual losses
    /// in PNS-PDFPN, arXiv 2511.10339).
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

/// A node's numbers from those of its open children.
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

    /// `pn` and `dn`.
    pub(crate) fn total(&self) -> (u32, u32) {
        match (self.measure, self.attacks) {
            (Measure::Value, true) => (self.least, 1),
            (Measure::Value, false) => (self.most.max(1), 1),
            (Measure::Proof, true) => (self.least, self.numbers.total()),
            (Measure::Proof, false) => (self.numbers.total(), self.least),
        }
    }
}
