//! Formats a tuning as lines and for the page, both while it runs and afterwards.

use hasami_matches::stats::WithError;
use hasami_matches::tuning::{Spsa, TunedOption};
use hasami_web::{TunedFacts, TuningFacts};

/// Number of points of a curve on the page.
const POINTS: usize = 200;

/// The options as in `Margin 143.2 +/- 4.1`: the mean of the last half, and its standard error where that is known.
pub fn shown(spsa: &Spsa) -> Vec<String> {
    let options = spsa.plan().options.iter().zip(spsa.estimate());
    options.map(|(option, (value, error))| format!("{} {}", option.name, WithError { value, error })).collect()
}

/// The facts about the tuning for the page; `games` is the number of games per iteration.
pub fn facts(spsa: &Spsa, engine: String, games: u32) -> TuningFacts {
    let every = spsa.path().len().div_ceil(POINTS).max(1);
    let estimates = spsa.estimate();
    let option = |(index, option): (usize, &TunedOption)| {
        let walk = spsa.path().iter().enumerate().rev().step_by(every);
        let mut walk: Vec<_> = walk.map(|(number, values)| ((number + 1) as f64, values[index])).collect();
        walk.push((0.0, option.start));
        walk.reverse();
        let known = spsa.estimates(index, POINTS).into_iter();
        TunedFacts {
            name: option.name.clone(),
            start: option.start,
            low: option.low,
            high: option.high,
            value: walk.last().map_or(option.start, |(_, value)| *value),
            estimate: estimates[index],
            estimates: known.map(|(done, (mean, error))| (done as f64, mean, error)).collect(),
            walk,
        }
    };
    TuningFacts {
        engine,
        done: spsa.done(),
        iterations: spsa.plan().iterations,
        games,
        options: spsa.plan().options.iter().enumerate().map(option).collect(),
    }
}
