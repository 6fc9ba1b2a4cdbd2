//! Computes the forward pass and the backward pass of labelled positions through a network in training.
//!
//! The code is plain Rust over blocks of a fixed width, which the compiler vectorizes for several instruction sets. The
//! rows that a position adds are spread over the first layer, which is too large for the inner caches. The code
//! processes positions in micro-batches, one block of columns at a time ([`Layout`]), because a block of columns fits
//! into the caches even for all rows.
//!
//! In the backward pass, no thread has a copy of the gradients, because adding up the copies would be the most
//! expensive step. Each thread owns ranges of rows, for which it collects the gradients of all micro-batches in order,
//! so that no sum depends on the number of threads.

#[cfg(test)]
mod tests;

use crate::parameters::{COLUMNS, Layout};
use crate::row_lists::{RowCounts, RowLists};
use crate::sample::Sample;
use crate::target::{Target, sigmoid};
use hasami_nnue::FeatureSet;

/// Number of positions in a micro-batch, small enough that the number of a row list in it fits into 16 bits.
pub const MICRO_BATCH: usize = 256;

/// The columns of a row that are stored together.
pub type Block = [f32; COLUMNS];

/// The read-only data that all threads share.
pub struct Share<'a> {
    /// Layout of the parameters.
    pub layout: &'a Layout,
    /// The feature set, which maps king squares and elements to rows.
    pub features: &'a FeatureSet,
    /// How the expected points that the network should predict are computed.
    pub target: Target,
    /// All parameters of the network.
    pub parameters: &'a [f32],
}

/// A small batch of positions, with the intermediate results of their forward and backward passes.
pub struct MicroBatch {
    /// Row numbers of the first layer: for each position, the side to move's list, then the other side's list.
    rows: Vec<u32>,
    /// The end of each row list in `rows`.
    ends: Vec<usize>,
    /// Index of the output stack of each position.
    stacks: Vec<usize>,
    /// The expected points that the network should predict for each position.
    points: Vec<f32>,
    /// The sums of the rows, ordered by block, position and side. The backward pass replaces the sums by their
    /// gradients.
    sums: Vec<Block>,
    /// For each row, the numbers of the row lists that contain it.
    lists: RowLists,
    /// Gradients of all parameters after the first layer's rows, that is, of the biases and the outputs.
    tail: Vec<f32>,
    /// Sum of the squared errors of the positions.
    pub loss: f32,
}

impl MicroBatch {
    pub fn new(layout: &Layout) -> Self {
        Self {
            rows: Vec::new(),
            ends: Vec::new(),
            stacks: Vec::with_capacity(MICRO_BATCH),
            points: Vec::with_capacity(MICRO_BATCH),
            sums: vec![[0.0; COLUMNS]; 2 * MICRO_BATCH * layout.blocks()],
            lists: RowLists::default(),
            tail: vec![0.0; layout.len() - layout.biases],
            loss: 0.0,
        }
    }

    /// Number of positions in the micro-batch.
    pub fn len(&self) -> usize {
        self.stacks.len()
    }

    /// Gradients of the parameters that follow the first layer's rows.
    pub fn tail(&self) -> &[f32] {
        &self.tail
    }

    /// Returns the inverted index, which maps each row to the row lists that contain it.
    pub fn lists(&self) -> &RowLists {
        &self.lists
    }

    /// Returns the sum and the sum of squares of the expected points that the network should predict.
    pub fn moments(&self) -> [f64; 2] {
        let points = || self.points.iter().map(|&points| f64::from(points));
        [points().sum(), points().map(|points| points * points).sum()]
    }

    pub fn clear(&mut self) {
        self.rows.clear();
        self.ends.clear();
        self.stacks.clear();
        self.points.clear();
        self.tail.fill(0.0);
        self.loss = 0.0;
    }
}

/// Returns an iterator over the row lists, each with its sum in one block of columns.
#[inline(always)]
fn each_list<'a>(
    rows: &'a [u32],
    ends: &'a [usize],
    sums: &'a mut [Block],
) -> impl Iterator<Item = (&'a [u32], &'a mut Block)> {
    let mut begin = 0;
    ends.iter().zip(sums).map(move |(&end, sums)| {
        let list = &rows[begin..end];
        begin = end;
        (list, sums)
    })
}

