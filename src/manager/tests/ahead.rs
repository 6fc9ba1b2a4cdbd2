//! Tests workers without a shared transposition table, which search positions that the game has not reached yet.

use super::harness::{Harness, best, texts};
use hasami_api::{Line, Report, Score};
use hasami_chess::Chess;
use hasami_protocol::{Command, Go, Settings};
use hasami_tree::event::{Action, WorkerEvent, WorkerId};
use std::time::Duration;

fn line(moves: &[&str]) -> Line {
    Line { moves: texts(moves), ..Line::default() }
}

/// Creates a manager with `workers` workers. Worker 1 searches two plies ahead of the root, on the line that worker 0
/// has reported for the root.
fn harness(workers: u32) -> Harness<Chess> {
    let rules = "groups=off,expansion-delay=off,mate-probes=off".to_owned();
    let mut harness = Harness::new(Settings { ponder: true, tree_rules: rules, ..Settings::default() }, workers);
    harness.position(&line(&[]));
    harness.go(Go { move_time: Some(Duration::from_secs(1)), ..Go::default() });
    harness.report(0, &["e2e4", "e7e5", "g1f3"], 30, 9);
    harness
}

#[test]
fn the_root_is_not_divided_and_its_next_position_is_searched() {
    let mut harness = harness(2);
    assert!(!harness.actions.iter().any(|action| matches!(action, Action::Cancel { .. })));
    assert!(harness.task_of(0).line.moves.is_empty() && harness.task_of(0).except.is_empty());
    assert_eq!(harness.task_of(1).line.moves, texts(&["e2e4", "e7e5"]));
    // Worker 2 searches the position after e2e4, without the reply e7e5, which has its own node.
    harness.join(2);
    assert_eq!(
        (&harness.task_of(2).line.moves[..], &harness.task_of(2).except[..]),
        (&texts(&["e2e4"])[..], &texts(&["e7e5"])[..])
    );
}

#[test]
fn the_answer_comes_from_the_undivided_search() {
    let mut harness = harness(3);
    harness.report(1, &["g1f3"], -500, 20);
    harness.report(0, &["d2d4", "d7d5"], 25, 10);
    harness.command(Command::Stop);
    assert_eq!(best(&harness), ["d2d4"]);
}

#[test]
fn a_search_continues_when_the_game_reaches_its_position() {
    let mut harness = harness(3);
    let (task, _) = harness.running[&hasami_tree::event::WorkerId(1)].clone();
    harness.report(1, &["f1c4", "g8f6"], 40, 12);
    harness.command(Command::Stop);
    harness.end_cancelled();
    harness.position(&line(&["e2e4", "e7e5"]));
    harness.end_cancelled();
    harness.go(Go { move_time: Some(Duration::from_secs(1)), ..Go::default() });
    assert_eq!(harness.running[&hasami_tree::event::WorkerId(1)].0, task, "nothing is begun anew");
    let tree = harness.manager.tree();
    assert_eq!(tree.node(tree.root()).value.unwrap().score, Score::cp(40));
    harness.command(Command::Stop);
    assert_eq!(best(&harness).last().unwrap(), "f1c4");
}

#[test]
fn a_change_of_sides_starts_a_new_tree() {
    let mut harness = harness(3);
    harness.command(Command::Stop);
    harness.end_cancelled();
    harness.position(&line(&["e2e4"]));
    harness.go(Go { infinite: true, ..Go::default() });
    harness.end_cancelled();
    assert_eq!(harness.manager.tree().len(), 1);
    let at_root = |harness: &Harness<Chess>| {
        harness
            .running
            .values()
            .filter(|(_, task)| task.line.moves == texts(&["e2e4"]) && task.except.is_empty())
            .count()
    };
    assert_eq!(at_root(&harness), 1);
    harness.report(0, &["c7c5", "g1f3"], -20, 9);
    harness.end_cancelled();
    assert_eq!(at_root(&harness), 1, "it is searched with all moves");
}

#[test]
fn workers_leave_a_line_that_is_no_longer_best() {
    let mut harness = harness(2);
    harness.report(0, &["d2d4", "d7d5", "c2c4"], 35, 10);
    assert_eq!(harness.task_of(1).line.moves, texts(&["e2e4", "e7e5"]));
    harness.wait(Duration::from_millis(200));
    harness.end_cancelled();
    assert_eq!(harness.task_of(1).line.moves, texts(&["d2d4", "d7d5"]));
    assert!(harness.task_of(0).line.moves.is_empty());
}

/// Lets a worker report this line, depth and number of nodes.
fn tell(harness: &mut Harness<Chess>, worker: u32, pv: &[&str], depth: u16, nodes: u64) {
    let worker = WorkerId(worker);
    let task = harness.running[&worker].0;
    let report = Report { depth, seldepth: depth, nodes, pv: texts(pv), ..Report::new(Score::cp(30)) };
    harness.worker(WorkerEvent::Report { worker, task, report });
}

#[test]
fn the_strongest_of_unequal_engines_searches_the_root() {
    // For worker 0 at the root and worker 1 two plies below it: nodes, depth, and which of them gets the root.
    let cases = [
        ([(400_000, 12), (60_000, 10)], 0),
        ([(60_000, 12), (400_000, 10)], 1),
        ([(60_000, 12), (80_000, 10)], 0),
        ([(60_000, 12), (60_000, 14)], 1),
        ([(60_000, 12), (400_000, 8)], 0),
    ];
    for ([(nodes, depth), (others, other)], holder) in cases {
        let mut harness = harness(2);
        harness.wait(Duration::from_millis(100));
        tell(&mut harness, 0, &["e2e4", "e7e5", "g1f3"], depth, nodes);
        tell(&mut harness, 1, &["g1f3"], other, others);
        harness.wait(Duration::from_millis(100));
        harness.end_cancelled();
        let at = |moves: &[&str]| {
            let is_there = |(_, (_, task)): &(&WorkerId, &(_, hasami_api::Task))| task.line.moves == texts(moves);
            harness.running.iter().find(is_there).map(|(worker, _)| worker.0)
        };
        assert_eq!(
            (at(&[]), at(&["e2e4", "e7e5"])),
            (Some(holder), Some(1 - holder)),
            "{nodes} {depth} {others} {other}"
        );
        harness.command(Command::Stop);
        assert_eq!(best(&harness), ["e2e4"]);
        harness.manager.check().unwrap();
    }
}
