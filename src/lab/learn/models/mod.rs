//! Three models of the probability that each alternative of a sample is played.

mod gap;
pub mod logit;
mod newton;
mod rank;
mod strengths;

pub use gap::{CLASSES, GapFit, OUT_OF_RANK, class, class_name};
pub use rank::RankFit;

use super::sample::RankSample;

pub trait FittedModel {
    /// Returns the probabilities of the alternatives, which sum to 1.
    fn shares(&self, sample: &RankSample) -> Vec<f64>;

    /// Log-likelihood of the moves that were played.
    fn log_likelihood(&self, samples: &[RankSample]) -> f64 {
        samples.iter().map(|sample| self.shares(sample)[sample.played].ln()).sum()
    }
}

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Method {
    /// A move's probability depends only on its rank (P-GPP).
    Rank,
    /// A move's probability depends on the class of its gap (Yokoyama et al. 2014, sections 4 and 5).
    Gap,
    /// A move's probability is a conditional logit of its gap and rank, the depth, and the phase.
    Logit,
}

impl Method {
    pub const ALL: [Self; 3] = [Self::Rank, Self::Gap, Self::Logit];

    pub const fn word(self) -> &'static str {
        match self {
            Self::Rank => "rank",
            Self::Gap => "gap",
            Self::Logit => "logit",
        }
    }

    /// Fits a model for unseen samples: even events that `samples` lack get a positive probability.
    pub fn fit(self, samples: &[&RankSample]) -> Box<dyn FittedModel> {
        match self {
            Self::Rank => Box::new(RankFit::fit(samples, HALF)),
            Self::Gap => Box::new(GapFit::fit(samples, HALF)),
            Self::Logit => Box::new(logit::fit(samples)),
        }
    }
}

/// Weight of the prior: half an event of each kind (Krichevsky and Trofimov 1981).
const HALF: f64 = 0.5;

#[cfg(test)]
pub(super) mod tests {
    use super::*;
    use rand::rngs::SmallRng;
    use rand::{Rng, SeedableRng};

    /// Creates a sample with these gaps; `played` is the index of the played alternative, which may be "out of rank".
    pub fn sample(gaps: &[i32], has_out: bool, played: usize) -> RankSample {
        let gaps = gaps.to_vec();
        RankSample { game: 0, ply: 20, gaps, value: 0, has_out, rest: 20, played, depth: 10, phase: 0.3 }
    }

    /// Simulates games whose moves are drawn with the probabilities of `model`.
    pub fn drawn(seed: u64, games: u32, plies: u32, model: &dyn FittedModel) -> Vec<RankSample> {
        let mut rng = SmallRng::seed_from_u64(seed);
        let mut samples = Vec::new();
        for (game, ply) in (0..games).flat_map(|game| (0..plies).map(move |ply| (game, ply))) {
            let count = rng.random_range(1..=10);
            let mut gaps: Vec<i32> = (1..count).map(|_| rng.random_range(0..120)).chain([0]).collect();
            gaps.sort_unstable();
            let mut sample = sample(&gaps, count == 10, 0);
            (sample.game, sample.ply) = (game, ply);
            (sample.phase, sample.depth) = (f64::from(ply) / f64::from(plies), rng.random_range(5..20));
            let mut point = rng.random::<f64>();
            let shares = model.shares(&sample);
            let falls = shares.iter().position(|share| {
                point -= share;
                point < 0.0
            });
            sample.played = falls.unwrap_or(0);
            samples.push(sample);
        }
        samples
    }

    #[test]
    fn every_model_gives_probabilities() {
        let samples = drawn(1, 4, 50, &RankFit { shares: vec![0.5, 0.2, 0.1], out: 0.1 });
        let all: Vec<&RankSample> = samples.iter().collect();
        for method in Method::ALL {
            let model = method.fit(&all[..100]);
            for sample in &samples {
                let shares = model.shares(sample);
                assert_eq!(shares.len(), sample.alternatives(), "{}", method.word());
                assert!((shares.iter().sum::<f64>() - 1.0).abs() < 1e-9, "{}", method.word());
                assert!(shares.iter().all(|share| *share > 0.0), "{}: {shares:?}", method.word());
            }
        }
    }
}
