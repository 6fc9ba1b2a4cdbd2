//! Tests positions that are refused, and positions that arrive during a search.

use super::harness::{Harness, best, texts};
use hasami_api::{Line, Start};
use hasami_chess::Chess;
use hasami_protocol::{BestMove, Command, Go, MateLimit, Output, PositionError, Settings};
use hasami_tree::event::Time;
use std::time::Duration;

fn line(moves: &[&str]) -> Line {
    Line { start: Start::default(), moves: texts(moves) }
}

/// Creates a manager that has accepted a position and then refused another.
fn refused() -> Harness<Chess> {
    let mut harness = Harness::new(Settings::default(), 1);
    harness.position(&line(&["e2e4"]));
    harness.position(&line(&["e2e4", "e2e4"]));
    let [Output::Message(message)] = &harness.said[..] else { panic!("{:?}", harness.said) };
    assert_eq!(message.to_string(), "position: move 2: expected a legal move, found 'e2e4'");
    harness
}

#[test]
fn after_a_refused_position_there_is_no_move_until_a_valid_one_comes() {
    let mut harness = refused();
    for depth in [1, 9] {
        harness.go(Go { depth: Some(depth), ..Go::default() });
    }
    assert_eq!(harness.best_moves(), [BestMove::None, BestMove::None]);
    assert!(harness.running.is_empty(), "no worker searches");
    harness.go(Go { mate: Some(MateLimit::Infinite), ..Go::default() });
    assert_eq!(harness.said.last(), Some(&Output::MateRefused));
    harness.command(Command::BadPosition(PositionError::Rules("expected more".into())));
    harness.go(Go::default());
    assert_eq!(harness.best_moves().len(), 3);
    harness.position(&line(&["e2e4"]));
    harness.go(Go { infinite: true, ..Go::default() });
    assert_eq!(harness.task_of(0).line.moves, texts(&["e2e4"]));
}

#[test]
fn without_a_position_an_answer_still_waits_for_its_command() {
    let mut harness = refused();
    harness.go(Go { infinite: true, ..Go::default() });
    harness.position(&line(&["d2d4"]));
    harness.wait(Duration::from_secs(100));
    assert_eq!(harness.best_moves(), []);
    harness.command(Command::Stop);
    assert_eq!(harness.best_moves(), [BestMove::None]);
    let mut harness = refused();
    harness.go(Go { ponder: true, ..Go::default() });
    assert_eq!(harness.best_moves(), []);
    harness.command(Command::PonderHit(None));
    harness.command(Command::Stop);
    assert_eq!(harness.best_moves(), [BestMove::None]);
}

#[test]
fn a_new_game_has_a_position() {
    let mut harness = refused();
    harness.command(Command::NewGame);
    harness.go(Go { infinite: true, ..Go::default() });
    assert_eq!(harness.task_of(0).line.moves, []);
}

#[test]
fn a_position_does_not_end_an_infinite_search() {
    let mut harness = Harness::<Chess>::new(Settings::default(), 1);
    harness.go(Go { infinite: true, ..Go::default() });
    harness.report(0, &["e2e4"], 30, 5);
    harness.position(&line(&["d2d4", "d7d5"]));
    harness.wait(Duration::from_secs(1));
    assert_eq!(best(&harness), [""; 0]);
    harness.command(Command::Stop);
    assert_eq!(best(&harness), ["e2e4"]);
    harness.end_cancelled();
    harness.go(Go { infinite: true, ..Go::default() });
    assert_eq!(harness.task_of(0).line.moves, texts(&["d2d4", "d7d5"]));
    // A position that is refused during a search affects only the next search.
    harness.report(0, &["c2c4"], 30, 5);
    harness.position(&line(&["d2d4", "d2d4"]));
    assert_eq!(best(&harness).len(), 1);
    harness.command(Command::Stop);
    assert_eq!(best(&harness), ["e2e4", "c2c4"]);
    harness.go(Go::default());
    assert_eq!(harness.best_moves().last(), Some(&BestMove::None));
}

#[test]
fn rtime_takes_between_the_number_and_one_and_a_half_times_it() {
    let mut found = Vec::new();
    for start in 0..20 {
        let mut harness = Harness::<Chess>::new(Settings::default(), 1);
        harness.wait(Duration::from_micros(start * 1_237));
        harness.go(Go { random_time: Some(Duration::from_millis(1_000)), ..Go::default() });
        harness.report(0, &["e2e4"], 30, 5);
        let mut took = Time::ZERO;
        while harness.best_moves().is_empty() && took < Duration::from_secs(3) {
            harness.wait(Duration::from_millis(10));
            took += Duration::from_millis(10);
        }
        found.push(took.as_millis());
    }
    assert!(found.iter().all(|took| (1_000..=1_510).contains(took)), "{found:?}");
    found.sort_unstable();
    assert!(found[15] - found[5] > 50, "{found:?}");
}
