//! The groups of weights in the data file, and the index of the first weight of each.

pub use hasami_api::tapered::{Pair, ending, opening};
use rsshogi::types::Square;

/// Number of values of [`PieceType`](rsshogi::types::PieceType); 0 is unused.
pub const KINDS: usize = 15;
/// Number of offsets between two squares: differences of file and rank, each from -8 to 8.
pub const OFFSETS: usize = 17 * 17;
/// Number of levels of the opponent's attacking power in hand.
pub const POWERS: usize = 8;

pub const HAND_COUNTS: usize = 19;
pub const MOBILITY_KINDS: usize = 8;
pub const MOBILITY_COUNTS: usize = 24;

hasami_api::features! {
    MATERIAL = "material", KINDS;
    /// Weights by kind of piece and number in hand.
    HAND = "hand", 8 * HAND_COUNTS;
    /// Weights by kind of piece and square, as seen by the piece's owner.
    SQUARE = "square", KINDS * 81;
    /// Weights by kind of piece and by its offset from the king: first from the king of its side, then from the enemy
    /// king. Offsets are as seen by the piece's owner.
    OWN_KING = "own_king", KINDS * OFFSETS;
    ENEMY_KING = "enemy_king", KINDS * OFFSETS;
    /// Weights by mobility slot and by the number of attacked squares without pieces of the same side.
    MOBILITY = "mobility", MOBILITY_KINDS * MOBILITY_COUNTS;
    /// Weights by a number of attacked squares next to the king and by the opponent's attacking power in hand. The
    /// first group counts all attacked squares, the second those not defended by other pieces, and the third the free
    /// squares that are not attacked.
    KING_ATTACKED = "king.attacked", 9 * POWERS;
    KING_UNDEFENDED = "king.undefended", 9 * POWERS;
    KING_ESCAPES = "king.escapes", 9 * POWERS;
    /// Weights by the number of squares next to the king that are attacked twice, then by the number of squares within
    /// two steps that are attacked.
    KING_ATTACKED_TWICE = "king.attacked_twice", 9;
    KING_ZONE = "king.zone", 26;
    /// Weights by kind of the threatened piece: first for the side that is not to move, then for the side to move.
    HANGING = "threat.hanging", 2 * KINDS;
    PAWN_THREAT = "threat.pawn", 2 * KINDS;
    MINOR_THREAT = "threat.minor", 2 * KINDS;
    /// Weights by the number of files without a pawn of the side, if the side has a pawn in hand.
    OPEN_FILES = "pawn.open_files", 10;
    TEMPO = "tempo", 1;
}

/// The index of the offset `to - from`, below [`OFFSETS`].
pub fn offset(from: Square, to: Square) -> usize {
    let files = to.file().raw() - from.file().raw() + 8;
    let ranks = to.rank().raw() - from.rank().raw() + 8;
    files as usize * 17 + ranks as usize
}
