#![allow(clippy::unwrap_used)]

mod planted;

use self::planted::{Bug, Simple};
use super::*;
use hasami_manager::Manager;
use hasami_protocol::Settings;
use hasami_toy::Toy;
use hasami_tree::Transitions;
use hasami_tree::manage::Manage;
use std::collections::HashSet;
use std::panic;

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

/// The first of the worlds that `tests/it/simulator.rs` plays.
#[test]
fn no_rule_of_the_manager_breaks_in_the_first_worlds() {
    let make = |settings: &Settings| -> Box<dyn Manage> {
        Box::new(Manager::<Toy>::new(settings.clone(), Transitions::default(), None))
    };
    for seed in 0..400 {
        if let Err(finding) = examine(seed, &make) {
            panic!("{finding}");
        }
    }
}
