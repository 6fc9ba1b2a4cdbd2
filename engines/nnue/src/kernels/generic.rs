//! The kernels, generic over the instruction set.

use super::update::Update;
use super::vector::Vector;
use crate::affine::{Affine, INPUT_STEP, MOST_INPUTS};
use std::mem::MaybeUninit;

/// Adds rows to an accumulator and subtracts rows from it. A tile of the accumulator stays in `REGISTERS` registers
/// while all rows are added and subtracted.
#[inline(always)]
pub unsafe fn update<V: Vector, const REGISTERS: usize>(from: &[i16], to: &mut [i16], update: &Update<'_>) {
    let tile = REGISTERS * V::BYTES / 2;
    debug_assert!(from.len() == update.width && to.len() == update.width && update.width.is_multiple_of(tile));
    for start in (0..update.width).step_by(tile) {
        // SAFETY: `start + tile` is within rows of `width` values, and the rows are within the weights, as the reader
        // ensures.
        unsafe {
            let at = |row: u32, r: usize| {
                update.weights.as_ptr().add(row as usize * update.width + start).cast::<u8>().add(r * V::BYTES)
            };
            let source = from.as_ptr().add(start).cast::<u8>();
            let mut sums: [V; REGISTERS] = std::array::from_fn(|r| V::load(source.add(r * V::BYTES)));
            for &row in update.added {
                for (r, sum) in sums.iter_mut().enumerate() {
                    *sum = sum.add16(V::load(at(row, r)));
                }
            }
            for &row in update.removed {
                for (r, sum) in sums.iter_mut().enumerate() {
                    *sum = sum.sub16(V::load(at(row, r)));
                }
            }
            let target = to.as_mut_ptr().add(start).cast::<u8>();
            for (r, sum) in sums.into_iter().enumerate() {
                sum.store(target.add(r * V::BYTES));
            }
        }
    }
}

#[inline(always)]
pub unsafe fn clip<V: Vector>(values: &[i16], out: &mut [u8]) {
    let lanes = V::BYTES / 2;
    // SAFETY: two registers of values become one of bytes; `Kernels::clip` checks that the lengths are multiples of 64.
    unsafe {
        let (zero, one) = (V::zero(), V::splat16(127));
        for start in (0..values.len()).step_by(2 * lanes) {
            let at = |i: usize| V::load(values.as_ptr().add(start + i * lanes).cast()).max16(zero).min16(one);
            at(0).narrow(at(1)).store(out.as_mut_ptr().add(start));
        }
    }
}

#[inline(always)]
pub unsafe fn multiply<V: Vector>(values: &[i16], out: &mut [u8]) {
    let (lanes, half) = (V::BYTES / 2, values.len() / 2);
    // SAFETY: each half of the values has as many elements as `out`, a multiple of the bytes in a register.
    unsafe {
        let (zero, one) = (V::zero(), V::splat16(127));
        for start in (0..half).step_by(2 * lanes) {
            let at = |i: usize| V::load(values.as_ptr().add(i).cast()).max16(zero).min16(one);
            let product = |i: usize| at(start + i).mul16(at(half + start + i)).shift16_7();
            product(0).narrow(product(lanes)).store(out.as_mut_ptr().add(start));
        }
    }
}

/// Computes a dense layer whose outputs fill `N` registers. The sums use `SETS` copies of the registers in turn, so
/// that an addition need not wait for the one before it.
#[inline(always)]
pub unsafe fn affine<V: Vector, const N: usize, const SETS: usize>(layer: &Affine, inputs: &[u8], sums: &mut [i32]) {
    // SAFETY: the weights hold `N` registers for each group of four inputs; biases and sums hold `N` registers.
    unsafe {
        let mut sets = first_sets::<V, N, SETS>(layer);
        let groups = inputs.len() / INPUT_STEP;
        let whole = groups - groups % SETS;
        for start in (0..whole).step_by(SETS) {
            for (set, group) in sets.iter_mut().zip(start..) {
                add_group::<V, N>(set, layer, inputs, group);
            }
        }
        for (set, group) in sets.iter_mut().zip(whole..groups) {
            add_group::<V, N>(set, layer, inputs, group);
        }
        store_sets(&sets, sums);
    }
}

