//! Tests search groups, whose workers search the root together, and their info lines.

use super::harness::{Harness, best};
use hasami_api::{Bound, Line, MoveText, Report, Rules, Score, Start};
use hasami_chess::Chess;
use hasami_protocol::settings::{Parallel, TreeModel};
use hasami_protocol::{Go, Settings};
use hasami_tree::event::{WorkerEvent, WorkerId};
use std::time::Duration;

fn harness(workers: u32) -> Harness<Chess> {
    Harness::new(Settings { threads: workers, ponder: true, ..Settings::default() }, workers)
}

fn deep(depth: u16) -> Go {
    Go { depth: Some(depth), ..Go::default() }
}

fn tell(harness: &mut Harness<Chess>, worker: u32, report: Report) {
    let worker = WorkerId(worker);
    let task = harness.running[&worker].0;
    harness.worker(WorkerEvent::Report { worker, task, report });
}

fn found(depth: u16, bound: Bound, cp: i32, pv: &[&str]) -> Report {
    let pv: Vec<MoveText> = pv.iter().map(|m| m.parse().unwrap()).collect();
    Report { depth, seldepth: depth, nodes: u64::from(depth) * 1_000, bound, pv, ..Report::new(Score::cp(cp)) }
}

#[test]
fn a_group_ends_at_its_depth_with_an_exact_value() {
    let mut harness = harness(3);
    harness.go(deep(11));
    let limits: Vec<_> = harness.running.values().map(|(_, task)| task.limits.depth).collect();
    assert_eq!(limits, [Some(11); 3], "no member goes beyond it");
    tell(&mut harness, 1, found(11, Bound::Lower, 40, &["e2e4"]));
    tell(&mut harness, 0, found(10, Bound::Exact, 20, &["d2d4", "d7d5"]));
    assert!(harness.best_moves().is_empty(), "a bound is not the value");
    tell(&mut harness, 2, found(11, Bound::Exact, 30, &["e2e4", "e7e5"]));
    assert_eq!(best(&harness), ["e2e4"]);
    let last = harness.infos().pop().unwrap();
    assert_eq!((last.depth, last.bound, last.score), (11, Bound::Exact, Score::cp(30)));
}

#[test]
fn the_option_decides_what_workers_search() {
    let shares = |parallel, tree_model, rules: &str| {
        let tree_rules = rules.to_owned();
        let mut harness =
            Harness::<Chess>::new(Settings { parallel, tree_model, tree_rules, ..Settings::default() }, 3);
        harness.go(Go { infinite: true, ..Go::default() });
        harness.running.len() == 3 && harness.running.values().all(|(_, task)| task.team != 0)
    };
    assert!(shares(Parallel::Auto, TreeModel::Hasami, "") && !shares(Parallel::Auto, TreeModel::Hasami, "groups=off"));
    assert!(!shares(Parallel::Auto, TreeModel::Rank, "") && shares(Parallel::Shared, TreeModel::Rank, ""));
    assert!(!shares(Parallel::Tree, TreeModel::Hasami, "groups=on"), "the option takes precedence over the rule");
}

#[test]
fn the_largest_selective_depth_of_equal_reports_is_shown() {
    let mut harness = harness(3);
    harness.go(Go { infinite: true, ..Go::default() });
    for (worker, seldepth) in [(1, 11), (2, 19), (0, 15)] {
        let line = found(11, Bound::Exact, 30, &["e2e4", "e7e5"]);
        tell(&mut harness, worker, Report { seldepth, ..line });
    }
    harness.wait(Duration::from_secs(1));
    harness.command(hasami_protocol::Command::Stop);
    let last = harness.infos().pop().unwrap();
    assert_eq!((last.depth, last.seldepth), (11, 19));
}

#[test]
fn an_earlier_deeper_bound_does_not_satisfy_the_requested_depth() {
    let mut harness = harness(2);
    harness.go(Go { infinite: true, ..Go::default() });
    tell(&mut harness, 0, found(14, Bound::Lower, 40, &["e2e4"]));
    harness.command(hasami_protocol::Command::Stop);
    harness.go(deep(11));
    assert_eq!(harness.best_moves().len(), 1, "the second is not answered yet");
    harness.end_cancelled();
    assert_eq!(harness.task_of(0).limits.depth, Some(11));
    harness.wait(Duration::from_millis(10));
    tell(&mut harness, 1, found(11, Bound::Exact, 30, &["d2d4"]));
    assert_eq!(best(&harness)[1..], ["d2d4"]);
}

