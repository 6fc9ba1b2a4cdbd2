//! Transition probabilities by the gap between a move's value and the best value (Yokoyama et al. 2014, section 4).
//! Each gap class has a Bradley-Terry strength, and a move's probability is its share of the sum of strengths.

use super::{Siblings, by_rank};
use crate::Transitions;
use hasami_api::Score;

pub fn shares(table: &Transitions, siblings: &Siblings) -> Vec<f64> {
    let Some((scores, others)) = known(siblings) else { return by_rank(table, siblings) };
    let Some(best) = scores.iter().copied().chain(others).max() else { return Vec::new() };
    let strength = |score: Score| table.of_gap(best.raw() - score.raw());
    // "Others" stands for one move of its gap class and for all moves out of rank (end of section 5).
    let rest = others.map_or(0.0, |score| strength(score) + table.out_of_rank());
    let sum: f64 = scores.iter().map(|&score| strength(score)).sum::<f64>() + rest;
    scores.into_iter().map(|score| strength(score) / sum).collect()
}

/// The values of all moves, or `None` if some are unknown. The gap model needs every value, so it falls back to ranks
/// while a new leaf has no value (section 6.1 of the paper).
fn known(siblings: &Siblings) -> Option<(Vec<Score>, Option<Score>)> {
    let scores: Option<Vec<Score>> = siblings.scores.iter().copied().collect();
    match (siblings.has_others, siblings.others) {
        (true, None) => None,
        (true, others) => scores.map(|scores| (scores, others)),
        (false, _) => scores.map(|scores| (scores, None)),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn table() -> Transitions {
        let gap = vec![1.0, 0.5, 0.25, 0.2, 0.1, 0.1, 0.1, 0.1, 0.1, 0.05, 0.025];
        Transitions { rank: vec![0.5, 0.25], gap, logit: None }
    }

    #[test]
    fn shares_match_the_example_of_the_paper() {
        // In figure 2, d4 is best, e4 is 11 centipawns behind, and the other moves are 33 centipawns behind.
        let scores = vec![Some(Score::cp(0)), Some(Score::cp(-11))];
        let siblings = Siblings { scores, others: Some(Score::cp(-33)), has_others: true, ..Siblings::default() };
        let shares = shares(&table(), &siblings);
        let sum = 1.0 + 0.25 + 0.1 + 0.025;
        assert!((shares[0] - 1.0 / sum).abs() < 1e-12 && (shares[1] - 0.25 / sum).abs() < 1e-12);
    }

    #[test]
    fn ranks_are_used_if_a_value_is_unknown() {
        let mut siblings = Siblings { scores: vec![Some(Score::cp(0)), None], has_others: true, ..Siblings::default() };
        assert_eq!(shares(&table(), &siblings), vec![0.5, 0.25]);
        siblings.scores[1] = Some(Score::cp(0));
        assert_eq!(shares(&table(), &siblings), vec![0.5, 0.25], "the value of the others is unknown");
        siblings.has_others = false;
        assert_eq!(shares(&table(), &siblings), vec![0.5, 0.5]);
    }
}
