//! Tests the entries in the table of games, and the catalog functions that use them.

mod mates;
mod notation;
mod referee;
mod search;
mod typed;

use crate::entry::{EMERGENCY_NODES, emergency_search};
use crate::{CHESS, GAMES, SHOGI};
use hasami_api::{Limits, Line, Start, Stop, Task};
use hasami_catalog::{Catalog, GameRules};
use hasami_chess::Chess;
use hasami_nnue::{NetworkEval, NetworkGame, built_in};
use hasami_protocol::Settings;

#[test]
fn every_built_in_table_can_be_parsed() {
    for game in GAMES.iter() {
        let tree = game.manager(&Settings::default()).snapshot(hasami_tree::event::Time::ZERO);
        assert_eq!(tree.nodes.len(), 1, "{}", game.name());
    }
}

#[test]
fn a_line_is_checked_move_by_move() {
    let line = |words: &str| Line {
        start: Start::default(),
        moves: words.split(' ').map(|m| m.parse().expect("a move")).collect(),
    };
    assert_eq!(CHESS.check(&line("e2e4 e7e5")), Ok(()));
    let error = CHESS.check(&line("e2e4 e2e4")).expect_err("no piece there");
    assert_eq!(error.to_string(), "move 2: expected a legal move, found 'e2e4'");
    assert!(SHOGI.check(&line("7g7f e7e5")).is_err());
}

#[test]
fn a_search_reports_its_nodes_frequently() {
    let mut engine = CHESS.engines(&Settings { hash_mb: 1, ..Settings::default() })();
    let limits = Limits { nodes: Some(400_000), ..Limits::default() };
    let mut counts = vec![0];
    let task = Task { limits, ..Task::default() };
    engine.search(&task, &Stop::new(), &mut |report| counts.push(report.nodes)).expect("a legal position");
    let gaps = counts.windows(2).map(|pair| pair[1] - pair[0]);
    assert!(gaps.max().is_some_and(|gap| gap <= 1 << 16), "a tenth of a second: {counts:?}");
}

#[test]
fn an_emergency_search_sees_a_hanging_queen() {
    // The pawn on f4 can capture Black's queen on g5.
    let text = "rnb1kbnr/pppp1ppp/8/4p1q1/3P1P2/8/PPP1P1PP/RNBQKBNR w KQkq - 0 1";
    let line = Line { start: Start { text: Some(text.into()), ..Start::default() }, moves: Vec::new() };
    let mut look = emergency_search::<Chess, _>(|_| NetworkEval::new(built_in(NetworkGame::Chess)));
    let report = look(&line, &[]).expect("a legal move");
    assert_eq!(&*report.pv[0], "f4g5", "{report:?}");
    assert!(report.score.raw() > 500 && report.nodes <= EMERGENCY_NODES, "{report:?}");
    let only = ["a2a3".parse().expect("a move")];
    assert_eq!(look(&line, &only).expect("a legal move").pv[0], only[0]);
}
