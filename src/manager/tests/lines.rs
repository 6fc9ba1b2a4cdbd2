//! The last line before a move: its value must be correct, and its variation must not break off.

use super::desk::{Desk, texts};
use hasami_api::{Bound, Line, Report, Rules, Score, Start};
use hasami_chess::Chess;
use hasami_protocol::{BestMove, Clock, Command, Go, Info, Settings};
use hasami_tree::event::{WorkerEvent, WorkerId};
use std::time::Duration;

fn desk(workers: u32) -> Desk<Chess> {
    desk_of(workers, Go { infinite: true, ..Go::default() })
}

fn desk_of(workers: u32, go: Go) -> Desk<Chess> {
    let mut desk = Desk::new(
        Settings { tree_rules: "groups=off,anticipation=off,expansion-delay=off".into(), ..Settings::default() },
        workers,
    );
    desk.go(go);
    desk
}

fn tell(desk: &mut Desk<Chess>, worker: u32, bound: Bound, depth: u16, pv: &[&str], cp: i32) {
    let worker = WorkerId(worker);
    let task = desk.running[&worker].0;
    let nodes = u64::from(depth) * 1000;
    let report = Report { bound, depth, seldepth: depth, nodes, pv: texts(pv), ..Report::new(Score::cp(cp)) };
    desk.worker(WorkerEvent::Report { worker, task, report });
}

/// Stops the search and returns the line before the answer.
fn last(mut desk: Desk<Chess>) -> Info {
    desk.command(Command::Stop);
    assert_eq!(desk.best_moves().len(), 1);
    desk.infos().pop().unwrap()
}

/// The last line for a move that has this exact value, and then this bound.
fn told_of_bound(go: Go, exact: i32, bound: Bound, cp: i32) -> (Score, Bound, u16) {
    let mut desk = desk_of(1, go);
    tell(&mut desk, 0, Bound::Exact, 27, &["e2e4", "e7e5", "g1f3"], exact);
    tell(&mut desk, 0, bound, 28, &["e2e4"], cp);
    let info = last(desk);
    assert_eq!(info.pv, texts(&["e2e4", "e7e5", "g1f3"]));
    (info.score, info.bound, info.depth)
}

#[test]
fn in_a_game_a_bound_is_replaced_by_a_near_exact_value() {
    for (bound, cp) in [(Bound::Lower, 90), (Bound::Upper, -40)] {
        assert_eq!(told_of_bound(on_the_clock(), 30, bound, cp), (Score::cp(30), Bound::Exact, 27));
    }
}

#[test]
fn a_bound_that_refutes_the_last_exact_value_is_shown_as_a_bound() {
    let infinite = || Go { infinite: true, ..Go::default() };
    for (bound, cp) in [(Bound::Lower, 1029), (Bound::Upper, -900)] {
        for go in [on_the_clock(), infinite()] {
            assert_eq!(told_of_bound(go, 0, bound, cp), (Score::cp(cp), bound, 28));
        }
    }
    for (bound, cp) in [(Bound::Lower, 31), (Bound::Upper, 29)] {
        assert_eq!(
            told_of_bound(infinite(), 30, bound, cp),
            (Score::cp(cp), bound, 28),
            "in an analysis, any difference refutes"
        );
    }
}

#[test]
fn a_bound_consistent_with_the_last_exact_value_does_not_replace_it() {
    for (bound, cp) in [(Bound::Lower, -500), (Bound::Upper, 500)] {
        let infinite = Go { infinite: true, ..Go::default() };
        assert_eq!(told_of_bound(infinite, 30, bound, cp), (Score::cp(30), Bound::Exact, 27));
    }
}

