//! Endgame tables, as a search asks them.

use crate::{Game, Verdict};

/// What tables know of positions with few pieces. Many searches ask them at once.
pub trait EndgameTables<G: Game>: Send + Sync {
    /// The value for the side to move at a node that is searched `depth` plies deep, if it does not depend on what was played
    /// before. `None`: not known, or not worth a look at this depth.
    fn probe(&self, game: &G, depth: i32) -> Option<Verdict>;

    /// The value of the root's position, after the moves that do not keep it were taken out. `None`: not known, and the moves
    /// are as they were.
    fn keep_best(&self, game: &G, moves: &mut Vec<G::Move>) -> Option<Verdict>;
}
