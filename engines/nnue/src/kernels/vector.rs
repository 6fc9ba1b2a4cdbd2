//! The operations that the generic kernels need from an instruction set.

/// A vector register. Every method is inlined into a function that is compiled for the register's instruction set.
///
/// # Safety
/// Callers must ensure that the processor supports the instruction set. Pointers must refer to [`Self::BYTES`] bytes.
pub unsafe trait Vector: Copy {
    /// Size of a register, in bytes.
    const BYTES: usize;

    /// Loads a register from aligned memory.
    unsafe fn load(from: *const u8) -> Self;
    /// Stores the register to aligned memory.
    unsafe fn store(self, to: *mut u8);
    unsafe fn splat16(value: i16) -> Self;
    /// Sets every 32-bit lane to `value`.
    unsafe fn splat32(value: i32) -> Self;
    /// Sets every lane to zero.
    #[inline(always)]
    unsafe fn zero() -> Self {
        // SAFETY: the caller ensures that the processor supports the instruction set.
        unsafe { Self::splat16(0) }
    }
    unsafe fn add16(self, other: Self) -> Self;
    unsafe fn sub16(self, other: Self) -> Self;
    unsafe fn add32(self, other: Self) -> Self;
    unsafe fn min16(self, other: Self) -> Self;
    unsafe fn max16(self, other: Self) -> Self;
    unsafe fn mul16(self, other: Self) -> Self;
    unsafe fn shift16_7(self) -> Self;
    /// Converts the 16-bit values (0 to 255) of two registers to the bytes of one register, in order.
    unsafe fn narrow(self, next: Self) -> Self;
    /// Multiplies 16-bit values, and adds each pair of neighbouring products to a 32-bit sum.
    unsafe fn multiply_add16(self, other: Self) -> Self;
    /// In each 32-bit lane, adds to `self` the four products of unsigned `inputs` (at most 127) and signed `weights`.
    unsafe fn dot(self, inputs: Self, weights: Self) -> Self;
    /// Returns one bit for each 32-bit lane, set if the lane is not zero.
    unsafe fn nonzero32(self) -> u32;
}
