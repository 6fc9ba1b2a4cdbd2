//! Shogi: the rules (rsshogi behind [`hasami_api::Game`]) and the static exchange evaluation.
//!
//! rsshogi generates and makes moves. This crate adds the following modules:
//!
//! - `setup`: reads SFENs and refuses impossible positions; `repetition`: repetition and perpetual check; `rules`: the
//!   entering-king rules; `forbidden`: finds the rule that an illegal move breaks
//! - `movegen`: move lists; `stages`: moves in stages for a search; `checks`: tests whether moves give check;
//!   `sliders`: attacks of lances, bishops and rooks; `between`: checks from a distance; `zone`: squares that matter to
//!   a check
//! - `search_game`, `mate_game`, `brinkmate_game`: the interfaces to the searches; `mate_in_one`: mates in one move
//! - `see` and `values`: static exchange evaluation
//! - `record`: reads and writes CSA and KIF; `typed`: reads moves as people type them; `shown`: diagrams and moves for
//!   display
//!
//! ```
//! use hasami_api::{Game, Start, perft};
//! use hasami_shogi::Shogi;
//!
//! let mut game = Shogi::new(&Start::default()).expect("the initial position");
//! assert_eq!(perft::count(&mut game, 2), 900);
//! let m = game.parse_move("7g7f").expect("a legal move");
//! game.make(m);
//! assert_eq!(game.to_text(), "lnsgkgsnl/1r5b1/ppppppppp/9/9/2P6/PP1PPPPPP/1B5R1/LNSGKGSNL w - 2");
//! ```
#![warn(missing_docs)]

mod between;
mod brinkmate_game;
mod checks;
mod forbidden;
mod game;
mod mate_game;
mod mate_in_one;
mod movegen;
mod record;
mod repetition;
mod rules;
mod search_game;
mod see;
mod setup;
mod shown;
mod sliders;
mod squares;
mod stages;
#[cfg(test)]
mod tests;
mod typed;
mod values;
#[cfg(test)]
mod walk;
mod zone;

pub use game::Shogi;
pub use record::{CSA, KIF, PERPETUAL_CHECK, TRY};
pub use rsshogi::types::Move32 as Move;
pub use rules::EnteringKingRule;
