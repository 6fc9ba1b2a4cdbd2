//! Measures the speedup of an engine's threads on the processors of this machine (`hasami-lab speedup --real`).

#![deny(clippy::unwrap_used, clippy::expect_used, clippy::panic)]

use crate::learn::children;
use crate::learn::run::{RankingNotice, RankingRequest, SearchConditions, SearchedPosition};
use crate::worth::curve;
use hasami_api::Line;
use hasami_catalog::Catalog;
use hasami_matches::spec::EngineSpec;
use hasami_protocol::Go;
use std::fmt;

/// The nodes and the time that a search needed to reach a depth.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct TimedSearch {
    pub seconds: f64,
    pub nodes: f64,
}

/// Searches every position to the given depth, each as a new game, with an engine that uses `threads` threads. Engine
/// problems are reported to `warn`.
///
/// # Errors
/// Returns an error if the engine fails several times in a row, or reports no nodes.
pub fn search(
    catalog: &'static dyn Catalog,
    spec: &EngineSpec,
    threads: u16,
    depth: u16,
    lines: &[Line],
    warn: &mut dyn FnMut(&str),
) -> Result<Vec<TimedSearch>, String> {
    let mut spec = spec.clone();
    spec.options.retain(|(name, _)| !name.eq_ignore_ascii_case("threads"));
    spec.options.push(("Threads".to_owned(), threads.to_string()));
    let go = Go { depth: Some(depth), ..Go::default() };
    let conditions = SearchConditions { catalog, multipv: 1, go, concurrency: 1 };
    let questions = lines.iter().enumerate().map(|(at, line)| RankingRequest { at, line: line.clone() }).collect();
    let mut found = vec![TimedSearch { seconds: 0.0, nodes: 0.0 }; lines.len()];
    children::search(&conditions, &spec, questions, &mut |notice| {
        match notice {
            RankingNotice::Searched(SearchedPosition { nodes: 0, .. }) => {
                return Err("the engine does not report its nodes".to_owned());
            }
            RankingNotice::Searched(SearchedPosition { at, used, nodes, .. }) => {
                found[at] = TimedSearch { seconds: used.as_secs_f64().max(1e-6), nodes: nodes as f64 };
            }
            RankingNotice::Note(text) => warn(&text),
            RankingNotice::Name(_) => {}
        }
        Ok(())
    })?;
    Ok(found)
}

/// How much faster several threads reach a depth than one thread, and how many more nodes they search.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct ThreadGain {
    /// The geometric mean of the speedups at all positions, and the factor by which its 95 % confidence interval
    /// extends in either direction.
    pub speedup: (f64, f64),
    /// Total nodes of all searches with several threads, as a multiple of the total with one thread.
    pub nodes: f64,
    /// Nodes per second with several threads, as a multiple of those with one thread.
    pub speed: f64,
}

impl ThreadGain {
    /// Compares searches with several threads (`all`) to searches of the same positions, in the same order, with one
    /// (`one`).
    pub fn new(one: &[TimedSearch], all: &[TimedSearch]) -> Self {
        let ratios: Vec<f64> = one.iter().zip(all).map(|(one, all)| (one.seconds / all.seconds).ln()).collect();
        let (mean, error) = curve::mean(&ratios);
        let sum = |searches: &[TimedSearch], of: fn(&TimedSearch) -> f64| searches.iter().map(of).sum::<f64>();
        let nodes = sum(all, |search| search.nodes) / sum(one, |search| search.nodes);
        let time = sum(all, |search| search.seconds) / sum(one, |search| search.seconds);
        Self { speedup: (mean.exp(), error.exp()), nodes, speed: nodes / time }
    }
}

impl fmt::Display for ThreadGain {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self { speedup: (mean, error), nodes, speed } = self;
        let (low, high) = (mean / error, mean * error);
        write!(
            f,
            "speedup {mean:.2} ({low:.2} to {high:.2}, 95 %), nodes {nodes:.2} times, nodes per second {speed:.2} times"
        )
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_gain_compares_times_and_nodes() {
        let searches = |seconds: f64, nodes: f64| vec![TimedSearch { seconds, nodes }, TimedSearch { seconds, nodes }];
        let gain = ThreadGain::new(&searches(4.0, 100.0), &searches(2.0, 150.0));
        assert_eq!(gain, ThreadGain { speedup: (2.0, 1.0), nodes: 1.5, speed: 3.0 });
        let shown = "speedup 2.00 (2.00 to 2.00, 95 %), nodes 1.50 times, nodes per second 3.00 times";
        assert_eq!(gain.to_string(), shown);
    }
}
