//! Receivers of the terms of the evaluation: a sum of weights, or a list of features for the tuner.

use super::layout::{FEATURES, GROUPS, Pair};
use hasami_api::WeightsError;
use hasami_api::tapered::parse_pairs;
use once_cell::sync::Lazy;
use shakmaty::Color;

/// One pair of weights, for opening and endgame, per feature.
pub type Weights = [Pair; FEATURES];

/// The weights of the data file.
pub static WEIGHTS: Lazy<Box<Weights>> =
    Lazy::new(|| read_weights(include_str!("../../data/weights.txt")).expect("a test reads the weights"));

/// Reads the text form of the weights.
pub fn read_weights(text: &str) -> Result<Box<Weights>, WeightsError> {
    parse_pairs(GROUPS, text)
}

/// Receives the features of a position one by one.
pub trait Sink {
    /// Records that `side` has `feature` `count` times.
    fn add(&mut self, side: Color, feature: usize, count: i32);
}

/// Adds up the weights: the sum for White minus the sum for Black.
pub struct Sum<'a> {
    pub weights: &'a Weights,
    pub total: Pair,
}

impl Sink for Sum<'_> {
    #[inline(always)]
    fn add(&mut self, side: Color, feature: usize, count: i32) {
        let value = self.weights[feature] * count;
        self.total += side.fold_wb(value, -value);
    }
}

/// Counts the features: the count for White minus the count for Black.
pub struct Counts(pub Box<[i16; FEATURES]>);

impl Sink for Counts {
    fn add(&mut self, side: Color, feature: usize, count: i32) {
        self.0[feature] += side.fold_wb(count, -count) as i16;
    }
}
