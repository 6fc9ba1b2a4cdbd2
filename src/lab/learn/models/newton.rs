//! Fits a conditional logit (McFadden 1974). The log-likelihood is concave, so Newton's method finds its maximum in a
//! few steps.

use hasami_tree::{dot, shares};

/// A choice among alternatives that are each described by `D` numbers.
#[derive(Clone, PartialEq, Debug)]
pub struct NumericChoice<const D: usize> {
    pub alternatives: Vec<[f64; D]>,
    pub chosen: usize,
}

/// Maximum number of Newton steps; fits in this program need fewer.
const STEPS: usize = 100;

/// A step that does not increase the objective is halved at most this many times.
const HALVINGS: usize = 40;

/// The iteration stops when the expected gain of a step, relative to the objective, is below this number.
const ENOUGH: f64 = 1e-12;

/// Returns the weights that maximize the log-likelihood of the choices minus `ridge` / 2 times the sum of squared
/// weights.
pub fn maximize<const D: usize>(choices: &[NumericChoice<D>], ridge: f64) -> [f64; D] {
    let mut weights = [0.0; D];
    let mut value = penalized(choices, &weights, ridge);
    for _ in 0..STEPS {
        let (gradient, curvature) = slopes(choices, &weights, ridge);
        let Some(step) = solve(curvature, gradient) else { break };
        let gain = dot(&gradient, &step);
        if gain <= ENOUGH * (1.0 + value.abs()) {
            break;
        }
        let mut part = 1.0;
        let better = (0..HALVINGS).find_map(|_| {
            let next: [f64; D] = std::array::from_fn(|i| weights[i] + part * step[i]);
            let next_value = penalized(choices, &next, ridge);
            part /= 2.0;
            (next_value > value).then_some((next, next_value))
        });
        let Some(better) = better else { break };
        (weights, value) = better;
    }
    weights
}

fn penalized<const D: usize>(choices: &[NumericChoice<D>], weights: &[f64; D], ridge: f64) -> f64 {
    let likely: f64 = choices.iter().map(|choice| shares(weights, &choice.alternatives)[choice.chosen].ln()).sum();
    likely - ridge / 2.0 * dot(weights, weights)
}

/// Computes the gradient and the lower triangle of the negative Hessian of the penalized log-likelihood.
fn slopes<const D: usize>(choices: &[NumericChoice<D>], weights: &[f64; D], ridge: f64) -> ([f64; D], [[f64; D]; D]) {
    let mut gradient = weights.map(|weight| -ridge * weight);
    let mut curvature: [[f64; D]; D] =
        std::array::from_fn(|i| std::array::from_fn(|j| if i == j { ridge } else { 0.0 }));
    for choice in choices {
        let shares = shares(weights, &choice.alternatives);
        let mut mean = [0.0; D];
        for (row, share) in choice.alternatives.iter().zip(&shares) {
            (0..D).for_each(|i| mean[i] += share * row[i]);
        }
        let chosen = &choice.alternatives[choice.chosen];
        (0..D).for_each(|i| gradient[i] += chosen[i] - mean[i]);
        for (row, share) in choice.alternatives.iter().zip(&shares) {
            let off: [f64; D] = std::array::from_fn(|i| row[i] - mean[i]);
            for i in 0..D {
                let part = share * off[i];
                (0..=i).for_each(|j| curvature[i][j] += part * off[j]);
            }
        }
    }
    (gradient, curvature)
}

