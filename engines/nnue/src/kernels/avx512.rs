//! AVX-512 VNNI kernels for x86-64.

use super::vector::Vector;
use std::arch::x86_64::*;

#[derive(Clone, Copy)]
pub struct Register(__m512i);

// SAFETY: only functions for AVX-512 use the type, and they are called only if the processor supports AVX-512.
unsafe impl Vector for Register {
    const BYTES: usize = 64;

    transfers!(_mm512_load_si512, _mm512_store_si512, _mm512_set1_epi16, _mm512_set1_epi32);

    instructions! {
        add16(other) = _mm512_add_epi16,
        sub16(other) = _mm512_sub_epi16,
        add32(other) = _mm512_add_epi32,
        min16(other) = _mm512_min_epi16,
        max16(other) = _mm512_max_epi16,
        mul16(other) = _mm512_mullo_epi16,
        shift16_7() = _mm512_srli_epi16::<7>,
        multiply_add16(other) = _mm512_madd_epi16,
    }

    #[inline(always)]
    unsafe fn narrow(self, next: Self) -> Self {
        // `_mm512_packus_epi16` packs each quarter of its operands separately, so the eighths must be reordered.
        // SAFETY: the caller ensures that the processor supports AVX-512.
        unsafe {
            let order = _mm512_setr_epi64(0, 2, 4, 6, 1, 3, 5, 7);
            Self(_mm512_permutexvar_epi64(order, _mm512_packus_epi16(self.0, next.0)))
        }
    }

    #[inline(always)]
    unsafe fn dot(self, inputs: Self, weights: Self) -> Self {
        // SAFETY: the caller ensures that the processor supports AVX-512.
        unsafe { Self(_mm512_dpbusd_epi32(self.0, inputs.0, weights.0)) }
    }

    #[inline(always)]
    unsafe fn nonzero32(self) -> u32 {
        // SAFETY: the caller ensures that the processor supports AVX-512.
        unsafe { u32::from(_mm512_test_epi32_mask(self.0, self.0)) }
    }
}

compiled_for!(Avx512, "avx512f,avx512bw,avx512vl,avx512dq,avx512vnni", Register);
