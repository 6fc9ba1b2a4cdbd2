//! What cells have said that decides a leaf.

use crate::interface::cell_message::Fact;
use hasami_api::Hand;
use std::collections::BTreeSet;

/// A problem's decision.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(crate) enum Conclusion<M> {
    /// With its main line.
    Mate(Vec<M>),
    /// `cut`: none so short.
    None { cut: bool },
}

/// Claims of one problem that a host notes.
const KEPT: usize = 1 << 16;

/// A cell says that a leaf mates, or that it does not.
#[derive(Clone)]
pub(crate) struct Claim<M> {
    pub(crate) cell: usize,
    /// From the problem's position to the leaf.
    pub(crate) moves: Vec<M>,
    /// Of the leaf's board, and the attacker's hand there.
    pub(crate) key: u64,
    pub(crate) hand: Hand,
    pub(crate) is_mate: bool,
    /// Moves that it may have cost.
    pub(crate) nodes: u64,
}

impl<M> Claim<M> {
    /// The claim as a fact, which is not to be believed.
    pub(crate) fn fact(&self) -> Fact {
        let plies = self.is_mate.then_some(1);
        Fact { key: self.key, hand: self.hand, plies, work: u32::try_from(self.nodes).unwrap_or(u32::MAX) }
    }
}

/// See the module.
pub(crate) struct Claims<M> {
    all: Vec<Claim<M>>,
    /// Cells that have decided something in the tree as it stands.
    deciders: BTreeSet<usize>,
}

impl<M> Default for Claims<M> {
    fn default() -> Self {
        Self { all: Vec::new(), deciders: BTreeSet::new() }
    }
}

impl<M: Clone> Claims<M> {
    pub(crate) fn add(&mut self, claim: Option<Claim<M>>) {
        self.all.extend(claim.filter(|_| self.all.len() < KEPT));
    }

    /// A cell's word has decided something, be it within a sub-tree.
    pub(crate) fn note_decider(&mut self, cell: usize) {
        self.deciders.insert(cell);
    }

    pub(crate) const fn deciders(&self) -> &BTreeSet<usize> {
        &self.deciders
    }

    pub(crate) fn iter(&self) -> impl Iterator<Item = &Claim<M>> {
        self.all.iter()
    }

    /// Those of one kind, that near the problem's position first.
    pub(crate) fn nearest(&self, is_mate: bool) -> Vec<Claim<M>> {
        let mut found: Vec<Claim<M>> = self.all.iter().filter(|claim| claim.is_mate == is_mate).cloned().collect();
        found.sort_by_key(|claim| claim.moves.len());
        found
    }

    /// The tree begins anew, without these cells.
    pub(crate) fn renew(&mut self, without: &BTreeSet<usize>) {
        self.deciders.clear();
        self.all.retain(|claim| !without.contains(&claim.cell));
    }
}
