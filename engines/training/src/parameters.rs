//! The parameters of a network in training, and what they aim at.

use crate::kernel::sigmoid;
use crate::sample::Sample;
use hasami_nnue::{FeatureSet, NetworkGame, OwnNetwork};
use rand::rngs::StdRng;
use rand::{Rng, SeedableRng};
use std::ops::Range;

/// Weights stay within this, so that their quantised forms stay within what the program's own format holds.
pub const MOST_WEIGHT: f32 = 127.0 / 64.0;

/// Units of quantised values and of the output's weights.
const VALUE_UNIT: f32 = 255.0;
const OUTPUT_UNIT: f32 = 64.0;

/// The shape of a network.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Shape {
    /// The game.
    pub game: NetworkGame,
    /// Values a side, a multiple of 128.
    pub width: usize,
    /// Outputs, chosen by the number of pieces.
    pub stacks: usize,
    /// By king's square: 64 or 81.
    pub buckets: Vec<u8>,
    /// Centipawns of an output of 1.0.
    pub scale: u32,
}

impl Shape {
    /// The feature set of these buckets.
    ///
    /// # Panics
    /// Where there are not as many buckets as squares.
    pub fn features(&self) -> FeatureSet {
        FeatureSet::own(self.game, &self.buckets).expect("a bucket for every square")
    }
}

/// Where parameters are: rows of the first layer, its biases, then the outputs, each with its bias last.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Layout {
    pub width: usize,
    /// Begin of the first layer's biases.
    pub biases: usize,
    stacks: usize,
    most_pieces: usize,
}

impl Layout {
    pub fn new(shape: &Shape, features: &FeatureSet) -> Self {
        let most_pieces = match shape.game {
            NetworkGame::Chess => 32,
            NetworkGame::Shogi => 40,
        };
        Self { width: shape.width, biases: shape.width * features.rows, stacks: shape.stacks, most_pieces }
    }

    /// Number of parameters.
    pub fn len(&self) -> usize {
        self.biases + self.width + self.stacks * (2 * self.width + 1)
    }

    /// Begin of the outputs.
    pub fn first_output(&self) -> usize {
        self.biases + self.width
    }

    /// The stack for so many pieces, as the reader of networks chooses it.
    #[inline]
    pub fn stack(&self, pieces: u32) -> usize {
        ((pieces as usize).saturating_sub(1) * self.stacks / self.most_pieces).min(self.stacks - 1)
    }

    /// The parameters of an output: 2 x width weights, then the bias.
    #[inline]
    pub fn outputs(&self, stack: usize) -> Range<usize> {
        let size = 2 * self.width + 1;
        let from = self.first_output() + stack * size;
        from..from + size
    }
}

/// The expected points that the network should predict.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct Target {
    /// Share of the game's result; the rest is that of the score.
    pub result_share: f32,
    /// Centipawns of the labels at which the expected score is 1 / (1 + 1/e).
    pub label_scale: f32,
}

impl Target {
    /// Expected points, 0 to 1.
    #[inline]
    pub fn points(&self, sample: &Sample) -> f32 {
        let by_score = sigmoid(f32::from(sample.score) / self.label_scale);
        match sample.result {
            Some(result) => self.result_share * result + (1.0 - self.result_share) * by_score,
            None => by_score,
        }
    }
}

/// Uniform numbers of the size that keeps sums of some thirty rows within the open part of the clipping.
pub fn random_start(layout: &Layout, seed: u64) -> Vec<f32> {
    let mut random = StdRng::seed_from_u64(seed);
    let mut parameters = vec![0.0; layout.len()];
    let (first, output) = (0.18, (1.0 / layout.width as f32).sqrt());
    parameters[..layout.biases].fill_with(|| random.random_range(-first..first));
    parameters[layout.biases..layout.first_output()].fill(0.1);
    for stack in 0..layout.stacks {
        let range = layout.outputs(stack);
        let weights = range.start..range.end - 1;
        parameters[weights].fill_with(|| random.random_range(-output..output));
    }
    parameters
}

/// Whole numbers for the program's own format.
pub fn quantise(shape: &Shape, layout: &Layout, parameters: &[f32], description: &str) -> OwnNetwork {
    let first = |values: &[f32]| values.iter().map(|v| (v * VALUE_UNIT).round() as i16).collect::<Vec<_>>();
    let output = |v: &f32| (v * OUTPUT_UNIT).round().clamp(-127.0, 127.0) as i16;
    let stacks = (0..shape.stacks).map(|stack| {
        let values = &parameters[layout.outputs(stack)];
        let bias = (values[2 * shape.width] * VALUE_UNIT * OUTPUT_UNIT).round() as i32;
        (bias, values[..2 * shape.width].iter().map(output).collect())
    });
    OwnNetwork {
        game: shape.game,
        width: shape.width,
        scale: shape.scale,
        description: description.to_string(),
        buckets: shape.buckets.clone(),
        biases: first(&parameters[layout.biases..layout.first_output()]),
        weights: first(&parameters[..layout.biases]),
        stacks: stacks.collect(),
    }
}
