//! Positions that are refused, and positions that come during a search.

use super::desk::{Desk, best, texts};
use hasami_api::{Line, Start};
use hasami_chess::Chess;
use hasami_protocol::{BestMove, Command, Go, MateLimit, Output, Settings};
use hasami_tree::event::Time;
use std::time::Duration;

fn line(moves: &[&str]) -> Line {
    Line { start: Start::default(), moves: texts(moves) }
}

/// A manager whose last position was refused, after a valid one.
fn refused() -> Desk<Chess> {
    let mut desk = Desk::new(Settings::default(), 1);
    desk.position(&line(&["e2e4"]));
    desk.position(&line(&["e2e4", "e2e4"]));
    let [Output::Message(told)] = &desk.said[..] else { panic!("{:?}", desk.said) };
    assert_eq!(told.to_string(), "position: move 2: expected a legal move, found 'e2e4'");
    desk
}

#[test]
fn after_a_refused_position_there_is_no_move_until_a_valid_one_comes() {
    let mut desk = refused();
    for depth in [1, 9] {
        desk.go(Go { depth: Some(depth), ..Go::default() });
    }
    assert_eq!(desk.best_moves(), [BestMove::None, BestMove::None]);
    assert!(desk.running.is_empty(), "no worker searches");
    desk.go(Go { mate: Some(MateLimit::Infinite), ..Go::default() });
    assert_eq!(desk.said.last(), Some(&Output::MateRefused));
    desk.command(Command::BadPosition("position: expected more".into()));
    desk.go(Go::default());
    assert_eq!(desk.best_moves().len(), 3);
    desk.position(&line(&["e2e4"]));
    desk.go(Go { infinite: true, ..Go::default() });
    assert_eq!(desk.task_of(0).line.moves, texts(&["e2e4"]));
}

#[test]
fn without_a_position_an_answer_still_waits_for_its_command() {
    let mut desk = refused();
    desk.go(Go { infinite: true, ..Go::default() });
    desk.position(&line(&["d2d4"]));
    desk.wait(Duration::from_secs(100));
    assert_eq!(desk.best_moves(), []);
    desk.command(Command::Stop);
    assert_eq!(desk.best_moves(), [BestMove::None]);
    let mut desk = refused();
    desk.go(Go { ponder: true, ..Go::default() });
    assert_eq!(desk.best_moves(), []);
    desk.command(Command::PonderHit(None));
    desk.command(Command::Stop);
    assert_eq!(desk.best_moves(), [BestMove::None]);
}

#[test]
fn a_new_game_has_a_position() {
    let mut desk = refused();
    desk.command(Command::NewGame);
    desk.go(Go { infinite: true, ..Go::default() });
    assert_eq!(desk.task_of(0).line.moves, []);
}

#[test]
fn a_position_does_not_end_an_infinite_search() {
    let mut desk = Desk::<Chess>::new(Settings::default(), 1);
    desk.go(Go { infinite: true, ..Go::default() });
    desk.report(0, &["e2e4"], 30, 5);
    desk.position(&line(&["d2d4", "d7d5"]));
    desk.wait(Duration::from_secs(1));
    assert_eq!(best(&desk), [""; 0]);
    desk.command(Command::Stop);
    assert_eq!(best(&desk), ["e2e4"]);
    desk.end_cancelled();
    desk.go(Go { infinite: true, ..Go::default() });
    assert_eq!(desk.task_of(0).line.moves, texts(&["d2d4", "d7d5"]));
    // A position that is refused in the meantime affects only the next search.
    desk.report(0, &["c2c4"], 30, 5);
    desk.position(&line(&["d2d4", "d2d4"]));
    assert_eq!(best(&desk).len(), 1);
    desk.command(Command::Stop);
    assert_eq!(best(&desk), ["e2e4", "c2c4"]);
    desk.go(Go::default());
    assert_eq!(desk.best_moves().last(), Some(&BestMove::None));
}

#[test]
fn rtime_takes_between_the_number_and_one_and_a_half_times_it() {
    let mut found = Vec::new();
    for start in 0..20 {
        let mut desk = Desk::<Chess>::new(Settings::default(), 1);
        desk.wait(Duration::from_micros(start * 1_237));
        desk.go(Go { random_time: Some(Duration::from_millis(1_000)), ..Go::default() });
        desk.report(0, &["e2e4"], 30, 5);
        let mut took = Time::ZERO;
        while desk.best_moves().is_empty() && took < Duration::from_secs(3) {
            desk.wait(Duration::from_millis(10));
            took += Duration::from_millis(10);
        }
        found.push(took.as_millis());
    }
    assert!(found.iter().all(|took| (1_000..=1_510).contains(took)), "{found:?}");
    found.sort_unstable();
    assert!(found[15] - found[5] > 50, "{found:?}");
}
