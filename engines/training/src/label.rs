//! What is known of a position.

use hasami_api::Outcome;

/// What is known of a position.
#[derive(Clone, Copy, PartialEq, Debug, Default)]
pub struct Label {
    /// Centipawns for the side to move.
    pub score: i16,
    /// The move played, as the format names it; 0 where it is not known.
    pub best: u16,
    /// Plies since the beginning of the game.
    pub ply: u16,
    /// The end of the game; unfinished where it says nothing about this position.
    pub outcome: Outcome,
}
