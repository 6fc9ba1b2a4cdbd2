#![allow(clippy::unwrap_used)]

mod planted;

use self::planted::{Bug, Simple};
use super::*;
use std::collections::HashSet;
use std::panic;
use std::sync::Mutex;
use std::sync::atomic::{AtomicU64, Ordering};

const SEEDS: u64 = 10_000;

fn first_finding(bug: Bug, seeds: std::ops::Range<u64>) -> Option<Box<BrokenRule>> {
    let make: Maker = &|settings| Box::new(Simple::new(bug, settings));
    seeds.into_iter().find_map(|seed| examine(seed, make).err())
}

#[test]
fn a_manager_without_bugs_violates_no_rule() {
    if let Some(finding) = first_finding(Bug::None, 0..600) {
        panic!("{finding}");
    }
}

#[test]
fn every_planted_bug_is_found_and_shrunk() {
    let quiet = panic::take_hook();
    panic::set_hook(Box::new(|_| {}));
    let found: Vec<_> = PLANTED.iter().map(|&(bug, rules)| (bug, rules, first_finding(bug, 0..400))).collect();
    panic::set_hook(quiet);
    let mut seen = HashSet::new();
    for (bug, rules, finding) in found {
        let finding = finding.unwrap_or_else(|| panic!("{bug:?} was not found"));
        assert!(rules.contains(&finding.broken.rule), "{bug:?}: {finding}");
        let scenario = &finding.scenario;
        assert!(scenario.script.len() <= 4 && scenario.workers.len() <= 3, "{bug:?} was not shrunk: {finding}");
        assert!(finding.to_string().starts_with(&format!("seed {}: ", scenario.seed)));
        seen.insert(finding.broken.rule);
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
        assert_eq!(examine(seed, make).unwrap(), examine(seed, make).unwrap(), "seed {seed}");
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

/// Ten thousand scenarios, none of which may violate a rule. `hasami-lab simulate` runs more.
#[test]
fn the_manager_violates_no_rule() {
    let next = AtomicU64::new(0);
    let first: Mutex<Option<Box<BrokenRule>>> = Mutex::new(None);
    let threads = std::thread::available_parallelism().map_or(1, std::num::NonZero::get);
    std::thread::scope(|scope| {
        for _ in 0..threads {
            scope.spawn(|| {
                while let Some(seed) = Some(next.fetch_add(1, Ordering::Relaxed)).filter(|&seed| seed < SEEDS) {
                    if let Err(finding) = examine(seed, &manager) {
                        next.store(SEEDS, Ordering::Relaxed);
                        first.lock().unwrap().get_or_insert(finding);
                    }
                }
            });
        }
    });
    if let Some(finding) = first.into_inner().unwrap() {
        panic!("{finding}");
    }
}

/// Each of these scenarios has violated a rule in the past.
#[test]
fn what_has_broken_a_rule_breaks_it_no_more() {
    let seeds = [
        // No answer to `go nodes` when all moves were settled, or when a worker was kept whose reports could not be
        // used.
        &[25_133, 44_455, 119_238][..],
        // A false mate: while the opponent was thinking, and when another reply was known to lose at worst.
        &[35_217, 528_733],
        // A position that was searched by one child to verify a claim and by another one for itself: at the beginning
        // of a search, immediately, and when moves have their own nodes.
        &[144_353, 35_079, 234_075],
        // A machine's answer to `go mate` that wins, but not by checks only.
        &[327_676],
        // A machine's `resign` after its first move, which was taken for the next move.
        &[396_790],
        // A claim about the remaining moves of a position, all of which had received their own nodes meanwhile.
        &[499_788, 515_381, 541_439],
        // The judge searched endlessly for a mate in an even number of plies.
        &[455_634],
    ];
    for &seed in seeds.into_iter().flatten() {
        if let Err(finding) = examine(seed, &manager) {
            panic!("{finding}");
        }
    }
}
