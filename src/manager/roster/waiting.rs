//! The workers that wait for a task, indexed by speed and by the node that each searched last, so that choosing a
//! worker does not require visiting all of them.

use hasami_tree::NodeId;
use hasami_tree::event::WorkerId;
use std::cmp::Reverse;
use std::collections::{BTreeMap, BTreeSet};
use std::ops::Bound;

/// A key that orders positive speeds in descending order.
type Pace = Reverse<u64>;

/// A worker's position in the queue of waiting workers, ordered by descending speed.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub struct QueuePosition((Pace, WorkerId));

#[derive(Default)]
pub struct Waiting {
    known: BTreeMap<WorkerId, (Pace, Option<NodeId>)>,
    by_speed: BTreeSet<(Pace, WorkerId)>,
    by_last: BTreeSet<(NodeId, WorkerId)>,
}

impl Waiting {
    /// Adds a worker. `speed` must not be negative; `last` is the node that the worker searched last.
    pub fn insert(&mut self, id: WorkerId, speed: f64, last: Option<NodeId>) {
        self.remove(id);
        // The bits of positive floating-point numbers have the same order as the numbers.
        let pace = Reverse(speed.max(0.0).to_bits());
        self.known.insert(id, (pace, last));
        self.by_speed.insert((pace, id));
        self.by_last.extend(last.map(|node| (node, id)));
    }

    pub fn remove(&mut self, id: WorkerId) {
        let Some((pace, last)) = self.known.remove(&id) else { return };
        self.by_speed.remove(&(pace, id));
        if let Some(node) = last {
            self.by_last.remove(&(node, id));
        }
    }

    pub fn contains(&self, id: WorkerId) -> bool {
        self.known.contains_key(&id)
    }

    pub fn is_empty(&self) -> bool {
        self.known.is_empty()
    }

    /// The waiting workers, in id order.
    pub fn ids(&self) -> impl Iterator<Item = WorkerId> {
        self.known.keys().copied()
    }

    /// The waiting workers, in descending order of speed.
    pub fn by_speed(&self) -> impl Iterator<Item = WorkerId> {
        self.by_speed.iter().map(|&(_, id)| id)
    }

    /// Like [`Self::by_speed`], but only the workers behind this position in the queue; all workers if `None`.
    pub fn after(&self, turn: Option<QueuePosition>) -> impl Iterator<Item = (QueuePosition, WorkerId)> {
        let from = turn.map_or(Bound::Unbounded, |QueuePosition(turn)| Bound::Excluded(turn));
        self.by_speed.range((from, Bound::Unbounded)).map(|&turn| (QueuePosition(turn), turn.1))
    }

    /// The workers that searched this node last, so that their hash tables hold the positions around it.
    pub fn last_at(&self, node: NodeId) -> impl Iterator<Item = WorkerId> {
        self.by_last.range((node, WorkerId(0))..=(node, WorkerId(u32::MAX))).map(|&(_, id)| id)
    }
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used)]
    use super::*;
    use hasami_tree::Arena;

    #[test]
    fn workers_are_found_by_speed_and_by_last_node() {
        let mut arena = Arena::default();
        let [here, there] = [(); 2].map(|()| arena.insert(()));
        let mut waiting = Waiting::default();
        waiting.insert(WorkerId(1), 10.0, Some(here));
        waiting.insert(WorkerId(2), 500.5, Some(there));
        waiting.insert(WorkerId(3), 20.0, Some(here));
        waiting.insert(WorkerId(1), 30.0, Some(there));
        assert_eq!(waiting.by_speed().collect::<Vec<_>>(), [2, 1, 3].map(WorkerId));
        let (turn, first) = waiting.after(None).next().unwrap();
        assert_eq!(first, WorkerId(2));
        waiting.remove(first);
        assert_eq!(waiting.after(Some(turn)).map(|(_, id)| id).collect::<Vec<_>>(), [1, 3].map(WorkerId));
        waiting.insert(first, 500.5, Some(there));
        assert_eq!(waiting.last_at(there).collect::<Vec<_>>(), [1, 2].map(WorkerId));
        assert_eq!(waiting.last_at(here).collect::<Vec<_>>(), [WorkerId(3)]);
        waiting.remove(WorkerId(2));
        assert_eq!(waiting.ids().collect::<Vec<_>>(), [1, 3].map(WorkerId));
        assert_eq!(waiting.last_at(there).collect::<Vec<_>>(), [WorkerId(1)]);
    }
}
