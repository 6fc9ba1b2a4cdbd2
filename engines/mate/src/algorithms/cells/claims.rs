//! What cells have said that decides a leaf.

use super::host::Host;
use super::tree::Id;
use crate::interface::cell_message::{CellResult, Fact};
use hasami_api::{Hand, MateGame};
use std::collections::BTreeSet;

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

impl<G: MateGame> Host<'_, G> {
    /// What a cell says of a leaf, if it decides it.
    pub(super) fn claim(&mut self, cell: usize, leaf: Id, found: &CellResult, nodes: u64) -> Option<Claim<G::Move>> {
        let is_mate = match found {
            CellResult::Mate(_) => true,
            CellResult::None { .. } => false,
            CellResult::Tree { .. } => {
                // Moves that it leaves out are decided, it says.
                self.claims.note_decider(cell);
                return None;
            }
            CellResult::Open { .. } | CellResult::Stopped => return None,
        };
        self.claims.note_decider(cell);
        self.walker.go(&self.tree, leaf);
        let game = &self.walker.game;
        let (key, hand) = (game.board_key(), game.hand(self.walker.attacker));
        Some(Claim { cell, moves: self.tree.moves_to(leaf), key, hand, is_mate, nodes })
    }
}
