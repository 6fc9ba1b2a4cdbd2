//! The arithmetic of training: labelled positions through the network and back.
//!
//! Written once in plain Rust over blocks of a fixed width, and compiled for several instruction sets: the compiler makes
//! vectors of it. The rows that a position adds are anywhere in the first layer, which no inner cache holds. So positions go
//! through it in micro-batches, a block of columns after another ([`Layout`]): those of all rows fit.

#[cfg(test)]
mod tests;

use crate::parameters::{COLUMNS, Layout};
use crate::sample::Sample;
use crate::target::{Target, sigmoid};
use hasami_nnue::FeatureSet;

/// Positions of a micro-batch.
pub const MICRO_BATCH: usize = 128;

type Block = [f32; COLUMNS];

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

/// Some positions on their way.
pub struct MicroBatch {
    /// Rows of the side to move of the first position, then those of the other side, then those of the next position.
    rows: Vec<u32>,
    /// The end of each of these lists.
    ends: Vec<usize>,
    /// By position: its stack of outputs.
    stacks: Vec<usize>,
    /// By position: the points to predict.
    points: Vec<f32>,
    /// By block, position and side: sums of the rows; on the way back the slopes of these sums.
    sums: Vec<Block>,
}

impl MicroBatch {
    pub fn new(layout: &Layout) -> Self {
        Self {
            rows: Vec::new(),
            ends: Vec::new(),
            stacks: Vec::with_capacity(MICRO_BATCH),
            points: Vec::with_capacity(MICRO_BATCH),
            sums: vec![[0.0; COLUMNS]; 2 * MICRO_BATCH * layout.blocks()],
        }
    }

    pub fn is_full(&self) -> bool {
        self.stacks.len() == MICRO_BATCH
    }

    fn clear(&mut self) {
        self.rows.clear();
        self.ends.clear();
        self.stacks.clear();
        self.points.clear();
    }
}

/// Both lists of every position with their sums in one block.
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

/// Adds the products of squares of clipped sums with the weights of an output, lane by lane.
#[inline(always)]
fn dot(sums: &Block, weights: &Block, lanes: &mut Block) {
    for lane in 0..COLUMNS {
        let clipped = sums[lane].clamp(0.0, 1.0);
        lanes[lane] += clipped * clipped * weights[lane];
    }
}

/// Gradients of the output's weights, and the slopes in place of the sums.
#[inline(always)]
fn differentiate(slope: f32, sums: &mut Block, weights: &Block, gradient: &mut Block) {
    for lane in 0..COLUMNS {
        let sum = sums[lane];
        let clipped = sum.clamp(0.0, 1.0);
        gradient[lane] += slope * clipped * clipped;
        let open = if sum > 0.0 && sum < 1.0 { 2.0 * slope } else { 0.0 };
        sums[lane] = open * clipped * weights[lane];
    }
}

impl Share<'_> {
    /// Adds a position to a micro-batch that is not full.
    pub fn push(&self, sample: &Sample, micro_batch: &mut MicroBatch) {
        for side in 0..2 {
            // Our own feature sets see the same from both sides.
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

    #[inline(always)]
    fn spread_slopes(&self, micro_batch: &mut MicroBatch, gradient: &mut [f32]) {
        for block in 0..self.layout.blocks() {
            let sums = &mut micro_batch.sums[2 * MICRO_BATCH * block..][..micro_batch.ends.len()];
            let mut of_biases: Block = [0.0; COLUMNS];
            let gradients = self.layout.block_mut(gradient, block);
            for (rows, slopes) in each_list(&micro_batch.rows, &micro_batch.ends, sums) {
                // A copy stays in registers.
                let slopes = *slopes;
                for &row in rows {
                    add(&mut gradients[row as usize], &slopes);
                }
                add(&mut of_biases, &slopes);
            }
            add(self.layout.biases_of_mut(gradient, block), &of_biases);
        }
    }

    /// The output of the network for a position whose sums are known.
    #[inline(always)]
    fn output(&self, micro_batch: &MicroBatch, position: usize) -> f32 {
        let weights = &self.parameters[self.layout.outputs(micro_batch.stacks[position])];
        let (weights, bias) = weights.split_at(2 * self.layout.width);
        let mut lanes: Block = [0.0; COLUMNS];
        for side in 0..2 {
            let weights = weights[side * self.layout.width..].as_chunks::<COLUMNS>().0;
            for (block, weights) in weights.iter().take(self.layout.blocks()).enumerate() {
                dot(&micro_batch.sums[2 * MICRO_BATCH * block + 2 * position + side], weights, &mut lanes);
            }
        }
        lanes.iter().sum::<f32>() + bias[0]
    }

    #[inline(always)]
    fn learn_all(&self, micro_batch: &mut MicroBatch, gradient: &mut [f32]) -> f32 {
        self.sum_rows(micro_batch);
        let width = self.layout.width;
        let mut loss = 0.0;
        for position in 0..micro_batch.stacks.len() {
            let expected = sigmoid(self.output(micro_batch, position));
            let error = expected - micro_batch.points[position];
            let slope = 2.0 * error * expected * (1.0 - expected);
            let range = self.layout.outputs(micro_batch.stacks[position]);
            let (weights, outputs) = (&self.parameters[range.clone()], &mut gradient[range]);
            for side in 0..2 {
                let weights = weights[side * width..].as_chunks::<COLUMNS>().0;
                let outputs = outputs[side * width..].as_chunks_mut::<COLUMNS>().0;
                for block in 0..self.layout.blocks() {
                    let sums = &mut micro_batch.sums[2 * MICRO_BATCH * block + 2 * position + side];
                    differentiate(slope, sums, &weights[block], &mut outputs[block]);
                }
            }
            outputs[2 * width] += slope;
            loss += error * error;
        }
        self.spread_slopes(micro_batch, gradient);
        micro_batch.clear();
        loss
    }

    /// Adds the gradients of a micro-batch, empties it, and returns the sum of its squared errors.
    pub fn learn(&self, micro_batch: &mut MicroBatch, gradient: &mut [f32]) -> f32 {
        #[cfg(target_arch = "x86_64")]
        {
            if is_x86_feature_detected!("avx512f") {
                // SAFETY: the processor has what the function needs.
                return unsafe { learn_avx512(self, micro_batch, gradient) };
            }
            if is_x86_feature_detected!("avx2") && is_x86_feature_detected!("fma") {
                // SAFETY: as above.
                return unsafe { learn_avx2(self, micro_batch, gradient) };
            }
        }
        self.learn_all(micro_batch, gradient)
    }

    /// The sum of squared errors of a micro-batch, which is emptied.
    pub fn measure(&self, micro_batch: &mut MicroBatch) -> f64 {
        self.sum_rows(micro_batch);
        let error = |position| sigmoid(self.output(micro_batch, position)) - micro_batch.points[position];
        let sum = (0..micro_batch.stacks.len()).map(|position| f64::from(error(position)).powi(2)).sum();
        micro_batch.clear();
        sum
    }
}

#[cfg(target_arch = "x86_64")]
#[target_feature(enable = "avx512f,avx512vl,avx2,fma")]
fn learn_avx512(share: &Share<'_>, micro_batch: &mut MicroBatch, gradient: &mut [f32]) -> f32 {
    share.learn_all(micro_batch, gradient)
}

#[cfg(target_arch = "x86_64")]
#[target_feature(enable = "avx2,fma")]
fn learn_avx2(share: &Share<'_>, micro_batch: &mut MicroBatch, gradient: &mut [f32]) -> f32 {
    share.learn_all(micro_batch, gradient)
}
