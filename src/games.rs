//! The table of the games in this program. A new game needs one crate and one entry; no other file of `src` names a
//! game.

mod certificates;
mod chess;
mod entry;
mod shogi;
mod solvers;
mod static_evaluation;

pub use chess::ENTRY as CHESS;
pub use entry::{Brinkmates, Entry, Networks};
pub use shogi::ENTRY as SHOGI;
pub use solvers::certified_position;

use crate::catalog::{Catalog, Games};

/// Every game, the default one first.
pub static GAMES: Games = Games::new(&[&CHESS, &SHOGI]);

pub fn find(name: &str) -> Option<&'static dyn Catalog> {
    GAMES.find(name)
}

#[cfg(test)]
mod tests {
    use super::entry::{EMERGENCY_NODES, emergency_search};
    use super::*;
    use crate::protocol::Settings;
    use hasami_api::{Limits, Line, Start, Stop, Task};
    use hasami_chess::{Chess, ChessEval};

    #[test]
    fn every_built_in_table_can_be_parsed() {
        for game in GAMES.iter() {
            let tree = game.manager(&Settings::default()).snapshot(crate::event::Time::ZERO);
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
        // The exchange of queens by the pawn is the only move that does not lose the queen.
        let text = "rnb1kbnr/pppp1ppp/8/4p1q1/3P1P2/8/PPP1P1PP/RNBQKBNR w KQkq - 0 1";
        let line = Line { start: Start { text: Some(text.into()), ..Start::default() }, moves: Vec::new() };
        let mut look = emergency_search::<Chess, ChessEval>(ChessEval::new);
        let report = look(&line, &[]).expect("a legal move");
        assert_eq!(&*report.pv[0], "f4g5", "{report:?}");
        assert!(report.score.raw() > 500 && report.nodes <= EMERGENCY_NODES, "{report:?}");
        let only = ["a2a3".parse().expect("a move")];
        assert_eq!(look(&line, &only).expect("a legal move").pv[0], only[0]);
    }
}
