//! Tests the last info line before an answer: its value must be correct, and its variation must not break off.

use super::harness::{Harness, texts};
use hasami_api::{Bound, Line, Report, Rules, Score, Start};
use hasami_chess::Chess;
use hasami_protocol::{BestMove, Clock, Command, Go, Info, Settings};
use hasami_tree::event::{WorkerEvent, WorkerId};
use std::time::Duration;

fn harness(workers: u32) -> Harness<Chess> {
    harness_of(workers, Go { infinite: true, ..Go::default() })
}

fn harness_of(workers: u32, go: Go) -> Harness<Chess> {
    let mut harness = Harness::new(
        Settings { tree_rules: "groups=off,anticipation=off,expansion-delay=off".into(), ..Settings::default() },
        workers,
    );
    harness.go(go);
    harness
}

fn tell(harness: &mut Harness<Chess>, worker: u32, bound: Bound, depth: u16, pv: &[&str], cp: i32) {
    let worker = WorkerId(worker);
    let task = harness.running[&worker].0;
    let nodes = u64::from(depth) * 1000;
    let report = Report { bound, depth, seldepth: depth, nodes, pv: texts(pv), ..Report::new(Score::cp(cp)) };
    harness.worker(WorkerEvent::Report { worker, task, report });
}

/// Stops the search and returns the info line before the answer.
fn last(mut harness: Harness<Chess>) -> Info {
    harness.command(Command::Stop);
    assert_eq!(harness.best_moves().len(), 1);
    harness.infos().pop().unwrap()
}

/// Score, bound and depth of the last info line after a move was reported with an exact value and then a bound.
fn info_after_bound(go: Go, exact: i32, bound: Bound, cp: i32) -> (Score, Bound, u16) {
    let mut harness = harness_of(1, go);
    tell(&mut harness, 0, Bound::Exact, 27, &["e2e4", "e7e5", "g1f3"], exact);
    tell(&mut harness, 0, bound, 28, &["e2e4"], cp);
    let info = last(harness);
    assert_eq!(info.pv, texts(&["e2e4", "e7e5", "g1f3"]));
    (info.score, info.bound, info.depth)
}

#[test]
fn in_a_game_a_bound_is_replaced_by_a_near_exact_value() {
    for (bound, cp) in [(Bound::Lower, 90), (Bound::Upper, -40)] {
        assert_eq!(info_after_bound(on_the_clock(), 30, bound, cp), (Score::cp(30), Bound::Exact, 27));
    }
}

#[test]
fn a_bound_that_refutes_the_last_exact_value_is_shown_as_a_bound() {
    let infinite = || Go { infinite: true, ..Go::default() };
    for (bound, cp) in [(Bound::Lower, 1029), (Bound::Upper, -900)] {
        for go in [on_the_clock(), infinite()] {
            assert_eq!(info_after_bound(go, 0, bound, cp), (Score::cp(cp), bound, 28));
        }
    }
    for (bound, cp) in [(Bound::Lower, 31), (Bound::Upper, 29)] {
        assert_eq!(
            info_after_bound(infinite(), 30, bound, cp),
            (Score::cp(cp), bound, 28),
            "in an analysis, any difference refutes"
        );
    }
}

#[test]
fn a_bound_consistent_with_the_last_exact_value_does_not_replace_it() {
    for (bound, cp) in [(Bound::Lower, -500), (Bound::Upper, 500)] {
        let infinite = Go { infinite: true, ..Go::default() };
        assert_eq!(info_after_bound(infinite, 30, bound, cp), (Score::cp(30), Bound::Exact, 27));
    }
}

#[test]
fn the_exact_value_of_the_played_move_may_be_older_than_that_of_another() {
    let mut harness = harness_of(1, on_the_clock());
    tell(&mut harness, 0, Bound::Exact, 7, &["d2d4", "d7d5"], 20);
    tell(&mut harness, 0, Bound::Exact, 8, &["e2e4", "e7e5", "g1f3"], 30);
    tell(&mut harness, 0, Bound::Lower, 9, &["d2d4"], 90);
    let info = last(harness);
    assert_eq!((info.score, info.bound, info.depth), (Score::cp(20), Bound::Exact, 7));
    assert_eq!(info.pv, texts(&["d2d4", "d7d5"]));
}

