//! Implements SPSA: in each iteration, two points on either side of the current option values play each other, and the
//! values move towards the winner.

use super::parameter::TunedOption;
use rand::rngs::StdRng;
use rand::{Rng, SeedableRng};
use serde::{Deserialize, Serialize};

/// Spall's (1998) exponents alpha and gamma, and his stability constant A as a share of the iterations.
const ALPHA: f64 = 0.602;
const GAMMA: f64 = 0.101;
const DAMPING: f64 = 0.1;

/// The standard error is computed from the means of this many parts of the tuning.
const PARTS: usize = 8;

/// Everything that determines a tuning by SPSA, except for the results of the games.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
pub struct SpsaPlan {
    pub options: Vec<TunedOption>,
    pub iterations: u32,
    /// Size of the steps towards the winner, in squared steps of the options; 0.002 in fishtest.
    pub rate: f64,
    pub seed: u64,
}

/// The two points of an iteration.
#[derive(Clone, PartialEq, Debug)]
pub struct Iteration {
    /// Number of the iteration, from 0.
    pub number: u32,
    /// For each option, whether the first point lies above (+1) or below (-1) the current value.
    signs: Vec<f64>,
    /// Half the distance between the two points, for each option.
    distances: Vec<f64>,
    /// The values of the options for both engines, as text.
    pub texts: [Vec<String>; 2],
}

/// The state of a tuning by SPSA.
pub struct Spsa {
    plan: SpsaPlan,
    values: Vec<f64>,
    /// The option values after each iteration.
    path: Vec<Vec<f64>>,
}

impl Spsa {
    pub fn new(plan: SpsaPlan) -> Self {
        let values = plan.options.iter().map(|option| option.start).collect();
        Self { plan, values, path: Vec::new() }
    }

    pub fn plan(&self) -> &SpsaPlan {
        &self.plan
    }

    /// Returns the number of finished iterations.
    pub fn done(&self) -> u32 {
        self.path.len() as u32
    }

    pub fn is_done(&self) -> bool {
        self.done() >= self.plan.iterations
    }

    /// Returns the option values after each iteration.
    pub fn path(&self) -> &[Vec<f64>] {
        &self.path
    }

    /// Returns the two points that play each other in the next iteration.
    pub fn next(&self) -> Iteration {
        let number = self.done();
        let salt = u64::from(number).wrapping_add(1).wrapping_mul(0x9E37_79B9_7F4A_7C15);
        let mut random = StdRng::seed_from_u64(self.plan.seed ^ salt);
        let signs: Vec<f64> = self.values.iter().map(|_| if random.random() { 1.0 } else { -1.0 }).collect();
        let last = f64::from(self.plan.iterations).powf(GAMMA);
        let now = f64::from(number + 1).powf(GAMMA);
        let distances: Vec<f64> = self.plan.options.iter().map(|option| option.step * last / now).collect();
        let draws: Vec<f64> = self.values.iter().map(|_| random.random()).collect();
        let texts = [1.0, -1.0].map(|side| {
            let value = |index: usize| self.values[index] + side * signs[index] * distances[index];
            let text = |(index, option): (usize, &TunedOption)| option.text(value(index), draws[index]);
            self.plan.options.iter().enumerate().map(text).collect()
        });
        Iteration { number, signs, distances, texts }
    }

    /// Moves the current values towards the winner of the iteration. `balance` is the first point's number of wins
    /// minus its number of losses.
    pub fn learn(&mut self, iteration: &Iteration, balance: f64) {
        let all = f64::from(self.plan.iterations);
        let damped = DAMPING * all;
        let size = ((damped + all) / (damped + f64::from(iteration.number) + 1.0)).powf(ALPHA);
        for (index, option) in self.plan.options.iter().enumerate() {
            let first_size = self.plan.rate * option.step * option.step * size;
            let moved = first_size / iteration.distances[index] * balance * iteration.signs[index];
            self.values[index] = (self.values[index] + moved).clamp(option.low, option.high);
        }
        self.path.push(self.values.clone());
    }

