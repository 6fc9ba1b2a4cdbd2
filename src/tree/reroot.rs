//! Moves the root when moves are played. Nodes below the new root keep their workers; all other nodes are removed.

use super::arena::{Marks, NodeId};
use super::master::{MasterTree, judge, root_node};
use super::node::{Settled, TreeNode};
use hasami_api::Game;
use std::collections::hash_map::Entry;

impl<G: Game> MasterTree<G> {
    /// Plays legal moves at the root. Nodes below the new root keep their workers; all other nodes are removed.
    pub fn reroot(&mut self, moves: &[G::Move]) {
        self.replant(moves, false);
    }

    /// Like [`Self::reroot`], for a new root at which the opponent is to move. The side to move at the root affects all
    /// values, because it determines the nodes whose workers search all moves ([`super::rules::anticipation`]).
    pub fn reroot_before_reply(&mut self, moves: &[G::Move]) {
        self.replant(moves, true);
    }

    fn replant(&mut self, moves: &[G::Move], replies: bool) {
        if moves.is_empty() && self.only.is_empty() && self.expected.is_none() && self.replies == replies {
            return;
        }
        let mut root = self.root;
        for &m in moves {
            root = self.add_child(self.searched(root), m);
        }
        self.forget_all_but_below(root);
        moves.iter().for_each(|&m| self.game.make(m));
        if moves.is_empty() && !self.only.is_empty() {
            self.unlearn(root);
        }
        self.root = root;
        self.expected = None;
        self.replies = replies;
        self.only.clear();
        self.renew_root();
        self.renew_values();
    }

    /// Allows only some moves at the root, or all if `only` is empty. Removes the nodes of moves that are not allowed.
    pub fn restrict(&mut self, only: &[G::Move]) {
        if self.only == only {
            return;
        }
        self.reroot(&[]);
        self.only = only.to_vec();
        let root = self.root;
        let cut: Vec<NodeId> =
            self.node(root).children.iter().copied().filter(|&id| !self.is_allowed_child(id)).collect();
        for child in cut {
            self.node_mut(root).children.retain(|&id| id != child);
        }
        self.forget_all_but_below(root);
        self.renew_root();
        self.unlearn(root);
        self.renew_values();
    }

    /// Removes the root's finding, which does not apply to the new set of allowed moves.
    fn unlearn(&mut self, root: NodeId) {
        let node = self.node_mut(root);
        (node.own, node.value, node.exhausted) = (None, None, false);
    }

    fn is_allowed_child(&self, id: NodeId) -> bool {
        self.only.is_empty() || self.node(id).step.is_some_and(|(m, _)| self.only.contains(&m))
    }

    fn forget_all_but_below(&mut self, root: NodeId) {
        let kept = self.keep_below(root);
        self.occupied.retain(|&id| kept.contains(id));
        for id in self.nodes.ids() {
            if !kept.contains(id) {
                self.forget(id);
            }
        }
    }

    /// Returns `root` and all nodes below it. A node whose twin is to be removed takes over from the twin
    /// ([`Self::adopt`]).
    fn keep_below(&mut self, root: NodeId) -> Marks {
        let mut kept = self.nodes.marks();
        let mut open = vec![root];
        let mut twinned = Vec::new();
        loop {
            while let Some(id) = open.pop() {
                if kept.insert(id) {
                    open.extend(&self.node(id).children);
                    twinned.extend(self.node(id).twin.map(|_| id));
                }
            }
            let Some(id) = twinned.pop() else { return kept };
            if self.node(id).twin.is_some_and(|twin| !kept.contains(twin)) {
                self.adopt(id);
                open.extend(&self.node(id).children);
            }
        }
    }

    /// Makes a node the searched node of its position: it takes over the children, finding and worker of its twin.
    fn adopt(&mut self, heir: NodeId) {
        let Some(twin) = self.node(heir).twin else { return };
        let old = self.node_mut(twin);
        let (children, own, assigned) = (std::mem::take(&mut old.children), old.own.take(), old.worker.take());
        let (key, ply, exhausted) = (old.key, old.ply, old.exhausted);
        old.twin = Some(heir);
        for &child in &children {
            self.node_mut(child).parent = Some(heir);
        }
        let node = self.node_mut(heir);
        (node.children, node.own, node.worker, node.exhausted, node.twin) = (children, own, assigned, exhausted, None);
        node.settled = Settled::No;
        self.forget_worker(twin);
        self.occupied.extend(assigned.map(|_| heir));
        self.by_key.insert((key, ply), heir);
        let mut aliases = self.aliases.remove(&twin).unwrap_or_default();
        aliases.retain(|&id| id != heir);
        aliases.push(twin);
        for &alias in &aliases {
            self.node_mut(alias).twin = Some(heir);
        }
        self.aliases.insert(heir, aliases);
    }

    /// Removes one node from every table except `occupied`. The caller must also remove all nodes that refer to the
    /// node.
    fn forget(&mut self, id: NodeId) {
        let Some(node) = self.nodes.remove(id) else { return };
        self.changed.push(id);
        if let Entry::Occupied(entry) = self.by_key.entry((node.key, node.ply))
            && *entry.get() == id
        {
            entry.remove();
        }
        self.aliases.remove(&id);
        if let Some(twin) = node.twin
            && let Some(aliases) = self.aliases.get_mut(&twin)
        {
            aliases.retain(|&alias| alias != id);
            if aliases.is_empty() {
                self.aliases.remove(&twin);
            }
        }
    }

    /// Turns the new root's node into a root, which has no parent and ends the game only if there is no legal move.
    fn renew_root(&mut self) {
        let root = self.root;
        let ply = self.node(root).ply;
        let fresh = root_node(&mut self.game, ply);
        let allowed = if self.only.is_empty() { fresh.legal } else { self.only.len() as u16 };
        let node = self.node_mut(root);
        (node.parent, node.step, node.settled, node.legal) = (None, None, fresh.settled, allowed);
        let key = (node.key, node.ply);
        self.by_key.entry(key).or_insert(root);
        self.changed.push(root);
    }

    /// Re-evaluates all repetitions, because the root has changed, and recomputes all values.
    fn renew_values(&mut self) {
        let mut order: Vec<NodeId> = self.nodes.ids();
        order.sort_by_key(|&id| std::cmp::Reverse(self.node(id).ply));
        for &id in &order {
            let settled = match self.node(id).settled {
                Settled::Repetition(_) => {
                    let plies = self.depth(id);
                    self.at(id, |game| judge(game, plies).1)
                }
                Settled::Proof(_) => Settled::No,
                settled => settled,
            };
            self.node_mut(id).settled = settled;
            if !settled.is_settled() && self.node(id).twin.is_none() {
                self.find_searched(id);
            }
        }
        // The nodes are sorted so that each comes after its children and after its twin.
        order.sort_by_key(|&id| (std::cmp::Reverse(self.node(id).ply), self.node(id).twin.is_some()));
        for id in order {
            self.renew(id);
        }
    }

    /// Decides whether the position of a node that is no longer settled is searched at this node or at a twin.
    fn find_searched(&mut self, id: NodeId) {
        let TreeNode { key, ply, .. } = *self.node(id);
        let searched = *self.by_key.entry((key, ply)).or_insert(id);
        if searched != id && self.node(id).children.is_empty() && self.node(id).worker.is_none() {
            self.node_mut(id).twin = Some(searched);
            self.aliases.entry(searched).or_default().push(id);
        }
    }
}
