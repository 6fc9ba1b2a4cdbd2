//! Formats rows for the table of manager benchmarks in `scripts/experiments`.

use crate::play::Turn;
use std::time::Duration;

pub struct Figures {
    /// The duration of each event, and the number of tasks that it started or canceled.
    events: Vec<(Duration, usize)>,
    roots: Vec<Duration>,
    last: Turn,
}

impl Figures {
    pub const HEAD: &'static str = "\
| model | workers | busy | nodes | events | mean, us | 99 %, us | worst, us (its tasks) | answer, ms | next go, ms | bytes a worker | without lines |
| --- | --- | --- | --- | --- | --- | --- | --- | --- | --- | --- | --- |";

    /// Combines several runs of the same events, and keeps the shortest duration of each event.
    pub fn of(turns: Vec<Turn>) -> Self {
        let mut events = fastest(turns.iter().map(|turn| &turn.events[..]).collect());
        let roots = fastest(turns.iter().map(|turn| &turn.roots[..]).collect());
        events.sort_unstable();
        Self { events, roots, last: turns.into_iter().next_back().unwrap_or_default() }
    }

    pub fn line(&self, name: &str, workers: u32) -> String {
        let us = |time: Duration| time.as_secs_f64() * 1e6;
        let ms = |index: usize| self.roots.get(index).map_or(0.0, |time| time.as_secs_f64() * 1e3);
        let count = self.events.len();
        let at = |part: f64| self.events.get((count as f64 * part) as usize).map_or(Duration::ZERO, |event| event.0);
        let mean = us(self.events.iter().map(|event| event.0).sum()) / count.max(1) as f64;
        let (worst, tasks) = self.events.last().copied().unwrap_or_default();
        let Turn { nodes, busy, bytes, lines, .. } = self.last;
        let each = |bytes: usize| bytes / workers.max(1) as usize;
        format!(
            "| {name} | {workers} | {busy} | {nodes} | {count} | {mean:.1} | {:.1} | {:.0} ({tasks}) | {:.2} | {:.2} | {} | {} |",
            us(at(0.99)),
            us(worst),
            ms(0),
            ms(1),
            each(bytes),
            each(bytes - lines),
        )
    }
}

/// Returns, for each index, the smallest of the values from all runs.
fn fastest<T: Ord + Copy>(turns: Vec<&[T]>) -> Vec<T> {
    let number = turns[0].len();
    assert!(turns.iter().all(|turn| turn.len() == number), "all turns have the same events");
    (0..number).filter_map(|index| turns.iter().map(|turn| turn[index]).min()).collect()
}
