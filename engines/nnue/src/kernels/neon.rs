//! NEON kernels for AArch64.

use super::vector::Vector;
use std::arch::aarch64::*;

#[derive(Clone, Copy)]
pub struct Register(int16x8_t);

// SAFETY: every AArch64 machine has NEON.
unsafe impl Vector for Register {
    const BYTES: usize = 16;

    #[inline(always)]
    unsafe fn load(from: *const u8) -> Self {
        // SAFETY: NEON is part of AArch64, and the caller passes a pointer to a whole register.
        unsafe { Self(vld1q_s16(from.cast())) }
    }

    #[inline(always)]
    unsafe fn store(self, to: *mut u8) {
        // SAFETY: NEON is part of AArch64, and the caller passes a pointer to a whole register.
        unsafe { vst1q_s16(to.cast(), self.0) }
    }

    #[inline(always)]
    unsafe fn splat16(value: i16) -> Self {
        // SAFETY: NEON is part of AArch64.
        unsafe { Self(vdupq_n_s16(value)) }
    }

    #[inline(always)]
    unsafe fn splat32(value: i32) -> Self {
        // SAFETY: NEON is part of AArch64.
        unsafe { Self(vreinterpretq_s16_s32(vdupq_n_s32(value))) }
    }

    #[inline(always)]
    unsafe fn add32(self, other: Self) -> Self {
        // SAFETY: NEON is part of AArch64.
        unsafe { Self(vreinterpretq_s16_s32(vaddq_s32(vreinterpretq_s32_s16(self.0), vreinterpretq_s32_s16(other.0)))) }
    }

    #[inline(always)]
    unsafe fn shift16_7(self) -> Self {
        // SAFETY: NEON is part of AArch64.
        unsafe { Self(vreinterpretq_s16_u16(vshrq_n_u16::<7>(vreinterpretq_u16_s16(self.0)))) }
    }

    instructions! {
        add16(other) = vaddq_s16,
        sub16(other) = vsubq_s16,
        min16(other) = vminq_s16,
        max16(other) = vmaxq_s16,
        mul16(other) = vmulq_s16,
    }

    #[inline(always)]
    unsafe fn narrow(self, next: Self) -> Self {
        // SAFETY: NEON is part of AArch64.
        unsafe { Self(vreinterpretq_s16_u8(vcombine_u8(vqmovun_s16(self.0), vqmovun_s16(next.0)))) }
    }

    #[inline(always)]
    unsafe fn multiply_add16(self, other: Self) -> Self {
        // SAFETY: NEON is part of AArch64.
        unsafe {
            let low = vmull_s16(vget_low_s16(self.0), vget_low_s16(other.0));
            let high = vmull_high_s16(self.0, other.0);
            Self(vreinterpretq_s16_s32(vpaddq_s32(low, high)))
        }
    }

    #[inline(always)]
    unsafe fn dot(self, inputs: Self, weights: Self) -> Self {
        // SAFETY: NEON is part of AArch64.
        unsafe {
            // Inputs are at most 127, so they are valid signed bytes, and the sum of two products fits into 16 bits.
            let (inputs, weights) = (vreinterpretq_s8_s16(inputs.0), vreinterpretq_s8_s16(weights.0));
            let low = vmull_s8(vget_low_s8(inputs), vget_low_s8(weights));
            let high = vmull_high_s8(inputs, weights);
            Self(vreinterpretq_s16_s32(vpadalq_s16(vreinterpretq_s32_s16(self.0), vpaddq_s16(low, high))))
        }
    }

    #[inline(always)]
    unsafe fn nonzero32(self) -> u32 {
        // SAFETY: NEON is part of AArch64.
        unsafe {
            let lanes = vreinterpretq_u32_s16(self.0);
            let bits = vld1q_u32([1, 2, 4, 8].as_ptr());
            vaddvq_u32(vandq_u32(vtstq_u32(lanes, lanes), bits))
        }
    }
}

compiled_for!(Neon, "neon", Register);
