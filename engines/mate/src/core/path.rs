//! The positions on the path from the root to the current node, for the detection of cycles.
//!
//! A position counts as a failure of the attacker if the same board with at least as many pieces in the attacker's hand
//! is already on the path, because any mate would have been possible earlier, in fewer moves.

use hasami_api::Hand;
use std::collections::HashMap;
use std::hash::{BuildHasherDefault, Hasher};
use std::sync::atomic::AtomicU64;
use std::sync::atomic::Ordering::Relaxed;

/// A hasher that returns its key unchanged, because keys are already hashes.
#[derive(Default)]
struct Same(u64);

impl Hasher for Same {
    fn finish(&self) -> u64 {
        self.0
    }

    fn write(&mut self, bytes: &[u8]) {
        self.0 = bytes.iter().fold(self.0, |hash, &byte| hash << 8 ^ u64::from(byte));
    }

    fn write_u64(&mut self, key: u64) {
        self.0 = key;
    }
}

/// Size of a filter that excludes most boards that are not on the path.
const NEAR: usize = 1 << 12;

pub(crate) struct Path {
    steps: Vec<Step>,
    /// The last step of the path at which each board occurred.
    last: HashMap<u64, u32, BuildHasherDefault<Same>>,
    near: Box<[u16; NEAR]>,
}

struct Step {
    key: u64,
    hand: Hand,
    /// The previous step with the same board.
    before: Option<u32>,
}

impl Default for Path {
    fn default() -> Self {
        Self { steps: Vec::new(), last: HashMap::default(), near: Box::new([0; NEAR]) }
    }
}

impl Path {
    pub(crate) fn clear(&mut self) {
        while !self.steps.is_empty() {
            self.pop();
        }
    }

    pub(crate) fn push(&mut self, key: u64, hand: Hand) {
        let at = self.steps.len() as u32;
        let before = self.last.insert(key, at);
        self.steps.push(Step { key, hand, before });
        self.near[key as usize % NEAR] += 1;
    }

    pub(crate) fn pop(&mut self) {
        let Some(step) = self.steps.pop() else { return };
        self.near[step.key as usize % NEAR] -= 1;
        match step.before {
            Some(before) => drop(self.last.insert(step.key, before)),
            None => drop(self.last.remove(&step.key)),
        }
    }

    /// Returns the step and the attacker's hand of the first position on the path that the current position repeats
    /// with no more pieces in hand.
    pub(crate) fn repeats(&self, key: u64, hand: Hand) -> Option<(usize, Hand)> {
        if self.near[key as usize % NEAR] == 0 {
            return None;
        }
        let (mut at, mut found) = (self.last.get(&key).copied(), None);
        while let Some(step) = at {
            let Step { hand: earlier, before, .. } = self.steps[step as usize];
            if earlier.covers(hand) {
                found = Some((step as usize, earlier));
            }
            at = before;
        }
        found
    }
}

/// A set of keys that may report keys that were never inserted, but never misses an inserted key. The set fits into the
/// processor's cache, and all searches of a task share it.
pub(crate) struct KeyFilter(Box<[AtomicU64]>);

impl KeyFilter {
    const BITS: usize = 1 << 20;

    pub(crate) fn insert(&self, key: u64) {
        let bit = key as usize % Self::BITS;
        self.0[bit / 64].fetch_or(1 << (bit % 64), Relaxed);
    }

    pub(crate) fn may_have(&self, key: u64) -> bool {
        let bit = key as usize % Self::BITS;
        self.0[bit / 64].load(Relaxed) >> (bit % 64) & 1 == 1
    }
}

impl Default for KeyFilter {
    fn default() -> Self {
        Self((0..Self::BITS / 64).map(|_| AtomicU64::new(0)).collect())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_filter_finds_every_inserted_key() {
        let filter = KeyFilter::default();
        (0..1_000).for_each(|key| filter.insert(key * 7));
        assert!((0..1_000).all(|key| filter.may_have(key * 7)));
        assert!((0..1_000).filter(|key| filter.may_have(key * 7 + 3)).count() == 0);
    }

    #[test]
    fn a_board_with_no_more_in_hand_is_a_repetition() {
        let hand = |pawns| Hand::EMPTY.with(0, pawns);
        let mut path = Path::default();
        path.push(7, hand(2));
        path.push(7 + NEAR as u64, hand(5));
        path.push(7, hand(3));
        assert_eq!(path.repeats(7, hand(2)), Some((0, hand(2))));
        assert_eq!(path.repeats(7, hand(3)), Some((2, hand(3))));
        assert_eq!(path.repeats(7, hand(4)), None, "the attacker has won a pawn");
        path.pop();
        assert_eq!(path.repeats(7, hand(3)), None);
        path.clear();
        assert_eq!(path.repeats(7, hand(0)), None);
    }
}
