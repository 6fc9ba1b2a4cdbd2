//! A move list on the stack.

use std::mem::MaybeUninit;
use std::ops::Deref;

/// Capacity of a move list, larger than the number of moves in any position of the supported games (in shogi at most
/// 672).
const CAPACITY: usize = 700;

/// A list of at most 700 moves on the stack.
pub struct Moves<M: Copy> {
    len: usize,
    items: [MaybeUninit<M>; CAPACITY],
}

impl<M: Copy> Moves<M> {
    /// An empty list.
    #[inline]
    pub const fn new() -> Self {
        Self { len: 0, items: [MaybeUninit::uninit(); CAPACITY] }
    }

    /// Appends a move.
    ///
    /// # Panics
    /// Panics if the list is full, which cannot happen in a legal position.
    #[inline]
    pub fn push(&mut self, m: M) {
        self.items[self.len] = MaybeUninit::new(m);
        self.len += 1;
    }

    /// Appends all moves of a list.
    ///
    /// # Panics
    /// Panics if the moves do not fit, which cannot happen in a legal position.
    #[inline]
    pub fn extend_from_slice(&mut self, moves: &[M]) {
        let end = self.len + moves.len();
        for (item, &m) in self.items[self.len..end].iter_mut().zip(moves) {
            *item = MaybeUninit::new(m);
        }
        self.len = end;
    }

    /// Removes all moves.
    #[inline]
    pub fn clear(&mut self) {
        self.len = 0;
    }

    /// Keeps only the moves for which `keep` returns true, without changing their order.
    pub fn retain(&mut self, mut keep: impl FnMut(M) -> bool) {
        let mut kept = 0;
        for i in 0..self.len {
            let m = self[i];
            if keep(m) {
                self.items[kept] = MaybeUninit::new(m);
                kept += 1;
            }
        }
        self.len = kept;
    }

    /// Returns the moves as a mutable slice, so that they can be sorted.
    #[inline]
    pub fn as_mut_slice(&mut self) -> &mut [M] {
        // SAFETY: the first `len` items were written by `push`, and `len` never exceeds the capacity.
        unsafe { std::slice::from_raw_parts_mut(self.items.as_mut_ptr().cast(), self.len) }
    }
}

impl<M: Copy> Default for Moves<M> {
    fn default() -> Self {
        Self::new()
    }
}

impl<M: Copy> Deref for Moves<M> {
    type Target = [M];

    #[inline]
    fn deref(&self) -> &[M] {
        // SAFETY: the first `len` items were written by `push`, and `len` never exceeds the capacity.
        unsafe { std::slice::from_raw_parts(self.items.as_ptr().cast(), self.len) }
    }
}

impl<M: Copy> Extend<M> for Moves<M> {
    #[inline]
    fn extend<I: IntoIterator<Item = M>>(&mut self, iter: I) {
        for m in iter {
            self.push(m);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn push_retain_clear() {
        let mut list = Moves::new();
        list.extend(0..4);
        list.extend_from_slice(&[4, 5, 6, 7, 8, 9]);
        list.retain(|m| m % 3 == 0);
        assert_eq!(&list[..], &[0, 3, 6, 9]);
        list.as_mut_slice().reverse();
        assert_eq!(list[0], 9);
        list.clear();
        assert!(list.is_empty());
    }
}
