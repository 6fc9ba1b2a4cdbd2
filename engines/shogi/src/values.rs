//! Values of the pieces for static exchange evaluation and search margins, in centipawns.

use rsshogi::types::PieceType;

/// Values of pieces on the board, indexed by [`PieceType`].
const BOARD: [i32; 15] = [0, 90, 300, 330, 480, 780, 900, 540, 15_000, 500, 480, 490, 530, 1_080, 1_250];

/// The value of a piece on the board for its owner.
#[inline]
pub const fn board(kind: PieceType) -> i32 {
    BOARD[kind.to_index()]
}

/// The value of capturing a piece: one side loses the piece, and the other side gets it in hand, unpromoted.
#[inline]
pub const fn captured(kind: PieceType) -> i32 {
    board(kind) + board(kind.demote())
}

/// The value that a piece gains by promotion.
#[inline]
pub const fn promotion(kind: PieceType) -> i32 {
    board(kind.promote()) - board(kind)
}
