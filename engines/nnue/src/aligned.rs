//! Arrays that begin on a cache line, as vector instructions want them. Large ones stand in huge pages where the system has them:
//! each row of a first layer is somewhere else.

use bytemuck::Zeroable;
use hasami_memory::Zeroed;
use std::ops::{Deref, DerefMut};

/// A cache line.
#[derive(Clone, Copy, Zeroable)]
#[repr(C, align(64))]
struct Line([u8; 64]);

/// From so many lines on an array is large: 1 MiB.
const LARGE: usize = 1 << 14;

enum Lines {
    Small(Box<[Line]>),
    Large(Zeroed<Line>),
}

impl Lines {
    fn zeroed(count: usize) -> Self {
        if count >= LARGE {
            let lines = Zeroed::new(count);
            // It may have got less than it asked for.
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

/// Numbers that may be any pattern of bits, so that lines of zeros are numbers.
///
/// # Safety
/// Implemented for plain integers only.
pub unsafe trait Number: Copy + Default + 'static {}
// SAFETY: every pattern of bits is an integer.
unsafe impl Number for i8 {}
// SAFETY: as above.
unsafe impl Number for u8 {}
// SAFETY: as above.
unsafe impl Number for i16 {}
// SAFETY: as above.
unsafe impl Number for i32 {}

/// A fixed number of integers, zero at first, that begin on a boundary of 64 bytes.
pub struct Aligned<T> {
    lines: Lines,
    length: usize,
    kind: std::marker::PhantomData<T>,
}

impl<T: Number> Aligned<T> {
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

impl<T: Number> Clone for Aligned<T> {
    fn clone(&self) -> Self {
        Self::copy(self)
    }
}

impl<T: Number> Deref for Aligned<T> {
    type Target = [T];

    #[inline]
    fn deref(&self) -> &[T] {
        // SAFETY: the lines hold at least `length` integers, aligned beyond their need, and any bits are integers.
        unsafe { std::slice::from_raw_parts(self.lines.as_slice().as_ptr().cast(), self.length) }
    }
}

impl<T: Number> DerefMut for Aligned<T> {
    #[inline]
    fn deref_mut(&mut self) -> &mut [T] {
        // SAFETY: as above; `self` is borrowed alone.
        unsafe { std::slice::from_raw_parts_mut(self.lines.as_mut_slice().as_mut_ptr().cast(), self.length) }
    }
}
