//! The weights of the evaluation: their groups in the data file, and where each feature stands.

pub use hasami_api::tapered::{Pair, ending, opening};
use rsshogi::types::Square;

/// Kinds of pieces, by [`PieceType`](rsshogi::types::PieceType); 0 stays empty.
pub const KINDS: usize = 15;
/// Differences of file and rank from -8 to 8.
pub const OFFSETS: usize = 17 * 17;
/// Steps of the opponent's attacking power in hand.
pub const POWERS: usize = 8;

pub const HAND_COUNTS: usize = 19;
pub const MOBILITY_KINDS: usize = 8;
pub const MOBILITY_COUNTS: usize = 24;

hasami_api::features! {
    MATERIAL = "material", KINDS;
    /// By kind and count in hand.
    HAND = "hand", 8 * HAND_COUNTS;
    /// By kind and square as its owner sees it.
    SQUARE = "square", KINDS * 81;
    /// By kind and offset from the own king, then from the enemy king, as the piece's owner sees it.
    OWN_KING = "own_king", KINDS * OFFSETS;
    ENEMY_KING = "enemy_king", KINDS * OFFSETS;
    /// By kind of mobility and squares attacked that own men do not hold.
    MOBILITY = "mobility", MOBILITY_KINDS * MOBILITY_COUNTS;
    /// By the number of squares beside the king and the opponent's power in hand.
    KING_ATTACKED = "king.attacked", 9 * POWERS;
    KING_UNDEFENDED = "king.undefended", 9 * POWERS;
    KING_ESCAPES = "king.escapes", 9 * POWERS;
    /// Beside the king, attacked twice; in the wider zone, attacked.
    KING_ATTACKED_TWICE = "king.attacked_twice", 9;
    KING_ZONE = "king.zone", 26;
    /// By kind of the own piece, for the side that waits and for the side to move.
    HANGING = "threat.hanging", 2 * KINDS;
    PAWN_THREAT = "threat.pawn", 2 * KINDS;
    MINOR_THREAT = "threat.minor", 2 * KINDS;
    /// Files without an own pawn while one is in hand.
    OPEN_FILES = "pawn.open_files", 10;
    TEMPO = "tempo", 1;
}

/// The number of `to - from` as [`OFFSETS`] counts.
pub fn offset(from: Square, to: Square) -> usize {
    let files = to.file().raw() - from.file().raw() + 8;
    let ranks = to.rank().raw() - from.rank().raw() + 8;
    files as usize * 17 + ranks as usize
}