#[inline(always)]
fn add(sums: &mut Block, more: &Block) {
    for lane in 0..COLUMNS {
        sums[lane] += more[lane];
    }
}

/// Clips a sum to the range from 0 to 1.
#[inline(always)]
fn clipped(sum: f32) -> f32 {
    sum.clamp(0.0, 1.0)
}

/// Clips and squares the sums, multiplies them by an output's weights, and adds the products to `lanes`, lane by lane.
#[inline(always)]
fn dot(sums: &Block, weights: &Block, lanes: &mut Block) {
    for lane in 0..COLUMNS {
        let value = clipped(sums[lane]);
        lanes[lane] += value * value * weights[lane];
    }
}

/// Adds the gradient of an output's weights to `gradient`, and replaces the sums by their gradients.
#[inline(always)]
fn differentiate(slope: f32, sums: &mut Block, weights: &Block, gradient: &mut Block) {
    for lane in 0..COLUMNS {
        let sum = sums[lane];
        let value = clipped(sum);
        gradient[lane] += slope * value * value;
        // Where a sum is clipped, its derivative is 0.
        let open = if sum > 0.0 && sum < 1.0 { 2.0 * slope } else { 0.0 };
        sums[lane] = open * value * weights[lane];
    }
}

/// Returns the index in [`MicroBatch::sums`] of the sums for a block, a position and a side.
#[inline(always)]
const fn index_of_sums(block: usize, position: usize, side: usize) -> usize {
    2 * MICRO_BATCH * block + 2 * position + side
}

impl Share<'_> {
    /// Adds a position to a micro-batch that is not full.
    pub fn push(&self, sample: &Sample, micro_batch: &mut MicroBatch) {
        for side in 0..2 {
            // In Hasami's own format, feature sets are the same for both sides, so side 0 serves for both.
            let row = |&element| self.features.row(0, sample.kings[side], element);
            micro_batch.rows.extend(sample.elements(side).iter().filter_map(row));
            micro_batch.ends.push(micro_batch.rows.len());
        }
        micro_batch.stacks.push(self.layout.stack(sample.pieces));
        micro_batch.points.push(self.target.points(sample));
    }

    #[inline(always)]
    fn sum_rows(&self, micro_batch: &mut MicroBatch) {
        for block in 0..self.layout.blocks() {
            let weights = self.layout.block(self.parameters, block);
            let biases = self.layout.biases_of(self.parameters, block);
            let sums = &mut micro_batch.sums[2 * MICRO_BATCH * block..][..micro_batch.ends.len()];
            for (rows, sums) in each_list(&micro_batch.rows, &micro_batch.ends, sums) {
                let mut sum = *biases;
                for &row in rows {
                    add(&mut sum, &weights[row as usize]);
                }
                *sums = sum;
            }
        }
    }

    /// Computes the output of the network for a position whose row sums are known.
    #[inline(always)]
    fn output(&self, micro_batch: &MicroBatch, position: usize) -> f32 {
        let weights = &self.parameters[self.layout.outputs(micro_batch.stacks[position])];
        let (sums, blocks, width) = (&micro_batch.sums, self.layout.blocks(), self.layout.width);
        let (weights, bias) = weights.split_at(2 * width);
        let mut lanes: Block = [0.0; COLUMNS];
        for side in 0..2 {
            let weights = weights[side * width..].as_chunks::<COLUMNS>().0;
            for (block, weights) in weights.iter().take(blocks).enumerate() {
                dot(&sums[index_of_sums(block, position, side)], weights, &mut lanes);
            }
        }
        lanes.iter().sum::<f32>() + bias[0]
    }

    #[inline(always)]
    fn learn_all(&self, micro_batch: &mut MicroBatch, counts: &mut RowCounts) {
        self.sum_rows(micro_batch);
        let (width, blocks, start) = (self.layout.width, self.layout.blocks(), self.layout.first_output());
        for position in 0..micro_batch.len() {
            let expected = sigmoid(self.output(micro_batch, position));
            let error = expected - micro_batch.points[position];
            let slope = 2.0 * error * expected * (1.0 - expected);
            let range = self.layout.outputs(micro_batch.stacks[position]);
            let weights = &self.parameters[range.clone()];
            let MicroBatch { sums, tail, .. } = micro_batch;
            let (of_biases, of_outputs) = tail.split_at_mut(width);
            let of_biases = of_biases.as_chunks_mut::<COLUMNS>().0;
            let outputs = &mut of_outputs[range.start - start..range.end - start];
            for side in 0..2 {
                let weights = weights[side * width..].as_chunks::<COLUMNS>().0;
                let outputs = outputs[side * width..].as_chunks_mut::<COLUMNS>().0;
                for block in 0..blocks {
                    let sums = &mut sums[index_of_sums(block, position, side)];
                    differentiate(slope, sums, &weights[block], &mut outputs[block]);
                    add(&mut of_biases[block], sums);
                }
            }
            outputs[2 * width] += slope;
            micro_batch.loss += error * error;
        }
        micro_batch.lists.set(&micro_batch.rows, &micro_batch.ends, counts);
    }

    #[inline(always)]
    fn measure_all(&self, micro_batch: &mut MicroBatch) -> f64 {
        self.sum_rows(micro_batch);
        let count = micro_batch.len();
        let error = |position| sigmoid(self.output(micro_batch, position)) - micro_batch.points[position];
        (0..count).map(|position| f64::from(error(position)).powi(2)).sum()
    }
}

