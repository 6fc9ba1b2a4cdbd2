use crate::sample::Sample;

/// The parameters by which the expected points that the network should predict are computed from labels.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct Target {
    /// Weight of the game's result, from 0 to 1; the rest is the weight of the score.
    pub result_share: f32,
    /// Number of centipawns in labels for which the expected points are 1 / (1 + 1/e).
    pub label_scale: f32,
}

impl Target {
    /// Computes the expected points, from 0 to 1.
    #[inline]
    pub fn points(&self, sample: &Sample) -> f32 {
        let by_score = sigmoid(f32::from(sample.score) / self.label_scale);
        match sample.result {
            Some(result) => self.result_share * result + (1.0 - self.result_share) * by_score,
            None => by_score,
        }
    }
}

/// Converts an output to expected points.
#[inline]
pub fn sigmoid(x: f32) -> f32 {
    1.0 / (1.0 + (-x).exp())
}
