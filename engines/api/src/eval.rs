//! The evaluator behind an alpha-beta search.

use crate::Game;

/// A static evaluation with hooks for incremental state (piece-square sums, a network's accumulator).
///
/// The search calls `refresh` once at its root, then `make` before and `unmake` after each move in step with the game.
pub trait Evaluator<G: Game>: Clone + Send + 'static {
    /// Forgets everything and takes up `game`.
    fn refresh(&mut self, game: &G);

    /// `m` is about to be made in `before`.
    fn make(&mut self, before: &G, m: G::Move);

    /// The side to move is about to pass.
    fn make_null(&mut self) {}

    /// The last move (or pass, if `null`) was taken back.
    fn unmake(&mut self, null: bool);

    /// How far its values spread, percent of what the margins of searches of this game are made for.
    fn scale(&mut self) -> i32 {
        100
    }

    /// Centipawns for the side to move, within ±[`crate::Score::MAX_CP`].
    fn evaluate(&mut self, game: &G) -> i32;
}
