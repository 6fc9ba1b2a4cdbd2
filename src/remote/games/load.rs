//! Measures a machine: its processor, its speed, and its other load during a game.

use hasami_api::{Limits, Stop, Task};
use hasami_catalog::Catalog;
use hasami_protocol::Settings;
use std::thread;
use std::time::Instant;

/// A game is marked if more than this share of processor time went to other virtual machines on the same host.
const MOST_STOLEN: f64 = 0.05;
/// A load may exceed the number of cores by up to this amount without being reported.
const MOST_WAITING: f64 = 0.5;
/// Number of nodes of each search that measures the speed.
const MEASURED: u64 = 40_000;

/// The model of the processor, as the system reports it.
pub fn processor() -> String {
    let text = std::fs::read_to_string("/proc/cpuinfo").unwrap_or_default();
    let field = |name: &str| {
        let line = text.lines().find(|line| line.split(':').next().is_some_and(|key| key.trim() == name))?;
        Some(line.split_once(':')?.1.split_whitespace().collect::<Vec<_>>().join(" "))
    };
    field("model name").or_else(|| field("Model")).unwrap_or_else(|| std::env::consts::ARCH.to_owned())
}

/// Measures the speed of the program's own search in nodes per second: the mean of `searches` searches that run at the
/// same time, as games will.
pub fn speed(game: &dyn Catalog, searches: usize) -> u64 {
    let settings = game.with_network(&Settings { hash_mb: 8, threads: 1, ..Settings::default() });
    let mut engines = game.engines(&settings);
    let searchers: Vec<_> = (0..searches.max(1)).map(|_| engines()).collect();
    let measured = |mut searcher: Box<dyn hasami_api::Searcher>| {
        let (begun, mut nodes) = (Instant::now(), 0);
        let limits = Limits { nodes: Some(MEASURED), ..Limits::default() };
        let task = Task { limits, ..Task::default() };
        let _ = searcher.search(&task, &Stop::new(), &mut |report| nodes = report.nodes);
        nodes.max(MEASURED / 2) as f64 / begun.elapsed().as_secs_f64().max(1e-6)
    };
    let speeds: Vec<f64> = thread::scope(|scope| {
        let running: Vec<_> = searchers.into_iter().map(|searcher| scope.spawn(move || measured(searcher))).collect();
        running.into_iter().filter_map(|thread| thread.join().ok()).collect()
    });
    (speeds.iter().sum::<f64>() / speeds.len().max(1) as f64) as u64
}

/// Processor time since the machine was booted, in ticks.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct ProcessorTime {
    all: u64,
    stolen: u64,
}

impl ProcessorTime {
    /// Returns zero if the system does not report processor time.
    pub fn now() -> Self {
        Self::parse(&std::fs::read_to_string("/proc/stat").unwrap_or_default())
    }

    /// Parses the first line of `/proc/stat`: user, nice, system, idle, iowait, irq, softirq, steal.
    fn parse(text: &str) -> Self {
        let line = text.lines().next().unwrap_or_default();
        let ticks: Vec<u64> = line.split_whitespace().skip(1).take(8).filter_map(|word| word.parse().ok()).collect();
        Self { all: ticks.iter().sum(), stolen: ticks.get(7).copied().unwrap_or(0) }
    }

    /// Describes the other load of the machine since `before`, if it may have slowed down the games.
    pub fn busy_since(self, before: Self) -> Option<String> {
        let (all, stolen) = (self.all.saturating_sub(before.all), self.stolen.saturating_sub(before.stolen));
        let share = stolen as f64 / all.max(1) as f64;
        if share > MOST_STOLEN {
            return Some(format!("{:.0} % stolen", share * 100.0));
        }
        let cores = thread::available_parallelism().map_or(1, std::num::NonZero::get);
        waiting(&std::fs::read_to_string("/proc/loadavg").unwrap_or_default(), cores)
    }
}

/// Reports if more processes want to run than there are cores.
fn waiting(text: &str, cores: usize) -> Option<String> {
    let load: f64 = text.split_whitespace().next()?.parse().ok()?;
    (load > cores as f64 + MOST_WAITING).then(|| format!("load {load:.1} on {cores}"))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn stolen_time_and_load_are_noticed() {
        let before = ProcessorTime::parse("cpu  100 0 50 1000 5 0 5 40 0 0\ncpu0 1 2\n");
        assert_eq!(before, ProcessorTime { all: 1_200, stolen: 40 });
        let after = ProcessorTime { all: 2_200, stolen: 240 };
        assert_eq!(after.busy_since(before).as_deref(), Some("20 % stolen"));
        assert_eq!(waiting("3.1 1.0 1.0 1/100 5", 2).as_deref(), Some("load 3.1 on 2"));
        assert_eq!(waiting("2.4 1.0 1.0 1/100 5", 2), None);
        assert_eq!(waiting("", 2), None);
    }
}
