//! Determines which moves in a position give check.

use rsshogi::board::Position;
use rsshogi::types::{Bitboard, Move32, Square};

/// Tests whether moves give check. The data that all moves of a position share are computed only once.
pub struct CheckTest<'a> {
    position: &'a Position,
    /// Square of the king of the side that is not to move.
    king: Square,
    /// Pieces that discover a check when they leave the line between a slider and `king`.
    blockers: Bitboard,
}

impl<'a> CheckTest<'a> {
    #[inline]
    pub fn new(position: &'a Position) -> Self {
        let them = position.turn().flip();
        Self { position, king: position.king_square(them), blockers: position.blockers_for_king(them) }
    }

    /// Returns whether the legal move `m` gives check.
    #[inline]
    pub fn gives_check(&self, m: Move32) -> bool {
        if self.king.is_none() {
            return false;
        }
        let to = m.to_sq();
        let is_direct = self.position.check_square(m.piece_after_move().piece_type()).test(to);
        is_direct
            || (!m.is_drop() && self.blockers.test(m.from_sq()) && !Bitboard::is_aligned(m.from_sq(), to, self.king))
    }
}
