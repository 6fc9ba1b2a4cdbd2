//! The static evaluation of an alpha-beta search.

use crate::Game;

/// A static evaluation with hooks for incremental state (piece-square sums, a network's accumulator).
///
/// The search calls `refresh` once at its root. After that, it calls `make` before each move and `unmake` after taking
/// back each move.
pub trait Evaluator<G: Game>: Clone + Send + 'static {
    /// Discards all state and starts anew from `game`.
    fn refresh(&mut self, game: &G);

    /// Updates the state before the move `m` is made in the position `before`.
    fn make(&mut self, before: &G, m: G::Move);

    /// Updates the state before the side to move passes.
    fn make_null(&mut self) {}

    /// Updates the state after the last move (or the last pass, if `null`) was taken back.
    fn unmake(&mut self, null: bool);

    /// Returns the spread of the values of this evaluator, in percent of the spread for which the search margins of
    /// this game were tuned.
    fn scale(&mut self) -> i32 {
        100
    }

    /// Evaluates the position in centipawns for the side to move, within ±[`crate::Score::MAX_CP`].
    fn evaluate(&mut self, game: &G) -> i32;
}
