//! The tree that a host or a best-first cell holds. Nodes hold no positions; a position is restored by making the moves
//! that lead to its node.
//!
//! The tree keeps only nodes that an answer needs: failed checks are dropped, failed defences are dropped except the
//! one that lasts longest, and a decided node keeps only its main line.

use super::measure::{ChildNumbers, Measure};
use crate::core::value::INFINITE;

/// Index of a node. The index of a dropped node is reused.
pub(crate) type Id = u32;

pub(crate) const ROOT: Id = 0;
pub(crate) const NOBODY: Id = Id::MAX;

/// The value of `task` in a leaf without a task.
pub(crate) const NO_TASK: u32 = 0;

#[derive(Clone)]
pub(crate) struct HostNode<M> {
    /// The move that led to the node; `None` for the root.
    pub(crate) mv: Option<M>,
    parent: Id,
    first: Id,
    next: Id,
    /// Proof number. The node is proved if `pn` is 0, and disproved if `dn` is 0. In a best-first search, `pn` is the
    /// value of the node, and smaller values are better for the attacker.
    pub(crate) pn: u32,
    pub(crate) dn: u32,
    /// Number of open leaves without a task at or below the node.
    free: u32,
    /// Number of tasks assigned for leaves at or below the node.
    busy: u32,
    /// The task assigned to this leaf, or [`NO_TASK`].
    pub(crate) task: u32,
    /// Number of plies to mate, if the node is proved.
    pub(crate) plies: u16,
    /// The cell that last searched the node.
    pub(crate) cell: u16,
    /// Target square of the defender's drop that led to the node.
    pub(crate) square: Option<u8>,
    /// Number of times the node was searched as a leaf.
    pub(crate) visits: u8,
    /// True if the attacker is to move at the node.
    pub(crate) attacks: bool,
    /// Whether the move that led to the node is a drop of the defender that waits until the earlier drops on its square
    /// have failed.
    pub(crate) waits: bool,
}

impl<M> HostNode<M> {
    fn new(mv: Option<M>, parent: Id, attacks: bool) -> Self {
        Self {
            mv,
            parent,
            first: NOBODY,
            next: NOBODY,
            pn: 1,
            dn: 1,
            free: 1,
            busy: 0,
            task: NO_TASK,
            plies: 0,
            cell: u16::MAX,
            square: None,
            visits: 0,
            attacks,
            waits: false,
        }
    }

    pub(crate) const fn is_proved(&self) -> bool {
        self.pn == 0
    }

    pub(crate) const fn is_disproved(&self) -> bool {
        self.dn == 0
    }

    pub(crate) const fn is_decided(&self) -> bool {
        self.is_proved() || self.is_disproved()
    }

    pub(crate) const fn is_leaf(&self) -> bool {
        self.first == NOBODY
    }

    pub(crate) const fn busy(&self) -> u32 {
        self.busy
    }

    pub(crate) const fn free(&self) -> u32 {
        self.free
    }
}

pub(crate) struct HostTree<M> {
    nodes: Vec<HostNode<M>>,
    /// Indices of dropped nodes, for reuse.
    spare: Vec<Id>,
    measure: Measure,
    /// Tasks to be cancelled, because their leaves were dropped.
    pub(crate) useless: Vec<u32>,
}

impl<M: Copy> HostTree<M> {
    pub(crate) fn new(measure: Measure, attacks: bool) -> Self {
        Self { nodes: vec![HostNode::new(None, NOBODY, attacks)], spare: Vec::new(), measure, useless: Vec::new() }
    }

    /// Size of a node in bytes.
    pub(crate) const fn node_bytes() -> usize {
        size_of::<HostNode<M>>()
    }

    pub(crate) const fn measure(&self) -> Measure {
        self.measure
    }

    /// Returns true if the node has been dropped.
    pub(crate) fn is_spare(&self, id: Id) -> bool {
        self.spare.contains(&id)
    }

    pub(crate) const fn len(&self) -> usize {
        self.nodes.len() - self.spare.len()
    }

    pub(crate) fn node(&self, id: Id) -> &HostNode<M> {
        &self.nodes[id as usize]
    }

    pub(crate) fn node_mut(&mut self, id: Id) -> &mut HostNode<M> {
        &mut self.nodes[id as usize]
    }

