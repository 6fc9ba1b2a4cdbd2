//! Minishogi (Kusumoto 1970): shogi on five by five squares with one gold, silver, bishop, rook and pawn per side.
//!
//! This crate shows what a game must implement. The implementation is simple and slow, because it keeps every position
//! of a game and tries every move.

mod board;
mod eval;
mod game;
mod record;
mod search;
mod shown;
mod text;

#[cfg(test)]
mod tests;

pub use eval::Material;
pub use game::{Minishogi, Move, REPETITION_DRAWS};
pub use record::LINES;
