//! Virtual time: future events in order.

use hasami_tree::event::Time;
use std::cmp::Reverse;
use std::collections::BinaryHeap;

/// A priority queue by time. Events at the same time are ordered by insertion.
#[derive(Debug)]
pub struct Queue<T> {
    heap: BinaryHeap<Reverse<QueuedEvent<T>>>,
    count: u64,
}

#[derive(Debug)]
struct QueuedEvent<T> {
    at: Time,
    number: u64,
    item: T,
}

impl<T> PartialEq for QueuedEvent<T> {
    fn eq(&self, other: &Self) -> bool {
        self.number == other.number
    }
}

impl<T> Eq for QueuedEvent<T> {}

impl<T> PartialOrd for QueuedEvent<T> {
    fn partial_cmp(&self, other: &Self) -> Option<std::cmp::Ordering> {
        Some(self.cmp(other))
    }
}

impl<T> Ord for QueuedEvent<T> {
    fn cmp(&self, other: &Self) -> std::cmp::Ordering {
        (self.at, self.number).cmp(&(other.at, other.number))
    }
}

impl<T> Default for Queue<T> {
    fn default() -> Self {
        Self { heap: BinaryHeap::new(), count: 0 }
    }
}

impl<T> Queue<T> {
    pub fn push(&mut self, at: Time, item: T) {
        self.count += 1;
        self.heap.push(Reverse(QueuedEvent { at, number: self.count, item }));
    }

    pub fn pop(&mut self) -> Option<(Time, T)> {
        self.heap.pop().map(|Reverse(entry)| (entry.at, entry.item))
    }

    /// The time of the next event.
    pub fn next_at(&self) -> Option<Time> {
        self.heap.peek().map(|Reverse(entry)| entry.at)
    }

    pub fn len(&self) -> usize {
        self.heap.len()
    }

    pub fn is_empty(&self) -> bool {
        self.heap.is_empty()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn events_are_ordered_by_time_then_by_insertion() {
        let mut queue = Queue::default();
        for (at, item) in [(5, 'c'), (1, 'a'), (5, 'd'), (1, 'b')] {
            queue.push(Time::from_millis(at), item);
        }
        let order: String = std::iter::from_fn(|| queue.pop()).map(|(_, item)| item).collect();
        assert_eq!(order, "abcd");
        assert!(queue.is_empty());
    }
}
