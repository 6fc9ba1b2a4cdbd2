//! Compares the loss and the gradient that the kernel computes by blocks with their definitions.

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
    /// The parameters of the network, row by row.
    parameters: Vec<f32>,
    samples: Vec<Sample>,
}

const TARGET: Target = Target { result_share: 0.3, label_scale: 300.0 };

/// Creates a network and a few more random positions than fit into a micro-batch.
fn training() -> Training {
    let seed = 29;
    let mut shape = Shape::usual(NetworkGame::Chess, 128);
    shape.stacks = 3;
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
    let mut parameters = random_start(&layout, seed);
    // Sums of these weights are clipped at both ends, and the weights of the two buckets differ.
    parameters[..layout.biases].fill_with(|| random.random_range(-0.18..0.18));
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

#[test]
fn micro_batches_match_the_definition() {
    let training = training();
    let Training { layout, features, parameters, samples } = &training;
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
    // The test splits the rows at an arbitrary row, since ranges may end anywhere.
    for block in 0..layout.blocks() {
        let rows = &mut gradient.as_chunks_mut::<COLUMNS>().0[block * layout.rows()..][..layout.rows()];
        let (first, rest) = rows.split_at_mut(701);
        collect(&learned, block, 0, first);
        collect(&learned, block, 701, rest);
    }
    let (wanted_loss, wanted) = by_definition(&training);
    assert!((loss - wanted_loss).abs() < 1e-3 * wanted_loss, "{loss} {wanted_loss}");
    assert!((measured - wanted_loss).abs() < 1e-3 * wanted_loss, "{measured} {wanted_loss}");
    let found = layout.to_rows(&gradient);
    let far = found.iter().zip(&wanted).position(|(found, wanted)| (f64::from(*found) - wanted).abs() > 1e-4);
    assert_eq!(far, None);
    assert!(wanted.iter().filter(|slope| slope.abs() > 1e-3).count() > 10_000);
}
