//! The static evaluation of an alpha-beta search.

use crate::Game;

/// A static evaluation with hooks for incremental state (piece-square sums, a network's accumulator).
///
/// The search calls `refresh` once at its root, `make` before each move, and `unmake` after taking back each move.
pub trait Evaluator<G: Game>: Clone + Send + 'static {
    /// Discards the evaluator's state and computes it anew from `game`.
    fn refresh(&mut self, game: &G);

    /// Updates the state before the move `m` is made in the position `before`.
    fn make(&mut self, before: &G, m: G::Move);

    /// Updates the state before a null move is made.
    fn make_null(&mut self) {}

    /// Updates the state after the last move (or the last null move, if `null`) was taken back.
    fn unmake(&mut self, null: bool);

    /// Returns the scale of this evaluator's values, in percent of the scale for which the search margins of this game
    /// were tuned.
    fn scale(&mut self) -> i32 {
        100
    }

    /// Evaluates the position in centipawns for the side to move, within ±[`crate::Score::MAX_CP`].
    fn evaluate(&mut self, game: &G) -> i32;
}