#[test]
fn the_best_move_of_an_interrupted_iteration_has_an_exact_value() {
    let mut harness = harness_of(1, on_the_clock());
    tell(&mut harness, 0, Bound::Exact, 8, &["e2e4", "e7e5", "g1f3"], 30);
    let task = harness.running[&WorkerId(0)].0;
    let pv = texts(&["d2d4", "d7d5"]);
    let report = Report { bound: Bound::Lower, of_move: true, depth: 9, nodes: 9000, pv, ..Report::new(Score::cp(35)) };
    harness.worker(WorkerEvent::Report { worker: WorkerId(0), task, report });
    tell(&mut harness, 0, Bound::Lower, 9, &["d2d4"], 60);
    let info = last(harness);
    assert_eq!((info.score, info.bound, info.depth), (Score::cp(35), Bound::Exact, 9));
    assert_eq!(info.pv, texts(&["d2d4", "d7d5"]));
}

#[test]
fn a_bound_of_the_previous_search_is_replaced_by_its_exact_value() {
    let mut harness = harness(1);
    tell(&mut harness, 0, Bound::Exact, 8, &["e2e4", "e7e5", "g1f3", "b8c6"], 30);
    tell(&mut harness, 0, Bound::Upper, 9, &["e2e4", "e7e5", "g1f3"], -10);
    harness.command(Command::Stop);
    harness.position(&Line { moves: texts(&["e2e4", "e7e5"]), ..Line::default() });
    harness.go(Go { clock: Clock { time: [Some(Duration::ZERO); 2], ..Clock::default() }, ..Go::default() });
    harness.command(Command::Stop);
    assert_eq!(harness.best_moves().len(), 2);
    let info = harness.infos().pop().unwrap();
    assert_eq!((info.score, info.bound, info.depth), (Score::cp(30), Bound::Exact, 6));
    assert_eq!(info.pv, texts(&["g1f3", "b8c6"]));
}

/// The score and bound of the last info line after a report whose first move had been reported as a draw.
fn info_after_mate(fen: &str, pv: &[&str], score: Score, bound: Bound) -> (Score, Bound) {
    let mut harness = Harness::<Chess>::new(Settings::default(), 1);
    harness.position(&Line { start: Start { text: Some(fen.into()), rules: Rules::default() }, moves: Vec::new() });
    harness.go(Go { infinite: true, ..Go::default() });
    tell(&mut harness, 0, Bound::Exact, 1, &pv[..1], 0);
    let task = harness.running[&WorkerId(0)].0;
    let report = Report { bound, depth: 2, nodes: 2000, pv: texts(pv), ..Report::new(score) };
    harness.worker(WorkerEvent::Report { worker: WorkerId(0), task, report });
    let info = last(harness);
    (info.score, info.bound)
}

#[test]
fn a_bound_that_shows_a_mate_is_shown_as_exact() {
    let (win, draw) = (Score::win_in(1), (Score::DRAW, Bound::Exact));
    let queen = "7k/5Q2/6K1/8/8/8/8/8 w - - 0 1";
    assert_eq!(info_after_mate(queen, &["f7g7"], win, Bound::Lower), (win, Bound::Exact));
    let unshown = (Score::win_in(3), Bound::Lower);
    assert_eq!(info_after_mate(queen, &["f7f8"], unshown.0, unshown.1), unshown, "the line breaks off");
    assert_eq!(info_after_mate(queen, &["f7g7"], win, Bound::Upper), draw, "an upper bound does not prove a mate");
}

