//! The arithmetic of training: one labelled position through the network and back.
//!
//! Written once in plain Rust over blocks of a fixed width, and compiled for several instruction sets: the compiler makes
//! vectors of it.

use crate::parameters::Layout;
use crate::sample::Sample;
use crate::target::{Target, sigmoid};
use hasami_nnue::FeatureSet;

/// Values that are summed in registers at a time.
const BLOCK: usize = 64;

/// What a thread needs for its share of a batch, and what it finds.
pub struct Share<'a> {
    /// Sizes and places of the parameters.
    pub layout: &'a Layout,
    /// From kings and elements to rows.
    pub features: &'a FeatureSet,
    /// What is aimed at.
    pub target: Target,
    /// All parameters.
    pub parameters: &'a [f32],
}

/// Room for one position.
pub struct Scratch {
    rows: [Vec<u32>; 2],
    sums: [Vec<f32>; 2],
    slopes: [Vec<f32>; 2],
}

impl Scratch {
    pub fn new(width: usize) -> Self {
        let zeros = || [vec![0.0; width], vec![0.0; width]];
        Self { rows: [Vec::new(), Vec::new()], sums: zeros(), slopes: zeros() }
    }
}

#[inline(always)]
fn sum_rows(parameters: &[f32], layout: &Layout, rows: &[u32], sums: &mut [f32]) {
    let width = layout.width;
    for from in (0..width).step_by(BLOCK) {
        let mut block: [f32; BLOCK] = [0.0; BLOCK];
        block.copy_from_slice(&parameters[layout.biases + from..][..BLOCK]);
        for &row in rows {
            let weights = &parameters[row as usize * width + from..][..BLOCK];
            for lane in 0..BLOCK {
                block[lane] += weights[lane];
            }
        }
        sums[from..from + BLOCK].copy_from_slice(&block);
    }
}

#[inline(always)]
fn spread_slopes(gradient: &mut [f32], layout: &Layout, rows: &[u32], slopes: &[f32]) {
    let width = layout.width;
    for &row in rows {
        let target = &mut gradient[row as usize * width..][..width];
        for (sum, slope) in target.iter_mut().zip(slopes) {
            *sum += slope;
        }
    }
    let biases = &mut gradient[layout.biases..][..width];
    for (sum, slope) in biases.iter_mut().zip(slopes) {
        *sum += slope;
    }
}

/// The dot product of squares of clipped sums with the weights of an output.
#[inline(always)]
fn dot(sums: &[f32], weights: &[f32]) -> f32 {
    let mut lanes = [0.0f32; BLOCK];
    for (sums, weights) in sums.chunks_exact(BLOCK).zip(weights.chunks_exact(BLOCK)) {
        for lane in 0..BLOCK {
            let clipped = sums[lane].clamp(0.0, 1.0);
            lanes[lane] += clipped * clipped * weights[lane];
        }
    }
    lanes.iter().sum()
}

/// Gradients of the output's weights, and the slopes of the sums.
#[inline(always)]
fn differentiate(slope: f32, sums: &[f32], weights: &[f32], gradient: &mut [f32], slopes: &mut [f32]) {
    for (((sum, weight), gradient), out) in sums.iter().zip(weights).zip(gradient).zip(slopes) {
        let clipped = sum.clamp(0.0, 1.0);
        *gradient += slope * clipped * clipped;
        let open = if *sum > 0.0 && *sum < 1.0 { 2.0 * slope } else { 0.0 };
        *out = open * clipped * weight;
    }
}

impl Share<'_> {
    #[inline(always)]
    fn find_rows(&self, sample: &Sample, rows: &mut [Vec<u32>; 2]) {
        for (side, rows) in rows.iter_mut().enumerate() {
            rows.clear();
            // Our own feature sets see the same from both sides.
            let row = |&element| self.features.row(0, sample.kings[side], element);
            rows.extend(sample.elements(side).iter().filter_map(row));
        }
    }

    #[inline(always)]
    fn predict(&self, sample: &Sample, scratch: &mut Scratch) -> (usize, f32) {
        self.find_rows(sample, &mut scratch.rows);
        for side in 0..2 {
            sum_rows(self.parameters, self.layout, &scratch.rows[side], &mut scratch.sums[side]);
        }
        let stack = self.layout.stack(sample.pieces);
        let (weights, width) = (&self.parameters[self.layout.outputs(stack)], self.layout.width);
        let output = dot(&scratch.sums[0], &weights[..width]) + dot(&scratch.sums[1], &weights[width..2 * width]);
        (stack, output + weights[2 * width])
    }

    #[inline(always)]
    fn learn_one(&self, sample: &Sample, gradient: &mut [f32], scratch: &mut Scratch) -> f32 {
        let (stack, output) = self.predict(sample, scratch);
        let expected = sigmoid(output);
        let error = expected - self.target.points(sample);
        let slope = 2.0 * error * expected * (1.0 - expected);
        let range = self.layout.outputs(stack);
        let (weights, width) = (&self.parameters[range.clone()], self.layout.width);
        let outputs = &mut gradient[range];
        for side in 0..2 {
            let part = side * width..(side + 1) * width;
            let (sums, slopes) = (&scratch.sums[side], &mut scratch.slopes[side]);
            differentiate(slope, sums, &weights[part.clone()], &mut outputs[part], slopes);
        }
        outputs[2 * width] += slope;
        for side in 0..2 {
            spread_slopes(gradient, self.layout, &scratch.rows[side], &scratch.slopes[side]);
        }
        error * error
    }

    /// Adds the gradients of a position, and returns its squared error.
    pub fn learn(&self, sample: &Sample, gradient: &mut [f32], scratch: &mut Scratch) -> f32 {
        #[cfg(target_arch = "x86_64")]
        {
            if is_x86_feature_detected!("avx512f") {
                // SAFETY: the processor has what the function needs.
                return unsafe { learn_avx512(self, sample, gradient, scratch) };
            }
            if is_x86_feature_detected!("avx2") && is_x86_feature_detected!("fma") {
                // SAFETY: as above.
                return unsafe { learn_avx2(self, sample, gradient, scratch) };
            }
        }
        self.learn_one(sample, gradient, scratch)
    }

    /// The squared error of a position.
    pub fn measure(&self, sample: &Sample, scratch: &mut Scratch) -> f32 {
        let error = sigmoid(self.predict(sample, scratch).1) - self.target.points(sample);
        error * error
    }
}

#[cfg(target_arch = "x86_64")]
#[target_feature(enable = "avx512f,avx512vl,avx2,fma")]
fn learn_avx512(share: &Share<'_>, sample: &Sample, gradient: &mut [f32], scratch: &mut Scratch) -> f32 {
    share.learn_one(sample, gradient, scratch)
}

#[cfg(target_arch = "x86_64")]
#[target_feature(enable = "avx2,fma")]
fn learn_avx2(share: &Share<'_>, sample: &Sample, gradient: &mut [f32], scratch: &mut Scratch) -> f32 {
    share.learn_one(sample, gradient, scratch)
}