#[test]
fn a_group_finds_the_lines_of_multipv_together() {
    let settings = Settings { threads: 2, multi_pv: 3, ..Settings::default() };
    let mut harness = Harness::<Chess>::new(settings, 2);
    harness.go(Go { infinite: true, ..Go::default() });
    let asked: Vec<_> = harness.running.values().map(|(_, task)| (task.line.moves.len(), task.multipv)).collect();
    assert_eq!(asked, [(0, 3); 2], "all of them at the root, for all lines");
    for (worker, depth) in [(0, 9), (1, 10)] {
        harness.wait(Duration::from_millis(200));
        for (multipv, m) in [(1, "e2e4"), (2, "d2d4"), (3, "c2c4")] {
            tell(&mut harness, worker, Report { multipv, ..found(depth, Bound::Exact, 40 - i32::from(multipv), &[m]) });
        }
        harness.wait(Duration::from_millis(20));
        let shown: Vec<u16> = harness.infos().iter().rev().take(3).map(|info| info.depth).collect();
        assert_eq!(shown, [depth; 3], "lines of any member");
        let blocks = harness.infos().len() / 3;
        assert_eq!(blocks, 1 + worker as usize, "the best line waits for the others");
    }
}

#[test]
fn a_line_that_breaks_off_is_extended_by_another_member_s_line() {
    let mut harness = harness(3);
    harness.go(Go { infinite: true, ..Go::default() });
    tell(&mut harness, 1, found(6, Bound::Exact, 25, &["g1f3", "g8f6", "d2d4", "d7d5", "c2c4", "e7e6"]));
    tell(&mut harness, 0, found(7, Bound::Exact, 30, &["d2d4", "g8f6", "g1f3"]));
    harness.wait(Duration::from_millis(200));
    assert_eq!(shown(&harness), "d2d4 g8f6 g1f3 d7d5 c2c4 e7e6", "by transposition");
    tell(&mut harness, 2, found(7, Bound::Exact, 30, &["d2d4", "d7d5", "c2c4", "e7e6", "b1c3", "g8f6", "c1g5"]));
    harness.command(hasami_protocol::Command::Stop);
    assert_eq!(shown(&harness), "d2d4 d7d5 c2c4 e7e6 b1c3 g8f6 c1g5", "the longest line with the same value");
}

/// A position with Black to move, in which White can mate in two moves if Black plays badly.
const LOST: &str = "7k/8/5K2/8/8/8/8/6R1 b - - 0 1";

fn lost(workers: u32) -> Harness<Chess> {
    let mut harness = harness(workers);
    harness.position(&Line { start: Start { text: Some(LOST.into()), rules: Rules::default() }, moves: Vec::new() });
    harness.go(Go { infinite: true, ..Go::default() });
    harness
}

fn mate(depth: u16, plies: i32, pv: &[&str]) -> Report {
    Report { score: Score::loss_in(plies), ..found(depth, Bound::Exact, 0, pv) }
}

const SHOWN: [&str; 4] = ["h8h7", "f6f7", "h7h8", "g1h1"];

#[test]
fn a_mate_is_extended_by_the_line_of_the_member_that_found_it() {
    let mut harness = lost(2);
    // Both workers report a mate in four plies at depth 3, so the mate is not proved.
    tell(&mut harness, 1, mate(3, 4, &SHOWN[..1]));
    tell(&mut harness, 0, mate(3, 4, &SHOWN));
    harness.wait(Duration::from_millis(600));
    assert_eq!(shown(&harness), SHOWN.join(" "), "of the same depth");
    tell(&mut harness, 1, mate(4, 4, &SHOWN[..1]));
    harness.command(hasami_protocol::Command::Stop);
    assert_eq!(shown(&harness), SHOWN.join(" "), "of a depth before");
}

#[test]
fn a_mate_without_its_line_is_replaced_by_one_that_is_shown() {
    let mut harness = lost(2);
    tell(&mut harness, 0, mate(3, 4, &SHOWN));
    tell(&mut harness, 1, mate(5, 6, &SHOWN[..1]));
    harness.wait(Duration::from_millis(600));
    harness.command(hasami_protocol::Command::Stop);
    let last = harness.infos().pop().unwrap();
    assert_eq!((last.score, shown(&harness)), (Score::loss_in(4), SHOWN.join(" ")));
}

/// Returns the variation of the last info line.
fn shown(harness: &Harness<Chess>) -> String {
    harness.infos().pop().unwrap().pv.iter().map(ToString::to_string).collect::<Vec<_>>().join(" ")
}