/// Computes the same as [`affine`], but skips groups of four zeros, which is faster if most inputs are zero.
#[inline(always)]
pub unsafe fn affine_of_few<V: Vector, const N: usize, const SETS: usize>(
    layer: &Affine,
    inputs: &[u8],
    sums: &mut [i32],
) {
    let mut groups = [const { MaybeUninit::<u16>::uninit() }; MOST_INPUTS / INPUT_STEP];
    let mut count = 0;
    let lanes = V::BYTES / INPUT_STEP;
    // SAFETY: the weights, biases and sums have the sizes stated in `affine`. The inputs fill whole registers, their
    // number is at most `MOST_INPUTS`, and `count` groups are initialized.
    unsafe {
        for start in (0..inputs.len() / INPUT_STEP).step_by(lanes) {
            let mut mask = V::load(inputs.as_ptr().add(start * INPUT_STEP)).nonzero32();
            while mask != 0 {
                groups.get_unchecked_mut(count).write(start as u16 + mask.trailing_zeros() as u16);
                count += 1;
                mask &= mask - 1;
            }
        }
        let groups = std::slice::from_raw_parts(groups.as_ptr().cast::<u16>(), count);
        let mut sets = first_sets::<V, N, SETS>(layer);
        let mut whole = groups.chunks_exact(SETS);
        for chunk in &mut whole {
            for (set, &group) in sets.iter_mut().zip(chunk) {
                add_group::<V, N>(set, layer, inputs, usize::from(group));
            }
        }
        for (set, &group) in sets.iter_mut().zip(whole.remainder()) {
            add_group::<V, N>(set, layer, inputs, usize::from(group));
        }
        store_sets(&sets, sums);
    }
}

/// Initializes the first set of sums with the biases, and the other sets with zeros.
#[inline(always)]
unsafe fn first_sets<V: Vector, const N: usize, const SETS: usize>(layer: &Affine) -> [[V; N]; SETS] {
    // SAFETY: the biases hold `N` registers.
    unsafe {
        let mut sets = [[V::zero(); N]; SETS];
        sets[0] = std::array::from_fn(|r| V::load(layer.biases.as_ptr().cast::<u8>().add(r * V::BYTES)));
        sets
    }
}

/// Adds up the sums of all sets, and stores the totals.
#[inline(always)]
unsafe fn store_sets<V: Vector, const N: usize, const SETS: usize>(sets: &[[V; N]; SETS], sums: &mut [i32]) {
    // SAFETY: the sums hold `N` registers.
    unsafe {
        for r in 0..N {
            let sum = sets[1..].iter().fold(sets[0][r], |sum, set| sum.add32(set[r]));
            sum.store(sums.as_mut_ptr().cast::<u8>().add(r * V::BYTES));
        }
    }
}

#[inline(always)]
unsafe fn add_group<V: Vector, const N: usize>(registers: &mut [V; N], layer: &Affine, inputs: &[u8], group: usize) {
    // SAFETY: the callers ensure that `group` is within the inputs and the weights.
    unsafe {
        let four = inputs.as_ptr().add(group * INPUT_STEP).cast::<i32>().read_unaligned();
        let input = V::splat32(four);
        let weights = layer.weights.as_ptr().cast::<u8>().add(group * N * V::BYTES);
        for (r, register) in registers.iter_mut().enumerate() {
            *register = register.dot(input, V::load(weights.add(r * V::BYTES)));
        }
    }
}

/// Returns the sum of the products of squared clipped values and weights. The weights are at most 128 in absolute
/// value, so that a value times a weight fits into 16 bits.
#[inline(always)]
pub unsafe fn squares<V: Vector>(values: &[i16], weights: &[i16]) -> i32 {
    let lanes = V::BYTES / 2;
    // SAFETY: both slices fill whole registers.
    unsafe {
        let (zero, one) = (V::zero(), V::splat16(255));
        let mut sum = V::zero();
        for start in (0..values.len()).step_by(lanes) {
            let value = V::load(values.as_ptr().add(start).cast()).max16(zero).min16(one);
            let weight = V::load(weights.as_ptr().add(start).cast());
            sum = sum.add32(value.mul16(weight).multiply_add16(value));
        }
        let mut sums = crate::affine::Buffer([0_i32; 16]);
        sum.store(sums.0.as_mut_ptr().cast());
        sums.0.iter().fold(0, |sum: i32, &lane| sum.wrapping_add(lane))
    }
}