#[test]
fn resigning_depends_on_the_value_that_is_shown() {
    let cases = [
        (Bound::Exact, -800, Bound::Lower, -300, false),
        (Bound::Exact, -800, Bound::Lower, -700, true),
        (Bound::Exact, 0, Bound::Upper, -900, true),
        (Bound::Exact, -450, Bound::Upper, -540, false),
    ];
    for (first, before, bound, cp, resigns) in cases {
        for (go, is_game) in [(on_the_clock(), true), (Go { infinite: true, ..Go::default() }, false)] {
            let settings = Settings { resign_value: Some(500), ..Settings::default() };
            let mut harness = Harness::<Chess>::new(settings, 1);
            harness.go(go);
            tell(&mut harness, 0, first, 8, &["e2e4", "e7e5"], before);
            tell(&mut harness, 0, bound, 9, &["e2e4"], cp);
            harness.command(Command::Stop);
            let expected = resigns && is_game;
            assert_eq!(
                harness.best_moves() == [BestMove::Resign],
                expected,
                "{before}, then {bound:?} {cp}, {is_game}"
            );
        }
    }
}

fn on_the_clock() -> Go {
    Go { clock: Clock { time: [Some(Duration::from_secs(60)); 2], ..Clock::default() }, ..Go::default() }
}

#[test]
fn the_bound_of_a_new_move_is_shown_as_a_bound() {
    let mut harness = harness(1);
    tell(&mut harness, 0, Bound::Exact, 8, &["e2e4", "e7e5", "g1f3"], 30);
    tell(&mut harness, 0, Bound::Lower, 9, &["d2d4"], 90);
    let info = last(harness);
    assert_eq!((info.score, info.bound, info.depth), (Score::cp(90), Bound::Lower, 9));
    assert_eq!(info.pv, texts(&["d2d4"]));
}

#[test]
fn a_variation_that_breaks_off_is_extended_by_an_earlier_one() {
    let mut harness = harness(1);
    tell(&mut harness, 0, Bound::Exact, 8, &["e2e4", "e7e5", "g1f3"], 30);
    tell(&mut harness, 0, Bound::Exact, 9, &["d2d4", "d7d5"], 31);
    tell(&mut harness, 0, Bound::Exact, 10, &["e2e4"], 32);
    let info = last(harness);
    assert_eq!((info.score, info.depth), (Score::cp(32), 10));
    assert_eq!(info.pv, texts(&["e2e4", "e7e5", "g1f3"]));
}

#[test]
fn the_inherited_variation_extends_that_of_the_new_worker() {
    let mut harness = harness(2);
    tell(&mut harness, 0, Bound::Exact, 7, &["e2e4", "e7e5", "g1f3"], 30);
    harness.end_cancelled();
    let follower = harness.running.iter().find(|(_, (_, task))| task.line.moves == texts(&["e2e4"])).unwrap().0.0;
    tell(&mut harness, follower, Bound::Exact, 9, &["c7c5", "g1f3"], -20);
    tell(&mut harness, follower, Bound::Exact, 10, &["e7e5"], -25);
    let info = last(harness);
    assert_eq!(info.pv, texts(&["e2e4", "e7e5", "g1f3"]));
}

#[test]
fn a_mate_is_not_extended_by_an_old_variation() {
    let mut harness = harness(1);
    tell(&mut harness, 0, Bound::Exact, 8, &["e2e4", "e7e5", "g1f3"], 30);
    harness.mate(0, &["e2e4"], 7);
    assert_eq!(last(harness).pv, texts(&["e2e4"]), "an old variation does not show the mate");
}

#[test]
fn a_value_without_a_move_does_not_keep_out_a_move() {
    let mut harness = harness(2);
    tell(&mut harness, 0, Bound::Exact, 14, &["e2e4"], 30);
    harness.end_cancelled();
    let follower = harness.running.iter().find(|(_, (_, task))| task.line.moves == texts(&["e2e4"])).unwrap().0.0;
    tell(&mut harness, follower, Bound::Exact, 1, &["e7e5"], -20);
    assert_eq!(last(harness).pv, texts(&["e2e4", "e7e5"]));
}

#[test]
fn the_effort_of_workers_that_were_moved_counts() {
    let mut harness = harness(2);
    tell(&mut harness, 0, Bound::Exact, 7, &["e2e4", "e7e5"], 30);
    tell(&mut harness, 0, Bound::Exact, 9, &["e2e4", "e7e5"], 30);
    assert_eq!(last(harness).nodes, 9000, "reports after the order to move count");
}
