//! Tracks which worker searches which node, and which changed nodes may have nothing left to search. The lists of
//! workers and changes are updated incrementally, so that handling an event does not require visiting all nodes.

use super::arena::NodeId;
use super::master::MasterTree;
use super::node::NodeWorker;
use hasami_api::Game;
use std::collections::BTreeSet;

impl<G: Game> MasterTree<G> {
    /// Assigns a worker to a node; `None` removes the node's worker.
    pub fn set_worker(&mut self, id: NodeId, assigned: Option<NodeWorker>) {
        let Some(node) = self.nodes.get_mut(id) else { return };
        node.worker = assigned;
        if assigned.is_some() {
            self.occupied.insert(id);
        } else {
            self.forget_worker(id);
        }
    }

    /// Records that the node no longer has a worker, or no longer exists.
    pub(super) fn forget_worker(&mut self, id: NodeId) {
        self.occupied.remove(&id);
        self.changed.push(id);
    }

    /// The nodes that have a worker.
    pub fn occupied(&self) -> &BTreeSet<NodeId> {
        &self.occupied
    }

    /// The workers at nodes that were settled since the last call, and at nodes below them. Nodes that were settled
    /// earlier are not visited again, nor are the nodes below them.
    pub fn take_settled(&mut self) -> Vec<u32> {
        let mut open = std::mem::take(&mut self.newly_settled);
        open.retain(|&id| self.nodes.get(id).is_some_and(|node| node.settled.is_settled()));
        let mut workers = Vec::new();
        while let Some(id) = open.pop() {
            workers.extend(self.node(id).worker.map(|assigned| assigned.worker));
            self.open_children(id, &mut open);
        }
        workers
    }

    /// Returns whether [`Self::take_changed`] would return any node.
    pub fn has_changed(&self) -> bool {
        !self.changed.is_empty()
    }

    /// The nodes that were settled or removed, lost their worker, or had their covered moves changed since the last
    /// call. The nodes below a settled node are included.
    pub fn take_changed(&mut self) -> Vec<NodeId> {
        let mut changed = std::mem::take(&mut self.changed);
        let mut open = changed.clone();
        open.retain(|&id| self.get(id).is_some_and(|node| node.settled.is_settled()));
        while let Some(id) = open.pop() {
            let known = changed.len();
            self.open_children(id, &mut changed);
            open.extend(&changed[known..]);
        }
        changed
    }

    /// Adds a node's unsettled children to `open`.
    fn open_children(&self, id: NodeId, open: &mut Vec<NodeId>) {
        open.extend(self.node(id).children.iter().filter(|&&child| !self.node(child).settled.is_settled()));
    }
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used)]
    use super::*;
    use hasami_api::{MoveText, Report, Score, Start};
    use hasami_chess::Chess;
    use std::time::Duration;

    fn add(tree: &mut MasterTree<Chess>, parent: NodeId, text: &str) -> NodeId {
        let m = tree.at(parent, |game| game.parse_move(text)).unwrap();
        tree.add_child(parent, m)
    }

    #[test]
    fn a_change_of_a_node_is_reported_once() {
        let mut tree = MasterTree::new(Chess::new(&Start::default()).unwrap());
        let root = tree.root();
        let child = add(&mut tree, root, "e2e4");
        assert!(tree.has_changed());
        assert_eq!(tree.take_changed(), [root], "its worker has one move less");
        tree.set_worker(child, Some(NodeWorker { worker: 7, since: Duration::ZERO }));
        assert!(!tree.has_changed() && tree.occupied().iter().eq(&[child]));
        tree.set_worker(child, None);
        assert_eq!((tree.take_changed(), tree.occupied().len()), (vec![child], 0));
        tree.exhaust(child);
        assert_eq!(tree.take_changed(), [child]);
        assert!(!tree.has_changed());
    }

    #[test]
    fn settling_a_node_changes_all_nodes_below_it() {
        let line: Vec<MoveText> = ["f2f3", "e7e5", "g2g4"].map(|text| text.parse().unwrap()).to_vec();
        let mut game = Chess::new(&Start::default()).unwrap();
        for text in line {
            let m = game.parse_move(&text).unwrap();
            game.make(m);
        }
        let mut tree = MasterTree::new(game);
        let root = tree.root();
        let child = add(&mut tree, root, "a7a6");
        let grandchild = add(&mut tree, child, "a2a3");
        tree.take_changed();
        let mate = Report { depth: 1, pv: vec!["d8h4".parse().unwrap()], ..Report::new(Score::win_in(1)) };
        assert!(tree.record(root, &mate));
        assert_eq!(tree.take_changed(), [root, child, grandchild]);
    }
}
