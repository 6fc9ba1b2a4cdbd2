//! The subcommand `hasami-lab simulate`: runs the manager's simulator with many seeds.

use hasami_sim::{BrokenRule, Summary, examine, manager, play};
use hasami_terminal::Failure;
use std::collections::BTreeMap;
use std::io::Write;
use std::ops::Range;
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Mutex, MutexGuard, PoisonError};
use std::time::Instant;

/// Run the search manager in simulated games, and report every rule that it violates
///
/// Prints the shortest failing scenario found for each violated rule, and the seeds that violate it. The exit code is 1
/// if there are any.
#[derive(clap::Args)]
pub struct Simulate {
    /// FROM..TO, or one seed, which also shows the message of a panic
    #[arg(value_parser = seeds)]
    seeds: Range<u64>,
}

fn seeds(text: &str) -> Result<Range<u64>, String> {
    let read = |text: &str| text.parse::<u64>().ok();
    let found = match text.split_once("..") {
        Some((from, to)) => read(from).zip(read(to)).map(|(from, to)| from..to),
        None => read(text).and_then(|seed| Some(seed..seed.checked_add(1)?)),
    };
    found.filter(|seeds| !seeds.is_empty()).ok_or_else(|| "expected seeds as FROM..TO, or one seed".to_owned())
}

impl Simulate {
    pub fn run(&self, out: &mut impl Write) -> Result<(), Failure> {
        let (begun, count) = (Instant::now(), self.seeds.end - self.seeds.start);
        // Panics of the manager are reported like violations. With a single seed, the panic message is shown, too.
        if count > 1 {
            std::panic::set_hook(Box::new(|_| {}));
        }
        let Tally { total, broken, findings } = run(self.seeds.clone());
        for finding in findings.values() {
            writeln!(out, "{finding}\n")?;
        }
        for (rule, seeds) in &broken {
            writeln!(out, "{rule}: {} {seeds:?}", seeds.len())?;
        }
        let broken: usize = broken.values().map(Vec::len).sum();
        let Summary { steps, starts, answers } = total;
        let seconds = begun.elapsed().as_secs_f64();
        writeln!(
            out,
            "{count} seeds, {broken} broken; {steps} steps, {starts} tasks, {answers} answers in {seconds:.1} s"
        )?;
        if broken == 0 { Ok(()) } else { Err(Failure::no_answer(format!("{broken} seeds violate a rule"))) }
    }
}

/// The results of all seeds so far.
#[derive(Default)]
struct Tally {
    total: Summary,
    /// Seeds that violate a rule, by rule.
    broken: BTreeMap<&'static str, Vec<u64>>,
    findings: BTreeMap<&'static str, Box<BrokenRule>>,
}

/// Runs all seeds on all cores.
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
    tally.into_inner().unwrap_or_else(PoisonError::into_inner)
}

fn judge(seed: u64, tally: &Mutex<Tally>) {
    let lock = || -> MutexGuard<'_, Tally> { tally.lock().unwrap_or_else(PoisonError::into_inner) };
    match play(seed, &manager) {
        Ok(summary) => {
            let mut tally = lock();
            tally.total = tally.total + summary;
        }
        Err(broken) => {
            lock().broken.entry(broken.rule).or_default().push(seed);
            if !lock().findings.contains_key(broken.rule)
                && let Err(finding) = examine(seed, &manager)
            {
                lock().findings.entry(broken.rule).or_insert(finding);
            }
        }
    }
}
