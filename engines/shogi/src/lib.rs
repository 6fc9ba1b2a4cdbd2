//! Shogi: the rules (rsshogi behind [`hasami_api::Game`]), exchanges, and the evaluation.
//!
//! rsshogi generates and makes moves. What it leaves open is done here: refusing impossible positions (`setup`),
//! repetition and perpetual check (`repetition`), legality of its pseudo-legal generators (`movegen`), moves by stages
//! (`stages`, `checks`), attacks along lines (`sliders`), static exchange evaluation (`see`), checks from afar and what can be put
//! between (`between`), what is near a king (`brinkmate_game`), records (`record`), diagrams (`shown`), and the rule that
//! players choose (`rules`). The evaluation is hand-made and tuned (`eval`).
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
pub mod eval;
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

pub use eval::ShogiEval;
pub use game::Shogi;
pub use record::{CSA, KIF, PERPETUAL_CHECK, TRY};
pub use rsshogi::types::Move32 as Move;
pub use rules::EnteringKingRule;
