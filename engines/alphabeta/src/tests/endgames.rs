//! Tests endgame tables at nodes and at the root, and the value of a draw.

use super::{depth, task};
use crate::{Engine, TranspositionTable};
use hasami_api::{EndgameTables, Game, Report, Score, Searcher, Stop, Task, Verdict};
use hasami_chess::Chess;
use hasami_nnue::{NetworkEval, NetworkGame, built_in};
use std::sync::Arc;

/// Fake endgame tables: with three pieces, the side that has a rook wins; at a root with a queen, e1d1 is the only move
/// that keeps the draw.
struct Known;

fn pieces(game: &Chess) -> String {
    let text = game.to_text();
    text.split(' ').next().unwrap().chars().filter(char::is_ascii_alphabetic).collect()
}

impl EndgameTables<Chess> for Known {
    fn probe(&self, game: &Chess, _: i32) -> Option<Verdict> {
        let (pieces, rook) = (pieces(game), ["R", "r"][game.side().index()]);
        (pieces.len() == 3).then(|| if pieces.contains(rook) { Verdict::Win } else { Verdict::Loss })
    }

    fn keep_best(&self, game: &Chess, moves: &mut Vec<hasami_chess::Move>) -> Option<Verdict> {
        if pieces(game).contains('q') {
            moves.retain(|&m| &*game.format_move(m) == "e1d1");
            return Some(Verdict::Draw);
        }
        None
    }
}

fn search(tables: bool, draws: [i32; 2], task: &Task) -> (String, Report) {
    let tables: Option<Arc<dyn EndgameTables<Chess>>> = if tables { Some(Arc::new(Known)) } else { None };
    let engine = Engine::new(NetworkEval::new(built_in(NetworkGame::Chess)), TranspositionTable::new(1));
    let mut last = None;
    engine
        .with_tables(tables)
        .valuing_draws(draws)
        .search(task, &Stop::new(), &mut |report| last = Some(report).filter(|r| r.multipv == 1).or(last.take()))
        .unwrap();
    let last = last.unwrap();
    (last.pv[0].to_string(), last)
}

/// A position in which White can capture the rook on d2.
const TAKES: &str = "8/8/8/5k2/8/8/3r4/R3K3 w - - 0 1";

#[test]
fn a_line_into_the_endgame_tables_has_their_value() {
    let taken = Task { limits: depth(4), ..task(TAKES) };
    let (m, report) = search(true, [0; 2], &taken);
    assert_eq!((&*m, report.table_hits > 0), ("e1d2", true));
    assert!(report.score > Score::cp(19_900) && !report.score.is_decisive(), "{report:?}");
    let (_, without) = search(false, [0; 2], &taken);
    assert!(without.score < Score::cp(10_000) && without.table_hits == 0, "{without:?}");
}

#[test]
fn at_a_known_root_only_moves_that_keep_its_value_are_searched() {
    const DRAWN: &str = "1q5k/8/8/8/8/8/8/R3K3 w - - 0 1";
    let (m, report) = search(true, [0; 2], &Task { limits: depth(5), ..task(DRAWN) });
    assert_eq!((&*m, report.score, report.table_hits), ("e1d1", Score::DRAW, 1));
    let (_, several) = search(true, [0; 2], &Task { limits: depth(3), multipv: 2, ..task(DRAWN) });
    assert_ne!(several.score, Score::DRAW, "several lines are searched as if nothing were known");
}

#[test]
fn the_value_of_a_draw_depends_on_the_side_at_the_root() {
    for (fen, worth) in [("8/8/8/3k4/8/8/8/4KB2 w - - 0 1", -50), ("8/8/8/3k4/8/8/8/4KB2 b - - 0 1", 70)] {
        let (_, report) = search(false, [-50, 70], &Task { limits: depth(5), ..task(fen) });
        assert_eq!(report.score, Score::cp(worth), "{fen}");
    }
}
