//! Plays the manager's simulator over many seeds and reports the first rule that does not hold.
//!
//!     cargo run --profile fast --example simulate -- 0..1000000
//!     cargo run --example simulate -- 4711            (one seed, with the manager's own checks)
//!
//! Exit code 0: all rules held; 1: a finding was printed; 2: bad arguments.

use hasami::manager::Manager;
use hasami::sim::toy::Toy;
use hasami::sim::{Finding, Summary, examine};
use hasami::tree::Transitions;
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
    std::panic::set_hook(Box::new(|_| {}));
    let begun = Instant::now();
    let (count, result) = (seeds.end - seeds.start, run(seeds));
    match result {
        Err(finding) => {
            println!("{finding}");
            ExitCode::FAILURE
        }
        Ok(total) => {
            let Summary { steps, starts, answers } = total;
            let seconds = begun.elapsed().as_secs_f64();
            println!(
                "{count} seeds, {steps} steps, {starts} tasks, {answers} answers in {seconds:.1} s: all rules held"
            );
            ExitCode::SUCCESS
        }
    }
}

fn parse(argument: &str) -> Option<Range<u64>> {
    match argument.split_once("..") {
        Some((from, to)) => Some(from.parse().ok()?..to.parse().ok()?).filter(|seeds| seeds.start < seeds.end),
        None => argument.parse().ok().map(|seed: u64| seed..seed + 1),
    }
}

/// All seeds, over all cores; the finding with the smallest seed among those that were met.
fn run(seeds: Range<u64>) -> Result<Summary, Box<Finding>> {
    let next = AtomicU64::new(seeds.start);
    let shared: Mutex<Result<Summary, Box<Finding>>> = Mutex::new(Ok(Summary::default()));
    let cores = std::thread::available_parallelism().map_or(1, std::num::NonZero::get);
    std::thread::scope(|scope| {
        for _ in 0..cores {
            scope.spawn(|| {
                loop {
                    let seed = next.fetch_add(1, Ordering::Relaxed);
                    if seed >= seeds.end {
                        return;
                    }
                    let outcome = examine(seed, &|settings| {
                        Box::new(Manager::<Toy>::new(settings.clone(), Transitions::default(), None))
                    });
                    if outcome.is_err() {
                        next.store(seeds.end, Ordering::Relaxed);
                    }
                    let mut shared = shared.lock().expect("no thread panics with the lock held");
                    *shared = merge(std::mem::replace(&mut *shared, Ok(Summary::default())), outcome);
                }
            });
        }
    });
    shared.into_inner().expect("no thread panics with the lock held")
}

fn merge(a: Result<Summary, Box<Finding>>, b: Result<Summary, Box<Finding>>) -> Result<Summary, Box<Finding>> {
    match (a, b) {
        (Ok(a), Ok(b)) => Ok(a + b),
        (Err(a), Err(b)) => Err(if a.scenario.seed <= b.scenario.seed { a } else { b }),
        (Err(finding), _) | (_, Err(finding)) => Err(finding),
    }
}