    pub(crate) fn root(&self) -> &HostNode<M> {
        self.node(ROOT)
    }

    /// Number of open leaves.
    pub(crate) fn leaves(&self) -> usize {
        (self.root().free + self.root().busy) as usize
    }

    /// Adds a child at the head of the parent's list of children.
    pub(crate) fn add(&mut self, parent: Id, mv: M) -> Id {
        let attacks = !self.node(parent).attacks;
        let node = HostNode { next: self.node(parent).first, ..HostNode::new(Some(mv), parent, attacks) };
        let id = match self.spare.pop() {
            Some(id) => {
                self.nodes[id as usize] = node;
                id
            }
            None => {
                self.nodes.push(node);
                self.nodes.len() as Id - 1
            }
        };
        self.node_mut(parent).first = id;
        id
    }

    pub(crate) fn children(&self, id: Id) -> impl Iterator<Item = Id> {
        let first = self.node(id).first;
        std::iter::successors((first != NOBODY).then_some(first), |&child| {
            let next = self.node(child).next;
            (next != NOBODY).then_some(next)
        })
    }

    /// Iterates over the node and its ancestors, from the node to the root.
    pub(crate) fn ancestors(&self, id: Id) -> impl Iterator<Item = Id> {
        std::iter::successors(Some(id), |&id| {
            let parent = self.node(id).parent;
            (parent != NOBODY).then_some(parent)
        })
    }

    /// Returns the moves from the root to a node.
    pub(crate) fn moves_to(&self, id: Id) -> Vec<M> {
        let mut moves: Vec<M> = self.ancestors(id).filter_map(|id| self.node(id).mv).collect();
        moves.reverse();
        moves
    }

    /// Returns the main line from a proved node to the mate.
    pub(crate) fn line_from(&self, id: Id) -> Vec<M> {
        let next = |&id: &Id| self.children(id).next();
        std::iter::successors(next(&id), next).filter_map(|id| self.node(id).mv).collect()
    }

    pub(crate) fn prove(&mut self, id: Id, plies: u16) {
        let node = self.node_mut(id);
        (node.pn, node.dn, node.plies, node.waits) = (0, INFINITE, plies, false);
        self.retire(id);
    }

    pub(crate) fn disprove(&mut self, id: Id) {
        let node = self.node_mut(id);
        (node.pn, node.dn, node.waits) = (INFINITE, 0, false);
        self.retire(id);
        self.drop_children(id, None);
    }

    /// Removes the node from the open leaves and cancels its task.
    fn retire(&mut self, id: Id) {
        let node = self.node_mut(id);
        let task = std::mem::replace(&mut node.task, NO_TASK);
        (node.free, node.busy) = (0, 0);
        if task != NO_TASK {
            self.useless.push(task);
        }
    }

    /// Drops everything below a node except the sub-tree of the child `kept`.
    fn drop_children(&mut self, id: Id, kept: Option<Id>) {
        let mut doomed: Vec<Id> = self.children(id).filter(|&child| Some(child) != kept).collect();
        self.node_mut(id).first = kept.unwrap_or(NOBODY);
        if let Some(kept) = kept {
            self.node_mut(kept).next = NOBODY;
        }
        while let Some(id) = doomed.pop() {
            doomed.extend(self.children(id));
            self.retire(id);
            self.spare.push(id);
        }
    }

    /// Makes a node a leaf by dropping everything below it; the node keeps its numbers.
    pub(crate) fn collapse(&mut self, id: Id) {
        self.drop_children(id, None);
        self.settle_leaf(id);
    }

    fn settle_leaf(&mut self, id: Id) {
        let node = self.node_mut(id);
        let is_open = !node.is_decided() && !node.waits;
        node.free = u32::from(is_open && node.task == NO_TASK);
        node.busy = u32::from(node.task != NO_TASK);
    }

    /// Updates the numbers of a changed node and of its ancestors.
    pub(crate) fn update(&mut self, id: Id) {
        let mut at = id;
        loop {
            self.combine(at);
            match self.node(at).parent {
                NOBODY => return,
                parent => at = parent,
            }
        }
    }

