//! Finds out which processor a machine has, and measures its speed.

use hasami_api::{Limits, Stop, Task};
use hasami_catalog::Catalog;
use hasami_protocol::Settings;
use std::thread;
use std::time::Instant;

/// Number of nodes in each search of a speed measurement.
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

/// Measures the speed of the program's own search in nodes per second: the mean of `searches` simultaneous searches,
/// since games also run simultaneously.
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
