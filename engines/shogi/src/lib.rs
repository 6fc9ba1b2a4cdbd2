//! Shogi: the rules (rsshogi behind [`hasami_api::Game`]), exchanges, and the evaluation.
//!
//! rsshogi generates and makes moves. What it leaves open is done here: refusing impossible positions (`setup`),
//! repetition and perpetual check (`repetition`), legality of its pseudo-legal generators (`movegen`), moves by stages
//! (`stages`, `checks`), attacks along lines (`sliders`), static exchange evaluation (`see`), checks from afar and what can be put
//! between (`between`), what is near a king (`brinkmate_game`), records (`record`), diagrams (`shown`), and the rule that
//! players choose (`rules`). The evaluation is hand-made and tuned (`eval`).
#![warn(missing_docs)]

mod between;
mod brinkmate_game;
mod checks;
pub mod eval;
mod game;
mod mate_game;
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
mod values;
#[cfg(test)]
mod walk;
mod zone;

pub use eval::ShogiEval;
pub use game::Shogi;
pub use record::{CSA, KIF, PERPETUAL_CHECK, TRY};
pub use rsshogi::types::Move32 as Move;
pub use rules::EnteringKingRule;
