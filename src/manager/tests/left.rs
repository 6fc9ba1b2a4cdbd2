//! Tests workers that leave for good: no data about them is kept, and the game continues.

use super::harness::{Harness, best};
use hasami_chess::Chess;
use hasami_protocol::{Command, Go, Output, Settings};
use hasami_tree::event::{Action, Arrivals, WorkerEvent, WorkerId};
use hasami_tree::manage::Manage;
use std::time::Duration;

fn leave(harness: &mut Harness<Chess>, worker: u32) {
    harness.running.remove(&WorkerId(worker));
    harness.worker(WorkerEvent::Lost { worker: WorkerId(worker), why: "test".into(), for_good: false });
    harness.manager.on_left(WorkerId(worker));
}

/// The sizes of the roster's collections of members, names and deadlines.
fn kept(harness: &Harness<Chess>) -> [usize; 3] {
    let roster = &harness.manager.assignment.roster;
    [roster.members.len(), roster.names.len(), roster.deadlines.len()]
}

#[test]
fn nothing_grows_with_the_workers_that_came_and_went() {
    let mut harness = Harness::<Chess>::new(Settings { multi_pv: 2, ..Settings::default() }, 2);
    harness.go(Go { infinite: true, ..Go::default() });
    harness.everybody_reports(4);
    let before = kept(&harness);
    for worker in 2..200 {
        harness.manager.on_worker_added(WorkerId(worker), "guest");
        harness.join(worker);
        harness.wait(Duration::from_millis(10));
        harness.everybody_reports(4 + worker as u16 / 20);
        // Every third worker ends its task on its own before it leaves.
        if worker % 3 == 0 && harness.running.contains_key(&WorkerId(worker)) {
            harness.end(WorkerId(worker));
        }
        leave(&mut harness, worker);
    }
    let after = kept(&harness);
    assert!(after[0] == before[0] && after[1] == before[1] && after[2] <= before[2] + 8, "{before:?} {after:?}");
    assert!(
        !harness.manager.assignment.roster.has_kept(WorkerId(2)..WorkerId(200)),
        "no data about workers that have left is kept"
    );
    harness.manager.check().unwrap();
    let is_warning = |said: &Output| matches!(said, Output::Message(text) if text.to_string().starts_with("warning"));
    assert!(!harness.said.iter().any(is_warning), "{:?}", harness.said);
}

#[test]
fn a_worker_that_has_left_is_not_restarted() {
    let mut harness = Harness::<Chess>::new(Settings::default(), 2);
    harness.go(Go { infinite: true, ..Go::default() });
    leave(&mut harness, 1);
    (0..50).for_each(|_| harness.wait(Duration::from_millis(200)));
    assert!(!harness.actions.iter().any(|action| matches!(action, Action::Revive { .. })));
}

#[test]
fn a_worker_that_is_present_is_not_forgotten() {
    let mut harness = Harness::<Chess>::new(Settings::default(), 1);
    harness.go(Go { infinite: true, ..Go::default() });
    harness.manager.on_left(WorkerId(0));
    harness.manager.on_left(WorkerId(7));
    harness.report(0, &["e2e4"], 30, 9);
    harness.manager.check().unwrap();
    harness.command(Command::Stop);
    assert_eq!(best(&harness), ["e2e4"]);
}

#[test]
fn the_fallback_worker_is_called_at_once_when_all_have_left() {
    let mut harness = Harness::<Chess>::new(Settings::default(), 2);
    leave(&mut harness, 0);
    leave(&mut harness, 1);
    harness.go(Go { infinite: true, ..Go::default() });
    let reserves = harness.actions.iter().filter(|action| **action == Action::AddFallback).count();
    assert_eq!(reserves, 1, "after the first players there is no reason to wait");
}

/// Returns how many milliseconds `go movetime 1000` waits before it calls the fallback worker, if no worker joins.
fn called_after(arrivals: Arrivals) -> Option<u64> {
    let mut harness = Harness::<Chess>::new(Settings::default(), 0);
    harness.manager.on_arrivals(arrivals);
    harness.go(Go { move_time: Some(Duration::from_secs(1)), ..Go::default() });
    (0..100).map(|step| 10 * step).find(|_| {
        let is_called = harness.actions.contains(&Action::AddFallback);
        harness.wait(Duration::from_millis(10));
        is_called
    })
}

#[test]
fn expected_workers_are_awaited() {
    let [over, unknown, expected] = [Arrivals::Over, Arrivals::Unknown, Arrivals::Expected].map(called_after);
    let within = |found: Option<u64>, from, to| found.is_some_and(|ms| (from..=to).contains(&ms));
    assert!(within(over, 300, 350), "{over:?}");
    assert!(within(unknown, 600, 660), "{unknown:?}");
    assert!(within(expected, 850, 900), "expected workers are given up near the end of the move: {expected:?}");
}

#[test]
fn no_fallback_worker_is_called_if_a_worker_comes_in_time() {
    let mut harness = Harness::<Chess>::new(Settings::default(), 0);
    harness.manager.on_arrivals(Arrivals::Expected);
    harness.go(Go { move_time: Some(Duration::from_secs(1)), ..Go::default() });
    harness.wait(Duration::from_millis(800));
    harness.join(0);
    harness.report(0, &["e2e4"], 30, 9);
    harness.wait(Duration::from_millis(200));
    assert_eq!(best(&harness), ["e2e4"]);
    assert!(!harness.actions.contains(&Action::AddFallback));
}

#[test]
fn one_fallback_worker_is_called_when_all_leave_during_a_search() {
    let mut harness = Harness::<Chess>::new(Settings::default(), 2);
    harness.go(Go { infinite: true, ..Go::default() });
    leave(&mut harness, 0);
    leave(&mut harness, 1);
    (0..50).for_each(|_| harness.wait(Duration::from_millis(20)));
    let reserves = harness.actions.iter().filter(|action| **action == Action::AddFallback).count();
    let messages = harness
        .said
        .iter()
        .filter(|said| matches!(said, Output::Message(text) if text.to_string().contains("takes over")));
    assert_eq!((reserves, messages.count()), (1, 1), "forgetting the others does not repeat the call");
}
