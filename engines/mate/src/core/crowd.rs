//! Who searches where, of the searches over one table.

use super::machine::Processor;
use super::mix::mix;
use super::value::INFINITE;
use std::sync::Arc;
use std::sync::atomic::AtomicU32;
use std::sync::atomic::Ordering::Relaxed;

/// Slots for each search: lines have some dozens of nodes, and most looks shall find no one.
const SLOTS: usize = 1 << 12;
/// Each one below a move adds this part of its number, and one; where there are more searches, so much that all together
/// add it once.
const PART: u32 = 16;
/// In a slot: how many are below the move; and, from here on, how often somebody has come back.
const VERSION: u32 = 1 << 16;

/// Who is where: for every move of every node, by hash.
pub(crate) struct Crowd {
    pub(crate) slots: Box<[AtomicU32]>,
    /// The part of a move's number that each processor below it adds.
    part: u32,
}

impl Crowd {
    pub(crate) fn new(searches: usize) -> Self {
        let slots = (0..SLOTS * searches.next_power_of_two()).map(|_| AtomicU32::new(0)).collect();
        let part = PART.max(u32::try_from(searches).unwrap_or(u32::MAX));
        Self { slots, part }
    }

    /// The counter of a move of the node at `place`: a node's moves lie together.
    fn slot(&self, place: u32, index: usize) -> &AtomicU32 {
        &self.slots[(place as usize).wrapping_add(index) & (self.slots.len() - 1)]
    }

    /// How many are below the move, and how often others have come back, modulo 256.
    pub(crate) fn look(&self, place: u32, index: usize) -> (u32, u8) {
        let slot = self.slot(place, index).load(Relaxed);
        (slot % VERSION, (slot / VERSION) as u8)
    }

    /// A child's number as it counts where so many others are below it.
    pub(crate) fn with_others(&self, number: u32, others: u32) -> u32 {
        let more = u64::from(number / self.part + 1) * u64::from(others);
        more.saturating_add(u64::from(number)).min(u64::from(INFINITE - 1)) as u32
    }

    pub(crate) fn enter(&self, place: u32, index: usize) {
        self.slot(place, index).fetch_add(1, Relaxed);
    }

    /// There is news of the move; returns the version that this makes.
    pub(crate) fn tell(&self, place: u32, index: usize) -> u8 {
        let before = self.slot(place, index).fetch_add(VERSION, Relaxed);
        (before.wrapping_add(VERSION) / VERSION) as u8
    }

    /// Returns the version that this makes.
    pub(crate) fn leave(&self, place: u32, index: usize) -> u8 {
        let before = self.slot(place, index).fetch_add(VERSION - 1, Relaxed);
        (before.wrapping_add(VERSION - 1) / VERSION) as u8
    }
}

/// One search's place in the crowd.
pub(crate) struct Beside {
    pub(crate) crowd: Arc<Crowd>,
    pub(crate) processor: Processor,
    /// Equals are tried in an order of its own; 0: it gives way to nobody.
    pub(crate) seed: u64,
    /// Nodes at which to look at the path again.
    pub(crate) look_at: u64,
}

impl Beside {
    pub(crate) fn new(crowd: &Arc<Crowd>, processor: &Processor) -> Self {
        let seed = processor.rank() as u64;
        Self { crowd: Arc::clone(crowd), processor: processor.clone(), seed, look_at: 0 }
    }

    /// All processors together.
    pub(crate) fn nodes(&self) -> u64 {
        self.processor.nodes_of_all()
    }

    pub(crate) fn jitter(&self, place: u32, index: usize) -> u64 {
        mix(self.seed ^ u64::from(place) << 8 ^ index as u64)
    }
}

/// The name of a node's first move in the crowd.
pub(crate) const fn place(key: u64, hand: u32) -> u32 {
    mix(key ^ mix(hand as u64)) as u32
}
