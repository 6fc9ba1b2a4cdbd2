//! Evaluates models by cross-validation: each is tested on games that it was not fitted to.

use super::models::{FittedModel, Method};
use super::sample::RankSample;
use std::collections::BTreeMap;

/// Number of folds into which the games are divided. Each fold tests models that were fitted to the other folds.
const FOLDS: u32 = 12;

/// The losses of a method on samples that it was not fitted to.
#[derive(Clone, Debug, Default)]
pub struct Judgement {
    /// For each game, the sum of the losses and the number of samples.
    by_game: BTreeMap<u32, (f64, f64)>,
}

/// A mean, with half the width of its 95 % confidence interval.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct MeanWithError {
    pub mean: f64,
    pub error: f64,
}

/// Cross-validates a method; `None` with fewer than two games.
pub fn judge(method: Method, samples: &[RankSample]) -> Option<Judgement> {
    let games: BTreeMap<u32, u32> = places(samples);
    let folds = FOLDS.min(games.len() as u32);
    if folds < 2 {
        return None;
    }
    let mut judgement = Judgement::default();
    for fold in 0..folds {
        let (held_out, seen): (Vec<&RankSample>, Vec<&RankSample>) =
            samples.iter().partition(|sample| games[&sample.game] % folds == fold);
        judgement.add(method.fit(&seen).as_ref(), &held_out);
    }
    Some(judgement)
}

/// Renumbers the games that have samples consecutively: maps old numbers to new ones, which start at 0.
fn places(samples: &[RankSample]) -> BTreeMap<u32, u32> {
    let mut games: BTreeMap<u32, u32> = samples.iter().map(|sample| (sample.game, 0)).collect();
    games.values_mut().zip(0..).for_each(|(place, number)| *place = number);
    games
}

impl Judgement {
    fn add(&mut self, model: &dyn FittedModel, samples: &[&RankSample]) {
        for sample in samples {
            let shares = model.shares(sample);
            let entry = self.by_game.entry(sample.game).or_default();
            *entry = (entry.0 - shares[sample.played].ln(), entry.1 + 1.0);
        }
    }

    /// Mean negative log-probability of the moves that were played, in nats.
    pub fn log_loss(&self) -> f64 {
        let (loss, count) = self.by_game.values().fold((0.0, 0.0), |sum, game| (sum.0 + game.0, sum.1 + game.1));
        loss / count
    }

    /// Computes by how much the mean loss per position is below that of `other`. Positions of the same game are not
    /// independent, so the confidence interval is computed for a ratio of per-game sums.
    pub fn gain_over(&self, other: &Self) -> MeanWithError {
        let pairs = self.by_game.values().zip(other.by_game.values());
        let gains: Vec<(f64, f64)> = pairs.map(|(own, other)| (other.0 - own.0, own.1)).collect();
        let total: f64 = gains.iter().map(|(_, count)| count).sum();
        let mean = gains.iter().map(|(gain, _)| gain).sum::<f64>() / total;
        let squares: f64 = gains.iter().map(|(gain, count)| (gain - mean * count).powi(2)).sum();
        let games = gains.len() as f64;
        let error = 1.96 * (squares * games / (games - 1.0)).sqrt() / total;
        MeanWithError { mean, error }
    }
}

#[cfg(test)]
#[allow(clippy::unwrap_used)]
mod tests {
    use super::*;
    use crate::learn::models::tests::{drawn, sample};
    use crate::learn::models::{GapFit, RankFit};

    #[test]
    fn the_model_that_generated_the_games_wins() {
        let rank = RankFit { shares: vec![0.6, 0.2, 0.1, 0.04, 0.02, 0.01, 0.01, 0.01, 0.005, 0.005], out: 0.0 };
        let gap = GapFit { strengths: [1.0, 0.6, 0.4, 0.2, 0.1, 0.1, 0.05, 0.05, 0.02, 0.01, 0.05] };
        let by_rank = drawn(1, 13, 100, &rank);
        let by_gap = drawn(2, 13, 100, &gap);
        for (samples, sign) in [(by_rank, -1.0), (by_gap, 1.0)] {
            let (rank, gap) = (judge(Method::Rank, &samples).unwrap(), judge(Method::Gap, &samples).unwrap());
            let gain = gap.gain_over(&rank);
            assert!(gain.mean * sign > 2.0 * gain.error, "{gain:?}");
            assert!((rank.log_loss() - gap.log_loss() - gain.mean).abs() < 1e-9);
        }
    }

    /// Only one game contains a played move of rank 2, so a model fitted to the other games must have a large loss on
    /// it.
    #[test]
    fn a_game_is_judged_by_the_others() {
        let mut samples: Vec<RankSample> = Vec::new();
        for game in 0..4 {
            let played = usize::from(game == 3);
            samples.extend((0..50).map(|_| RankSample { game: 10 * game, ..sample(&[0, 30], false, played) }));
        }
        let judgement = judge(Method::Rank, &samples).unwrap();
        let (loss, count) = judgement.by_game[&30];
        assert!(loss / count > 5.0, "{loss}");
        assert!(judge(Method::Rank, &samples[..50]).is_none(), "a single game cannot be held out");
    }
}
