//! Iterates over the squares of a bitboard.

use rsshogi::types::{Bitboard, Square};

/// Returns the squares of a bitboard, the lowest first. It replaces the iterator of rsshogi, which is not inlined into
/// other crates; that is noticeable in short loops.
#[inline(always)]
pub fn squares(mut board: Bitboard) -> impl Iterator<Item = Square> {
    std::iter::from_fn(move || board.pop_lsb())
}
