//! A slot of the transposition table: two words that any number of searches read and write without a lock.
//!
//! A slot stores the data, and the key XOR the data. Therefore, words from two different writes match no key (Hyatt and
//! Mann, "A lock-less transposition table implementation for parallel search chess engines", ICGA Journal 25, 2002).

use bytemuck::Zeroable;
use std::sync::atomic::{AtomicU64, Ordering::Relaxed};

/// A word of shared memory. Neither the order of two words nor the order of two writers is guaranteed.
pub(crate) trait Word {
    fn load(&self) -> u64;
    fn store(&self, value: u64);
}

impl Word for AtomicU64 {
    #[inline]
    fn load(&self) -> u64 {
        self.load(Relaxed)
    }

    #[inline]
    fn store(&self, value: u64) {
        self.store(value, Relaxed);
    }
}

#[derive(Default, Zeroable)]
pub(crate) struct TtSlot<W = AtomicU64> {
    pub(super) check: W,
    pub(super) data: W,
}

impl<W: Word> TtSlot<W> {
    /// The data; 0 if the slot is empty.
    #[inline]
    pub(crate) fn data(&self) -> u64 {
        self.data.load()
    }

    /// Were these data, which were just read from the slot, stored for this key?
    #[inline]
    pub(crate) fn is_of(&self, key: u64, data: u64) -> bool {
        self.check.load() ^ data == key
    }

    #[inline]
    pub(crate) fn write(&self, key: u64, data: u64) {
        self.check.store(key ^ data);
        self.data.store(data);
    }

    pub(crate) fn clear(&self) {
        // Writing to a page that has never been written to is far more expensive than reading it.
        if self.check.load() | self.data.load() != 0 {
            self.check.store(0);
            self.data.store(0);
        }
    }
}

#[cfg(test)]
mod tests;
