//! Virtual time: a queue of future events.

use std::collections::BTreeMap;
use std::time::Duration;

/// A priority queue of events, ordered by time. Events at the same time are ordered by insertion.
#[derive(Debug)]
pub struct EventQueue<T> {
    events: BTreeMap<(Duration, u64), T>,
    count: u64,
}

impl<T> Default for EventQueue<T> {
    fn default() -> Self {
        Self { events: BTreeMap::new(), count: 0 }
    }
}

impl<T> EventQueue<T> {
    pub fn push(&mut self, at: Duration, item: T) {
        self.count += 1;
        self.events.insert((at, self.count), item);
    }

    pub fn pop(&mut self) -> Option<(Duration, T)> {
        self.events.pop_first().map(|((at, _), item)| (at, item))
    }

    /// The time of the next event; `None` if the queue is empty.
    pub fn next_at(&self) -> Option<Duration> {
        self.events.first_key_value().map(|(&(at, _), _)| at)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn events_are_ordered_by_time_then_by_insertion() {
        let mut queue = EventQueue::default();
        for (at, item) in [(5, 'c'), (1, 'a'), (5, 'd'), (1, 'b')] {
            queue.push(Duration::from_millis(at), item);
        }
        let order: String = std::iter::from_fn(|| queue.pop()).map(|(_, item)| item).collect();
        assert_eq!(order, "abcd");
        assert_eq!(queue.next_at(), None);
    }
}
