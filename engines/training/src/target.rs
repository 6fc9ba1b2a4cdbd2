//! What a network should predict.

use crate::sample::Sample;

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

/// Expected points of an output.
#[inline]
pub fn sigmoid(x: f32) -> f32 {
    1.0 / (1.0 + (-x).exp())
}
