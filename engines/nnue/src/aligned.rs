//! Arrays aligned to cache lines, as vector instructions require. Large arrays use huge pages if the system has them,
//! because a search reads rows from all over a first layer.

use bytemuck::{Pod, Zeroable};
use hasami_memory::Zeroed;
use std::ops::{Deref, DerefMut};

/// A cache line.
#[derive(Clone, Copy, Zeroable)]
#[repr(C, align(64))]
struct Line([u8; 64]);

/// An array of at least this many cache lines (1 MiB) uses huge pages.
const LARGE: usize = 1 << 14;

enum Lines {
    Small(Box<[Line]>),
    Large(Zeroed<Line>),
}

impl Lines {
    fn zeroed(count: usize) -> Self {
        if count >= LARGE {
            let lines = Zeroed::new(count);
            // The system may have provided less memory than `count` cache lines.
            if lines.len() == count {
                return Self::Large(lines);
            }
        }
        Self::Small(vec![Line([0; 64]); count].into_boxed_slice())
    }

    #[inline]
    fn as_slice(&self) -> &[Line] {
        match self {
            Self::Small(lines) => lines,
            Self::Large(lines) => lines,
        }
    }

    #[inline]
    fn as_mut_slice(&mut self) -> &mut [Line] {
        match self {
            Self::Small(lines) => lines,
            Self::Large(lines) => lines,
        }
    }
}

/// A fixed number of integers, initially zero, aligned to 64 bytes.
pub struct Aligned<T> {
    lines: Lines,
    length: usize,
    kind: std::marker::PhantomData<T>,
}

impl<T: Pod> Aligned<T> {
    pub fn zeroed(length: usize) -> Self {
        let lines = (length * size_of::<T>()).div_ceil(64);
        Self { lines: Lines::zeroed(lines), length, kind: std::marker::PhantomData }
    }

    pub fn copy(values: &[T]) -> Self {
        let mut copy = Self::zeroed(values.len());
        copy.copy_from_slice(values);
        copy
    }
}

impl<T: Pod> Clone for Aligned<T> {
    fn clone(&self) -> Self {
        Self::copy(self)
    }
}

impl<T: Pod> Deref for Aligned<T> {
    type Target = [T];

    #[inline]
    fn deref(&self) -> &[T] {
        // SAFETY: the cache lines hold at least `length` integers, their alignment is sufficient, and every bit pattern
        // is valid.
        unsafe { std::slice::from_raw_parts(self.lines.as_slice().as_ptr().cast(), self.length) }
    }
}

impl<T: Pod> DerefMut for Aligned<T> {
    #[inline]
    fn deref_mut(&mut self) -> &mut [T] {
        // SAFETY: the reasons in `deref` apply, and `self` is borrowed exclusively.
        unsafe { std::slice::from_raw_parts_mut(self.lines.as_mut_slice().as_mut_ptr().cast(), self.length) }
    }
}