/// Adds the gradients of one block of columns to `gradient`, which begins at row `first`.
#[inline(always)]
fn collect_all(micro_batches: &[MicroBatch], block: usize, first: usize, gradient: &mut [Block]) {
    for micro_batch in micro_batches {
        let slopes = &micro_batch.sums[2 * MICRO_BATCH * block..][..2 * MICRO_BATCH];
        for (row, lists) in micro_batch.lists.of_rows(first..first + gradient.len()) {
            // The sum is a local copy, which can stay in registers.
            let mut sum = gradient[row - first];
            for &list in lists {
                add(&mut sum, &slopes[usize::from(list)]);
            }
            gradient[row - first] = sum;
        }
    }
}

/// Defines a function and compiles it for several instruction sets. A call runs the best version that the processor
/// supports.
macro_rules! for_processors {
    ($(#[$doc:meta])* $name:ident, $avx512:ident, $avx2:ident = $plain:expr,
     ($($argument:ident: $kind:ty),*) -> $result:ty) => {
        $(#[$doc])*
        pub fn $name($($argument: $kind),*) -> $result {
            #[cfg(target_arch = "x86_64")]
            {
                if is_x86_feature_detected!("avx512f") && is_x86_feature_detected!("avx512vl") {
                    // SAFETY: the processor supports the target features of the called function.
                    return unsafe { $avx512($($argument),*) };
                }
                if is_x86_feature_detected!("avx2") && is_x86_feature_detected!("fma") {
                    // SAFETY: the processor supports the target features of the called function.
                    return unsafe { $avx2($($argument),*) };
                }
            }
            $plain($($argument),*)
        }

        #[cfg(target_arch = "x86_64")]
        #[target_feature(enable = "avx512f,avx512vl,avx2,fma")]
        fn $avx512($($argument: $kind),*) -> $result {
            $plain($($argument),*)
        }

        #[cfg(target_arch = "x86_64")]
        #[target_feature(enable = "avx2,fma")]
        fn $avx2($($argument: $kind),*) -> $result {
            $plain($($argument),*)
        }
    };
}

for_processors! {
    /// Runs the forward and the backward pass of a micro-batch, up to the gradients of the row sums.
    learn, learn_avx512, learn_avx2 = Share::learn_all,
    (share: &Share<'_>, micro_batch: &mut MicroBatch, counts: &mut RowCounts) -> ()
}

for_processors! {
    /// Computes the sum of the squared errors of the positions in a micro-batch.
    measure, measure_avx512, measure_avx2 = Share::measure_all,
    (share: &Share<'_>, micro_batch: &mut MicroBatch) -> f64
}

for_processors! {
    /// Adds the gradients of one block in all micro-batches to `gradient`, which begins at row `first`.
    collect, collect_avx512, collect_avx2 = collect_all,
    (micro_batches: &[MicroBatch], block: usize, first: usize, gradient: &mut [Block]) -> ()
}
