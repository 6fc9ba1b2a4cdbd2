//! Workers that answer before the manager stops them and with hardly any search: other workers do the work.

use super::desk::{Desk, best};
use hasami_api::{Answer, MoveText, Report, Score};
use hasami_chess::Chess;
use hasami_protocol::{Go, Output, Settings};
use hasami_tree::event::{Action, Profile, TaskEnd, WorkerEvent, WorkerId};
use std::time::Duration;

fn desk(workers: u32, go: Go) -> Desk<Chess> {
    let mut desk = Desk::new(
        Settings {
            ponder: false,
            tree_rules: "groups=off,anticipation=off,expansion-delay=off".into(),
            ..Settings::default()
        },
        workers,
    );
    desk.go(go);
    desk
}

fn movetime() -> Go {
    Go { move_time: Some(Duration::from_secs(30)), ..Go::default() }
}

/// The worker that searches the root position.
fn at_root(desk: &Desk<Chess>) -> Option<WorkerId> {
    desk.running.iter().find(|(_, (_, task))| task.line.moves.is_empty()).map(|(&worker, _)| worker)
}

/// Lets the worker answer after a single node.
fn answer_at_once(desk: &mut Desk<Chess>, worker: WorkerId) {
    let task = desk.task_of(worker.0).clone();
    answer_with(desk, worker, 50, super::desk::walk::<Chess>(&task).0.first().copied());
}

/// Lets the worker answer after a single node, with this score and move.
fn answer_with(desk: &mut Desk<Chess>, worker: WorkerId, cp: i32, best: Option<MoveText>) {
    let (task, work) = desk.running[&worker].clone();
    let pv = super::desk::walk::<Chess>(&work).0[..1].to_vec();
    let report = Report { depth: 1, nodes: 1, pv, ..Report::new(Score::cp(cp)) };
    desk.worker(WorkerEvent::Report { worker, task, report });
    // An answer may have ended the task already; the worker ends it in any case.
    desk.running.remove(&worker);
    let end = TaskEnd::Answer(Answer::Best { best, ponder: None });
    desk.worker(WorkerEvent::Ended { worker, task, end });
}

/// A manager with child engines.
fn children(count: u32, settings: Settings) -> Desk<Chess> {
    let mut desk = Desk::new(Settings { threads: 0, ponder: false, ..settings }, 0);
    for worker in 0..count {
        let profile = Profile { can_except: false, can_vary: false, ..Profile::thread(worker) };
        desk.worker(WorkerEvent::Joined { worker: WorkerId(worker), profile });
    }
    desk
}

fn warnings(desk: &Desk<Chess>, wanted: &str) -> usize {
    desk.said.iter().filter(|said| matches!(said, Output::Message(text) if text.to_string().contains(wanted))).count()
}

fn reserves(desk: &Desk<Chess>) -> usize {
    desk.actions.iter().filter(|action| matches!(action, Action::AddFallback)).count()
}

fn go_for(millis: u64) -> Go {
    Go { move_time: Some(Duration::from_millis(millis)), ..Go::default() }
}

/// Searches for this time in steps of 10 ms. After each step, `work` is called for all busy workers.
fn search(desk: &mut Desk<Chess>, millis: u64, mut work: impl FnMut(&mut Desk<Chess>, WorkerId)) {
    desk.go(go_for(millis));
    let answers = best(desk).len();
    while best(desk).len() == answers {
        let busy: Vec<WorkerId> = desk.running.keys().copied().collect();
        busy.into_iter().for_each(|worker| work(desk, worker));
        desk.wait(Duration::from_millis(10));
    }
    desk.running.keys().copied().collect::<Vec<_>>().into_iter().for_each(|worker| desk.end(worker));
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
            let mut desk = desk(3, go.clone());
            let hasty = at_root(&desk).unwrap();
            desk.now += after;
            answer_at_once(&mut desk, hasty);
            assert!(best(&desk).is_empty(), "{go:?}: answered after one node");
            let next = at_root(&desk).expect("another worker searches the root");
            let tree = desk.manager.tree();
            assert!(tree.node(tree.root()).value.is_none(), "{go:?}: the hasty result does not count");
            assert_ne!(next, hasty, "{go:?}");
            desk.wait(Duration::from_secs(1));
            assert_eq!(at_root(&desk), Some(next), "{go:?}");
            desk.manager.check().unwrap();
        }
    }
}

#[test]
fn a_depth_is_reached_by_the_workers_that_search() {
    let mut desk = desk(2, Go { depth: Some(14), ..Go::default() });
    let hasty = at_root(&desk).unwrap();
    answer_at_once(&mut desk, hasty);
    let next = at_root(&desk).unwrap();
    desk.report(next.0, &["e2e4"], 30, 4);
    assert!(best(&desk).is_empty());
    desk.report(next.0, &["e2e4"], 30, 14);
    assert_eq!(best(&desk), ["e2e4"]);
}

#[test]
fn there_is_an_answer_even_if_all_workers_answer_at_once() {
    for go in [Go { depth: Some(14), ..Go::default() }, Go { nodes: Some(500_000), ..Go::default() }] {
        for workers in [1, 2, 3] {
            let mut desk = desk(workers, go.clone());
            for _ in 0..200 {
                let busy: Vec<WorkerId> = desk.running.keys().copied().collect();
                for worker in busy {
                    answer_at_once(&mut desk, worker);
                }
                desk.wait(Duration::from_millis(500));
            }
            assert_eq!(best(&desk).len(), 1, "{go:?} with {workers} workers");
        }
    }
}

