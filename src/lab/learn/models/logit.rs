//! A conditional logit, which computes the probability of a move from its gap, its rank, the depth and the phase.

use super::FittedModel;
use super::newton::{self, NumericChoice};
use crate::learn::sample::RankSample;
use hasami_tree::{Logit, features_of};

/// Strength of the ridge penalty, which keeps poorly determined weights small.
const RIDGE: f64 = 1.0;

/// Fits the weights that maximize the likelihood of the moves that were played.
pub fn fit(samples: &[&RankSample]) -> Logit {
    let choice =
        |sample: &&RankSample| NumericChoice { alternatives: features_of(&sample.sight()), chosen: sample.played };
    Logit { weights: newton::maximize(&samples.iter().map(choice).collect::<Vec<_>>(), RIDGE) }
}

impl FittedModel for Logit {
    fn shares(&self, sample: &RankSample) -> Vec<f64> {
        self.of_ranking(&sample.sight())
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::learn::models::{GapFit, RankFit, tests::drawn};

    /// The logit must fit games drawn from either model of Yokoyama et al. 2014 nearly as well as that model does.
    #[test]
    fn logit_is_as_good_as_the_model_that_generated_the_games() {
        let rank = RankFit { shares: vec![0.5, 0.2, 0.1, 0.05, 0.03, 0.02, 0.02, 0.01, 0.01, 0.01], out: 0.05 };
        let gap = GapFit { strengths: [1.0, 0.6, 0.45, 0.35, 0.28, 0.22, 0.18, 0.15, 0.12, 0.07, 0.1] };
        for model in [&rank as &dyn FittedModel, &gap] {
            let samples = drawn(11, 10, 1_000, model);
            let logit = fit(&samples.iter().collect::<Vec<_>>());
            let (found, best) = (logit.log_likelihood(&samples), model.log_likelihood(&samples));
            assert!(found > best - 0.01 * samples.len() as f64, "{found} {best}");
        }
    }

    #[test]
    fn logit_learns_that_moves_depend_on_the_phase() {
        let mut samples = drawn(12, 10, 400, &RankFit { shares: vec![0.1; 10], out: 0.1 });
        samples.iter_mut().filter(|sample| sample.phase > 0.5).for_each(|sample| sample.played = 0);
        let logit = fit(&samples.iter().collect::<Vec<_>>());
        let mut sample = samples.into_iter().find(|sample| sample.gaps.len() == 5).expect("some have five moves");
        let mut share = |phase| {
            sample.phase = phase;
            logit.of_ranking(&sample.sight())[0]
        };
        assert!(share(0.1) < 0.5 && share(0.9) > 0.8, "{} {}", share(0.1), share(0.9));
    }
}
