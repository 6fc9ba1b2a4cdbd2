//! The default model, which distributes the workers by everything that is known about the moves. The rules of this
//! model send workers to nodes that can change the best move at the root.

use super::{Siblings, by_rank};
use crate::Transitions;
use hasami_api::Score;

/// Uses the conditional logit if its weights were learned. Without learned weights, moves with values get shares by
/// their gaps, and moves without a value get shares by their ranks.
pub fn shares(table: &Transitions, siblings: &Siblings) -> Vec<f64> {
    if let Some(shares) = table.logit.and_then(|logit| logit.of_siblings(siblings)) {
        return shares;
    }
    let known = siblings.scores.iter().flatten().copied();
    let Some(best) = known.chain(siblings.others).max() else {
        return by_rank(table, siblings);
    };
    let strength = |score: Score| strength(table, best.raw().saturating_sub(score.raw()));
    let strengths: Vec<f64> = siblings
        .scores
        .iter()
        .zip(siblings.ranks())
        .map(|(score, rank)| match score {
            Some(score) => strength(*score),
            None => table.of_rank(rank) / table.of_rank(0).max(1e-9),
        })
        .collect();
    let named: f64 = strengths.iter().sum();
    let others = match (siblings.has_others, siblings.others) {
        (false, _) => 0.0,
        (true, Some(score)) => strength(score) + table.out_of_rank(),
        (true, None) => named * unknown_part(table, siblings.scores.len()),
    };
    let sum = named + others;
    strengths.into_iter().map(|strength| strength / sum).collect()
}

/// The strength of a gap, interpolated between the classes of the table so that it decreases with every centipawn.
fn strength(table: &Transitions, gap: i32) -> f64 {
    let low = table.of_gap(gap);
    let high = table.of_gap(gap + 10);
    let part = if gap <= 0 { 0.0 } else { f64::from((gap - 1) % 10) / 10.0 };
    low + (high - low) * part
}

/// Estimates, from the rank table, how much the remaining moves weigh relative to the `count` moves with nodes.
fn unknown_part(table: &Transitions, count: usize) -> f64 {
    let named: f64 = (0..count).map(|rank| table.of_rank(rank)).sum();
    if named > 0.0 { (1.0 - named).max(0.0) / named } else { 1.0 }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn siblings(scores: &[i32], others: Option<i32>) -> Siblings {
        let scores = scores.iter().map(|&cp| Some(Score::cp(cp))).collect();
        Siblings { scores, others: others.map(Score::cp), has_others: true, ..Siblings::default() }
    }

    #[test]
    fn shares_decrease_with_the_gap_and_leave_a_part_to_the_others() {
        let shares = shares(&Transitions::default(), &siblings(&[0, -5, -6, -40], Some(-60)));
        assert!(shares.windows(2).all(|pair| pair[0] > pair[1]), "{shares:?}");
        assert!(shares.iter().sum::<f64>() < 1.0);
    }

    #[test]
    fn unknown_others_are_weighted_by_rank() {
        let table = Transitions { rank: vec![0.5, 0.2], gap: vec![1.0; 11], logit: None };
        let share = shares(&table, &siblings(&[10], None))[0];
        assert!((share - 0.5).abs() < 1e-12, "{share}");
    }
}
