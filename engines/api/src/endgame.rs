//! The interface between a search and endgame tables.

use crate::{Game, Verdict};

/// The values of positions with few pieces. Several searches may query the tables at the same time.
pub trait EndgameTables<G: Game>: Send + Sync {
    /// Returns the value for the side to move at a node of depth `depth`, in plies, if it does not depend on the moves
    /// played before. `None` means that the value is unknown, or not worth a query at this depth.
    fn probe(&self, game: &G, depth: i32) -> Option<Verdict>;

    /// Removes the root moves that do not keep the value of the position, and returns that value. `None` means that the
    /// value is unknown; the moves are then unchanged.
    fn keep_best(&self, game: &G, moves: &mut Vec<G::Move>) -> Option<Verdict>;
}
