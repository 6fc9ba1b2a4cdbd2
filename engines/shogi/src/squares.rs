//! Iterates over the squares of a bitboard.

use rsshogi::types::{Bitboard, Square};

/// The squares of a bitboard, the lowest first. The iterator of rsshogi is not inlined into other crates, which is
/// noticeable in short loops.
#[inline(always)]
pub fn squares(mut board: Bitboard) -> impl Iterator<Item = Square> {
    std::iter::from_fn(move || board.pop_lsb())
}
