//! What the generic bodies ask of an instruction set.

/// A register full of numbers. Every function is inlined into a function that is compiled for the instruction set.
///
/// # Safety
/// The functions may be called only where the instruction set is there; pointers must hold a register's bytes.
pub unsafe trait Vector: Copy {
    /// Bytes of a register.
    const BYTES: usize;

    /// From aligned memory.
    unsafe fn load(from: *const u8) -> Self;
    /// To aligned memory.
    unsafe fn store(self, to: *mut u8);
    unsafe fn zero() -> Self;
    unsafe fn splat16(value: i16) -> Self;
    /// Four bytes in every lane of 32 bits.
    unsafe fn splat32(value: i32) -> Self;
    unsafe fn add16(self, other: Self) -> Self;
    unsafe fn sub16(self, other: Self) -> Self;
    unsafe fn add32(self, other: Self) -> Self;
    unsafe fn min16(self, other: Self) -> Self;
    unsafe fn max16(self, other: Self) -> Self;
    unsafe fn mul16(self, other: Self) -> Self;
    unsafe fn shift16_7(self) -> Self;
    /// Two registers of 16 bits (0..=255) as bytes, in order.
    unsafe fn narrow(self, next: Self) -> Self;
    /// Pairs of products of 16 bits, summed to 32.
    unsafe fn multiply_add16(self, other: Self) -> Self;
    /// `self` + four products of unsigned `inputs` (at most 127) and signed `weights`, by lane of 32 bits.
    unsafe fn dot(self, inputs: Self, weights: Self) -> Self;
    /// A bit for each lane of 32 bits that is not zero.
    unsafe fn nonzero32(self) -> u32;
}
