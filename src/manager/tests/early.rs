//! Tests workers that end their tasks after hardly any search, so that other workers have to do the work.

use super::harness::{Harness, best};
use hasami_api::{Answer, MoveText, Report, Score};
use hasami_chess::Chess;
use hasami_protocol::{Go, Output, Settings};
use hasami_tree::event::{Action, Profile, TaskEnd, WorkerEvent, WorkerId};
use std::time::Duration;

fn harness(workers: u32, go: Go) -> Harness<Chess> {
    let mut harness = Harness::new(
        Settings {
            ponder: false,
            tree_rules: "groups=off,anticipation=off,expansion-delay=off".into(),
            ..Settings::default()
        },
        workers,
    );
    harness.go(go);
    harness
}

fn movetime() -> Go {
    Go { move_time: Some(Duration::from_secs(30)), ..Go::default() }
}

/// Returns the worker that searches the root position.
fn at_root(harness: &Harness<Chess>) -> Option<WorkerId> {
    harness.running.iter().find(|(_, (_, task))| task.line.moves.is_empty()).map(|(&worker, _)| worker)
}

/// Lets the worker answer with its first move after a single node.
fn answer_at_once(harness: &mut Harness<Chess>, worker: WorkerId) {
    let task = harness.task_of(worker.0).clone();
    answer_with(harness, worker, 50, super::harness::walk::<Chess>(&task).0.first().copied());
}

/// Lets the worker answer after a single node, with this score and move.
fn answer_with(harness: &mut Harness<Chess>, worker: WorkerId, cp: i32, best: Option<MoveText>) {
    let (task, work) = harness.running[&worker].clone();
    let pv = super::harness::walk::<Chess>(&work).0[..1].to_vec();
    let report = Report { depth: 1, nodes: 1, pv, ..Report::new(Score::cp(cp)) };
    harness.worker(WorkerEvent::Report { worker, task, report });
    // The worker ends its task even if the manager has already answered and cancelled the task.
    harness.running.remove(&worker);
    let end = TaskEnd::Answer(Answer::Best { best, ponder: None });
    harness.worker(WorkerEvent::Ended { worker, task, end });
}

/// Creates a manager with `count` child engines.
fn children(count: u32, settings: Settings) -> Harness<Chess> {
    let mut harness = Harness::new(Settings { threads: 0, ponder: false, ..settings }, 0);
    for worker in 0..count {
        let profile = Profile { can_except: false, can_vary: false, ..Profile::thread(worker) };
        harness.worker(WorkerEvent::Joined { worker: WorkerId(worker), profile });
    }
    harness
}

fn warnings(harness: &Harness<Chess>, wanted: &str) -> usize {
    harness
        .said
        .iter()
        .filter(|said| matches!(said, Output::Message(text) if text.to_string().contains(wanted)))
        .count()
}

fn reserves(harness: &Harness<Chess>) -> usize {
    harness.actions.iter().filter(|action| matches!(action, Action::AddFallback)).count()
}

fn go_for(millis: u64) -> Go {
    Go { move_time: Some(Duration::from_millis(millis)), ..Go::default() }
}

/// Runs `go movetime` in steps of 10 ms until the manager answers. In each step, `work` is called for every busy
/// worker.
fn search(harness: &mut Harness<Chess>, millis: u64, mut work: impl FnMut(&mut Harness<Chess>, WorkerId)) {
    harness.go(go_for(millis));
    let answers = best(harness).len();
    while best(harness).len() == answers {
        let busy: Vec<WorkerId> = harness.running.keys().copied().collect();
        busy.into_iter().for_each(|worker| work(harness, worker));
        harness.wait(Duration::from_millis(10));
    }
    harness.running.keys().copied().collect::<Vec<_>>().into_iter().for_each(|worker| harness.end(worker));
}

