//! Compares the block-wise computation with the definition.

#![allow(clippy::unwrap_used)]

use super::{MICRO_BATCH, MicroBatch, Share, collect, learn, measure};
use crate::parameters::{COLUMNS, Layout, Shape, random_start};
use crate::row_lists::RowCounts;
use crate::sample::Sample;
use crate::target::{Target, sigmoid};
use hasami_nnue::{FeatureSet, NetworkGame};
use rand::rngs::StdRng;
use rand::{Rng, SeedableRng};

struct Training {
    layout: Layout,
    features: FeatureSet,
    /// The parameters, row by row.
    parameters: Vec<f32>,
    samples: Vec<Sample>,
}

const TARGET: Target = Target { result_share: 0.3, label_scale: 300.0 };

/// Creates a training with a few more random positions than fit into a micro-batch, with or without hidden layers.
fn training(hidden: usize) -> Training {
    let seed = 29;
    let mut shape = Shape::usual(NetworkGame::Chess, 128);
    (shape.stacks, shape.hidden) = (3, hidden);
    shape.set_buckets(&[[0; 16], [1; 16]].concat()).unwrap();
    let features = shape.features();
    let layout = Layout::new(&shape, &features);
    let mut random = StdRng::seed_from_u64(seed);
    let samples = (0..MICRO_BATCH + 9).map(|_| {
        let mut sample = Sample::default();
        sample.kings = [random.random_range(0..64), random.random_range(0..64)];
        for _ in 0..random.random_range(2..33) {
            sample.push([random.random_range(0..768), random.random_range(0..768)]);
            sample.pieces += 1;
        }
        sample.score = random.random_range(-500..500);
        sample.result = [None, Some(0.0), Some(0.5), Some(1.0)][random.random_range(0..4)];
        sample
    });
    let samples = samples.collect();
    let parameters = random_start(&layout, seed);
    Training { layout, features, parameters, samples }
}

/// Computes the loss and the gradient directly from the definition, row by row.
fn by_definition(training: &Training) -> (f64, Vec<f64>) {
    let Training { layout, features, parameters, samples } = training;
    let at = |index: usize| f64::from(parameters[index]);
    let (mut loss, mut gradient) = (0.0, vec![0.0; layout.len()]);
    for sample in samples {
        let rows = [0, 1].map(|side| -> Vec<usize> {
            let row = |&element| features.row(0, sample.kings[side], element).map(|row| row as usize);
            sample.elements(side).iter().filter_map(row).collect()
        });
        let places = |side: usize, column: usize| {
            let rows = rows[side].iter().map(move |row| row * layout.width + column);
            rows.chain([layout.biases + column]).collect::<Vec<_>>()
        };
        let sum = |side: usize, column: usize| places(side, column).into_iter().map(at).sum::<f64>();
        let outputs = layout.outputs(layout.stack(sample.pieces));
        let both = || (0..2).flat_map(|side| (0..layout.width).map(move |column| (side, column)));
        let weight = |(side, column): (usize, usize)| outputs.start + side * layout.width + column;
        let clipped = |(side, column): (usize, usize)| sum(side, column).clamp(0.0, 1.0);
        let is_open = |(side, column): (usize, usize)| (0.0..1.0).contains(&sum(side, column));
        if layout.hidden > 0 {
            let inputs: Vec<f64> = both().map(clipped).collect();
            let dense = Dense { parameters, first: outputs.start, hidden: layout.hidden };
            let expected = f64::from(sigmoid(dense.output(&inputs) as f32));
            let error = expected - f64::from(TARGET.points(sample));
            let slope = 2.0 * error * expected * (1.0 - expected);
            loss += error * error;
            let down = dense.differentiate(&inputs, slope, &mut gradient);
            for (place, down) in both().zip(down).filter(|(place, _)| is_open(*place)) {
                places(place.0, place.1).into_iter().for_each(|index| gradient[index] += down);
            }
            continue;
        }
        let output: f64 = both().map(|place| clipped(place).powi(2) * at(weight(place))).sum();
        let expected = f64::from(sigmoid((output + at(outputs.end - 1)) as f32));
        let error = expected - f64::from(TARGET.points(sample));
        let slope = 2.0 * error * expected * (1.0 - expected);
        loss += error * error;
        gradient[outputs.end - 1] += slope;
        for place in both() {
            gradient[weight(place)] += slope * clipped(place).powi(2);
            let down = if is_open(place) { 2.0 * slope * clipped(place) * at(weight(place)) } else { 0.0 };
            places(place.0, place.1).into_iter().for_each(|index| gradient[index] += down);
        }
    }
    (loss, gradient)
}

