//! Counts of the searches below each node, shared by all searches with a common table.

use super::machine::Processor;
use super::mix::mix;
use super::value::INFINITE;
use std::sync::Arc;
use std::sync::atomic::AtomicU32;
use std::sync::atomic::Ordering::Relaxed;

/// Slots per search. A line has a few dozen nodes, and most lookups should find an empty slot.
const SLOTS: usize = 1 << 12;
/// Each search below a move increases the move's number by one plus the `PART`-th part of that number. With more than
/// `PART` searches, the divisor is the number of searches, so that all searches together add exactly the move's number.
const PART: u32 = 16;
/// Adding this amount to a slot raises its version by one. The lower bits of a slot count the searches below the move,
/// and the upper bits count how many times a search has returned from the move.
const VERSION: u32 = 1 << 16;

/// Number of searches below every move of every node, in slots that are found by the hash of the node's position.
pub(crate) struct Presence {
    pub(crate) slots: Box<[AtomicU32]>,
    /// Each search below a move adds the move's number divided by `part`.
    part: u32,
}

impl Presence {
    pub(crate) fn new(searches: usize) -> Self {
        let slots = (0..SLOTS * searches.next_power_of_two()).map(|_| AtomicU32::new(0)).collect();
        let part = PART.max(u32::try_from(searches).unwrap_or(u32::MAX));
        Self { slots, part }
    }

    /// Returns the slot of a move of the node at `place`. The slots of a node's moves are adjacent.
    fn slot(&self, place: u32, index: usize) -> &AtomicU32 {
        &self.slots[(place as usize).wrapping_add(index) & (self.slots.len() - 1)]
    }

    /// Returns the number of searches below a move, and the move's version modulo 256.
    pub(crate) fn look(&self, place: u32, index: usize) -> (u32, u8) {
        let slot = self.slot(place, index).load(Relaxed);
        (slot % VERSION, (slot / VERSION) as u8)
    }

    /// Returns the virtual number of a child with `others` other searches below it.
    pub(crate) fn with_others(&self, number: u32, others: u32) -> u32 {
        let more = u64::from(number / self.part + 1) * u64::from(others);
        more.saturating_add(u64::from(number)).min(u64::from(INFINITE - 1)) as u32
    }

    pub(crate) fn enter(&self, place: u32, index: usize) {
        self.slot(place, index).fetch_add(1, Relaxed);
    }

    /// Announces new results of the move and returns its new version.
    pub(crate) fn announce(&self, place: u32, index: usize) -> u8 {
        let before = self.slot(place, index).fetch_add(VERSION, Relaxed);
        (before.wrapping_add(VERSION) / VERSION) as u8
    }

    /// Removes a search from the move and returns the move's new version.
    pub(crate) fn leave(&self, place: u32, index: usize) -> u8 {
        let before = self.slot(place, index).fetch_add(VERSION - 1, Relaxed);
        (before.wrapping_add(VERSION - 1) / VERSION) as u8
    }
}

/// What a search needs to know about the other searches with the same table.
pub(crate) struct SharedSearch {
    pub(crate) presence: Arc<Presence>,
    pub(crate) processor: Processor,
    /// Seed of the order in which equal moves are tried; 0 for the search that ignores the others.
    pub(crate) seed: u64,
    /// Node count at which the path is next checked for nodes that other searches have decided.
    pub(crate) look_at: u64,
}

impl SharedSearch {
    pub(crate) fn new(presence: &Arc<Presence>, processor: &Processor) -> Self {
        let seed = processor.rank() as u64;
        Self { presence: Arc::clone(presence), processor: processor.clone(), seed, look_at: 0 }
    }

    /// Total number of nodes of all processors.
    pub(crate) fn nodes(&self) -> u64 {
        self.processor.nodes_of_all()
    }

    pub(crate) fn jitter(&self, place: u32, index: usize) -> u64 {
        mix(self.seed ^ u64::from(place) << 8 ^ index as u64)
    }
}

/// Returns the index of a node's first move among the slots.
pub(crate) const fn place(key: u64, hand: u32) -> u32 {
    mix(key ^ mix(hand as u64)) as u32
}