#[test]
fn a_worker_that_repeatedly_answers_without_a_move_is_set_aside() {
    let mut desk = desk(2, movetime());
    let hasty = at_root(&desk).unwrap();
    let other = WorkerId(1 - hasty.0);
    for depth in 5..40 {
        if desk.running.contains_key(&hasty) {
            answer_with(&mut desk, hasty, 50, None);
        }
        if desk.running.contains_key(&other) {
            let (pv, ranking) = super::desk::walk::<Chess>(desk.task_of(other.0));
            desk.ranked_report(other, pv, ranking, depth);
        }
        desk.wait(Duration::from_millis(600));
        desk.end_cancelled_of(other);
    }
    let warnings =
        desk.said.iter().filter(|said| matches!(said, Output::Message(text) if text.to_string().contains("set aside")));
    assert_eq!(warnings.count(), 1, "one clear warning");
    assert!(desk.actions.iter().any(|action| matches!(action, Action::Kill { worker } if *worker == hasty)));
    assert!(desk.running.contains_key(&other), "the other one continues");
}

#[test]
fn a_single_worker_that_ignores_limits_is_stopped() {
    for go in [Go { depth: Some(6), ..Go::default() }, Go { nodes: Some(1_000), ..Go::default() }] {
        let mut desk = desk(1, go.clone());
        desk.report(0, &["e2e4"], 30, 6);
        assert!(best(&desk).is_empty(), "{go:?}: it may be about to end by itself");
        desk.report(0, &["e2e4"], 30, 120);
        assert_eq!(best(&desk), ["e2e4"], "{go:?}");
    }
}

#[test]
fn children_without_legal_moves_are_replaced_in_the_first_search() {
    for answer in [None, Some("a1a8"), Some("0000")] {
        for count in [1, 2] {
            let mut desk = children(count, Settings::default());
            let answer = answer.map(|text| text.parse().unwrap());
            search(&mut desk, 700, |desk, worker| answer_with(desk, worker, 50, answer));
            assert_eq!((warnings(&desk, "takes over"), reserves(&desk)), (1, 1), "{answer:?} of {count}");
            assert!(warnings(&desk, "is set aside") >= 1, "{answer:?} of {count}");
        }
    }
}

#[test]
fn a_hasty_report_without_a_move_is_not_the_answer() {
    let mut desk = children(1, Settings::default()).glancing(&["d2d4", "d7d5"], 20);
    search(&mut desk, 100, |desk, worker| answer_with(desk, worker, 500, None));
    assert_eq!(best(&desk), ["d2d4"]);
    assert_eq!(desk.infos().last().unwrap().score, Score::cp(20));
}

/// Reports only impossible values, and then names a legal move.
#[test]
fn a_child_with_impossible_reports_counts_as_faulty() {
    let mut desk = children(1, Settings::default());
    search(&mut desk, 1_000, |desk, worker| {
        let task = desk.running[&worker].0;
        let report = Report { depth: u16::MAX, pv: super::desk::texts(&["e2e4"]), ..Report::new(Score::cp(5)) };
        desk.worker(WorkerEvent::Report { worker, task, report });
        desk.end(worker);
    });
    assert_eq!((warnings(&desk, "w0"), warnings(&desk, "thread 0 is set aside"), reserves(&desk)), (0, 1, 1));
}

#[test]
fn a_silent_child_is_replaced_when_the_next_search_begins() {
    let mut desk = children(1, Settings::default());
    search(&mut desk, 1_000, |_, _| ());
    assert_eq!(reserves(&desk), 0, "it may be about to report");
    search(&mut desk, 1_000, |_, _| ());
    assert_eq!((warnings(&desk, "no worker does anything useful"), reserves(&desk)), (1, 1));
    desk.manager.check().unwrap();
}

#[test]
fn a_silent_child_is_replaced_within_a_long_search() {
    let mut desk = children(1, Settings::default());
    search(&mut desk, 10_000, |_, _| ());
    assert_eq!(reserves(&desk), 1);
}

/// Moves of a tenth of a second each, which the engine plays from its own book.
#[test]
fn an_engine_with_a_book_is_helped_and_not_set_aside() {
    let mut desk = children(1, Settings::default());
    for _ in 0..15 {
        search(&mut desk, 100, answer_at_once);
    }
    assert_eq!((warnings(&desk, "set aside"), warnings(&desk, "takes over"), reserves(&desk)), (0, 1, 1));
}

#[test]
fn workers_that_search_are_not_replaced() {
    for depth in [1, 5, 30] {
        let mut desk = children(2, Settings::default());
        for _ in 0..20 {
            search(&mut desk, 100, |desk, worker| desk.report(worker.0, &[], 20, depth));
        }
        assert_eq!((warnings(&desk, "warning"), reserves(&desk)), (0, 0));
    }
}

#[test]
fn workers_that_keep_small_limits_are_not_replaced() {
    let mut desk = children(1, Settings::default());
    for _ in 0..50 {
        desk.go(Go { nodes: Some(100), ..Go::default() });
        desk.now += Duration::from_millis(30);
        let (task, work) = desk.running[&WorkerId(0)].clone();
        let pv = super::desk::walk::<Chess>(&work).0;
        let report = Report { depth: 3, nodes: 100, pv, ..Report::new(Score::cp(50)) };
        desk.worker(WorkerEvent::Report { worker: WorkerId(0), task, report });
        desk.end(WorkerId(0));
    }
    assert_eq!((best(&desk).len(), warnings(&desk, "warning"), reserves(&desk)), (50, 0, 0));
}

/// An engine may consider the game lost and resign.
#[test]
fn a_resignation_is_not_a_fault_in_a_lost_game() {
    for (cp, faults) in [(-900, 0), (-20, 1)] {
        let mut desk = children(1, Settings::default());
        for _ in 0..5 {
            search(&mut desk, 200, |desk, worker| answer_with(desk, worker, cp, None));
        }
        assert_eq!(warnings(&desk, "is set aside"), faults, "{cp}");
    }
}
