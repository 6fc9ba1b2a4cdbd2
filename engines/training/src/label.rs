//! The labels of training positions.

use hasami_api::Outcome;

/// The data about a position from which a trainer learns, besides the position itself.
#[derive(Clone, Copy, PartialEq, Debug, Default)]
pub struct Label {
    /// Score in centipawns for the side to move.
    pub score: i16,
    /// The move played in the position, packed as the file format requires; 0 if unknown.
    pub best: u16,
    /// Plies since the beginning of the game.
    pub ply: u16,
    /// The result of the game; unfinished if it does not apply to the position, for example after random moves.
    pub outcome: Outcome,
}
