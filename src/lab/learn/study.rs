//! All results that `hasami-lab learn` computes for one engine and one set of games.

use super::holdout::{self, Judgement, MeanWithError};
use super::models;
use super::models::{CLASSES, FittedModel, GapFit, Method, OUT_OF_RANK, RankFit, class};
use super::run::{LearningPlan, LearningResult};
use super::sample::RankSample;
use hasami_tree::Logit;

/// Indices of the ranks in Figure 5: the second to the sixth.
pub const RANKS: std::ops::RangeInclusive<usize> = 1..=5;

pub struct Study {
    /// A description such as `chess, Stockfish 15.1, 100000 nodes a position, MultiPV 10`.
    pub title: String,
    /// The names of the game files.
    pub origin: String,
    pub found: LearningResult,
    pub rank: RankFit,
    pub gap: GapFit,
    pub logit: Logit,
    pub figure4: Figure4,
    pub figure5: Figure5,
    /// How well each method predicts moves, in the order of [`Method::ALL`].
    pub marks: Vec<Mark>,
}

/// For each class of gap, how many moves of the class were available, and how many were played. Figure 4 shows the
/// strengths that are derived from the counts of available and played moves.
#[derive(Clone, PartialEq, Debug)]
pub struct Figure4 {
    pub met: [u64; CLASSES],
    pub played: [u64; CLASSES],
}

/// The number of played moves of each rank in each class of gap.
#[derive(Clone, PartialEq, Debug)]
pub struct Figure5 {
    /// Counts of played moves, indexed by class and then by rank.
    pub counts: Vec<Vec<u64>>,
}

/// How well a method predicts the played moves.
pub struct Mark {
    pub method: Method,
    pub parameters: usize,
    /// Log-likelihood of the samples that the method was fitted to.
    pub log_likelihood: f64,
    /// The losses of the method on held-out games; `None` if there are fewer than two games.
    pub held_out: Option<Judgement>,
}

impl Study {
    pub fn new(plan: &LearningPlan, found: LearningResult) -> Self {
        let samples: Vec<&RankSample> = found.samples.iter().collect();
        let (rank, gap, logit) =
            (RankFit::fit(&samples, 0.0), GapFit::fit(&samples, 0.0), models::logit::fit(&samples));
        let models: [(&dyn FittedModel, usize); 3] =
            [(&rank, rank.shares.len()), (&gap, CLASSES - 1), (&logit, logit.weights.len())];
        let mark = |(method, (model, parameters)): (Method, (&dyn FittedModel, usize))| Mark {
            method,
            parameters,
            log_likelihood: model.log_likelihood(&found.samples),
            held_out: holdout::judge(method, &found.samples),
        };
        let marks = Method::ALL.into_iter().zip(models).map(mark).collect();
        let (game, engine) = (plan.catalog.name(), &found.engine);
        let title = format!("{game}, {engine}, {} nodes a position, MultiPV {}", plan.nodes, plan.multipv);
        let names = plan.files.iter().map(|file| file.file_name().unwrap_or(file.as_os_str()).to_string_lossy());
        let origin = names.collect::<Vec<_>>().join(", ");
        let (figure4, figure5) = (Figure4::count(&found.samples), Figure5::count(&found.samples));
        Self { title, origin, rank, gap, logit, figure4, figure5, marks, found }
    }

    /// For every other method, computes by how much the last method's loss on held-out games is smaller.
    pub fn gains(&self) -> Vec<(Method, MeanWithError)> {
        let Some((last, others)) = self.marks.split_last() else { return Vec::new() };
        let gain = |mark: &Mark| Some((mark.method, last.held_out.as_ref()?.gain_over(mark.held_out.as_ref()?)));
        others.iter().filter_map(gain).collect()
    }
}

impl Figure4 {
    fn count(samples: &[RankSample]) -> Self {
        let mut figure = Self { met: [0; CLASSES], played: [0; CLASSES] };
        for sample in samples {
            sample.gaps.iter().for_each(|&gap| figure.met[class(gap)] += 1);
            figure.met[OUT_OF_RANK] += u64::from(sample.has_out);
            figure.played[sample.played_gap().map_or(OUT_OF_RANK, class)] += 1;
        }
        figure
    }
}

impl Figure5 {
    fn count(samples: &[RankSample]) -> Self {
        let ranks = samples.iter().map(|sample| sample.gaps.len()).max().unwrap_or(0);
        let mut counts = vec![vec![0; ranks]; OUT_OF_RANK];
        for sample in samples {
            if let Some(gap) = sample.played_gap() {
                counts[class(gap)][sample.played] += 1;
            }
        }
        Self { counts }
    }

    /// Number of played moves in a class.
    pub fn total(&self, class: usize) -> u64 {
        self.counts[class].iter().sum()
    }

    /// The fraction of the played moves in `class` that have this rank (0 is the best); 0 for an empty class.
    pub fn share(&self, class: usize, rank: usize) -> f64 {
        let count = self.counts[class].get(rank).copied().unwrap_or(0);
        count as f64 / self.total(class).max(1) as f64
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::learn::models::tests::sample;

    #[test]
    fn figures_count_available_and_played_moves() {
        let samples = [
            sample(&[0, 0, 15], true, 1),
            sample(&[0, 12, 15], true, 2),
            sample(&[0, 12], false, 1),
            sample(&[0, 500, 600], true, 3),
        ];
        let figure = Figure4::count(&samples);
        assert_eq!((figure.met[0], figure.met[2], figure.met[9], figure.met[OUT_OF_RANK]), (5, 4, 2, 3));
        assert_eq!((figure.played[0], figure.played[2], figure.played[OUT_OF_RANK]), (1, 2, 1));
        let figure = Figure5::count(&samples);
        assert_eq!((figure.total(2), figure.share(2, 1), figure.share(2, 2)), (2, 0.5, 0.5));
        assert_eq!((figure.total(9), figure.share(9, 1)), (0, 0.0));
    }
}
