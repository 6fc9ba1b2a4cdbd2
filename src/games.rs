//! THE table: the games of this program. The only file of `src` that names concrete games; a further game is one crate and
//! one entry here.

mod entry;
mod solvers;

pub use entry::{Brinkmates, Entry};
pub use solvers::certified_position;

use crate::book::{self, Book};
use crate::catalog::{Catalog, Games, Oracle};
use crate::protocol::{UCI, USI};
use hasami_api::Verdict;
use hasami_chess::{Chess, ChessEval, Tables};
use hasami_shogi::{Shogi, ShogiEval};

static CHESS: Entry<Chess, ChessEval> = Entry {
    own_transitions: include_str!("tree/data/hasami_chess.toml"),
    opening: || Some(Box::new(Book::polyglot(book::CHESS, Chess::polyglot_key))),
    oracle: Some(|folders| Ok(Box::new(Syzygy(Tables::open(folders)?)))),
    ..Entry::new(&UCI, ChessEval::new, include_str!("tree/data/chess.toml"))
};

static SHOGI: Entry<Shogi, ShogiEval> = Entry {
    own_transitions: include_str!("tree/data/hasami_shogi.toml"),
    opening: || Some(Box::new(Book::<Shogi>::yaneuraou(book::SHOGI))),
    by_checks: true,
    brinkmates: Some(Brinkmates::of::<Shogi>()),
    ..Entry::new(&USI, ShogiEval::new, include_str!("tree/data/shogi.toml"))
};

/// Every game, the default one first.
pub static GAMES: Games = Games::new(&[&CHESS, &SHOGI]);

pub fn find(name: &str) -> Option<&'static dyn Catalog> {
    GAMES.find(name)
}

/// The endgame tables of chess.
struct Syzygy(Tables);

impl Oracle for Syzygy {
    fn probe(&self, position: &str) -> Option<Verdict> {
        self.0.probe(position)
    }
}

#[cfg(test)]
mod tests {
    use super::entry::{EMERGENCY_NODES, emergency_search};
    use super::*;
    use crate::protocol::Settings;
    use hasami_api::{Limits, Line, Start, Stop, Task};

    #[test]
    fn every_table_of_the_program_is_readable() {
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
        assert_eq!(error, "move 2: expected a legal move, found 'e2e4'");
        assert!(SHOGI.check(&line("7g7f e7e5")).is_err());
    }

    #[test]
    fn a_search_never_counts_long_in_silence() {
        let mut engine = CHESS.engines(&Settings { hash_mb: 1, ..Settings::default() })();
        let limits = Limits { nodes: Some(400_000), ..Limits::default() };
        let mut counts = vec![0];
        let task = Task { limits, ..Task::default() };
        engine.search(&task, &Stop::new(), &mut |report| counts.push(report.nodes)).expect("a legal position");
        let gaps = counts.windows(2).map(|pair| pair[1] - pair[0]);
        assert!(gaps.max().is_some_and(|gap| gap <= 1 << 16), "a tenth of a second: {counts:?}");
    }

    #[test]
    fn an_emergency_search_sees_what_hangs() {
        // Only the exchange of queens by a pawn does not lose one.
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
