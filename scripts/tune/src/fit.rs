//! Logistic regression of the weights with Adam (Kingma & Ba 2015, arXiv 1412.6980), in batches.

use crate::data::{Data, Labels, Sample};
use rand::rngs::SmallRng;
use rand::seq::SliceRandom;
use rand::{Rng, SeedableRng};

const BETA_1: f32 = 0.9;
const BETA_2: f32 = 0.999;
const EPSILON: f32 = 1e-8;
const BATCH: usize = 16_384;
/// Samples are held out in blocks of this size, because neighbours come from the same game and are similar.
const HELD_BLOCK: usize = 512;

/// The hyperparameters.
#[derive(Clone, Copy)]
pub struct Plan {
    pub epochs: usize,
    /// First step of each weight in centipawns; it falls to a twentieth over the epochs.
    pub rate: f32,
    /// Strength of the pull of each weight towards its initial value, against noise in rare features.
    pub decay: f32,
    /// Share of the samples that is held out for evaluation.
    pub held_out: f64,
    pub seed: u64,
}

/// The state of the fit: two weights per feature.
pub struct Fit<'a> {
    data: &'a Data,
    labels: Labels,
    start: Vec<f32>,
    pub weights: Vec<f32>,
    momentum: Vec<f32>,
    variance: Vec<f32>,
    steps: i32,
}

impl<'a> Fit<'a> {
    pub fn new(data: &'a Data, labels: Labels, initial: &[i32]) -> Self {
        let start: Vec<f32> = initial.iter().map(|&weight| weight as f32).collect();
        let zeros = vec![0.0; start.len()];
        Self { data, labels, weights: start.clone(), start, momentum: zeros.clone(), variance: zeros, steps: 0 }
    }

    /// Runs the plan. After each epoch, `tell` receives its number and the losses on the training samples and on those
    /// held out.
    pub fn run(&mut self, plan: Plan, mut tell: impl FnMut(usize, f32, f32)) {
        let mut rng = SmallRng::seed_from_u64(plan.seed);
        let (mut held_out, mut learned): (Vec<Sample>, Vec<Sample>) = Default::default();
        for block in self.data.samples.chunks(HELD_BLOCK) {
            let part = if rng.random_bool(plan.held_out) { &mut held_out } else { &mut learned };
            part.extend_from_slice(block);
        }
        tell(0, self.loss(&learned), self.loss(&held_out));
        for epoch in 1..=plan.epochs {
            learned.shuffle(&mut rng);
            let rate = plan.rate * 0.05_f32.powf((epoch - 1) as f32 / plan.epochs as f32);
            for batch in learned.chunks(BATCH) {
                self.step(batch, rate, plan.decay);
            }
            tell(epoch, self.loss(&learned), self.loss(&held_out));
        }
    }

    /// The weights, rounded to integers in centipawns.
    pub fn rounded(&self) -> Vec<i32> {
        self.weights.iter().map(|weight| weight.round() as i32).collect()
    }

    /// Mean squared difference between expected result and target.
    fn loss(&self, samples: &[Sample]) -> f32 {
        let sum: f64 = samples.iter().map(|sample| f64::from(self.expectation(sample) - sample.target).powi(2)).sum();
        (sum / samples.len().max(1) as f64) as f32
    }

    fn expectation(&self, sample: &Sample) -> f32 {
        let (mut opening, mut ending) = (0.0, 0.0);
        for &(feature, count) in self.data.counts(sample) {
            opening += self.weights[2 * usize::from(feature)] * f32::from(count);
            ending += self.weights[2 * usize::from(feature) + 1] * f32::from(count);
        }
        let value = opening * sample.phase + ending * sample.scale * (1.0 - sample.phase) + sample.fixed;
        self.labels.expectation(value)
    }

    fn step(&mut self, batch: &[Sample], rate: f32, decay: f32) {
        let gradient = self.gradient(batch);
        self.steps += 1;
        let bias_1 = 1.0 - BETA_1.powi(self.steps);
        let bias_2 = 1.0 - BETA_2.powi(self.steps);
        for (i, slope) in gradient.into_iter().enumerate() {
            let slope = slope + decay * (self.weights[i] - self.start[i]);
            self.momentum[i] += (1.0 - BETA_1) * (slope - self.momentum[i]);
            self.variance[i] += (1.0 - BETA_2) * (slope * slope - self.variance[i]);
            let mean = self.momentum[i] / bias_1;
            let spread = (self.variance[i] / bias_2).sqrt();
            self.weights[i] -= rate * mean / (spread + EPSILON);
        }
    }

    fn gradient(&self, batch: &[Sample]) -> Vec<f32> {
        let mut gradient = vec![0.0; self.weights.len()];
        for sample in batch {
            let expected = self.expectation(sample);
            let slope = (expected - sample.target) * expected * (1.0 - expected) / batch.len() as f32;
            let by_opening = slope * sample.phase;
            let by_ending = slope * sample.scale * (1.0 - sample.phase);
            for &(feature, count) in self.data.counts(sample) {
                gradient[2 * usize::from(feature)] += by_opening * f32::from(count);
                gradient[2 * usize::from(feature) + 1] += by_ending * f32::from(count);
            }
        }
        gradient
    }
}
