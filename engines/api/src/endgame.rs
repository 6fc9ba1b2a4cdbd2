//! Endgame tables, as a search queries them.

use crate::{Game, Verdict};

/// The values of positions with few pieces. Several searches query the tables at the same time.
pub trait EndgameTables<G: Game>: Send + Sync {
    /// The value for the side to move at a node of depth `depth`, in plies, if it does not depend on the moves played
    /// before. `None`: unknown, or not worth a query at this depth.
    fn probe(&self, game: &G, depth: i32) -> Option<Verdict>;

    /// Removes the root moves that do not keep the value of the position, and returns that value. `None`: the value is
    /// unknown, and the moves are unchanged.
    fn keep_best(&self, game: &G, moves: &mut Vec<G::Move>) -> Option<Verdict>;
}