    /// Returns each option's mean value over the last half of the iterations, with its standard error.
    pub fn estimate(&self) -> Vec<(f64, f64)> {
        let done = self.path.len();
        (0..self.plan.options.len()).map(|index| self.estimate_after(done, &self.sums(index), index)).collect()
    }

    /// Returns prefix sums: entry n is the sum of an option's values after the first n iterations.
    fn sums(&self, index: usize) -> Vec<f64> {
        let add = |sum: &mut f64, values: &Vec<f64>| {
            *sum += values[index];
            Some(*sum)
        };
        std::iter::once(0.0).chain(self.path.iter().scan(0.0, add)).collect()
    }

    fn estimate_after(&self, done: usize, sums: &[f64], index: usize) -> (f64, f64) {
        let begin = done / 2;
        let mean = |from: usize, to: usize| (sums[to] - sums[from]) / (to - from) as f64;
        if done == 0 {
            return (self.values[index], f64::INFINITY);
        }
        let (centre, size) = (mean(begin, done), (done - begin) / PARTS);
        if size == 0 {
            return (centre, f64::INFINITY);
        }
        let parts = (done - begin) / size;
        let starts = (0..parts).map(|part| begin + part * size);
        let squares: f64 = starts.map(|from| (mean(from, from + size) - centre).powi(2)).sum();
        (centre, (squares / (parts - 1) as f64 / parts as f64).sqrt())
    }
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used)]
    use super::*;

    fn plan(iterations: u32) -> SpsaPlan {
        let options = vec!["Margin=20,0,200,20".parse().unwrap(), "Divisor=9.0,1.0,10.0,0.8".parse().unwrap()];
        SpsaPlan { options, iterations, rate: 0.02, seed: 7 }
    }

    /// Simulates pairs of games. An engine is strongest with the option values 140 and 4; being off by 80 or by 3 costs
    /// 100 Elo.
    fn walk(iterations: u32) -> Spsa {
        let mut spsa = Spsa::new(plan(iterations));
        let mut random = StdRng::seed_from_u64(11);
        let elo = |texts: &[String]| {
            let [margin, divisor] = [0, 1].map(|index| texts[index].parse::<f64>().unwrap());
            -100.0 * (((margin - 140.0) / 80.0).powi(2) + ((divisor - 4.0) / 3.0).powi(2))
        };
        while !spsa.is_done() {
            let next = spsa.next();
            let expected = 1.0 / (1.0 + 10f64.powf((elo(&next.texts[1]) - elo(&next.texts[0])) / 400.0));
            let balance = (0..2).map(|_| if random.random::<f64>() < expected { 1.0 } else { -1.0 }).sum();
            spsa.learn(&next, balance);
        }
        spsa
    }

    #[test]
    fn a_planted_optimum_is_found() {
        let found = walk(8_000).estimate();
        assert!((found[0].0 - 140.0).abs() < 15.0 && found[0].1 < 10.0, "{found:?}");
        assert!((found[1].0 - 4.0).abs() < 0.6 && found[1].1 < 0.4, "{found:?}");
    }

    #[test]
    fn walks_are_reproducible() {
        assert_eq!(walk(50).path(), walk(50).path());
    }

    #[test]
    fn points_are_on_both_sides_and_within_the_range() {
        let next = Spsa::new(plan(10)).next();
        let numbers: Vec<f64> = next.texts.iter().map(|texts| texts[0].parse().unwrap()).collect();
        assert!(numbers.iter().all(|n| (0.0..=200.0).contains(n) && n.fract() == 0.0), "{next:?}");
        assert!(((numbers[0] - numbers[1]).abs() - 2.0 * 20.0 * 10f64.powf(0.101)).abs() <= 6.0, "{next:?}");
    }

    #[test]
    fn invalid_options_are_rejected() {
        for text in ["A", "A=1", "A=1,2", "A=5,0,4", "A=1,0,2,0", "A=1,x,2", "=1,0,2", "A=1,0,nan"] {
            assert!(text.parse::<TunedOption>().is_err(), "{text}");
        }
    }
}
