//! The squares of a bitboard.

use rsshogi::types::{Bitboard, Square};

/// The lowest first. rsshogi's own iterator is not inlined into other crates, which shows in loops as short as these.
#[inline(always)]
pub fn squares(mut board: Bitboard) -> impl Iterator<Item = Square> {
    std::iter::from_fn(move || board.pop_lsb())
}
