//! Who has joined a node's own worker, by name and by node, so that no event has to look at all of them.

use crate::event::WorkerId;
use crate::tree::NodeId;
use crate::tree::rules::groups;
use std::collections::{BTreeMap, BTreeSet, HashMap};

#[derive(Default)]
pub struct Joined {
    by_worker: BTreeMap<WorkerId, (NodeId, u8)>,
    by_node: HashMap<NodeId, BTreeSet<WorkerId>>,
    /// How many are in each group of a node.
    sizes: HashMap<NodeId, Vec<usize>>,
    /// Nodes where there is no room for another one in the group.
    full: usize,
}

impl Joined {
    pub fn insert(&mut self, worker: WorkerId, node: NodeId, group: u8) {
        self.remove(worker);
        self.by_worker.insert(worker, (node, group));
        let sizes = self.sizes.entry(node).or_default();
        sizes.resize(sizes.len().max(usize::from(group) + 1), 0);
        sizes[usize::from(group)] += 1;
        let group = self.by_node.entry(node).or_default();
        group.insert(worker);
        self.full += usize::from(group.len() == groups::MOST);
    }

    pub fn remove(&mut self, worker: WorkerId) {
        let Some((node, number)) = self.by_worker.remove(&worker) else { return };
        if let Some(size) = self.sizes.get_mut(&node).and_then(|sizes| sizes.get_mut(usize::from(number))) {
            *size -= 1;
        }
        let Some(group) = self.by_node.get_mut(&node) else { return };
        self.full -= usize::from(group.len() == groups::MOST);
        group.remove(&worker);
        if group.is_empty() {
            self.by_node.remove(&node);
            self.sizes.remove(&node);
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

    /// By name.
    pub fn iter(&self) -> impl Iterator<Item = (WorkerId, NodeId)> {
        self.by_worker.iter().map(|(&worker, &(node, _))| (worker, node))
    }

    /// Those at one node, by name.
    pub fn at(&self, node: NodeId) -> impl Iterator<Item = WorkerId> {
        self.by_node.get(&node).into_iter().flatten().copied()
    }

    /// How many are at one node.
    pub fn count(&self, node: NodeId) -> usize {
        self.by_node.get(&node).map_or(0, BTreeSet::len)
    }

    /// The smallest of so many groups at one node, the first of which has the node's own worker, too.
    pub fn smallest(&self, node: NodeId, groups: usize) -> u8 {
        let sizes = self.sizes.get(&node);
        let size = |group: usize| sizes.and_then(|sizes| sizes.get(group)).map_or(0, |&size| size);
        (0..groups).min_by_key(|&group| size(group) + usize::from(group == 0)).map_or(0, |group| group as u8)
    }

    /// How many nodes have as many as a group takes.
    pub fn full(&self) -> usize {
        self.full
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::tree::Arena;

    #[test]
    fn workers_are_counted_where_they_are() {
        let mut arena = Arena::default();
        let [here, there] = [(); 2].map(|()| arena.insert(()));
        let mut joined = Joined::default();
        (0..groups::MOST as u32).for_each(|worker| joined.insert(WorkerId(worker), here, 0));
        joined.insert(WorkerId(40), there, 0);
        assert_eq!((joined.count(here), joined.count(there), joined.full()), (groups::MOST, 1, 1));
        joined.insert(WorkerId(0), there, 0);
        assert_eq!((joined.count(here), joined.count(there), joined.full()), (groups::MOST - 1, 2, 0), "one has moved");
        assert_eq!(joined.at(there).collect::<Vec<_>>(), [0, 40].map(WorkerId));
        (0..=40).for_each(|worker| joined.remove(WorkerId(worker)));
        assert!(joined.is_empty() && joined.at(there).next().is_none());
        assert_eq!((joined.count(here), joined.count(there), joined.full(), joined.len()), (0, 0, 0, 0));
    }

    #[test]
    fn groups_of_a_node_grow_together() {
        let here = Arena::default().insert(());
        let mut joined = Joined::default();
        for worker in 0..5 {
            let group = joined.smallest(here, 3);
            joined.insert(WorkerId(worker), here, group);
        }
        assert_eq!(joined.smallest(here, 3), 0, "two in each, with the node's own worker");
        joined.remove(WorkerId(1));
        assert_eq!(joined.smallest(here, 3), 2, "where one has left");
    }
}
