//! The sequential probability ratio test: decides whether a strength difference is closer to `elo1` or to `elo0`.
//!
//! The test uses the generalized log likelihood ratio. Each hypothesis is represented by the most likely distribution
//! of results with its expected score ("Comparing the approximations...", proposition 1.1), or with its normalized
//! distance from 1/2 ("Normalized Elo", section 4.1).

use super::elo::{NELO_PER_SIGMA, number};
use super::{ResultTally, itp};
use serde::{Deserialize, Serialize};
use std::fmt;

/// The Elo scale of the hypotheses.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum SprtModel {
    /// Normalized Elo.
    #[default]
    Normalized,
    /// Logistic Elo.
    Logistic,
    /// BayesElo, with the draw rate estimated from the results; only for single games.
    Bayesian,
}

impl SprtModel {
    pub const fn word(self) -> &'static str {
        match self {
            Self::Normalized => "normalized",
            Self::Logistic => "logistic",
            Self::Bayesian => "bayesian",
        }
    }
}

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum SprtVerdict {
    GoOn,
    /// `elo0` is accepted.
    H0,
    /// `elo1` is accepted.
    H1,
}

/// A sequential test, with its two hypotheses and error rates.
#[derive(Clone, Copy, PartialEq, Debug, Serialize, Deserialize)]
pub struct Sprt {
    pub elo0: f64,
    pub elo1: f64,
    /// Probability of accepting `elo1` if `elo0` is true.
    pub alpha: f64,
    /// Probability of accepting `elo0` if `elo1` is true.
    pub beta: f64,
    pub model: SprtModel,
}

impl Default for Sprt {
    fn default() -> Self {
        Self { elo0: 0.0, elo1: 5.0, alpha: 0.05, beta: 0.05, model: SprtModel::Normalized }
    }
}

/// Largest normalized Elo of a hypothesis. For larger values, [`fit_distance`] cannot start, because no distribution
/// near the uniform one is that far from 1/2.
const MOST_NORMALIZED: f64 = 200.0;

impl Sprt {
    pub fn check(&self) -> Result<(), String> {
        let wrong = |expected: &str, found: f64| Err(format!("expected {expected}, found {found}"));
        let is_rate = |rate: f64| rate > 0.0 && rate < 1.0;
        if !(self.elo0.is_finite() && self.elo1.is_finite() && self.elo0 < self.elo1) {
            return wrong(&format!("elo0 below elo1, which is {}", self.elo1), self.elo0);
        }
        if self.model == SprtModel::Normalized && self.elo0.abs().max(self.elo1.abs()) > MOST_NORMALIZED {
            let farthest = if self.elo1.abs() > self.elo0.abs() { self.elo1 } else { self.elo0 };
            return wrong(&format!("elo0 and elo1 within {MOST_NORMALIZED} (normalized Elo)"), farthest);
        }
        if !is_rate(self.alpha) {
            return wrong("alpha between 0 and 1", self.alpha);
        }
        if !is_rate(self.beta) {
            return wrong("beta between 0 and 1", self.beta);
        }
        if self.alpha + self.beta >= 1.0 {
            return wrong("alpha and beta below 1 together", self.alpha + self.beta);
        }
        Ok(())
    }

    /// Returns the bounds of the log likelihood ratio, below which `elo0` and above which `elo1` is accepted.
    pub fn bounds(&self) -> [f64; 2] {
        [(self.beta / (1.0 - self.alpha)).ln(), ((1.0 - self.beta) / self.alpha).ln()]
    }

    /// Returns the log likelihood ratio, from pairs of games if `pairs` is set, and otherwise from single games.
    /// BayesElo always uses single games.
    pub fn llr(&self, tally: &ResultTally, pairs: bool) -> f64 {
        if pairs && self.model != SprtModel::Bayesian {
            let counts = tally.pairs.map(regular);
            self.ratio(&counts, 2.0)
        } else {
            self.llr_of_games(tally)
        }
    }

    fn llr_of_games(&self, tally: &ResultTally) -> f64 {
        let counts = [tally.losses, tally.draws, tally.wins].map(regular);
        if self.model != SprtModel::Bayesian {
            return self.ratio(&counts, 1.0);
        }
        if tally.wins == 0 || tally.losses == 0 {
            return 0.0;
        }
        let games: f64 = counts.iter().sum();
        let (loss, win) = (counts[0] / games, counts[2] / games);
        let draw_elo = 200.0 * ((1.0 - loss) / loss * (1.0 - win) / win).log10();
        expectation_ratio(&counts, bayes_score(self.elo0, draw_elo), bayes_score(self.elo1, draw_elo))
    }

    fn ratio(&self, counts: &[f64], games_per_trial: f64) -> f64 {
        if self.model == SprtModel::Normalized {
            let distance = |elo: f64| games_per_trial.sqrt() * elo / NELO_PER_SIGMA;
            return distance_ratio(counts, distance(self.elo0), distance(self.elo1));
        }
        let score = |elo: f64| 1.0 / (1.0 + 10.0_f64.powf(-elo / 400.0));
        expectation_ratio(counts, score(self.elo0), score(self.elo1))
    }