/// Solves a symmetric positive definite system, given by its lower triangle, with Cholesky's method.
fn solve<const D: usize>(mut matrix: [[f64; D]; D], right: [f64; D]) -> Option<[f64; D]> {
    for i in 0..D {
        for j in 0..=i {
            let inner: f64 = (0..j).map(|k| matrix[i][k] * matrix[j][k]).sum();
            let rest = matrix[i][j] - inner;
            matrix[i][j] = match i == j {
                true if rest > 0.0 => rest.sqrt(),
                true => return None,
                false => rest / matrix[j][j],
            };
        }
    }
    let mut x = right;
    for i in 0..D {
        let inner: f64 = (0..i).map(|k| matrix[i][k] * x[k]).sum();
        x[i] = (x[i] - inner) / matrix[i][i];
    }
    for i in (0..D).rev() {
        let inner: f64 = (i + 1..D).map(|k| matrix[k][i] * x[k]).sum();
        x[i] = (x[i] - inner) / matrix[i][i];
    }
    Some(x)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::learn::models::strengths::{self, ClassContest};
    use rand::rngs::SmallRng;
    use rand::{Rng, SeedableRng};

    /// Simulates choices with known weights.
    fn drawn(rng: &mut SmallRng, weights: &[f64; 4], count: usize) -> Vec<NumericChoice<4>> {
        let mut choice = || {
            let alternatives: Vec<[f64; 4]> =
                (0..rng.random_range(2..8)).map(|_| std::array::from_fn(|_| rng.random_range(-1.0..1.0))).collect();
            let mut point = rng.random::<f64>();
            let falls = shares(weights, &alternatives).iter().position(|share| {
                point -= share;
                point < 0.0
            });
            NumericChoice { alternatives, chosen: falls.unwrap_or(0) }
        };
        (0..count).map(|_| choice()).collect()
    }

    #[test]
    fn weights_are_recovered_from_simulated_choices() {
        let weights = [1.5, -0.7, 0.0, 0.3];
        let choices = drawn(&mut SmallRng::seed_from_u64(5), &weights, 20_000);
        let found = maximize(&choices, 0.0);
        assert!(found.iter().zip(weights).all(|(found, expected)| (found - expected).abs() < 0.06), "{found:?}");
    }

    #[test]
    fn every_direction_descends_from_the_maximum() {
        for ridge in [0.0, 3.0] {
            let choices = drawn(&mut SmallRng::seed_from_u64(6), &[0.5, 0.5, -2.0, 1.0], 300);
            let top = maximize(&choices, ridge);
            for i in 0..4 {
                for step in [-1e-3, 1e-3] {
                    let mut beside = top;
                    beside[i] += step;
                    assert!(penalized(&choices, &beside, ridge) < penalized(&choices, &top, ridge), "{ridge} {i}");
                }
            }
        }
    }

    /// With an indicator variable for each class but the first, the logit is equivalent to the Bradley-Terry model.
    #[test]
    fn indicators_of_classes_give_bradley_terry_strengths() {
        let mut rng = SmallRng::seed_from_u64(7);
        let contests: Vec<ClassContest<3>> = (0..200)
            .map(|_| ClassContest { counts: [1, rng.random_range(1..3), 1], winner: rng.random_range(0..3) })
            .collect();
        let indicator = |class: usize| std::array::from_fn(|i| f64::from(u8::from(i + 1 == class)));
        let choice = |contest: &ClassContest<3>| {
            let classes = (0..3).flat_map(|class| (0..contest.counts[class]).map(move |_| class));
            let classes: Vec<usize> = classes.collect();
            let chosen = classes.iter().position(|&class| class == contest.winner).unwrap_or(0);
            NumericChoice::<2> { alternatives: classes.into_iter().map(indicator).collect(), chosen }
        };
        let weights = maximize(&contests.iter().map(choice).collect::<Vec<_>>(), 0.0);
        let strengths = strengths::fit(&contests, 1_000, 0.0);
        for (weight, strength) in weights.iter().zip(&strengths[1..]) {
            assert!((weight - (strength / strengths[0]).ln()).abs() < 1e-6, "{weights:?} {strengths:?}");
        }
    }

    #[test]
    fn identical_alternatives_get_no_weight() {
        let choices: Vec<_> =
            (0..10).map(|i| NumericChoice { alternatives: vec![[1.0, 2.0]; 3], chosen: i % 3 }).collect();
        assert_eq!(maximize(&choices, 1e-6), [0.0, 0.0]);
        assert_eq!(maximize(&choices, 0.0), [0.0, 0.0], "no curvature, no step");
    }
}