#[test]
fn another_worker_takes_over_an_abandoned_root() {
    let limits = [
        Go { nodes: Some(500_000), ..Go::default() },
        Go { depth: Some(14), ..Go::default() },
        Go { infinite: true, ..Go::default() },
        movetime(),
    ];
    for go in limits {
        for after in [Duration::ZERO, Duration::from_millis(50)] {
            let mut harness = harness(3, go.clone());
            let hasty = at_root(&harness).unwrap();
            harness.now += after;
            answer_at_once(&mut harness, hasty);
            assert!(best(&harness).is_empty(), "{go:?}: answered after one node");
            let next = at_root(&harness).expect("another worker searches the root");
            let tree = harness.manager.tree();
            assert!(tree.node(tree.root()).value.is_none(), "{go:?}: the hasty result does not count");
            assert_ne!(next, hasty, "{go:?}");
            harness.wait(Duration::from_secs(1));
            assert_eq!(at_root(&harness), Some(next), "{go:?}");
            harness.manager.check().unwrap();
        }
    }
}

#[test]
fn a_depth_is_reached_by_the_workers_that_search() {
    let mut harness = harness(2, Go { depth: Some(14), ..Go::default() });
    let hasty = at_root(&harness).unwrap();
    answer_at_once(&mut harness, hasty);
    let next = at_root(&harness).unwrap();
    harness.report(next.0, &["e2e4"], 30, 4);
    assert!(best(&harness).is_empty());
    harness.report(next.0, &["e2e4"], 30, 14);
    assert_eq!(best(&harness), ["e2e4"]);
}

#[test]
fn there_is_an_answer_even_if_all_workers_answer_at_once() {
    for go in [Go { depth: Some(14), ..Go::default() }, Go { nodes: Some(500_000), ..Go::default() }] {
        for workers in [1, 2, 3] {
            let mut harness = harness(workers, go.clone());
            for _ in 0..200 {
                let busy: Vec<WorkerId> = harness.running.keys().copied().collect();
                for worker in busy {
                    answer_at_once(&mut harness, worker);
                }
                harness.wait(Duration::from_millis(500));
            }
            assert_eq!(best(&harness).len(), 1, "{go:?} with {workers} workers");
        }
    }
}

#[test]
fn a_worker_that_repeatedly_answers_without_a_move_is_set_aside() {
    let mut harness = harness(2, movetime());
    let hasty = at_root(&harness).unwrap();
    let other = WorkerId(1 - hasty.0);
    for depth in 5..40 {
        if harness.running.contains_key(&hasty) {
            answer_with(&mut harness, hasty, 50, None);
        }
        if harness.running.contains_key(&other) {
            let (pv, ranking) = super::harness::walk::<Chess>(harness.task_of(other.0));
            harness.ranked_report(other, pv, ranking, depth);
        }
        harness.wait(Duration::from_millis(600));
        harness.end_cancelled_of(other);
    }
    let warnings = harness
        .said
        .iter()
        .filter(|said| matches!(said, Output::Message(text) if text.to_string().contains("set aside")));
    assert_eq!(warnings.count(), 1, "one clear warning");
    assert!(harness.actions.iter().any(|action| matches!(action, Action::Kill { worker } if *worker == hasty)));
    assert!(harness.running.contains_key(&other), "the other one continues");
}

#[test]
fn a_single_worker_that_ignores_limits_is_stopped() {
    for go in [Go { depth: Some(6), ..Go::default() }, Go { nodes: Some(1_000), ..Go::default() }] {
        let mut harness = harness(1, go.clone());
        harness.report(0, &["e2e4"], 30, 6);
        assert!(best(&harness).is_empty(), "{go:?}: it may be about to end by itself");
        harness.report(0, &["e2e4"], 30, 120);
        assert_eq!(best(&harness), ["e2e4"], "{go:?}");
    }
}

#[test]
fn children_without_legal_moves_are_replaced_in_the_first_search() {
    for answer in [None, Some("a1a8"), Some("0000")] {
        for count in [1, 2] {
            let mut harness = children(count, Settings::default());
            let answer = answer.map(|text| text.parse().unwrap());
            search(&mut harness, 700, |harness, worker| answer_with(harness, worker, 50, answer));
            assert_eq!((warnings(&harness, "takes over"), reserves(&harness)), (1, 1), "{answer:?} of {count}");
            assert!(warnings(&harness, "is set aside") >= 1, "{answer:?} of {count}");
        }
    }
}

