//! Simulates the manager's world: a virtual clock, virtual workers and a virtual GUI, all determined by one seed.
//!
//! A [`Scenario`] is drawn from a seed. A [`World`] plays the scenario and carries out the manager's actions, and after
//! every step a [`judge::Judge`] checks that the manager has followed the rules. The environment variable
//! `HASAMI_SEEDS` (`FROM..TO`) replaces the seeds of [`the_manager_violates_no_rule`].

mod behaviour;
mod gui;
mod judge;
mod planted;
mod scenario;
mod search;
mod worker;
mod world;

use behaviour::Behaviour;
use gui::GuiAction;
use hasami_tree::event::{WorkerEvent, WorkerId};
use judge::Broken;
use planted::{Bug, Simple};
use scenario::Scenario;
use search::manager;
use std::any::Any;
use std::collections::HashSet;
use std::fmt::Write;
use std::panic::{self, AssertUnwindSafe, catch_unwind};
use std::sync::Mutex;
use std::sync::atomic::{AtomicU64, Ordering};
use worker::VirtualWorker;
use world::{Maker, Summary, World};

/// The default seeds; a tenth of them is enough to find every planted bug.
const SEEDS: std::ops::Range<u64> = 0..4_000;
/// Number of trace lines that are shown when a test fails.
const SHOWN: usize = 140;

/// An event in the queue of the simulated world.
#[derive(Clone, PartialEq, Debug)]
enum SimEvent {
    /// The next action of the GUI is due.
    Gui,
    /// The manager's alarm with this number is due, unless the manager has set another alarm since.
    Alarm(u64),
    /// A worker has waited long enough to continue its task.
    Tick { worker: WorkerId, serial: u64 },
    /// A message from a worker arrives.
    Worker(WorkerEvent),
}

/// Runs the scenario of a seed. The error is the violated rule, or the rule `panic` if the manager panics.
fn play(seed: u64, make: Maker) -> Result<Summary, Broken> {
    catching(|| World::new(&Scenario::new(seed), make).run())
}

fn catching(run: impl FnOnce() -> Result<Summary, Broken>) -> Result<Summary, Broken> {
    catch_unwind(AssertUnwindSafe(run)).unwrap_or_else(|panic| Err(panicked(&*panic)))
}

fn panicked(panic: &(dyn Any + Send)) -> Broken {
    let text = panic.downcast_ref::<String>().map(String::as_str);
    let found = text.or_else(|| panic.downcast_ref::<&str>().copied()).unwrap_or("no message");
    Broken { rule: "panic", found: found.to_owned() }
}

/// Describes the failing scenario of a seed, with the end of its trace.
fn described(seed: u64, broken: &Broken) -> String {
    let scenario = Scenario::new(seed);
    let mut world = World::new(&scenario, &manager).traced();
    // The violated rule is already known; this run only produces the trace.
    let _ = catching(|| world.run());
    let mut text = format!("seed {seed}: {broken}\nsettings: {:?}\n", scenario.settings);
    for (index, behaviour) in scenario.workers.iter().enumerate() {
        writeln!(text, "worker {index}: {behaviour:?}").unwrap();
    }
    let trace = world.trace();
    trace[trace.len().saturating_sub(SHOWN)..].iter().for_each(|line| writeln!(text, "{line}").unwrap());
    text
}

fn first_broken(bug: Bug, seeds: std::ops::Range<u64>) -> Option<(u64, Broken)> {
    let make: Maker = &|settings| Box::new(Simple::new(bug, settings));
    seeds.into_iter().find_map(|seed| Some((seed, play(seed, make).err()?)))
}

#[test]
fn a_manager_without_bugs_violates_no_rule() {
    assert_eq!(first_broken(Bug::None, 0..600), None);
}

#[test]
fn every_planted_bug_is_found() {
    let quiet = panic::take_hook();
    panic::set_hook(Box::new(|_| {}));
    let found: Vec<_> =
        PLANTED.iter().map(|&(bug, rules)| (bug, rules, first_broken(bug, 0..SEEDS.end / 10))).collect();
    panic::set_hook(quiet);
    let mut seen = HashSet::new();
    for (bug, rules, found) in found {
        let (seed, broken) = found.unwrap_or_else(|| panic!("{bug:?} was not found"));
        assert!(rules.contains(&broken.rule), "{bug:?}: seed {seed}: {broken}");
        seen.insert(broken.rule);
    }
    assert!(seen.len() >= 18, "{seen:?}");
}

