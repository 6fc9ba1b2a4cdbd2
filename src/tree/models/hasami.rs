//! The default model: smooth shares by gap, and the rules by which workers go where they can change the root's move.

use super::{Model, Siblings};
use crate::tree::Transitions;
use hasami_api::Score;

/// Share of the best move's effort that a challenger needs to take its place.
const TRUST: f64 = 0.6;
/// Others further behind than this, in centipawns, get no worker of their own.
const OTHERS_GAP: i32 = 80;
/// Nodes after which one more worker at the same place is worth half as much.
const HALVING_NODES: f64 = 20_000_000.0;

pub struct Hasami {
    table: Transitions,
}

impl Hasami {
    pub fn new(table: Transitions) -> Self {
        Self { table }
    }

    /// Between the classes of the table the strength is interpolated, so that a centipawn more never turns the order.
    fn strength(&self, gap: i32) -> f64 {
        let low = self.table.of_gap(gap);
        let high = self.table.of_gap(gap + 10);
        let part = if gap <= 0 { 0.0 } else { f64::from((gap - 1) % 10) / 10.0 };
        low + (high - low) * part
    }
}

impl Model for Hasami {
    /// Gap shares of what is known; what is unknown has the share of its rank, taken from the others' part.
    fn shares(&self, siblings: &Siblings) -> Vec<f64> {
        let known = siblings.scores.iter().flatten().copied();
        let Some(best) = known.chain(siblings.others).max() else {
            return siblings.ranks().into_iter().map(|rank| self.table.of_rank(rank)).collect();
        };
        let gap = |score: Score| best.raw().saturating_sub(score.raw());
        let strengths: Vec<f64> = siblings
            .scores
            .iter()
            .zip(siblings.ranks())
            .map(|(score, rank)| match score {
                Some(score) => self.strength(gap(*score)),
                None => self.table.of_rank(rank) / self.table.of_rank(0).max(1e-9),
            })
            .collect();
        let others = match (siblings.has_others, siblings.others) {
            (false, _) => 0.0,
            (true, Some(score)) => self.strength(gap(score)) + self.table.out_of_rank(),
            (true, None) => self.table.of_gap(OTHERS_GAP) + self.table.out_of_rank(),
        };
        let sum: f64 = strengths.iter().sum::<f64>() + others;
        strengths.into_iter().map(|strength| strength / sum).collect()
    }

    fn trust(&self) -> f64 {
        TRUST
    }

    fn follows(&self) -> bool {
        true
    }

    fn wants_others(&self, siblings: &Siblings) -> bool {
        let best = siblings.scores.iter().flatten().max();
        match (best, siblings.others) {
            (Some(best), Some(others)) => best.raw() - others.raw() <= OTHERS_GAP,
            _ => true,
        }
    }

    fn worth(&self, probability: f64, chance: f64, nodes: u64) -> f64 {
        probability * chance / (1.0 + nodes as f64 / HALVING_NODES)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn siblings(scores: &[i32], others: Option<i32>) -> Siblings {
        let scores = scores.iter().map(|&cp| Some(Score::cp(cp))).collect();
        Siblings { scores, others: others.map(Score::cp), has_others: true }
    }

    #[test]
    fn shares_fall_with_the_gap_and_leave_something_to_others() {
        let model = Hasami::new(Transitions::default());
        let shares = model.shares(&siblings(&[0, -5, -6, -40], Some(-60)));
        assert!(shares.windows(2).all(|pair| pair[0] > pair[1]), "{shares:?}");
        assert!(shares.iter().sum::<f64>() < 1.0);
    }

    #[test]
    fn far_others_need_no_worker() {
        let model = Hasami::new(Transitions::default());
        assert!(model.wants_others(&siblings(&[0], Some(-80))));
        assert!(!model.wants_others(&siblings(&[0], Some(-81))));
        assert!(model.wants_others(&siblings(&[0], None)), "unknown others are looked at");
    }
}
