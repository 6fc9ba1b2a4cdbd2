//! The memory of large tables: zeroed by the system, in huge pages where it has them. Most looks miss every cache, and with
//! small pages they miss the address cache (TLB) too, which costs as much again.
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

/// A fixed number of entries, all zero at first. Memory is taken as it is touched.
pub struct Zeroed<T> {
    memory: MmapMut,
    count: usize,
    entry: PhantomData<T>,
}

impl<T: Zeroable> Zeroed<T> {
    /// So many, or the largest half, quarter ... of that for which the system has memory.
    ///
    /// # Panics
    /// If not even a MiB is to be had, or an entry must lie at multiples of more than a page.
    #[must_use]
    pub fn new(mut count: usize) -> Self {
        assert!(align_of::<T>() <= 4096, "expected entries that fit into pages, found {}", align_of::<T>());
        let memory = loop {
            match MmapMut::map_anon((count * size_of::<T>()).max(1)) {
                Ok(memory) => break memory,
                Err(_) if count * size_of::<T>() > 1 << 20 => count /= 2,
                Err(error) => panic!("expected memory for the smallest table: {error}"),
            }
        };
        // A system without huge pages says so, and nothing is lost but speed.
        #[cfg(target_os = "linux")]
        let _ = memory.advise(memmap2::Advice::HugePage);
        Self { memory, count, entry: PhantomData }
    }
}

impl<T: Zeroable> Deref for Zeroed<T> {
    type Target = [T];

    #[inline]
    fn deref(&self) -> &[T] {
        // SAFETY: a mapping is aligned to pages and as long as `count` entries; all bits zero is an entry; the memory is
        // this value's alone.
        unsafe { std::slice::from_raw_parts(self.memory.as_ptr().cast(), self.count) }
    }
}

impl<T: Zeroable> DerefMut for Zeroed<T> {
    #[inline]
    fn deref_mut(&mut self) -> &mut [T] {
        // SAFETY: as above, and nobody else has a reference while this one is there.
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
    fn what_the_system_does_not_have_is_halved() {
        let entries = Zeroed::<u64>::new(1 << 57);
        assert!(entries.len() < 1 << 57 && entries.len().is_power_of_two(), "{}", entries.len());
    }
}