const PLANTED: &[(Bug, &[&str])] = &[
    (Bug::TwoTasks, &["two-tasks"]),
    (Bug::StartsTheLost, &["start-before-joined"]),
    (Bug::ForgetsStop, &["no-answer"]),
    (Bug::AnswersTwice, &["answer-without-go"]),
    (Bug::AnswersPonder, &["answer-too-early"]),
    (
        Bug::TrustsReports,
        &["illegal-bestmove", "illegal-pv", "pv-past-the-end", "not-among-searchmoves", "illegal-ponder-move"],
    ),
    (Bug::TrustsAnswers, &["two-tasks"]),
    (Bug::AnswersLate, &["too-late"]),
    (Bug::CancelsTwice, &["cancel-of-nothing"]),
    (Bug::ReusesIds, &["task-id-twice"]),
    (Bug::KeepsWorking, &["works-at-rest"]),
    (Bug::LeavesTheDeaf, &["deaf-worker-left-alone"]),
    (Bug::SpeaksUnasked, &["info-without-go"]),
    (Bug::SaysOneDoesAnother, &["illegal-pv", "bestmove-not-in-last-info"]),
    (Bug::BestForMate, &["bestmove-for-mate"]),
    (Bug::InventsMates, &["not-a-mate"]),
    (Bug::TreeGrows, &["tree-grows", "siblings-alike"]),
    (Bug::Panics, &["panic"]),
    (Bug::AlarmLoop, &["too-many-alarms"]),
    (Bug::SearchesTheEnd, &["empty-task"]),
    (Bug::IgnoresAbilities, &["beyond-its-abilities"]),
    (Bug::RevivesTheLiving, &["revive-the-living"]),
    (Bug::IgnoresSearchMoves, &["not-among-searchmoves"]),
    (Bug::ChattersOn, &["too-many-infos"]),
    (Bug::Resigns, &["gives-up"]),
    (Bug::IgnoresDepth, &["too-late", "no-answer"]),
    (Bug::IgnoresNodes, &["too-many-nodes"]),
    (Bug::SearchesTwice, &["searched-twice"]),
];

#[test]
fn a_scenario_is_determined_by_its_seed() {
    for seed in 0..50 {
        assert_eq!(Scenario::new(seed), Scenario::new(seed));
        let make: Maker = &|settings| Box::new(Simple::new(Bug::None, settings));
        assert_eq!(play(seed, make).unwrap(), play(seed, make).unwrap(), "seed {seed}");
    }
}

#[test]
fn scenarios_are_of_all_kinds() {
    let all: Vec<_> = (0..2_000).map(Scenario::new).collect();
    assert!(all.iter().any(Scenario::is_healthy));
    assert!(all.iter().any(|scenario| scenario.workers.len() > 100));
    let count =
        |test: fn(&GuiAction) -> bool| all.iter().flat_map(|s| &s.script).filter(|step| test(&step.what)).count();
    for (name, found) in [
        ("mate", count(|what| matches!(what, GuiAction::Go { go, .. } if go.mate.is_some()))),
        ("infinite", count(|what| matches!(what, GuiAction::Go { go, .. } if go.infinite))),
        ("ponder", count(|what| matches!(what, GuiAction::Go { go, .. } if go.ponder))),
        ("hit", count(|what| matches!(what, GuiAction::PonderHit(_)))),
        ("nonsense", count(|what| matches!(what, GuiAction::Nonsense))),
        ("settings", count(|what| matches!(what, GuiAction::Settings(_)))),
    ] {
        assert!(found > 100, "{name}: {found}");
    }
}

/// The seeds in `HASAMI_SEEDS`, or [`SEEDS`] if the variable is not set.
fn seeds() -> std::ops::Range<u64> {
    let Ok(text) = std::env::var("HASAMI_SEEDS") else { return SEEDS };
    let (from, to) = text.split_once("..").expect("HASAMI_SEEDS is FROM..TO");
    from.parse().expect("HASAMI_SEEDS begins with a number")..to.parse().expect("HASAMI_SEEDS ends with a number")
}

/// Runs thousands of scenarios, none of which may violate a rule.
#[test]
fn the_manager_violates_no_rule() {
    let seeds = seeds();
    let next = AtomicU64::new(seeds.start);
    let first: Mutex<Option<(u64, Broken)>> = Mutex::new(None);
    let threads = std::thread::available_parallelism().map_or(1, std::num::NonZero::get);
    std::thread::scope(|scope| {
        for _ in 0..threads {
            scope.spawn(|| {
                while let Some(seed) = Some(next.fetch_add(1, Ordering::Relaxed)).filter(|seed| seeds.contains(seed)) {
                    if let Err(broken) = play(seed, &manager) {
                        next.store(seeds.end, Ordering::Relaxed);
                        first.lock().unwrap().get_or_insert((seed, broken));
                    }
                }
            });
        }
    });
    if let Some((seed, broken)) = first.into_inner().unwrap() {
        panic!("{}", described(seed, &broken));
    }
}

/// Each of the seeds listed here has violated a rule in the past.
#[test]
fn what_has_broken_a_rule_breaks_it_no_more() {
    let seeds = [
        // With these seeds, `go nodes` was not answered if all moves were settled, or if a worker was kept although its
        // reports could not be used.
        &[25_133, 44_455, 119_238][..],
        // With these seeds, a false mate was reported while pondering, or when a reply was known to be no better than a
        // loss.
        &[35_217, 528_733],
    ];
    for &seed in seeds.into_iter().flatten() {
        if let Err(broken) = play(seed, &manager) {
            panic!("{}", described(seed, &broken));
        }
    }
}
