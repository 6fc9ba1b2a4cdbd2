//! Tracks which workers have joined a node's own worker, indexed by worker and by node, so that handling an event never
//! requires visiting every worker.

use hasami_tree::NodeId;
use hasami_tree::event::WorkerId;
use hasami_tree::rules::groups;
use std::collections::{BTreeMap, BTreeSet, HashMap};

#[derive(Default)]
pub struct Joined {
    by_worker: BTreeMap<WorkerId, NodeId>,
    by_node: HashMap<NodeId, BTreeSet<WorkerId>>,
    /// Number of nodes at which no further worker may join.
    pub full: usize,
}

impl Joined {
    pub fn insert(&mut self, worker: WorkerId, node: NodeId) {
        self.remove(worker);
        self.by_worker.insert(worker, node);
        let group = self.by_node.entry(node).or_default();
        group.insert(worker);
        self.full += usize::from(group.len() == groups::MOST);
    }

    pub fn remove(&mut self, worker: WorkerId) {
        let Some(node) = self.by_worker.remove(&worker) else { return };
        let Some(group) = self.by_node.get_mut(&node) else { return };
        self.full -= usize::from(group.len() == groups::MOST);
        group.remove(&worker);
        if group.is_empty() {
            self.by_node.remove(&node);
        }
    }

    pub fn is_empty(&self) -> bool {
        self.by_worker.is_empty()
    }

    pub fn len(&self) -> usize {
        self.by_worker.len()
    }

    pub fn contains(&self, worker: WorkerId) -> bool {
        self.by_worker.contains_key(&worker)
    }

    /// All workers that have joined a node, ordered by id.
    pub fn iter(&self) -> impl Iterator<Item = (WorkerId, NodeId)> {
        self.by_worker.iter().map(|(&worker, &node)| (worker, node))
    }

    /// The workers that have joined one node, ordered by id.
    pub fn at(&self, node: NodeId) -> impl Iterator<Item = WorkerId> {
        self.by_node.get(&node).into_iter().flatten().copied()
    }

    /// Number of workers that have joined the worker of a node.
    pub fn count(&self, node: NodeId) -> usize {
        self.by_node.get(&node).map_or(0, BTreeSet::len)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use hasami_tree::Arena;

    #[test]
    fn workers_are_counted_by_node() {
        let mut arena = Arena::default();
        let [here, there] = [(); 2].map(|()| arena.insert(()));
        let mut joined = Joined::default();
        (0..groups::MOST as u32).for_each(|worker| joined.insert(WorkerId(worker), here));
        joined.insert(WorkerId(40), there);
        assert_eq!((joined.count(here), joined.count(there), joined.full), (groups::MOST, 1, 1));
        joined.insert(WorkerId(0), there);
        assert_eq!(
            (joined.count(here), joined.count(there), joined.full),
            (groups::MOST - 1, 2, 0),
            "one worker has moved"
        );
        assert_eq!(joined.at(there).collect::<Vec<_>>(), [0, 40].map(WorkerId));
        (0..=40).for_each(|worker| joined.remove(WorkerId(worker)));
        assert!(joined.is_empty() && joined.at(there).next().is_none());
        assert_eq!((joined.count(here), joined.count(there), joined.full, joined.len()), (0, 0, 0, 0));
    }
}
