//! Receivers of the terms of the evaluation: sums of weights, or counts of features for the tuner.

use super::layout::{FEATURES, GROUPS, Pair, ending, opening};
use hasami_api::WeightsError;
use hasami_api::tapered::parse_pairs;
use once_cell::sync::Lazy;
use rsshogi::types::Color;

/// The weights in use, in text form.
pub const WEIGHTS_TEXT: &str = include_str!("../../data/weights.txt");

/// One pair of weights, for opening and endgame, per feature.
pub type Weights = [Pair; FEATURES];

/// The weights of the data file.
pub static WEIGHTS: Lazy<Box<Weights>> = Lazy::new(|| read_weights(WEIGHTS_TEXT).expect("a test reads the weights"));

/// Reads the text form of the weights.
pub fn read_weights(text: &str) -> Result<Box<Weights>, WeightsError> {
    parse_pairs(GROUPS, text)
}

/// Receives the features of a position one by one.
pub trait Sink {
    /// Records that `side` has `feature` once.
    fn add(&mut self, side: Color, feature: usize);
}

/// Adds up the weights: the sum for Black minus the sum for White.
pub struct Sum<'a> {
    pub weights: &'a Weights,
    pub total: Pair,
}

impl Sink for Sum<'_> {
    #[inline(always)]
    fn add(&mut self, side: Color, feature: usize) {
        let value = self.weights[feature];
        self.total += if side == Color::BLACK { value } else { -value };
    }
}

/// Adds up the weights of opening and endgame in separate sums, which have room for any number of pieces: the sum for
/// Black minus the sum for White.
pub struct SeparateSums<'a> {
    pub weights: &'a Weights,
    pub totals: [i32; 2],
}

impl Sink for SeparateSums<'_> {
    fn add(&mut self, side: Color, feature: usize) {
        let value = self.weights[feature];
        let sign = if side == Color::BLACK { 1 } else { -1 };
        self.totals[0] += sign * opening(value);
        self.totals[1] += sign * ending(value);
    }
}

/// Counts the features: the count for Black minus the count for White.
pub struct Counts(pub Box<[i16; FEATURES]>);

impl Sink for Counts {
    fn add(&mut self, side: Color, feature: usize) {
        self.0[feature] += if side == Color::BLACK { 1 } else { -1 };
    }
}
