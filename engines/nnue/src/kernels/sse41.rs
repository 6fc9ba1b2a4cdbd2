//! SSE4.1 kernels for x86-64-v2.

use super::vector::Vector;
use std::arch::x86_64::*;

#[derive(Clone, Copy)]
pub struct Register(__m128i);

// SAFETY: used only in functions that are compiled for SSE4.1, after a check that the machine has it.
unsafe impl Vector for Register {
    const BYTES: usize = 16;

    #[inline(always)]
    unsafe fn load(from: *const u8) -> Self {
        // SAFETY: the caller passes a pointer to an aligned register.
        unsafe { Self(_mm_load_si128(from.cast())) }
    }

    #[inline(always)]
    unsafe fn store(self, to: *mut u8) {
        // SAFETY: as above.
        unsafe { _mm_store_si128(to.cast(), self.0) }
    }

    #[inline(always)]
    unsafe fn zero() -> Self {
        // SAFETY: the machine has SSE4.1, here and below.
        unsafe { Self(_mm_setzero_si128()) }
    }

    #[inline(always)]
    unsafe fn splat16(value: i16) -> Self {
        // SAFETY: see `zero`.
        unsafe { Self(_mm_set1_epi16(value)) }
    }

    #[inline(always)]
    unsafe fn splat32(value: i32) -> Self {
        // SAFETY: see `zero`.
        unsafe { Self(_mm_set1_epi32(value)) }
    }

    #[inline(always)]
    unsafe fn add16(self, other: Self) -> Self {
        // SAFETY: see `zero`.
        unsafe { Self(_mm_add_epi16(self.0, other.0)) }
    }

    #[inline(always)]
    unsafe fn sub16(self, other: Self) -> Self {
        // SAFETY: see `zero`.
        unsafe { Self(_mm_sub_epi16(self.0, other.0)) }
    }

    #[inline(always)]
    unsafe fn add32(self, other: Self) -> Self {
        // SAFETY: see `zero`.
        unsafe { Self(_mm_add_epi32(self.0, other.0)) }
    }

    #[inline(always)]
    unsafe fn min16(self, other: Self) -> Self {
        // SAFETY: see `zero`.
        unsafe { Self(_mm_min_epi16(self.0, other.0)) }
    }

    #[inline(always)]
    unsafe fn max16(self, other: Self) -> Self {
        // SAFETY: see `zero`.
        unsafe { Self(_mm_max_epi16(self.0, other.0)) }
    }

    #[inline(always)]
    unsafe fn mul16(self, other: Self) -> Self {
        // SAFETY: see `zero`.
        unsafe { Self(_mm_mullo_epi16(self.0, other.0)) }
    }

    #[inline(always)]
    unsafe fn shift16_7(self) -> Self {
        // SAFETY: see `zero`.
        unsafe { Self(_mm_srli_epi16::<7>(self.0)) }
    }

    #[inline(always)]
    unsafe fn narrow(self, next: Self) -> Self {
        // SAFETY: see `zero`.
        unsafe { Self(_mm_packus_epi16(self.0, next.0)) }
    }

    #[inline(always)]
    unsafe fn multiply_add16(self, other: Self) -> Self {
        // SAFETY: see `zero`.
        unsafe { Self(_mm_madd_epi16(self.0, other.0)) }
    }

    #[inline(always)]
    unsafe fn dot(self, inputs: Self, weights: Self) -> Self {
        // Two products of at most 127 x 128 do not saturate 16 bits.
        // SAFETY: see `zero`.
        unsafe {
            let pairs = _mm_maddubs_epi16(inputs.0, weights.0);
            Self(_mm_add_epi32(self.0, _mm_madd_epi16(pairs, _mm_set1_epi16(1))))
        }
    }

    #[inline(always)]
    unsafe fn nonzero32(self) -> u32 {
        // SAFETY: see `zero`.
        unsafe {
            let zeros = _mm_cmpeq_epi32(self.0, _mm_setzero_si128());
            !(_mm_movemask_ps(_mm_castsi128_ps(zeros)) as u32) & 0xf
        }
    }
}

compiled_for!(Sse41, "sse4.1,ssse3", Register);