#[test]
fn the_exact_value_of_the_played_move_may_be_older_than_that_of_another() {
    let mut desk = desk_of(1, on_the_clock());
    tell(&mut desk, 0, Bound::Exact, 7, &["d2d4", "d7d5"], 20);
    tell(&mut desk, 0, Bound::Exact, 8, &["e2e4", "e7e5", "g1f3"], 30);
    tell(&mut desk, 0, Bound::Lower, 9, &["d2d4"], 90);
    let info = last(desk);
    assert_eq!((info.score, info.bound, info.depth), (Score::cp(20), Bound::Exact, 7));
    assert_eq!(info.pv, texts(&["d2d4", "d7d5"]));
}

#[test]
fn the_best_move_of_an_interrupted_iteration_has_an_exact_value() {
    let mut desk = desk_of(1, on_the_clock());
    tell(&mut desk, 0, Bound::Exact, 8, &["e2e4", "e7e5", "g1f3"], 30);
    let task = desk.running[&WorkerId(0)].0;
    let pv = texts(&["d2d4", "d7d5"]);
    let report = Report { bound: Bound::Lower, of_move: true, depth: 9, nodes: 9000, pv, ..Report::new(Score::cp(35)) };
    desk.worker(WorkerEvent::Report { worker: WorkerId(0), task, report });
    tell(&mut desk, 0, Bound::Lower, 9, &["d2d4"], 60);
    let info = last(desk);
    assert_eq!((info.score, info.bound, info.depth), (Score::cp(35), Bound::Exact, 9));
    assert_eq!(info.pv, texts(&["d2d4", "d7d5"]));
}

#[test]
fn a_bound_of_the_previous_search_is_replaced_by_its_exact_value() {
    let mut desk = desk(1);
    tell(&mut desk, 0, Bound::Exact, 8, &["e2e4", "e7e5", "g1f3", "b8c6"], 30);
    tell(&mut desk, 0, Bound::Upper, 9, &["e2e4", "e7e5", "g1f3"], -10);
    desk.command(Command::Stop);
    desk.position(&Line { moves: texts(&["e2e4", "e7e5"]), ..Line::default() });
    desk.go(Go { clock: Clock { time: [Some(Duration::ZERO); 2], ..Clock::default() }, ..Go::default() });
    desk.command(Command::Stop);
    assert_eq!(desk.best_moves().len(), 2);
    let info = desk.infos().pop().unwrap();
    assert_eq!((info.score, info.bound, info.depth), (Score::cp(30), Bound::Exact, 6));
    assert_eq!(info.pv, texts(&["g1f3", "b8c6"]));
}

/// The last line's score and bound for this report, after the same move was reported as a draw.
fn told_of_mate(fen: &str, pv: &[&str], score: Score, bound: Bound) -> (Score, Bound) {
    let mut desk = Desk::<Chess>::new(Settings::default(), 1);
    desk.position(&Line { start: Start { text: Some(fen.into()), rules: Rules::default() }, moves: Vec::new() });
    desk.go(Go { infinite: true, ..Go::default() });
    tell(&mut desk, 0, Bound::Exact, 1, &pv[..1], 0);
    let task = desk.running[&WorkerId(0)].0;
    let report = Report { bound, depth: 2, nodes: 2000, pv: texts(pv), ..Report::new(score) };
    desk.worker(WorkerEvent::Report { worker: WorkerId(0), task, report });
    let info = last(desk);
    (info.score, info.bound)
}

#[test]
fn a_bound_that_shows_a_mate_is_shown_as_exact() {
    let (win, draw) = (Score::win_in(1), (Score::DRAW, Bound::Exact));
    let queen = "7k/5Q2/6K1/8/8/8/8/8 w - - 0 1";
    assert_eq!(told_of_mate(queen, &["f7g7"], win, Bound::Lower), (win, Bound::Exact));
    let unshown = (Score::win_in(3), Bound::Lower);
    assert_eq!(told_of_mate(queen, &["f7f8"], unshown.0, unshown.1), unshown, "the line breaks off");
    assert_eq!(told_of_mate(queen, &["f7g7"], win, Bound::Upper), draw, "an upper bound does not prove a mate");
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
            let mut desk = Desk::<Chess>::new(settings, 1);
            desk.go(go);
            tell(&mut desk, 0, first, 8, &["e2e4", "e7e5"], before);
            tell(&mut desk, 0, bound, 9, &["e2e4"], cp);
            desk.command(Command::Stop);
            let expected = resigns && is_game;
            assert_eq!(desk.best_moves() == [BestMove::Resign], expected, "{before}, then {bound:?} {cp}, {is_game}");
        }
    }
}

