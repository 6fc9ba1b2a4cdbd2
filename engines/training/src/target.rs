use crate::sample::Sample;

/// How the expected points that the network should predict are computed from the label of a position.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct Target {
    /// Weight of the game's result, from 0 to 1. The weight of the score is one minus this number.
    pub result_share: f32,
    /// The score, in centipawns, for which the expected points are 1 / (1 + 1/e).
    pub label_scale: f32,
}

impl Target {
    /// Computes the expected points, from 0 to 1, that the network should predict for a position.
    #[inline]
    pub fn points(&self, sample: &Sample) -> f32 {
        let by_score = sigmoid(f32::from(sample.score) / self.label_scale);
        match sample.result {
            Some(result) => self.result_share * result + (1.0 - self.result_share) * by_score,
            None => by_score,
        }
    }
}

/// Converts a network output to expected points.
#[inline]
pub fn sigmoid(x: f32) -> f32 {
    1.0 / (1.0 + (-x).exp())
}
