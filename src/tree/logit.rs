//! Conditional logit (McFadden 1974): computes the probability of a move from its gap, rank, depth and phase.

use super::features::{self, COUNT, FEATURES, Sight};
use super::models::Siblings;
use hasami_api::Score;
use std::collections::BTreeMap;

/// Number of moves that were ranked in the data behind the weights; all other moves are "out of rank".
const RANKED: usize = 10;
/// A move of unknown value is assumed to be this many centipawns worse than the move ranked before it.
const STEP: i32 = 20;

/// A conditional logit, given by the weight of each feature.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct Logit {
    pub weights: [f64; COUNT],
}

impl Logit {
    /// Takes the weight of each feature from `named`. Fails if a feature has no weight, or if a name is no feature.
    pub fn parse(named: &BTreeMap<String, f64>) -> Result<Self, String> {
        if let Some(name) = named.keys().find(|name| !FEATURES.contains(&name.as_str())) {
            return Err(format!("expected the features {}, found '{name}'", FEATURES.join(", ")));
        }
        let mut weights = [0.0; COUNT];
        for (weight, name) in weights.iter_mut().zip(FEATURES) {
            let value = named.get(name).copied().filter(|value| value.is_finite());
            *weight = value.ok_or_else(|| format!("expected a number for '{name}', found none"))?;
        }
        Ok(Self { weights })
    }

    /// The probability of each ranked move, followed by that of "out of rank".
    pub fn of_ranking(&self, sight: &Sight<'_>) -> Vec<f64> {
        shares(&self.weights, &features::of(sight))
    }

    /// The probability of each sibling, or `None` if no value is known. The tree holds the values of some moves, and
    /// for all other moves only the value of the best of them, which is ranked among the known values. Moves without a
    /// value come last.
    pub fn of_siblings(&self, siblings: &Siblings) -> Option<Vec<f64>> {
        let known = siblings.scores.iter().flatten().copied();
        let best = known.chain(siblings.others).max().filter(|best| !best.is_decisive())?;
        let behind = |score: Score| best.raw().saturating_sub(score.raw());
        // Each sibling's index and gap, followed by the index and gap of the best other move.
        let named = siblings.scores.len();
        let gaps = siblings.scores.iter().copied().chain(siblings.has_others.then_some(siblings.others));
        let mut ranking: Vec<(usize, Option<i32>)> = gaps.map(|score| score.map(behind)).enumerate().collect();
        ranking.sort_by_key(|&(number, gap)| (gap.is_none(), gap, number));
        let legal = usize::from(siblings.legal).max(ranking.len());
        let mut last = 0;
        let mut gaps: Vec<i32> = ranking
            .iter()
            .map(|&(_, gap)| {
                last = gap.unwrap_or(last + STEP);
                last
            })
            .collect();
        gaps.extend((1..).map(|step| last + step * STEP).take(RANKED.min(legal).saturating_sub(ranking.len())));
        let rest = (legal > gaps.len()).then_some((legal - gaps.len()) as u32);
        let sight = Sight { gaps: &gaps, value: best.raw(), rest, depth: siblings.depth, phase: siblings.phase };
        let all = self.of_ranking(&sight);
        let mut shares = vec![0.0; named];
        for (&(number, _), share) in ranking.iter().zip(all) {
            if let Some(place) = shares.get_mut(number) {
                *place = share;
            }
        }
        Some(shares)
    }
}

/// The probabilities of the alternatives: the exponentials of their utilities, divided by the sum.
pub fn shares<const D: usize>(weights: &[f64; D], alternatives: &[[f64; D]]) -> Vec<f64> {
    let utilities: Vec<f64> = alternatives.iter().map(|row| dot(weights, row)).collect();
    let highest = utilities.iter().copied().fold(f64::NEG_INFINITY, f64::max);
    normalized(utilities.into_iter().map(|utility| (utility - highest).exp()).collect())
}

/// Divides the weights by their sum. If the sum is 0, all shares are equal.
pub fn normalized(mut weights: Vec<f64>) -> Vec<f64> {
    let sum: f64 = weights.iter().sum();
    let even = 1.0 / weights.len().max(1) as f64;
    weights.iter_mut().for_each(|weight| *weight = if sum > 0.0 { *weight / sum } else { even });
    weights
}

pub fn dot<const D: usize>(a: &[f64; D], b: &[f64; D]) -> f64 {
    a.iter().zip(b).map(|(a, b)| a * b).sum()
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used)]
    use super::*;

    /// A logit in which only the gap has a weight.
    fn by_gap() -> Logit {
        let mut weights = [0.0; COUNT];
        weights[2] = -1.0;
        Logit { weights }
    }

    fn siblings(scores: &[Option<i32>], others: Option<i32>, legal: u16) -> Siblings {
        let scores = scores.iter().map(|score| score.map(Score::cp)).collect::<Vec<_>>();
        let has_others = scores.len() < usize::from(legal);
        Siblings { scores, others: others.map(Score::cp), has_others, legal, depth: 10, phase: 0.0 }
    }

    #[test]
    fn shares_decrease_with_the_gap_in_any_order() {
        let shares = by_gap().of_siblings(&siblings(&[Some(-90), Some(0)], None, 2)).unwrap();
        assert!((shares[1] - 10.0 / 11.0).abs() < 1e-12 && (shares[0] - 1.0 / 11.0).abs() < 1e-12, "{shares:?}");
    }

    #[test]
    fn the_best_of_the_others_is_ranked_and_the_rest_follows() {
        let alone = by_gap().of_siblings(&siblings(&[Some(0), Some(-90)], Some(-90), 3)).unwrap();
        assert!((alone[0] - 10.0 / 12.0).abs() < 1e-12, "{alone:?}");
        let many = by_gap().of_siblings(&siblings(&[Some(0), Some(-90)], Some(-90), 30)).unwrap();
        assert!(many[0] < alone[0] && many.iter().sum::<f64>() < 1.0, "{many:?}");
        let unknown = by_gap().of_siblings(&siblings(&[Some(0), None], None, 3)).unwrap();
        assert!(unknown[0] > unknown[1] && unknown[1] > 0.0, "{unknown:?}");
    }

    #[test]
    fn unknown_values_and_mates_have_no_gaps() {
        assert_eq!(by_gap().of_siblings(&siblings(&[None], None, 20)), None);
        let mut mate = siblings(&[None], None, 20);
        mate.scores[0] = Some(Score::win_in(5));
        assert_eq!(by_gap().of_siblings(&mate), None);
    }

    #[test]
    fn weights_must_name_all_features() {
        let mut named: BTreeMap<String, f64> = FEATURES.iter().map(|name| ((*name).to_owned(), 0.5)).collect();
        assert_eq!(Logit::parse(&named), Ok(Logit { weights: [0.5; COUNT] }));
        named.remove("gap");
        assert_eq!(Logit::parse(&named), Err("expected a number for 'gap', found none".into()));
        named.insert("colour".into(), 1.0);
        assert!(Logit::parse(&named).unwrap_err().ends_with("found 'colour'"));
    }
}
