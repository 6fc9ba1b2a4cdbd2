//! AVX2 kernels for x86-64-v3.

use super::vector::Vector;
use std::arch::x86_64::*;

#[derive(Clone, Copy)]
pub struct Register(__m256i);

// SAFETY: only functions for AVX2 use the type, and they are called only if the processor supports AVX2.
unsafe impl Vector for Register {
    const BYTES: usize = 32;

    transfers!(_mm256_load_si256, _mm256_store_si256, _mm256_set1_epi16, _mm256_set1_epi32);

    instructions! {
        add16(other) = _mm256_add_epi16,
        sub16(other) = _mm256_sub_epi16,
        add32(other) = _mm256_add_epi32,
        min16(other) = _mm256_min_epi16,
        max16(other) = _mm256_max_epi16,
        mul16(other) = _mm256_mullo_epi16,
        shift16_7() = _mm256_srli_epi16::<7>,
        multiply_add16(other) = _mm256_madd_epi16,
    }

    #[inline(always)]
    unsafe fn narrow(self, next: Self) -> Self {
        // `_mm256_packus_epi16` packs each half of its operands separately, so the quarters must be reordered.
        // SAFETY: the caller ensures that the processor supports AVX2.
        unsafe { Self(_mm256_permute4x64_epi64::<0b11_01_10_00>(_mm256_packus_epi16(self.0, next.0))) }
    }

    #[inline(always)]
    unsafe fn dot(self, inputs: Self, weights: Self) -> Self {
        // The sum of two products of at most 127 x 128 fits into 16 bits.
        // SAFETY: the caller ensures that the processor supports AVX2.
        unsafe {
            let pairs = _mm256_maddubs_epi16(inputs.0, weights.0);
            Self(_mm256_add_epi32(self.0, _mm256_madd_epi16(pairs, _mm256_set1_epi16(1))))
        }
    }

    #[inline(always)]
    unsafe fn nonzero32(self) -> u32 {
        // SAFETY: the caller ensures that the processor supports AVX2.
        unsafe {
            let zeros = _mm256_cmpeq_epi32(self.0, _mm256_setzero_si256());
            !(_mm256_movemask_ps(_mm256_castsi256_ps(zeros)) as u32) & 0xff
        }
    }
}

compiled_for!(Avx2, "avx2", Register);
