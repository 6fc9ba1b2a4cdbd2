//! Tests deliberately weak play: fewer nodes, more lines, and a random choice among the lines.

use super::harness::{Harness, best};
use hasami_chess::Chess;
use hasami_protocol::{Clock, Command, Go, Settings};
use std::collections::BTreeMap;
use std::time::Duration;

const MOVES: [(&str, i32); 4] = [("e2e4", 40), ("d2d4", 30), ("a2a3", -60), ("g2g4", -400)];

fn clock(seconds: u64) -> Go {
    Go { clock: Clock { time: [Some(Duration::from_secs(seconds)); 2], ..Clock::default() }, ..Go::default() }
}

/// Returns the move chosen with `settings` if `go` arrives at the time `at`, in microseconds.
fn chosen(settings: Settings, at: u64) -> String {
    let mut harness = Harness::<Chess>::new(settings, 1);
    harness.now = Duration::from_micros(1_000_000 + at);
    harness.go(clock(60));
    for (rank, (m, cp)) in MOVES.iter().enumerate() {
        harness.line_report(0, rank as u16 + 1, m, *cp);
    }
    harness.command(Command::Stop);
    let found = best(&harness);
    assert_eq!(found.len(), 1);
    let last = harness.infos().pop().unwrap();
    assert_eq!((last.pv[0].to_string(), last.multipv), (found[0].clone(), None), "the last line begins with the move");
    found[0].clone()
}

fn level(skill_level: u8) -> Settings {
    Settings { skill_level, ..Settings::default() }
}

#[test]
fn a_low_level_varies_its_moves_and_a_high_one_plays_the_best() {
    let count = |skill_level: u8| {
        let mut counts: BTreeMap<String, u32> = BTreeMap::new();
        for at in 0..60 {
            *counts.entry(chosen(level(skill_level), at)).or_default() += 1;
        }
        counts
    };
    let (beginner, master) = (count(0), count(19));
    assert!(beginner.len() >= 3, "{beginner:?}");
    assert!(master.get("e2e4").is_some_and(|&best| best > 50) && !master.contains_key("g2g4"), "{master:?}");
    assert_eq!(chosen(level(0), 7), chosen(level(0), 7), "the seed depends on the time and the position");
}

#[test]
fn it_searches_few_nodes_for_several_lines_and_does_not_ponder() {
    let mut nodes = Vec::new();
    for skill_level in [0, 10, 19] {
        let mut harness = Harness::<Chess>::new(Settings { ponder: true, ..level(skill_level) }, 1);
        harness.go(clock(60));
        let task = harness.task_of(0).clone();
        assert!(task.multipv >= 4, "{task:?}");
        nodes.push(task.limits.nodes.unwrap());
        harness.line_report(0, 1, "e2e4", 20);
        harness.command(Command::Stop);
        harness.end_cancelled();
        assert!(harness.running.is_empty(), "the workers are idle");
    }
    assert!(nodes.is_sorted_by(|a, b| a < b), "{nodes:?}");
}

#[test]
fn analysis_has_full_strength() {
    let analysis = Settings { analyse_mode: true, ..level(0) };
    for (settings, go) in
        [(level(0), Go { infinite: true, ..Go::default() }), (analysis, clock(60)), (level(20), clock(60))]
    {
        let mut harness = Harness::<Chess>::new(settings, 1);
        harness.go(go);
        let task = harness.task_of(0);
        assert_eq!((task.limits.nodes, task.multipv), (None, 1));
    }
    // After an analysis at full strength, a `go` with a clock is weakened again.
    let mut harness = Harness::<Chess>::new(level(0), 1);
    harness.go(Go { infinite: true, ..Go::default() });
    harness.command(Command::Stop);
    harness.end_cancelled();
    harness.go(clock(60));
    assert!(harness.task_of(0).limits.nodes.is_some());
}

#[test]
fn a_rating_limits_the_strength_only_if_enabled() {
    let nodes = |settings: Settings| {
        let mut harness = Harness::<Chess>::new(settings, 1);
        harness.go(clock(60));
        harness.task_of(0).limits.nodes
    };
    assert_eq!(nodes(Settings::default()), None);
    assert_eq!(nodes(Settings { limit_strength: true, ..Settings::default() }), nodes(level(3)));
}
