//! SSE4.1 kernels for x86-64-v2.

use super::vector::Vector;
use std::arch::x86_64::*;

#[derive(Clone, Copy)]
pub struct Register(__m128i);

// SAFETY: only functions for SSE4.1 use the type, and they are called only if the processor supports SSE4.1.
unsafe impl Vector for Register {
    const BYTES: usize = 16;

    transfers!(_mm_load_si128, _mm_store_si128, _mm_set1_epi16, _mm_set1_epi32);

    instructions! {
        add16(other) = _mm_add_epi16,
        sub16(other) = _mm_sub_epi16,
        add32(other) = _mm_add_epi32,
        min16(other) = _mm_min_epi16,
        max16(other) = _mm_max_epi16,
        mul16(other) = _mm_mullo_epi16,
        shift16_7() = _mm_srli_epi16::<7>,
        multiply_add16(other) = _mm_madd_epi16,
    }

    #[inline(always)]
    unsafe fn narrow(self, next: Self) -> Self {
        // SAFETY: the caller ensures that the processor supports SSE4.1.
        unsafe { Self(_mm_packus_epi16(self.0, next.0)) }
    }

    #[inline(always)]
    unsafe fn dot(self, inputs: Self, weights: Self) -> Self {
        // The sum of two products of at most 127 x 128 fits into 16 bits.
        // SAFETY: the caller ensures that the processor supports SSE4.1.
        unsafe {
            let pairs = _mm_maddubs_epi16(inputs.0, weights.0);
            Self(_mm_add_epi32(self.0, _mm_madd_epi16(pairs, _mm_set1_epi16(1))))
        }
    }

    #[inline(always)]
    unsafe fn nonzero32(self) -> u32 {
        // SAFETY: the caller ensures that the processor supports SSE4.1.
        unsafe {
            let zeros = _mm_cmpeq_epi32(self.0, _mm_setzero_si128());
            !(_mm_movemask_ps(_mm_castsi128_ps(zeros)) as u32) & 0xf
        }
    }
}

compiled_for!(Sse41, "sse4.1,ssse3", Register);
