//! Chess: the rules (shakmaty behind [`hasami_api::Game`]) and the static exchange evaluation.
//!
//! - `game`: the stack of positions and the verdicts; `setup`: reads FENs; `keys`: incremental hash keys
//! - `search_game`: the interface to the alpha-beta search; `movegen`: generates captures and promotions, and quiet
//!   moves, separately; `count`: counts legal moves; `unpack`: finds a move by its packed form; `checks`: tests whether
//!   moves give check
//! - `record`: reads and writes PGN; `annotate`: writes the results of an analysis into PGN; `typed`: reads moves as
//!   people type them; `shown`: diagrams and moves for display
//! - `tables`: Syzygy endgame tables; `search_tables`: how a search uses the tables
//! - `see`: static exchange evaluation
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

pub use game::Chess;
pub use record::{MATERIAL, NO_PROGRESS, PGN};
pub use search_tables::SearchTables;
pub use tables::{NoTables, Tables};

/// A legal move of a [`Chess`] position.
pub type Move = shakmaty::Move;
