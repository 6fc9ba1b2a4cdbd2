//! Elo, normalized Elo and the likelihood of superiority.

use super::ResultTally;
use std::fmt;

/// Quantile of the normal distribution for a two-sided interval of 95 %.
const Z95: f64 = 1.959_963_984_540_054;

/// Normalized Elo of one standard deviation per game: `800 / ln 10`.
pub(super) const NELO_PER_SIGMA: f64 = 800.0 / std::f64::consts::LN_10;

/// A value with half the width of its 95 % confidence interval.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct WithError {
    pub value: f64,
    pub error: f64,
}

impl fmt::Display for WithError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let digits = f.precision().unwrap_or(2);
        // An infinite or undefined value is printed without an error margin.
        let error = if self.value.is_finite() { format!(" +/- {}", number(self.error, digits)) } else { String::new() };
        write!(f, "{}{error}", number(self.value, digits))
    }
}

/// Formats a number, or a dash for infinite and undefined values. Zero is printed without a sign, which would depend on
/// rounding.
pub fn number(value: f64, digits: usize) -> String {
    if !value.is_finite() {
        return "-".to_owned();
    }
    let text = format!("{value:.digits$}");
    match text.strip_prefix('-') {
        Some(rest) if rest.bytes().all(|byte| matches!(byte, b'0' | b'.')) => rest.to_owned(),
        _ => text,
    }
}

/// The estimated strength of one player relative to the other.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct EloEstimate {
    /// Logistic Elo.
    pub elo: WithError,
    /// Normalized Elo.
    pub nelo: WithError,
    /// Likelihood of superiority, 0 to 1.
    pub los: f64,
    /// The lower end of the Elo confidence interval, the Elo estimate, and the upper end; an end is infinite if the
    /// interval extends beyond the range of possible scores.
    ends: [f64; 3],
}

impl EloEstimate {
    /// Estimates the strength difference from pairs of games. Counting two games of one opening as one trial reduces
    /// the error.
    pub fn pentanomial(tally: &ResultTally) -> Self {
        // A trial has two games, so the standard deviation per game is that of a trial times the square root of two.
        Self::new(&tally.pairs, 2.0)
    }

    /// Estimates the strength difference from single games.
    pub fn trinomial(tally: &ResultTally) -> Self {
        Self::new(&[tally.losses, tally.draws, tally.wins], 1.0)
    }

    /// Estimates the strength difference from trials whose possible scores are evenly spaced from 0 to 1.
    fn new(counts: &[u32], games_per_trial: f64) -> Self {
        let trials: f64 = counts.iter().copied().map(f64::from).sum();
        let top = (counts.len() - 1) as f64;
        let share = |index: usize| f64::from(counts[index]) / trials;
        let score: f64 = (0..counts.len()).rev().map(|i| share(i) * (i as f64 / top)).sum();
        let variance: f64 = (0..counts.len()).rev().map(|i| share(i) * (i as f64 / top - score).powi(2)).sum();
        let ends = {
            let reach = Z95 * (variance / trials).sqrt();
            [score - reach, score, score + reach].map(|score| elo_of_score(score.clamp(0.0, 1.0)))
        };
        // The variance is undefined for a single trial.
        let variance = if trials < 2.0 { f64::NAN } else { variance };
        let deviation = (variance / trials).sqrt();
        // If all results are even, the likelihood of superiority is one half.
        let los = (1.0 - libm::erf(-(score - 0.5) / (2.0 * variance / trials).sqrt())) / 2.0;
        let nelo = |score: f64| (score - 0.5) / (games_per_trial * variance).sqrt() * NELO_PER_SIGMA;
        Self {
            elo: interval(elo_of_score, score, deviation),
            nelo: interval(nelo, score, deviation),
            los: if los.is_nan() && score == 0.5 { 0.5 } else { los },
            ends,
        }
    }

    /// Returns the lower end of the Elo confidence interval, the Elo estimate, and the upper end, clamped to `most`,
    /// for a chart; `None` if Elo is undefined.
    pub fn within(&self, most: f64) -> Option<[f64; 3]> {
        let [low, value, high] = self.ends.map(|value| value.clamp(-most, most));
        (!value.is_nan()).then_some([low, value, high])
    }

    /// Formats the likelihood of superiority in percent.
    pub fn los_text(&self) -> String {
        format!("{} %", number(self.los * 100.0, 2))
    }
}

fn interval(scale: impl Fn(f64) -> f64, score: f64, deviation: f64) -> WithError {
    let (low, high) = (scale(score - Z95 * deviation), scale(score + Z95 * deviation));
    WithError { value: scale(score), error: (high - low) / 2.0 }
}

/// Returns the rating difference that corresponds to an expected score of `score` (0 to 1).
fn elo_of_score(score: f64) -> f64 {
    -400.0 * (1.0 / score - 1.0).log10()
}
