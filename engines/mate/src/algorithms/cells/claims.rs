//! Claims by cells that the attacker mates from a leaf, or does not.

use crate::interface::cell_message::Fact;
use hasami_api::Hand;
use std::collections::BTreeSet;

#[derive(Clone, PartialEq, Eq, Debug)]
pub(crate) enum Conclusion<M> {
    /// The main line of the mate.
    Mate(Vec<M>),
    /// There is no mate or, if `cut` is true, no mate within the ply limit.
    None { cut: bool },
}

/// Maximum number of claims that a host keeps per problem.
const KEPT: usize = 1 << 16;

/// A cell's claim that the attacker mates from a leaf (`is_mate`) or does not.
#[derive(Clone)]
pub(crate) struct Claim<M> {
    pub(crate) cell: usize,
    /// Moves from the problem's position to the leaf.
    pub(crate) moves: Vec<M>,
    /// Key of the leaf's board. `hand` is the attacker's hand.
    pub(crate) key: u64,
    pub(crate) hand: Hand,
    pub(crate) is_mate: bool,
    /// Upper bound on the number of moves that the cell made to reach the claim.
    pub(crate) nodes: u64,
}

impl<M> Claim<M> {
    /// Converts the claim to a fact that may guide a search but proves nothing.
    pub(crate) fn fact(&self) -> Fact {
        let plies = self.is_mate.then_some(1);
        Fact { key: self.key, hand: self.hand, plies, work: u32::try_from(self.nodes).unwrap_or(u32::MAX) }
    }
}

/// All claims about a problem.
pub(crate) struct Claims<M> {
    all: Vec<Claim<M>>,
    /// Cells whose results have decided a node of the current tree.
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

    /// Records that a result of the cell has decided a node, possibly inside a sub-tree.
    pub(crate) fn note_decider(&mut self, cell: usize) {
        self.deciders.insert(cell);
    }

    pub(crate) const fn deciders(&self) -> &BTreeSet<usize> {
        &self.deciders
    }

    pub(crate) fn iter(&self) -> impl Iterator<Item = &Claim<M>> {
        self.all.iter()
    }

    /// Returns the claims of a mate (`is_mate`) or of no mate, those nearest to the problem's position first.
    pub(crate) fn nearest(&self, is_mate: bool) -> Vec<Claim<M>> {
        let mut found: Vec<Claim<M>> = self.all.iter().filter(|claim| claim.is_mate == is_mate).cloned().collect();
        found.sort_by_key(|claim| claim.moves.len());
        found
    }

    /// Removes all deciders, and all claims made by the cells in `without`, before the tree is rebuilt.
    pub(crate) fn renew(&mut self, without: &BTreeSet<usize>) {
        self.deciders.clear();
        self.all.retain(|claim| !without.contains(&claim.cell));
    }
}
