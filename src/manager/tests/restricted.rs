//! Tests that findings of `go searchmoves`, which cover only some moves, do not count as findings about the position.

use super::harness::{Harness, best, texts};
use hasami_api::{Line, Report, Rules, Score, Start};
use hasami_chess::Chess;
use hasami_protocol::{Go, Output, Settings};
use hasami_tree::event::{WorkerEvent, WorkerId};
use std::time::Duration;

/// A position in which White mates at once with `c1c8`, but is mated after `c1c2`.
const BACK_RANKS: &str = "6k1/5ppp/8/8/8/8/r4PPP/2R3K1 w - - 0 1";

fn go(only: &[&str]) -> Go {
    Go { search_moves: texts(only), move_time: Some(Duration::from_millis(500)), ..Go::default() }
}

/// Creates a manager that has answered `go searchmoves c1c2`, because the mate against White after c1c2 is proved.
fn mated(workers: u32) -> Harness<Chess> {
    let mut harness = Harness::<Chess>::new(Settings { ponder: false, ..Settings::default() }, workers);
    harness
        .position(&Line { start: Start { text: Some(BACK_RANKS.into()), rules: Rules::default() }, moves: Vec::new() });
    harness.go(go(&["c1c2"]));
    let (&worker, &(task, _)) = harness.running.iter().next().unwrap();
    let pv = texts(&["c1c2", "a2a1", "c2c1", "a1c1"]);
    let report = Report { depth: 4, seldepth: 4, nodes: 100, pv, ..Report::new(Score::loss_in(4)) };
    harness.worker(WorkerEvent::Report { worker, task, report });
    assert_eq!(best(&harness), ["c1c2"]);
    harness.end_cancelled();
    harness
}

#[test]
fn a_mate_after_some_moves_does_not_end_the_search_of_all() {
    for workers in [1, 3] {
        let mut harness = mated(workers);
        harness.go(go(&[]));
        assert_eq!(best(&harness).len(), 1, "the other moves were never searched");
        let at_root = harness.running.iter().find(|(_, (_, task))| task.line.moves.is_empty());
        let &worker = at_root.expect("a worker searches the root").0;
        assert!(harness.task_of(worker.0).only.is_empty());
        harness.mate(worker.0, &["c1c8"], 1);
        assert_eq!(best(&harness), ["c1c2", "c1c8"]);
    }
}

#[test]
fn a_mate_after_some_moves_does_not_end_the_search_of_others() {
    let mut harness = mated(1);
    harness.go(go(&["c1c8", "h2h3"]));
    assert_eq!(best(&harness).len(), 1);
    assert_eq!(harness.task_of(0).only, texts(&["c1c8", "h2h3"]));
    harness.mate(0, &["c1c8"], 1);
    assert_eq!(best(&harness), ["c1c2", "c1c8"]);
}

#[test]
fn a_root_exhausted_with_some_moves_is_searched_again_with_all() {
    let mut harness = Harness::<Chess>::new(Settings { ponder: false, ..Settings::default() }, 1);
    harness.go(go(&["e2e4", "d2d4"]));
    harness.report(0, &["e2e4", "e7e5"], 10, 250);
    harness.now += Duration::from_millis(50);
    harness.end(WorkerId(0));
    assert_eq!(best(&harness), ["e2e4"], "its worker has searched every line to its end");
    harness.go(go(&[]));
    assert_eq!(best(&harness).len(), 1);
    assert!(harness.task_of(0).only.is_empty());
}

#[test]
fn illegal_search_moves_are_reported() {
    for (moves, expected) in [
        (&["e2e4", "d2d4"][..], None),
        (&["e2e4", "e2e5"], Some("searchmoves: expected legal moves, found e2e5: left out")),
        (&["e2e5", "a1a8"], Some("searchmoves: expected legal moves, found e2e5 a1a8: all moves are searched")),
    ] {
        let mut harness = Harness::<Chess>::new(Settings::default(), 1);
        harness.go(go(moves));
        let message = harness
            .said
            .iter()
            .find_map(|said| if let Output::Message(text) = said { Some(text.to_string()) } else { None });
        assert_eq!(message.as_deref(), expected);
    }
}
