//! The interface between a search and endgame tables.

use crate::{Game, Verdict};

/// Tables of the values of positions with few pieces, which several searches may probe at the same time.
pub trait EndgameTables<G: Game>: Send + Sync {
    /// Returns the value for the side to move at a node of depth `depth`, in plies, if the value does not depend on
    /// earlier moves. Returns `None` if the value is unknown or a probe is not worth its cost at this depth.
    fn probe(&self, game: &G, depth: i32) -> Option<Verdict>;

    /// Removes the root moves that do not keep the value of the position, and returns this value. Returns `None` and
    /// keeps all moves if the value is unknown.
    fn keep_best(&self, game: &G, moves: &mut Vec<G::Move>) -> Option<Verdict>;
}
