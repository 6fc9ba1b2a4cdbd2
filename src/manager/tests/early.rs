//! Workers that answer before they were told to, having hardly searched: others do what was asked for.

use super::desk::{Desk, best};
use crate::event::{Action, End, WorkerEvent, WorkerId};
use crate::protocol::{Go, Output, Settings};
use hasami_api::{Answer, Report, Score};
use hasami_chess::Chess;
use std::time::Duration;

fn desk(workers: u32, go: Go) -> Desk<Chess> {
    let mut desk = Desk::new(Settings { ponder: false, tree_rules: "team=off".into(), ..Settings::default() }, workers);
    desk.go(go);
    desk
}

fn movetime() -> Go {
    Go { move_time: Some(Duration::from_secs(30)), ..Go::default() }
}

/// Who searches the position itself.
fn at_root(desk: &Desk<Chess>) -> Option<WorkerId> {
    desk.running.iter().find(|(_, (_, task))| task.line.moves.is_empty()).map(|(&worker, _)| worker)
}

/// The worker has looked at one node, and that is all.
fn answer_at_once(desk: &mut Desk<Chess>, worker: WorkerId) {
    let (task, work) = desk.running[&worker].clone();
    let pv = super::desk::walk::<Chess>(&work).0[..1].to_vec();
    let report = Report { depth: 1, nodes: 1, pv, ..Report::new(Score::cp(50)) };
    desk.worker(WorkerEvent::Report { worker, task, report });
    // An answer may have ended the task; the worker ends it in any case.
    desk.running.remove(&worker);
    let end = End::Answer(Answer::Best { best: None, ponder: None });
    desk.worker(WorkerEvent::Ended { worker, task, end });
}

#[test]
fn another_worker_takes_the_root_that_was_given_up() {
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
            let next = at_root(&desk).expect("the root is searched on");
            let tree = desk.manager.tree();
            assert!(tree.node(tree.root()).value.is_none(), "{go:?}: a glance is no search");
            assert_ne!(next, hasty, "{go:?}");
            desk.wait(Duration::from_secs(1));
            assert_eq!(at_root(&desk), Some(next), "{go:?}");
            desk.manager.check().unwrap();
        }
    }
}

#[test]
fn a_depth_is_reached_by_those_who_search() {
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
fn where_everybody_answers_at_once_there_is_an_answer() {
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
fn who_keeps_answering_at_once_is_set_aside() {
    let mut desk = desk(2, movetime());
    let hasty = at_root(&desk).unwrap();
    let other = WorkerId(1 - hasty.0);
    for depth in 5..40 {
        if desk.running.contains_key(&hasty) {
            answer_at_once(&mut desk, hasty);
        }
        if desk.running.contains_key(&other) {
            let (pv, ranking) = super::desk::walk::<Chess>(desk.task_of(other.0));
            desk.ranked_report(other, pv, ranking, depth);
        }
        desk.wait(Duration::from_millis(600));
        desk.end_cancelled_of(other);
    }
    let warnings = desk.said.iter().filter(|said| matches!(said, Output::Message(text) if text.contains("set aside")));
    assert_eq!(warnings.count(), 1, "one clear warning");
    assert!(desk.actions.iter().any(|action| matches!(action, Action::Kill { worker } if *worker == hasty)));
    assert!(desk.running.contains_key(&other), "the other goes on");
}

#[test]
fn the_only_worker_that_knows_no_limits_is_stopped() {
    for go in [Go { depth: Some(6), ..Go::default() }, Go { nodes: Some(1_000), ..Go::default() }] {
        let mut desk = desk(1, go.clone());
        desk.report(0, &["e2e4"], 30, 6);
        assert!(best(&desk).is_empty(), "{go:?}: it may be about to end by itself");
        desk.report(0, &["e2e4"], 30, 120);
        assert_eq!(best(&desk), ["e2e4"], "{go:?}");
    }
}
