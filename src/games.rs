//! THE table: the games and their engines. The only file that names concrete games and solvers; a further game is one
//! crate and one entry here.

use crate::book::{self, Book};
use crate::catalog::Catalog;
use crate::manager::{Manage, Manager, Opening};
use crate::protocol::{Dialect, Settings, UCI, USI};
use crate::tree::Transitions;
use hasami_alphabeta::{Engine, Table};
use hasami_api::perft;
use hasami_api::{Evaluator, InvalidPosition, Line, MateGame, MoveText, SearchGame, Searcher, Start};
use hasami_chess::{Chess, ChessEval};
use hasami_mate::MateSolver;
use hasami_shogi::{Shogi, ShogiEval};
use std::marker::PhantomData;
use std::sync::Arc;

static CHESS: Entry<Chess, ChessEval> = Entry {
    dialect: &UCI,
    evaluator: ChessEval::new,
    transitions: include_str!("tree/data/chess.toml"),
    opening: || Some(Box::new(Book::polyglot(book::CHESS, Chess::polyglot_key))),
    game: PhantomData,
};

static SHOGI: Entry<Shogi, ShogiEval> = Entry {
    dialect: &USI,
    evaluator: ShogiEval::new,
    transitions: include_str!("tree/data/start.toml"),
    opening: || Some(Box::new(Book::<Shogi>::yaneuraou(book::SHOGI))),
    game: PhantomData,
};

/// Every game, the default one first.
pub static GAMES: [&dyn Catalog; 2] = [&CHESS, &SHOGI];

/// The words of `--game`.
pub fn names() -> [&'static str; GAMES.len()] {
    GAMES.map(Catalog::name)
}

pub fn find(name: &str) -> Option<&'static dyn Catalog> {
    GAMES.into_iter().find(|game| game.name() == name)
}

/// One game: its rules, its evaluation, and the data that belong to it.
struct Entry<G, E> {
    dialect: &'static dyn Dialect,
    evaluator: fn() -> E,
    /// TOML.
    transitions: &'static str,
    opening: fn() -> Option<Box<dyn Opening>>,
    game: PhantomData<fn() -> G>,
}

impl<G, E> Catalog for Entry<G, E>
where
    G: SearchGame + MateGame,
    E: Evaluator<G>,
{
    fn name(&self) -> &'static str {
        G::NAME
    }

    fn dialect(&self) -> &'static dyn Dialect {
        self.dialect
    }

    fn manager(&self, settings: &Settings) -> Box<dyn Manage> {
        let transitions = Transitions::parse(self.transitions).expect("a test reads every table of the program");
        Box::new(Manager::<G>::new(settings.clone(), transitions, (self.opening)()))
    }

    fn engines(&self, settings: &Settings) -> Box<dyn FnMut() -> Box<dyn Searcher> + Send> {
        let (size, evaluator) = (settings.hash_mb as usize, self.evaluator);
        let common = settings.shared_hash.then(|| Arc::new(Table::new(size)));
        Box::new(move || {
            let table = common.clone().unwrap_or_else(|| Arc::new(Table::new(size)));
            Box::new(Engine::<G, E>::new(evaluator(), table))
        })
    }

    fn mate_solver(&self, settings: &Settings) -> Box<dyn Searcher> {
        Box::new(MateSolver::<G>::new(settings.hash_mb as usize))
    }

    fn perft(&self, start: &Start, depth: u32) -> Result<Vec<(MoveText, u64)>, InvalidPosition> {
        Ok(perft::divide(&mut G::new(start)?, depth))
    }

    fn check(&self, line: &Line) -> Result<(), String> {
        let mut game = G::new(&line.start).map_err(|e| e.to_string())?;
        for (ply, text) in line.moves.iter().enumerate() {
            let m = game.parse_move(text).map_err(|e| format!("move {}: {e}", ply + 1))?;
            game.make(m);
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_table_of_the_program_is_readable() {
        for game in GAMES {
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
}
