//! Runs the manager's simulator with many seeds. For each violated rule, prints the shortest failing scenario found and
//! the seeds that violate it.
//!
//!     cargo run --profile fast --example simulate -- 0..1000000
//!     cargo run --example simulate -- 4711            (a single seed, with the manager's internal checks)
//!
//! Exit code 0: all rules hold; 1: violations were printed; 2: invalid arguments.

use hasami_manager::Manager;
use hasami_protocol::Settings;
use hasami_sim::{BrokenRule, Summary, emergency_search, examine, play};
use hasami_toy::Toy;
use hasami_tree::Transitions;
use hasami_tree::manage::Manage;
use std::collections::BTreeMap;
use std::ops::Range;
use std::process::ExitCode;
use std::sync::Mutex;
use std::sync::atomic::{AtomicU64, Ordering};
use std::time::Instant;

fn main() -> ExitCode {
    let argument = std::env::args().nth(1).unwrap_or_default();
    let Some(seeds) = parse(&argument) else {
        eprintln!("expected seeds as FROM..TO or one seed, found '{argument}'");
        return ExitCode::from(2);
    };
    let begun = Instant::now();
    let count = seeds.end - seeds.start;
    // Panics of the manager are reported like violations. With a single seed, the panic message is shown, too.
    if count > 1 {
        std::panic::set_hook(Box::new(|_| {}));
    }
    let Tally { total, broken, findings } = run(seeds);
    for finding in findings.values() {
        println!("{finding}\n");
    }
    for (rule, seeds) in &broken {
        println!("{rule}: {} {seeds:?}", seeds.len());
    }
    let broken: usize = broken.values().map(Vec::len).sum();
    let Summary { steps, starts, answers } = total;
    let seconds = begun.elapsed().as_secs_f64();
    println!("{count} seeds, {broken} broken; {steps} steps, {starts} tasks, {answers} answers in {seconds:.1} s");
    if broken == 0 { ExitCode::SUCCESS } else { ExitCode::FAILURE }
}

fn parse(argument: &str) -> Option<Range<u64>> {
    match argument.split_once("..") {
        Some((from, to)) => Some(from.parse().ok()?..to.parse().ok()?).filter(|seeds| seeds.start < seeds.end),
        None => argument.parse().ok().map(|seed: u64| seed..seed + 1),
    }
}

/// The results so far.
#[derive(Default)]
struct Tally {
    total: Summary,
    /// Seeds, by the rule that they violate.
    broken: BTreeMap<&'static str, Vec<u64>>,
    findings: BTreeMap<&'static str, Box<BrokenRule>>,
}

fn make(settings: &Settings) -> Box<dyn Manage> {
    Box::new(
        Manager::<Toy>::new(settings.clone(), Transitions::default(), None).with_emergency_search(emergency_search()),
    )
}

/// Runs all seeds, on all cores.
fn run(seeds: Range<u64>) -> Tally {
    let next = AtomicU64::new(seeds.start);
    let tally = Mutex::new(Tally::default());
    let cores = std::thread::available_parallelism().map_or(1, std::num::NonZero::get);
    std::thread::scope(|scope| {
        for _ in 0..cores {
            scope.spawn(|| {
                while let Some(seed) = Some(next.fetch_add(1, Ordering::Relaxed)).filter(|&seed| seed < seeds.end) {
                    judge(seed, &tally);
                }
            });
        }
    });
    tally.into_inner().expect("no thread panics with the lock held")
}

fn judge(seed: u64, tally: &Mutex<Tally>) {
    let lock = || tally.lock().expect("no thread panics with the lock held");
    match play(seed, &make) {
        Ok(summary) => {
            let mut tally = lock();
            tally.total = tally.total + summary;
        }
        Err(broken) => {
            lock().broken.entry(broken.rule).or_default().push(seed);
            if !lock().findings.contains_key(broken.rule)
                && let Err(finding) = examine(seed, &make)
            {
                lock().findings.entry(broken.rule).or_insert(finding);
            }
        }
    }
}