fn on_the_clock() -> Go {
    Go { clock: Clock { time: [Some(Duration::from_secs(60)); 2], ..Clock::default() }, ..Go::default() }
}

#[test]
fn the_bound_of_a_new_move_is_shown_as_a_bound() {
    let mut desk = desk(1);
    tell(&mut desk, 0, Bound::Exact, 8, &["e2e4", "e7e5", "g1f3"], 30);
    tell(&mut desk, 0, Bound::Lower, 9, &["d2d4"], 90);
    let info = last(desk);
    assert_eq!((info.score, info.bound, info.depth), (Score::cp(90), Bound::Lower, 9));
    assert_eq!(info.pv, texts(&["d2d4"]));
}

#[test]
fn a_variation_that_breaks_off_is_extended_by_an_earlier_one() {
    let mut desk = desk(1);
    tell(&mut desk, 0, Bound::Exact, 8, &["e2e4", "e7e5", "g1f3"], 30);
    tell(&mut desk, 0, Bound::Exact, 9, &["d2d4", "d7d5"], 31);
    tell(&mut desk, 0, Bound::Exact, 10, &["e2e4"], 32);
    let info = last(desk);
    assert_eq!((info.score, info.depth), (Score::cp(32), 10));
    assert_eq!(info.pv, texts(&["e2e4", "e7e5", "g1f3"]));
}

#[test]
fn the_inherited_variation_extends_that_of_the_new_worker() {
    let mut desk = desk(2);
    tell(&mut desk, 0, Bound::Exact, 7, &["e2e4", "e7e5", "g1f3"], 30);
    desk.end_cancelled();
    let follower = desk.running.iter().find(|(_, (_, task))| task.line.moves == texts(&["e2e4"])).unwrap().0.0;
    tell(&mut desk, follower, Bound::Exact, 9, &["c7c5", "g1f3"], -20);
    tell(&mut desk, follower, Bound::Exact, 10, &["e7e5"], -25);
    let info = last(desk);
    assert_eq!(info.pv, texts(&["e2e4", "e7e5", "g1f3"]));
}

#[test]
fn a_mate_is_not_extended_by_an_old_variation() {
    let mut desk = desk(1);
    tell(&mut desk, 0, Bound::Exact, 8, &["e2e4", "e7e5", "g1f3"], 30);
    desk.mate(0, &["e2e4"], 7);
    assert_eq!(last(desk).pv, texts(&["e2e4"]), "an old variation does not show the mate");
}

#[test]
fn a_value_without_a_move_does_not_keep_out_a_move() {
    let mut desk = desk(2);
    tell(&mut desk, 0, Bound::Exact, 14, &["e2e4"], 30);
    desk.end_cancelled();
    let follower = desk.running.iter().find(|(_, (_, task))| task.line.moves == texts(&["e2e4"])).unwrap().0.0;
    tell(&mut desk, follower, Bound::Exact, 1, &["e7e5"], -20);
    assert_eq!(last(desk).pv, texts(&["e2e4", "e7e5"]));
}

#[test]
fn the_effort_of_workers_that_were_moved_counts() {
    let mut desk = desk(2);
    tell(&mut desk, 0, Bound::Exact, 7, &["e2e4", "e7e5"], 30);
    tell(&mut desk, 0, Bound::Exact, 9, &["e2e4", "e7e5"], 30);
    assert_eq!(last(desk).nodes, 9000, "reports after the order to move count");
}