    pub fn verdict(&self, llr: f64) -> SprtVerdict {
        let [lower, upper] = self.bounds();
        match llr {
            llr if llr >= upper => SprtVerdict::H1,
            llr if llr <= lower => SprtVerdict::H0,
            _ => SprtVerdict::GoOn,
        }
    }

    /// Formats the report line of the test, such as `LLR: 0.52 (17.7%) (-2.94, 2.94) [0.00, 5.00]`.
    pub fn line(&self, llr: f64) -> String {
        let [lower, upper] = self.bounds();
        let part = if llr >= 0.0 { llr / upper } else { -llr / lower };
        let part = number(part * 100.0, 1);
        format!("LLR: {} ({part}%) ({lower:.2}, {upper:.2}) {self}", number(llr, 2))
    }
}

impl fmt::Display for Sprt {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "[{:.2}, {:.2}]", self.elo0, self.elo1)
    }
}

/// Replaces a count of 0 by 0.001, because a result that has not occurred is still possible.
fn regular(count: u32) -> f64 {
    if count == 0 { 1e-3 } else { f64::from(count) }
}

fn bayes_score(elo: f64, draw_elo: f64) -> f64 {
    let chance = |elo: f64| 1.0 / (1.0 + 10.0_f64.powf((draw_elo - elo) / 400.0));
    let (win, loss) = (chance(elo), chance(-elo));
    win + 0.5 * (1.0 - win - loss)
}

/// Converts the index of a trial's result to a score from 0 to 1.
fn score_of(index: usize, kinds: usize) -> f64 {
    index as f64 / (kinds - 1) as f64
}

/// Returns the log likelihood ratio of two expected scores.
fn expectation_ratio(counts: &[f64], score0: f64, score1: f64) -> f64 {
    likelihood_ratio(counts, |shares| [fit_expectation(shares, score0), fit_expectation(shares, score1)])
}

/// Returns the log likelihood ratio of two normalized distances from 1/2.
fn distance_ratio(counts: &[f64], distance0: f64, distance1: f64) -> f64 {
    likelihood_ratio(counts, |shares| [fit_distance(shares, distance0), fit_distance(shares, distance1)])
}

fn likelihood_ratio(counts: &[f64], fit: impl Fn(&[f64]) -> [Vec<f64>; 2]) -> f64 {
    let total: f64 = counts.iter().sum();
    let shares: Vec<f64> = counts.iter().map(|count| count / total).collect();
    let [null, other] = fit(&shares);
    let each = shares.iter().zip(null.iter().zip(&other));
    total * each.map(|(share, (p0, p1))| share * (p1.ln() - p0.ln())).sum::<f64>()
}

/// Returns the most likely distribution with the expectation `score` (equations 1.2 and 1.3).
fn fit_expectation(shares: &[f64], score: f64) -> Vec<f64> {
    const EPSILON: f64 = 1e-3;
    let above: Vec<f64> = (0..shares.len()).map(|i| score_of(i, shares.len()) - score).collect();
    tilt(shares, &above, EPSILON)
}

/// Computes `share / (1 + theta * value)`, where theta is chosen so that the result is a distribution in which `values`
/// have the mean 0.
fn tilt(shares: &[f64], values: &[f64], epsilon: f64) -> Vec<f64> {
    let least = values.iter().copied().fold(f64::INFINITY, f64::min);
    let most = values.iter().copied().fold(f64::NEG_INFINITY, f64::max);
    let mean = |theta: f64| shares.iter().zip(values).map(|(p, v)| p * v / (1.0 + theta * v)).sum();
    let theta = itp::root_between_poles(mean, -1.0 / most, -1.0 / least, epsilon);
    shares.iter().zip(values).map(|(p, v)| p / (1.0 + theta * v)).collect()
}

/// Returns the most likely distribution whose mean is `distance` standard deviations above 1/2 (section 4.1, equation
/// 4.9).
fn fit_distance(shares: &[f64], distance: f64) -> Vec<f64> {
    const EPSILON: f64 = 1e-7;
    const ENOUGH: f64 = 1e-4;
    const ROUNDS: usize = 10;
    let kinds = shares.len();
    let mut fitted = vec![1.0 / kinds as f64; kinds];
    for _ in 0..ROUNDS {
        let values = linearized(&fitted, distance);
        let next = tilt(shares, &values, EPSILON);
        let moved = next.iter().zip(&fitted).map(|(new, old)| (new - old).abs()).fold(0.0, f64::max);
        fitted = next;
        if moved < ENOUGH {
            break;
        }
    }
    fitted
}

/// Returns the constraint "mean - 1/2 = distance * deviation", linearized at a distribution.
fn linearized(shares: &[f64], distance: f64) -> Vec<f64> {
    let scores: Vec<f64> = (0..shares.len()).map(|i| score_of(i, shares.len())).collect();
    let mean: f64 = scores.iter().zip(shares).map(|(score, share)| score * share).sum();
    let variance: f64 = scores.iter().zip(shares).map(|(score, share)| share * (score - mean) * (score - mean)).sum();
    let deviation = variance.sqrt();
    let value = |score: f64| score - 0.5 - 0.5 * distance * deviation * (1.0 + ((score - mean) / deviation).powi(2));
    scores.into_iter().map(value).collect()
}