    /// Computes a node's numbers from the numbers of its children.
    pub(crate) fn combine(&mut self, id: Id) {
        let node = self.node(id);
        if node.is_leaf() || node.is_decided() {
            if !node.is_decided() {
                self.settle_leaf(id);
            }
        } else if node.attacks {
            self.combine_attack(id);
        } else {
            self.combine_defence(id);
        }
    }

    fn combine_attack(&mut self, id: Id) {
        let proofs = self.children(id).filter(|&child| self.node(child).is_proved());
        if let Some(best) = proofs.min_by_key(|&child| self.node(child).plies) {
            self.drop_children(id, Some(best));
            self.prove(id, self.node(best).plies.saturating_add(1));
            return;
        }
        self.sift(id, |node| !node.is_disproved());
        if self.node(id).is_leaf() {
            self.disprove(id);
        } else {
            self.tally(id);
        }
    }

    fn combine_defence(&mut self, id: Id) {
        if self.children(id).any(|child| self.node(child).is_disproved()) {
            self.disprove(id);
            return;
        }
        self.wake(id);
        let proofs = self.children(id).filter(|&child| self.node(child).is_proved());
        if let Some(longest) = proofs.max_by_key(|&child| self.node(child).plies) {
            let open = self.children(id).any(|child| !self.node(child).is_decided());
            if !open {
                self.drop_children(id, Some(longest));
                self.prove(id, self.node(longest).plies.saturating_add(1));
                return;
            }
            let plies = self.node(longest).plies;
            self.node_mut(longest).plies = 0;
            self.sift(id, |node| !node.is_proved() || node.plies == 0);
            self.node_mut(longest).plies = plies;
        }
        self.tally(id);
    }

    /// Activates the next drop on each square on which all earlier drops have failed.
    fn wake(&mut self, id: Id) {
        let mut watched = 0u128;
        let bit = |square: u8| 1u128 << (square & 127);
        for child in self.children(id) {
            let node = self.node(child);
            if let (Some(square), false, false) = (node.square, node.waits, node.is_decided()) {
                watched |= bit(square);
            }
        }
        let waiting: Vec<Id> = self.children(id).filter(|&child| self.node(child).waits).collect();
        for child in waiting {
            let square = self.node(child).square.unwrap_or_default();
            if watched & bit(square) == 0 {
                watched |= bit(square);
                self.node_mut(child).waits = false;
                self.settle_leaf(child);
            }
        }
    }

    /// Drops the children for which `is_kept` is false.
    fn sift(&mut self, id: Id, is_kept: impl Fn(&HostNode<M>) -> bool) {
        if self.children(id).all(|child| is_kept(self.node(child))) {
            return;
        }
        let (kept, doomed): (Vec<Id>, Vec<Id>) = self.children(id).partition(|&child| is_kept(self.node(child)));
        for child in doomed {
            self.drop_children(child, None);
            self.retire(child);
            self.spare.push(child);
        }
        self.node_mut(id).first = NOBODY;
        for child in kept.into_iter().rev() {
            self.node_mut(child).next = self.node(id).first;
            self.node_mut(id).first = child;
        }
    }

    /// Computes the numbers of an open node.
    fn tally(&mut self, id: Id) {
        let attacks = self.node(id).attacks;
        let (mut tally, mut free, mut busy) = (ChildNumbers::new(self.measure, attacks), 0u32, 0u32);
        for child in self.children(id) {
            let node = self.node(child);
            if !node.waits && !node.is_decided() {
                tally.add(node.pn, node.dn);
                (free, busy) = (free + node.free, busy + node.busy);
            }
        }
        let (pn, dn) = tally.total();
        let node = self.node_mut(id);
        (node.pn, node.dn, node.free, node.busy) = (pn, dn, free, busy);
    }

    /// Returns the best open leaf without a task.
    pub(crate) fn choose(&self) -> Option<Id> {
        let mut at = ROOT;
        if self.node(at).free == 0 {
            return None;
        }
        while !self.node(at).is_leaf() {
            let attacks = self.node(at).attacks;
            let open = self.children(at).filter(|&child| self.node(child).free > 0);
            at = open.min_by_key(|&child| {
                let HostNode { pn, dn, busy, .. } = *self.node(child);
                self.measure.rank(attacks, pn, dn, busy)
            })?;
        }
        Some(at)
    }
}
