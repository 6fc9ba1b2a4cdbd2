//! The interface between a search and endgame tables.

use crate::{Game, Verdict};

/// Tables that hold the values of positions with few pieces, and that several searches may probe at the same time.
pub trait EndgameTables<G: Game>: Send + Sync {
    /// Returns the value for the side to move at a node with `depth` plies left, if no earlier move affects the value.
    /// Returns `None` if the tables do not know the value or a probe is not worth its cost at this depth.
    fn probe(&self, game: &G, depth: i32) -> Option<Verdict>;

    /// Removes from `moves` the root moves that lower the value of the position, and returns the value. Returns `None`
    /// and keeps all moves if the tables do not know the value.
    fn keep_best(&self, game: &G, moves: &mut Vec<G::Move>) -> Option<Verdict>;
}
