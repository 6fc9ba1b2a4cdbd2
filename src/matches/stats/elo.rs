//! Elo, normalized Elo and the likelihood of superiority.

use super::ResultTally;
use std::fmt;

/// Two-sided 95 % of the normal distribution.
const Z95: f64 = 1.959_963_984_540_054;

/// Normalized Elo of one standard deviation a game: `800 / ln 10`.
pub(super) const NELO_PER_SIGMA: f64 = 800.0 / std::f64::consts::LN_10;

/// A value with half of its 95 % confidence interval.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct WithError {
    pub value: f64,
    pub error: f64,
}

impl fmt::Display for WithError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let digits = f.precision().unwrap_or(2);
        // Of what has no value nobody asks the error.
        let error = if self.value.is_finite() { format!(" +/- {}", number(self.error, digits)) } else { String::new() };
        write!(f, "{}{error}", number(self.value, digits))
    }
}

/// A dash for what is not known, or beyond every number. A zero has no sign: that would depend on the last bit of a sum.
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

/// The strength of one player over the other, as a set of results shows it.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct EloEstimate {
    /// Logistic Elo.
    pub elo: WithError,
    /// Normalized Elo.
    pub nelo: WithError,
    /// Likelihood of superiority, 0 to 1.
    pub los: f64,
    /// Elo with the ends of its interval, also where the interval reaches beyond all scores: infinite there.
    ends: [f64; 3],
}

impl EloEstimate {
    /// From pairs of games: openings and colours count as one trial, which narrows the error.
    pub fn pentanomial(tally: &ResultTally) -> Self {
        // Two games make one trial: the deviation of a game is that of a pair times the root of two.
        Self::new(&tally.pairs, 2.0)
    }

    /// From single games.
    pub fn trinomial(tally: &ResultTally) -> Self {
        Self::new(&[tally.losses, tally.draws, tally.wins], 1.0)
    }

    /// From trials with equidistant scores from 0 to 1.
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
        // One trial says nothing of how far others are from it.
        let variance = if trials < 2.0 { f64::NAN } else { variance };
        let deviation = (variance / trials).sqrt();
        // Even results that do not vary are even.
        let los = (1.0 - libm::erf(-(score - 0.5) / (2.0 * variance / trials).sqrt())) / 2.0;
        let nelo = |score: f64| (score - 0.5) / (games_per_trial * variance).sqrt() * NELO_PER_SIGMA;
        Self {
            elo: interval(elo_of_score, score, deviation),
            nelo: interval(nelo, score, deviation),
            los: if los.is_nan() && score == 0.5 { 0.5 } else { los },
            ends,
        }
    }

    /// For a curve: the lower end of the interval of Elo, Elo, and the upper end, cut at so much; `None`: nothing is known.
    pub fn within(&self, most: f64) -> Option<[f64; 3]> {
        let [low, value, high] = self.ends.map(|value| value.clamp(-most, most));
        (!value.is_nan()).then_some([low, value, high])
    }

    /// The likelihood of superiority as it is printed.
    pub fn los_text(&self) -> String {
        format!("{} %", number(self.los * 100.0, 2))
    }
}

fn interval(scale: impl Fn(f64) -> f64, score: f64, deviation: f64) -> WithError {
    let (low, high) = (scale(score - Z95 * deviation), scale(score + Z95 * deviation));
    WithError { value: scale(score), error: (high - low) / 2.0 }
}

/// The rating difference at which `score` (0 to 1) is expected.
fn elo_of_score(score: f64) -> f64 {
    -400.0 * (1.0 / score - 1.0).log10()
}
