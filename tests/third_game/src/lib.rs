//! Minishogi (Kusumoto 1970): shogi on five by five squares with one gold, silver, bishop, rook and pawn a side.
//!
//! Plain and slow: every position of a game is kept, and every move is tried. It shows what a game must implement.

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
