//! A slot of the transposition table: two words that any number of searches read and write without a lock.
//!
//! One word of a slot is the data, and the other is the key XOR the data. The order in which two written words become
//! visible is not guaranteed, so a reader may see words from two different writes, which match no key (Hyatt and Mann,
//! "A lock-less transposition table implementation for parallel search chess engines", ICGA Journal 25, 2002).

use bytemuck::Zeroable;
use std::sync::atomic::{AtomicU64, Ordering::Relaxed};

#[derive(Default, Zeroable)]
pub(crate) struct TtSlot {
    pub(super) check: AtomicU64,
    pub(super) data: AtomicU64,
}

impl TtSlot {
    /// The data word; 0 if the slot is empty.
    #[inline]
    pub(crate) fn data(&self) -> u64 {
        self.data.load(Relaxed)
    }

    /// Was `data`, which has just been read from the slot, stored for `key`?
    #[inline]
    pub(crate) fn is_of(&self, key: u64, data: u64) -> bool {
        self.check.load(Relaxed) ^ data == key
    }

    #[inline]
    pub(crate) fn write(&self, key: u64, data: u64) {
        self.check.store(key ^ data, Relaxed);
        self.data.store(data, Relaxed);
    }

    pub(crate) fn clear(&self) {
        // Writing to a page that has never been written to is far more expensive than reading it.
        if self.check.load(Relaxed) | self.data.load(Relaxed) != 0 {
            self.check.store(0, Relaxed);
            self.data.store(0, Relaxed);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Keys and data of entries that several threads write at the same time; two entries have the key `0x2222`.
    const WRITTEN: [(u64, u64); 3] = [(0x1111, 0xa00b), (0x2222, 0xc0d0), (0x2222, 0x0ee0)];

    /// Returns the data that a reader finds under `key` in the words of a slot, which may come from different writes.
    fn found(key: u64, check: u64, data: u64) -> Option<u64> {
        let slot = TtSlot { check: AtomicU64::new(check), data: AtomicU64::new(data) };
        let data = slot.data();
        (data != 0 && slot.is_of(key, data)).then_some(data)
    }

    fn words_of((key, data): (u64, u64)) -> (u64, u64) {
        let slot = TtSlot::default();
        slot.write(key, data);
        (slot.check.into_inner(), slot.data.into_inner())
    }

    #[test]
    fn a_mixture_of_two_entries_is_never_found() {
        let words = WRITTEN.map(words_of);
        for (first, &(check, _)) in words.iter().enumerate() {
            for (second, &(_, data)) in words.iter().enumerate() {
                for (key, _) in WRITTEN {
                    let is_whole = first == second && key == WRITTEN[first].0;
                    assert_eq!(found(key, check, data), is_whole.then_some(data), "{key:x}: {check:x} {data:x}");
                }
            }
        }
    }

    #[test]
    fn an_empty_slot_is_never_found() {
        assert_eq!(found(0, 0, 0), None);
    }
}
