//! Remembers members and leases that are gone, so that replayed or late messages about them can be recognised.

use std::collections::{BTreeMap, VecDeque};

/// A map with a limited number of keys. A full map forgets the least recently noted key.
pub struct Tombstones<K, V> {
    newest: BTreeMap<K, V>,
    order: VecDeque<K>,
    most: usize,
}

impl<K: Copy + Ord, V: Copy> Tombstones<K, V> {
    pub fn new(most: usize) -> Self {
        Self { newest: BTreeMap::new(), order: VecDeque::new(), most }
    }

    pub fn note(&mut self, key: K, newest: V) {
        if self.newest.insert(key, newest).is_some() {
            self.order.retain(|&known| known != key);
        }
        self.order.push_back(key);
        if self.order.len() > self.most
            && let Some(oldest) = self.order.pop_front()
        {
            self.newest.remove(&oldest);
        }
    }

    pub fn get(&self, key: &K) -> Option<V> {
        self.newest.get(key).copied()
    }

    pub fn len(&self) -> usize {
        self.order.len()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_first_noted_is_forgotten_first() {
        let mut tombstones = Tombstones::new(2);
        [(1, 'a'), (2, 'b'), (1, 'c'), (3, 'd')].into_iter().for_each(|(key, newest)| tombstones.note(key, newest));
        assert_eq!([tombstones.get(&1), tombstones.get(&2), tombstones.get(&3)], [Some('c'), None, Some('d')]);
        assert_eq!(tombstones.len(), 2);
    }
}
