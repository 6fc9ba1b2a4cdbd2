//! Values of the pieces for exchanges and margins, in centipawns. The evaluation has its own, tuned ones.

use rsshogi::types::PieceType;

/// On the board, by [`PieceType`].
const BOARD: [i32; 15] = [0, 90, 300, 330, 480, 780, 900, 540, 15_000, 500, 480, 490, 530, 1_080, 1_250];

/// Worth of a piece to its owner on the board.
#[inline]
pub const fn board(kind: PieceType) -> i32 {
    BOARD[kind.to_index()]
}

/// Worth of its capture: the piece is lost to one side and goes, demoted, to the hand of the other.
#[inline]
pub const fn captured(kind: PieceType) -> i32 {
    board(kind) + board(kind.demote())
}

/// Worth of its promotion.
#[inline]
pub const fn promotion(kind: PieceType) -> i32 {
    board(kind.promote()) - board(kind)
}
