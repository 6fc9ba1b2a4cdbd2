//! Finds the thinking time at which a single worker loses as few points as a cluster.

#![deny(clippy::unwrap_used, clippy::expect_used, clippy::panic)]

use rand::rngs::SmallRng;
use rand::{Rng, SeedableRng};

/// Number of bootstrap samples per confidence interval.
const RESAMPLES: usize = 1000;

/// A single worker's losses, by position, with `times` times the cluster's thinking time.
pub struct Rung {
    pub times: f64,
    pub losses: Vec<f64>,
}

/// A value with its 95 % confidence interval.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct WorthEstimate {
    pub value: f64,
    pub low: f64,
    pub high: f64,
}

/// Computes what multiple of the cluster's time a single worker needs to lose as few points as the cluster, whose loss
/// in each position is in `losses`. The confidence interval comes from a bootstrap over positions. A value outside the
/// range of the rungs, which must be sorted by time, is clamped to the first rung (an upper bound) or the last rung (a
/// lower bound).
pub fn worth(rungs: &[Rung], losses: &[f64], seed: u64) -> Option<WorthEstimate> {
    let count = losses.len();
    if count == 0 || rungs.is_empty() || rungs.iter().any(|rung| rung.losses.len() != count) {
        return None;
    }
    let all: Vec<usize> = (0..count).collect();
    let mut rng = SmallRng::seed_from_u64(seed);
    let mut draws: Vec<f64> = (0..RESAMPLES)
        .map(|_| {
            let drawn: Vec<usize> = (0..count).map(|_| rng.random_range(0..count)).collect();
            meeting(rungs, losses, &drawn)
        })
        .collect();
    draws.sort_by(f64::total_cmp);
    let at = |share: f64| draws[((RESAMPLES - 1) as f64 * share).round() as usize];
    Some(WorthEstimate { value: meeting(rungs, losses, &all), low: at(0.025), high: at(0.975) })
}

/// Returns the mean, and 1.96 times its standard error.
pub fn mean(losses: &[f64]) -> (f64, f64) {
    let count = losses.len() as f64;
    let mean = losses.iter().sum::<f64>() / count;
    let variance = losses.iter().map(|loss| (loss - mean).powi(2)).sum::<f64>() / (count - 1.0).max(1.0);
    (mean, 1.96 * (variance / count).sqrt())
}

/// Computes the value of [`worth`] for the positions `drawn`, by linear interpolation between rungs over the logarithm
/// of time.
fn meeting(rungs: &[Rung], losses: &[f64], drawn: &[usize]) -> f64 {
    let sum = |losses: &[f64]| drawn.iter().map(|&at| losses[at]).sum::<f64>();
    let wanted = sum(losses);
    let heights = falling(&rungs.iter().map(|rung| sum(&rung.losses)).collect::<Vec<_>>());
    let after = heights.iter().position(|&height| height <= wanted);
    match after {
        Some(0) => rungs[0].times,
        None => rungs[rungs.len() - 1].times,
        Some(after) => {
            let (above, below) = (heights[after - 1], heights[after]);
            let way = (above - wanted) / (above - below);
            let (from, to) = (rungs[after - 1].times.ln(), rungs[after].times.ln());
            (from + way * (to - from)).exp()
        }
    }
}

/// Returns the closest non-increasing sequence (pool adjacent violators), because losses that increase with time are
/// noise.
fn falling(heights: &[f64]) -> Vec<f64> {
    let mut pools: Vec<(f64, usize)> = Vec::new();
    for &height in heights {
        pools.push((height, 1));
        while let [.., (before, many), (last, few)] = pools[..]
            && before < last
        {
            let whole = many + few;
            pools.truncate(pools.len() - 2);
            pools.push(((before * many as f64 + last * few as f64) / whole as f64, whole));
        }
    }
    pools.iter().flat_map(|&(height, count)| std::iter::repeat_n(height, count)).collect()
}

#[cfg(test)]
#[allow(clippy::unwrap_used)]
mod tests {
    use super::*;

    fn rungs() -> Vec<Rung> {
        // Each doubling of the time lowers losses by a tenth of the first rung's losses, which vary by position.
        let at = |doublings: usize| Rung {
            times: (1 << doublings) as f64,
            losses: (0..200).map(|place| (10.0 - doublings as f64) * f64::from(place % 5)).collect(),
        };
        (0..5).map(at).collect()
    }

    #[test]
    fn the_losses_of_a_rung_are_worth_its_time() {
        let rungs = rungs();
        for rung in &rungs {
            let found = worth(&rungs, &rung.losses, 1).unwrap();
            assert!(
                (found.value / rung.times - 1.0).abs() < 1e-9 && found.low <= found.value && found.value <= found.high
            );
        }
        let between: Vec<f64> = rungs[2].losses.iter().zip(&rungs[3].losses).map(|(a, b)| (a + b) / 2.0).collect();
        assert!((worth(&rungs, &between, 1).unwrap().value - 32f64.sqrt()).abs() < 1e-9);
    }

    #[test]
    fn values_outside_the_rungs_are_clamped() {
        let rungs = rungs();
        let value = |factor: f64| {
            let losses: Vec<f64> = rungs[0].losses.iter().map(|loss| loss * factor).collect();
            worth(&rungs, &losses, 1).unwrap().value
        };
        assert_eq!((value(2.0), value(0.1)), (1.0, 16.0));
    }

    #[test]
    fn inconsistent_inputs_have_no_estimate() {
        assert_eq!(worth(&[], &[1.0], 1), None);
        assert_eq!(worth(&rungs(), &[1.0], 1), None);
        assert_eq!(worth(&rungs(), &[], 1), None);
    }

    #[test]
    fn heights_that_rise_are_pooled() {
        assert_eq!(falling(&[5.0, 3.0, 4.0, 1.0]), [5.0, 3.5, 3.5, 1.0]);
        assert_eq!(falling(&[1.0, 2.0, 3.0]), [2.0, 2.0, 2.0]);
    }

    #[test]
    fn a_mean_has_its_error() {
        let (mean, error) = mean(&[1.0, 3.0]);
        assert!(mean == 2.0 && (error - 1.96).abs() < 1e-9);
    }
}