#[test]
fn a_hasty_report_without_a_move_is_not_the_answer() {
    let mut harness = children(1, Settings::default()).glancing(&["d2d4", "d7d5"], 20);
    search(&mut harness, 100, |harness, worker| answer_with(harness, worker, 500, None));
    assert_eq!(best(&harness), ["d2d4"]);
    assert_eq!(harness.infos().last().unwrap().score, Score::cp(20));
}

/// The child engine reports an impossible depth and then answers with a legal move.
#[test]
fn a_child_with_impossible_reports_counts_as_faulty() {
    let mut harness = children(1, Settings::default());
    search(&mut harness, 1_000, |harness, worker| {
        let task = harness.running[&worker].0;
        let report = Report { depth: u16::MAX, pv: super::harness::texts(&["e2e4"]), ..Report::new(Score::cp(5)) };
        harness.worker(WorkerEvent::Report { worker, task, report });
        harness.end(worker);
    });
    assert_eq!((warnings(&harness, "w0"), warnings(&harness, "thread 0 is set aside"), reserves(&harness)), (0, 1, 1));
}

#[test]
fn a_silent_child_is_replaced_when_the_next_search_begins() {
    let mut harness = children(1, Settings::default());
    search(&mut harness, 1_000, |_, _| ());
    assert_eq!(reserves(&harness), 0, "it may be about to report");
    search(&mut harness, 1_000, |_, _| ());
    assert_eq!((warnings(&harness, "no worker does anything useful"), reserves(&harness)), (1, 1));
    harness.manager.check().unwrap();
}

#[test]
fn a_silent_child_is_replaced_within_a_long_search() {
    let mut harness = children(1, Settings::default());
    search(&mut harness, 10_000, |_, _| ());
    assert_eq!(reserves(&harness), 1);
}

/// With 0.1 s per move, the engine answers at once, as if from its own book.
#[test]
fn an_engine_with_a_book_is_helped_and_not_set_aside() {
    let mut harness = children(1, Settings::default());
    for _ in 0..15 {
        search(&mut harness, 100, answer_at_once);
    }
    assert_eq!((warnings(&harness, "set aside"), warnings(&harness, "takes over"), reserves(&harness)), (0, 1, 1));
}

#[test]
fn workers_that_search_are_not_replaced() {
    for depth in [1, 5, 30] {
        let mut harness = children(2, Settings::default());
        for _ in 0..20 {
            search(&mut harness, 100, |harness, worker| harness.report(worker.0, &[], 20, depth));
        }
        assert_eq!((warnings(&harness, "warning"), reserves(&harness)), (0, 0));
    }
}

#[test]
fn workers_that_keep_small_limits_are_not_replaced() {
    let mut harness = children(1, Settings::default());
    for _ in 0..50 {
        harness.go(Go { nodes: Some(100), ..Go::default() });
        harness.now += Duration::from_millis(30);
        let (task, work) = harness.running[&WorkerId(0)].clone();
        let pv = super::harness::walk::<Chess>(&work).0;
        let report = Report { depth: 3, nodes: 100, pv, ..Report::new(Score::cp(50)) };
        harness.worker(WorkerEvent::Report { worker: WorkerId(0), task, report });
        harness.end(WorkerId(0));
    }
    assert_eq!((best(&harness).len(), warnings(&harness, "warning"), reserves(&harness)), (50, 0, 0));
}

/// An engine that considers the game lost may resign by answering without a move.
#[test]
fn a_resignation_is_not_a_fault_in_a_lost_game() {
    for (cp, faults) in [(-900, 0), (-20, 1)] {
        let mut harness = children(1, Settings::default());
        for _ in 0..5 {
            search(&mut harness, 200, |harness, worker| answer_with(harness, worker, cp, None));
        }
        assert_eq!(warnings(&harness, "is set aside"), faults, "{cp}");
    }
}
