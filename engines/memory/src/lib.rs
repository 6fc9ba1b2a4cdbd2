//! Memory for large tables, zeroed by the operating system and in huge pages where available. Most accesses to large
//! tables miss every cache; with small pages they also miss the address cache (TLB), which doubles the cost.
//!
//! ```
//! let mut table = hasami_memory::Zeroed::<u64>::new(1 << 16);
//! assert!(table.iter().all(|&entry| entry == 0));
//! table[7] = 1;
//! assert_eq!(table[7], 1);
//! ```
#![warn(missing_docs)]

use bytemuck::Zeroable;
use memmap2::MmapMut;
use std::marker::PhantomData;
use std::ops::{Deref, DerefMut};

/// A fixed number of entries, initially zero. The operating system allocates a page at the first access.
pub struct Zeroed<T> {
    memory: MmapMut,
    count: usize,
    entry: PhantomData<T>,
}

impl<T: Zeroable> Zeroed<T> {
    /// Allocates `count` entries. If memory is short, `count` is halved until the allocation succeeds.
    ///
    /// # Panics
    /// If not even one MiB of memory is available, or if an entry must be aligned to more than a page.
    #[must_use]
    pub fn new(mut count: usize) -> Self {
        assert!(align_of::<T>() <= 4096, "an entry needs an alignment of {} bytes", align_of::<T>());
        let memory = loop {
            match MmapMut::map_anon((count * size_of::<T>()).max(1)) {
                Ok(memory) => break memory,
                Err(_) if count * size_of::<T>() > 1 << 20 => count /= 2,
                Err(error) => panic!("no memory even for the smallest table: {error}"),
            }
        };
        // Systems without huge pages return an error, which is ignored, because it only costs speed.
        #[cfg(target_os = "linux")]
        let _ = memory.advise(memmap2::Advice::HugePage);
        Self { memory, count, entry: PhantomData }
    }
}

impl<T: Zeroable> Deref for Zeroed<T> {
    type Target = [T];

    #[inline]
    fn deref(&self) -> &[T] {
        // SAFETY: a mapping is aligned to pages and has room for `count` entries, an entry of zero bits is valid, and
        // no other value owns the memory.
        unsafe { std::slice::from_raw_parts(self.memory.as_ptr().cast(), self.count) }
    }
}

impl<T: Zeroable> DerefMut for Zeroed<T> {
    #[inline]
    fn deref_mut(&mut self) -> &mut [T] {
        // SAFETY: see `deref`; the exclusive borrow of `self` also excludes all other references.
        unsafe { std::slice::from_raw_parts_mut(self.memory.as_mut_ptr().cast(), self.count) }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn entries_are_zero_until_they_are_written() {
        let mut entries = Zeroed::<[u32; 3]>::new(1_000);
        assert!(entries.len() == 1_000 && entries.iter().all(|entry| *entry == [0; 3]));
        entries[999] = [7; 3];
        assert_eq!((entries[998], entries[999]), ([0; 3], [7; 3]));
        assert!(Zeroed::<u64>::new(0).is_empty());
    }

    #[test]
    fn the_size_is_halved_until_the_system_has_enough_memory() {
        let entries = Zeroed::<u64>::new(1 << 57);
        assert!(entries.len() < 1 << 57 && entries.len().is_power_of_two(), "{}", entries.len());
    }
}
