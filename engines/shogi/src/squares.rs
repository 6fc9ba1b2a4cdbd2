//! Iterates over the squares of a bitboard.

use rsshogi::types::{Bitboard, Square};

/// Returns the squares of a bitboard, the lowest first. rsshogi's own iterator is slower in short loops, because it is
/// not inlined into other crates.
#[inline(always)]
pub fn squares(mut board: Bitboard) -> impl Iterator<Item = Square> {
    std::iter::from_fn(move || board.pop_lsb())
}
