//! Tests how the chess manager handles mates that an untrusted worker claims.

use hasami_api::{Line, Report, Score, Start};
use hasami_catalog::Catalog;
use hasami_games::CHESS;
use hasami_protocol::{Command, Go, Output, Settings};
use hasami_tree::event::{Action, MachineId, Profile, WorkerEvent, WorkerId};
use std::time::Duration;

/// Returns the score that the manager prints after one report of its only worker.
fn printed_score(position: Option<&str>, pv: &str, score: Score, is_trusted: bool) -> Score {
    let mut manager = CHESS.manager(&Settings::default());
    let (now, worker) = (Duration::from_secs(1), WorkerId(0));
    let machine = (!is_trusted).then_some(MachineId(1));
    manager.on_worker(now, WorkerEvent::Joined { worker, profile: Profile { machine, ..Profile::thread(0) } });
    let start = Start { text: position.map(Into::into), ..Start::default() };
    manager.on_command(now, Command::Position(Line { start, moves: Vec::new() }));
    let actions = manager.on_command(now, Command::Go(Go { infinite: true, ..Go::default() }));
    let id = |action: &Action| if let Action::Start { id, .. } = action { Some(*id) } else { None };
    let task = actions.iter().find_map(id).unwrap();
    let pv = pv.split(' ').map(|text| text.parse().unwrap()).collect();
    let report = Report { depth: 99, seldepth: 99, nodes: 1_000_000, pv, ..Report::new(score) };
    manager.on_worker(now, WorkerEvent::Report { worker, task, report });
    let actions = manager.on_command(now, Command::Stop);
    let score = |action: &Action| if let Action::Say(Output::Info(info)) = action { Some(info.score) } else { None };
    actions.iter().rev().find_map(score).unwrap()
}

const ROOK: Option<&str> = Some("7k/8/5K2/8/8/8/8/R7 w - - 0 1");

#[test]
fn a_real_mate_counts() {
    assert_eq!(printed_score(ROOK, "f6f7 h8h7 a1h1", Score::win_in(3), false), Score::win_in(3));
    assert_eq!(
        printed_score(ROOK, "f6f7", Score::win_in(3), false),
        Score::win_in(3),
        "an incomplete line of a real mate counts"
    );
}

#[test]
fn an_unproved_mate_decides_nothing() {
    let scholar = "e2e4 e7e5 d1h5 b8c6 f1c4 g8f6 h5f7";
    assert_eq!(printed_score(None, scholar, Score::win_in(7), true), Score::win_in(7), "threads are trusted");
    assert_eq!(
        printed_score(None, scholar, Score::win_in(7), false),
        Score::cp(Score::MAX_CP - 7),
        "the opponent cooperates in this line"
    );
    assert_eq!(printed_score(None, "e2e4 e7e5", Score::win_in(9), false), Score::cp(Score::MAX_CP - 9));
    assert_eq!(printed_score(None, "f2f3 e7e5 g2g4 d8h4", Score::loss_in(4), false), Score::cp(4 - Score::MAX_CP));
    assert_eq!(
        printed_score(ROOK, "a1a2", Score::win_in(3), false),
        Score::cp(Score::MAX_CP - 3),
        "this move does not mate in time"
    );
}
