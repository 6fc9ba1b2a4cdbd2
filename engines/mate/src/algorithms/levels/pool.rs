//! A pool of numbered records, in blocks that never move in memory. The numbers of erased records are reused.

use std::ops::{Index, IndexMut};

const BLOCK: usize = 256;

pub(super) struct LevelPool<T> {
    blocks: Vec<Vec<T>>,
    free: Vec<u32>,
}

impl<T> Default for LevelPool<T> {
    fn default() -> Self {
        Self { blocks: Vec::new(), free: Vec::new() }
    }
}

impl<T> LevelPool<T> {
    pub(super) fn add(&mut self, item: T) -> u32 {
        if let Some(number) = self.free.pop() {
            self[number] = item;
            return number;
        }
        if self.blocks.last().is_none_or(|block| block.len() == BLOCK) {
            self.blocks.push(Vec::with_capacity(BLOCK));
        }
        let before = (self.blocks.len() - 1) * BLOCK;
        let block = self.blocks.last_mut().expect("a block was added if there was none");
        block.push(item);
        (before + block.len() - 1) as u32
    }

    pub(super) fn erase(&mut self, number: u32) {
        self.free.push(number);
    }

    /// Memory used in bytes, including what the list of free numbers needs while it grows.
    pub(super) const fn bytes(&self) -> usize {
        let block = BLOCK * size_of::<T>() + size_of::<Vec<T>>();
        self.blocks.len() * block + 3 * self.free.capacity() * size_of::<u32>()
    }
}

impl<T> Index<u32> for LevelPool<T> {
    type Output = T;

    fn index(&self, number: u32) -> &T {
        &self.blocks[number as usize / BLOCK][number as usize % BLOCK]
    }
}

impl<T> IndexMut<u32> for LevelPool<T> {
    fn index_mut(&mut self, number: u32) -> &mut T {
        &mut self.blocks[number as usize / BLOCK][number as usize % BLOCK]
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_are_reused_and_memory_is_counted() {
        let mut pool = LevelPool::default();
        let numbers: Vec<u32> = (0..1_000u64).map(|item| pool.add(item)).collect();
        assert!(numbers.iter().all(|&number| pool[number] == u64::from(number)));
        let full = pool.bytes();
        assert!((8_000..10_000).contains(&full), "{full}");
        numbers.iter().for_each(|&number| pool.erase(number));
        (0..1_000).for_each(|item| assert!(pool.add(item + 5_000) < 1_000));
        let again: u64 = numbers.iter().map(|&number| pool[number]).sum();
        assert_eq!(again, (5_000..6_000).sum::<u64>());
    }
}
