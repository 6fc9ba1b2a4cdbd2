//! Chess: the rules (shakmaty behind [`hasami_api::Game`]), the exchange evaluation and the hand-made evaluation.
//!
//! - `game`: the stack of positions and the verdicts; `setup`: text to position; `keys`: incremental hash keys
//! - `search_game`: what an alpha-beta search asks; `movegen`: captures and promotions apart from the rest;
//!   `count`: their number alone; `unpack`: a move from its packed name; `checks`: which moves check
//! - `record`: PGN; `annotate`: what an analysis found, written into PGN; `shown`: diagrams and moves for people; `tables`: Syzygy endgame tables, `search_tables`: as a
//!   search asks them
//! - `see`: static exchange evaluation; `eval`: the hand-made evaluation, its weights in `data/weights.txt`
//!
//! ```
//! use hasami_api::{Game, Start, perft};
//! use hasami_chess::Chess;
//!
//! let mut game = Chess::new(&Start::default()).expect("the initial position");
//! assert_eq!(perft::count(&mut game, 3), 8_902);
//! let m = game.parse_move("e2e4").expect("a legal move");
//! game.make(m);
//! assert_eq!(game.to_text(), "rnbqkbnr/pppppppp/8/8/4P3/8/PPPP1PPP/RNBQKBNR b KQkq - 0 1");
//! ```
#![warn(missing_docs)]

mod annotate;
mod checks;
mod count;
pub mod eval;
mod game;
mod keys;
mod movegen;
mod record;
mod search_game;
mod search_tables;
mod see;
mod setup;
mod shown;
mod tables;
mod typed;
mod unpack;
#[cfg(test)]
mod walk;

pub use eval::ChessEval;
pub use game::Chess;
pub use record::{MATERIAL, NO_PROGRESS, PGN};
pub use search_tables::SearchTables;
pub use tables::{NoTables, Tables};

/// A legal move of a [`Chess`] position.
pub type Move = shakmaty::Move;
