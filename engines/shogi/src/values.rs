//! Values of the pieces for static exchange evaluation and search margins, in centipawns.

use rsshogi::types::PieceType;

/// Values of capturing a piece, indexed by [`PieceType`], in proportion to the values of YaneuraOu 9.70.
const CAPTURED: [i32; 15] =
    [0, 180, 630, 810, 990, 1_710, 1_980, 1_080, 30_000, 1_080, 1_080, 1_080, 1_080, 1_890, 2_790];

/// The value of capturing a piece: one side loses the piece, and the other side gets it in hand, unpromoted.
#[inline]
pub const fn captured(kind: PieceType) -> i32 {
    CAPTURED[kind.to_index()]
}

/// The value that a piece gains by promotion.
#[inline]
pub const fn promotion(kind: PieceType) -> i32 {
    captured(kind.promote()) - captured(kind)
}
