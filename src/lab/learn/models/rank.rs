//! P-GPP: each rank has the same probability in every position (section 3 of Yokoyama et al. 2014).

use super::FittedModel;
use crate::learn::sample::RankSample;
use hasami_tree::normalized;

/// The fraction of played moves at each rank.
#[derive(Clone, PartialEq, Debug)]
pub struct RankFit {
    /// The fraction of played moves for each rank, the best rank first.
    pub shares: Vec<f64>,
    /// The fraction of played moves that were out of rank.
    pub out: f64,
}

impl RankFit {
    /// Fits the shares to the counts of played moves by rank, including "out of rank". The `prior` is added to each
    /// count.
    pub fn fit(samples: &[&RankSample], prior: f64) -> Self {
        let ranks = samples.iter().map(|sample| sample.gaps.len()).max().unwrap_or(1);
        let mut counts = vec![prior; ranks];
        let mut out = prior;
        for sample in samples {
            match sample.played {
                rank if rank < sample.gaps.len() => counts[rank] += 1.0,
                _ => out += 1.0,
            }
        }
        let total = counts.iter().sum::<f64>() + out;
        Self { shares: counts.into_iter().map(|count| count / total.max(1.0)).collect(), out: out / total.max(1.0) }
    }

    fn of(&self, rank: usize) -> f64 {
        self.shares.get(rank).or(self.shares.last()).copied().unwrap_or(0.0)
    }
}

impl FittedModel for RankFit {
    /// If a sample has fewer alternatives than there are ranks, the probabilities are scaled so that their sum is 1.
    fn shares(&self, sample: &RankSample) -> Vec<f64> {
        let ranks = (0..sample.gaps.len()).map(|rank| self.of(rank));
        normalized(ranks.chain(sample.has_out.then_some(self.out)).collect())
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::learn::models::tests::sample;

    #[test]
    fn shares_are_counts() {
        let samples = [
            sample(&[0, 5, 9], true, 0),
            sample(&[0, 5, 9], true, 1),
            sample(&[0, 5, 9], true, 3),
            sample(&[0], false, 0),
        ];
        let rank = RankFit::fit(&samples.iter().collect::<Vec<_>>(), 0.0);
        assert_eq!(rank, RankFit { shares: vec![0.5, 0.25, 0.0], out: 0.25 });
        assert_eq!(rank.shares(&samples[0]), vec![0.5, 0.25, 0.0, 0.25]);
        assert_eq!(rank.shares(&sample(&[0, 7], false, 0)), vec![2.0 / 3.0, 1.0 / 3.0]);
        let wary = RankFit::fit(&samples.iter().collect::<Vec<_>>(), 0.5);
        assert_eq!(wary.shares[2], 0.5 / 6.0);
    }
}
