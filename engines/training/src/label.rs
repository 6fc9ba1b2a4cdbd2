//! Labels of positions.

use hasami_api::Outcome;

/// The data of a position from which a trainer may learn.
#[derive(Clone, Copy, PartialEq, Debug, Default)]
pub struct Label {
    /// Score in centipawns for the side to move.
    pub score: i16,
    /// The move played, packed as the file format requires; 0 if unknown.
    pub best: u16,
    /// Plies since the beginning of the game.
    pub ply: u16,
    /// Result of the game; unfinished if the result does not apply to the position, for example after random moves.
    pub outcome: Outcome,
}
