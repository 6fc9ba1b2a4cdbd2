//! The reference kernels: plain Rust that processes one value at a time.

use super::update::Update;
use crate::affine::{Affine, INPUT_STEP};

pub fn update(from: &[i16], to: &mut [i16], update: &Update<'_>) {
    to.copy_from_slice(from);
    let row = |row: u32| &update.weights[row as usize * update.width..][..update.width];
    for &added in update.added {
        to.iter_mut().zip(row(added)).for_each(|(sum, &w)| *sum = sum.wrapping_add(w));
    }
    for &removed in update.removed {
        to.iter_mut().zip(row(removed)).for_each(|(sum, &w)| *sum = sum.wrapping_sub(w));
    }
}

/// Clips values to 0..=127.
pub fn clip(values: &[i16], out: &mut [u8]) {
    for (out, &value) in out.iter_mut().zip(values) {
        *out = value.clamp(0, 127) as u8;
    }
}

/// Clips one side's values to 0..=127, multiplies the first half by the second, and divides the products by 128.
pub fn multiply(values: &[i16], out: &mut [u8]) {
    let (low, high) = values.split_at(values.len() / 2);
    for ((out, &a), &b) in out.iter_mut().zip(low).zip(high) {
        *out = ((i32::from(a.clamp(0, 127)) * i32::from(b.clamp(0, 127))) >> 7) as u8;
    }
}

pub fn affine(layer: &Affine, inputs: &[u8], sums: &mut [i32]) {
    let padded = layer.padded();
    sums.copy_from_slice(&layer.biases);
    for (chunk, inputs) in inputs.chunks_exact(INPUT_STEP).enumerate() {
        let weights = &layer.weights[chunk * padded * INPUT_STEP..][..padded * INPUT_STEP];
        for (sum, weights) in sums.iter_mut().zip(weights.chunks_exact(INPUT_STEP)) {
            let products = weights.iter().zip(inputs).map(|(&w, &x)| i32::from(w) * i32::from(x));
            *sum = sum.wrapping_add(products.sum());
        }
    }
}

/// Clips the values to 0..=255, squares them, multiplies them by the weights, and returns the sum modulo 2^32.
pub fn squares(values: &[i16], weights: &[i16]) -> i32 {
    let product = |(&v, &w): (&i16, &i16)| i32::from(v.clamp(0, 255)) * i32::from(v.clamp(0, 255)) * i32::from(w);
    values.iter().zip(weights).map(product).fold(0, i32::wrapping_add)
}
