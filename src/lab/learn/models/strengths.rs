//! Bradley-Terry strengths of classes in contests of many players, fitted by minorization-maximization: equation (3) of
//! Yokoyama et al. 2014, after Hunter 2004 and Coulom 2007.

/// A contest with any number of players from each class, one of whom wins.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct ClassContest<const N: usize> {
    pub counts: [u32; N],
    pub winner: usize,
}

/// The fit stops when every strength changes by less than this fraction per iteration, which is too little to change
/// the printed digits.
const SETTLED: f64 = 1e-12;

/// Fits the strengths in at most `rounds` iterations; all strengths are initially 1. Only the ratios between strengths
/// are meaningful.
///
/// A positive `prior` adds this many wins, and as many losses, of each class against a player of fixed strength 1. With
/// a prior, a class that never won has a positive strength, and a class that never played has strength 1 (Coulom 2007,
/// section 3.3).
pub fn fit<const N: usize>(contests: &[ClassContest<N>], rounds: usize, prior: f64) -> [f64; N] {
    let mut wins = [prior; N];
    contests.iter().for_each(|contest| wins[contest.winner] += 1.0);
    let mut strengths = [1.0; N];
    for _ in 0..rounds {
        let mut weights = strengths.map(|strength| 2.0 * prior / (strength + 1.0));
        for contest in contests {
            let total = sum(contest, &strengths);
            for (weight, &count) in weights.iter_mut().zip(&contest.counts) {
                *weight += f64::from(count) / total;
            }
        }
        let next: [f64; N] = std::array::from_fn(|i| if weights[i] > 0.0 { wins[i] / weights[i] } else { 0.0 });
        let is_settled = |(old, new): (&f64, &f64)| (old - new).abs() <= SETTLED * new;
        let settled = strengths.iter().zip(&next).all(is_settled);
        strengths = next;
        if settled {
            break;
        }
    }
    strengths
}

/// The denominator of equation (2) of Yokoyama et al. 2014.
fn sum<const N: usize>(contest: &ClassContest<N>, strengths: &[f64; N]) -> f64 {
    let parts = contest.counts.iter().zip(strengths).map(|(&count, strength)| f64::from(count) * strength);
    parts.sum::<f64>().max(f64::MIN_POSITIVE)
}

#[cfg(test)]
mod tests {
    use super::*;
    use rand::rngs::SmallRng;
    use rand::{Rng, SeedableRng};

    fn log_likelihood<const N: usize>(contests: &[ClassContest<N>], strengths: &[f64; N]) -> f64 {
        contests.iter().map(|contest| (strengths[contest.winner] / sum(contest, strengths)).ln()).sum()
    }

    /// Draws random contests of three classes; at least two classes take part in each contest.
    fn small_case(rng: &mut SmallRng) -> Vec<ClassContest<3>> {
        let mut contest = || loop {
            let counts: [u32; 3] = std::array::from_fn(|_| rng.random_range(0..3));
            let winner = rng.random_range(0..3);
            if counts[winner] > 0 && counts.iter().filter(|&&count| count > 0).count() > 1 {
                return ClassContest { counts, winner };
            }
        };
        (0..30).map(|_| contest()).collect()
    }

    /// Maximizes the likelihood over the logarithms of the second and third strength, using a shrinking grid.
    fn brute_force(contests: &[ClassContest<3>]) -> [f64; 3] {
        let (mut centre, mut width) = ([0.0, 0.0], 6.0);
        for _ in 0..14 {
            let steps: Vec<f64> = (-10..=10).map(|step| f64::from(step) / 10.0 * width).collect();
            let points = steps.iter().flat_map(|x| steps.iter().map(move |y| [centre[0] + x, centre[1] + y]));
            let value = |point: &[f64; 2]| log_likelihood(contests, &[1.0, point[0].exp(), point[1].exp()]);
            let best = points.max_by(|a, b| value(a).total_cmp(&value(b)));
            (centre, width) = (best.expect("a grid has points"), width * 0.3);
        }
        [1.0, centre[0].exp(), centre[1].exp()]
    }

    #[test]
    fn the_maximum_agrees_with_brute_force() {
        for seed in 0..20 {
            let contests = small_case(&mut SmallRng::seed_from_u64(seed));
            let found = fit(&contests, 1_000, 0.0);
            let relative = found.map(|strength| strength / found[0]);
            let expected = brute_force(&contests);
            for (found, expected) in relative.iter().zip(expected) {
                assert!((found / expected - 1.0).abs() < 1e-4, "seed {seed}: {relative:?} {expected:?}");
            }
        }
    }

    #[test]
    fn no_iteration_decreases_the_likelihood() {
        for seed in 0..20 {
            let contests = small_case(&mut SmallRng::seed_from_u64(seed));
            let values: Vec<f64> =
                (1..40).map(|rounds| log_likelihood(&contests, &fit(&contests, rounds, 0.0))).collect();
            assert!(values.windows(2).all(|pair| pair[1] >= pair[0] - 1e-9), "seed {seed}: {values:?}");
        }
    }

    #[test]
    fn two_classes_have_the_odds_of_their_wins() {
        let contest = |winner| ClassContest { counts: [1, 1], winner };
        let contests: Vec<_> = (0..40).map(|i| contest(usize::from(i % 4 == 0))).collect();
        let found = fit(&contests, 100, 0.0);
        assert!((found[1] / found[0] - 1.0 / 3.0).abs() < 1e-9);
    }

    #[test]
    fn the_prior_keeps_strengths_positive() {
        let contests = vec![ClassContest { counts: [1, 1, 0], winner: 0 }; 9];
        let found = fit(&contests, 1_000, 0.5);
        assert!(found[1] > 0.0 && found[1] < 0.1 * found[0] && (found[2] - 1.0).abs() < 1e-9, "{found:?}");
    }
}