/// The dense layers of a stack, whose parameters begin at the index `first`.
struct Dense<'a> {
    parameters: &'a [f32],
    first: usize,
    hidden: usize,
}

impl Dense<'_> {
    /// For each layer, the index of its first weight, the number of inputs and the number of outputs. The biases follow
    /// the weights.
    fn layers(&self, inputs: usize) -> [(usize, usize, usize); 3] {
        let second = self.first + self.hidden * (inputs + 1);
        let output = second + self.hidden * (self.hidden + 1);
        [(self.first, inputs, self.hidden), (second, self.hidden, self.hidden), (output, self.hidden, 1)]
    }

    /// The sums of each layer, not clipped.
    fn sums(&self, inputs: &[f64]) -> [Vec<f64>; 3] {
        let mut values = inputs.to_vec();
        self.layers(inputs.len()).map(|(first, inputs, outputs)| {
            let at = |index: usize| f64::from(self.parameters[index]);
            let sum = |o: usize| (0..inputs).map(|i| at(first + o * inputs + i) * values[i]).sum::<f64>();
            let sums: Vec<f64> = (0..outputs).map(|o| sum(o) + at(first + inputs * outputs + o)).collect();
            values = sums.iter().map(|sum| sum.clamp(0.0, 1.0)).collect();
            sums
        })
    }

    fn output(&self, inputs: &[f64]) -> f64 {
        self.sums(inputs)[2][0]
    }

    /// Adds to the gradient of the parameters; returns the gradients of the inputs.
    fn differentiate(&self, inputs: &[f64], slope: f64, gradient: &mut [f64]) -> Vec<f64> {
        let (sums, layers) = (self.sums(inputs), self.layers(inputs.len()));
        let mut slopes = vec![slope];
        for layer in (0..3).rev() {
            let (first, count, outputs) = layers[layer];
            let before = if layer == 0 { inputs } else { &sums[layer - 1] };
            let mut down = vec![0.0; count];
            for (o, slope) in slopes.iter().enumerate().take(outputs) {
                gradient[first + count * outputs + o] += slope;
                for i in 0..count {
                    gradient[first + o * count + i] += slope * before[i].clamp(0.0, 1.0);
                    down[i] += slope * f64::from(self.parameters[first + o * count + i]);
                }
            }
            // The caller knows which inputs are clipped.
            let is_open = |i: usize| layer == 0 || (0.0..1.0).contains(&before[i]);
            slopes = down.iter().enumerate().map(|(i, down)| if is_open(i) { *down } else { 0.0 }).collect();
        }
        slopes
    }
}

#[test]
fn micro_batches_match_the_definition() {
    check(&training(0));
}

#[test]
fn hidden_layers_match_the_definition() {
    check(&training(32));
}

fn check(training: &Training) {
    let Training { layout, features, parameters, samples } = training;
    let by_blocks = layout.to_blocks(parameters);
    assert_eq!(&layout.to_rows(&by_blocks), parameters);
    let share = Share { layout, features, target: TARGET, parameters: &by_blocks };
    let (mut counts, mut gradient) = (RowCounts::new(layout.rows()), vec![0.0; layout.len()]);
    let (mut loss, mut measured, mut learned) = (0.0, 0.0, Vec::new());
    for part in samples.chunks(MICRO_BATCH) {
        let mut micro_batch = MicroBatch::new(layout);
        part.iter().for_each(|sample| share.push(sample, &mut micro_batch));
        assert_eq!(micro_batch.len(), part.len());
        measured += measure(&share, &mut micro_batch);
        learn(&share, &mut micro_batch, &mut counts);
        loss += f64::from(micro_batch.loss);
        gradient[layout.biases..].iter_mut().zip(micro_batch.tail()).for_each(|(sum, more)| *sum += more);
        learned.push(micro_batch);
    }
    // The ranges of rows may end anywhere.
    for block in 0..layout.blocks() {
        let rows = &mut gradient.as_chunks_mut::<COLUMNS>().0[block * layout.rows()..][..layout.rows()];
        let (first, rest) = rows.split_at_mut(701);
        collect(&learned, block, 0, first);
        collect(&learned, block, 701, rest);
    }
    let (wanted_loss, wanted) = by_definition(training);
    assert!((loss - wanted_loss).abs() < 1e-3 * wanted_loss, "{loss} {wanted_loss}");
    assert!((measured - wanted_loss).abs() < 1e-3 * wanted_loss, "{measured} {wanted_loss}");
    let found = layout.to_rows(&gradient);
    let far = found.iter().zip(&wanted).position(|(found, wanted)| (f64::from(*found) - wanted).abs() > 1e-4);
    assert_eq!(far, None);
    assert!(wanted.iter().filter(|slope| slope.abs() > 1e-3).count() > 10_000);
}
