//! The gap model of Yokoyama et al. 2014 (sections 4 and 5). Moves are divided into classes by their gap (how many
//! centipawns they are worse than the best move), and each class has a Bradley-Terry strength.

use super::FittedModel;
use super::strengths::{self, ClassContest};
use crate::learn::sample::RankSample;
use hasami_tree::normalized;

/// Number of classes: gaps of 0, 1-10, 11-20, ..., 71-80, and 81 or more centipawns, and moves out of rank.
pub const CLASSES: usize = 11;

/// Index of the last class, which holds the moves that are out of rank.
pub const OUT_OF_RANK: usize = CLASSES - 1;

/// Number of iterations of minorization-maximization, as in section 5 of Yokoyama et al. 2014.
const ROUNDS: usize = 1_000;

/// Smallest strength that a class may get, because the master tree divides by sums of strengths.
const LEAST: f64 = 1e-4;

/// The class of a move that is `gap` centipawns worse than the best move.
pub fn class(gap: i32) -> usize {
    (gap.max(0) as usize).div_ceil(10).min(OUT_OF_RANK - 1)
}

/// The label of a class, such as `0`, `1-10`, `81-` or `out of rank`.
pub fn class_name(class: usize) -> String {
    match class {
        0 => "0".into(),
        OUT_OF_RANK => "out of rank".into(),
        class if class == OUT_OF_RANK - 1 => format!("{}-", class * 10 - 9),
        class => format!("{}-{}", class * 10 - 9, class * 10),
    }
}

/// The strength of each gap class, relative to the first class.
#[derive(Clone, PartialEq, Debug)]
pub struct GapFit {
    pub strengths: [f64; CLASSES],
}

impl GapFit {
    /// Fits the strength of each gap class. [`strengths::fit`] explains `prior`.
    pub fn fit(samples: &[&RankSample], prior: f64) -> Self {
        let contests: Vec<_> = samples.iter().map(|sample| contest(sample)).collect();
        let mut strengths = strengths::fit(&contests, ROUNDS, prior);
        let first = if strengths[0] > 0.0 { strengths[0] } else { 1.0 };
        strengths.iter_mut().for_each(|strength| *strength = (*strength / first).max(LEAST));
        Self { strengths }
    }
}

/// Describes a position as a contest: the classes that compete, and the one that wins.
fn contest(sample: &RankSample) -> ClassContest<CLASSES> {
    let mut counts = [0; CLASSES];
    sample.gaps.iter().for_each(|&gap| counts[class(gap)] += 1);
    counts[OUT_OF_RANK] = u32::from(sample.has_out);
    ClassContest { counts, winner: sample.played_gap().map_or(OUT_OF_RANK, class) }
}

impl FittedModel for GapFit {
    fn shares(&self, sample: &RankSample) -> Vec<f64> {
        let moves = sample.gaps.iter().map(|&gap| self.strengths[class(gap)]);
        normalized(moves.chain(sample.has_out.then_some(self.strengths[OUT_OF_RANK])).collect())
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::learn::models::tests::{drawn, sample};

    #[test]
    fn classes_are_those_of_the_paper() {
        assert_eq!([-3, 0, 1, 10, 11, 20, 71, 80, 81, 31_000].map(class), [0, 0, 1, 1, 2, 2, 8, 8, 9, 9]);
        let names = [0, 1, 2, 8, 9, 10].map(class_name);
        assert_eq!(names, ["0", "1-10", "11-20", "71-80", "81-", "out of rank"]);
    }

    #[test]
    fn a_position_is_a_contest_of_classes() {
        let contest = contest(&sample(&[0, 0, 7, 90], true, 4));
        assert_eq!(contest.counts, [2, 1, 0, 0, 0, 0, 0, 0, 0, 1, 1]);
        assert_eq!(contest.winner, OUT_OF_RANK);
    }

    #[test]
    fn strengths_are_recovered_from_simulated_games() {
        let strengths = [1.0, 0.6, 0.5, 0.4, 0.3, 0.25, 0.2, 0.15, 0.1, 0.05, 0.4];
        let samples = drawn(3, 10, 2_000, &GapFit { strengths });
        let found = GapFit::fit(&samples.iter().collect::<Vec<_>>(), 0.0);
        for (class, (found, expected)) in found.strengths.iter().zip(strengths).enumerate() {
            assert!((found / expected - 1.0).abs() < 0.15, "{}: {found} {expected}", class_name(class));
        }
        assert_eq!(found.strengths[0], 1.0);
    }

    #[test]
    fn classes_that_never_win_are_weak_but_possible() {
        let samples = [sample(&[0, 7], false, 0), sample(&[0, 7], false, 0)];
        let gap = GapFit::fit(&samples.iter().collect::<Vec<_>>(), 0.0);
        assert!(gap.strengths[1] > 0.0 && gap.strengths[1] < 0.01, "{gap:?}");
    }
}
