//! Which moves of a position check.

use rsshogi::board::Position;
use rsshogi::types::{Bitboard, Move32, Square};

/// What is asked for every move of a position, looked up once.
pub struct CheckTest<'a> {
    position: &'a Position,
    /// The king that moves may check.
    king: Square,
    /// Pieces that give way to a check from afar by leaving the line.
    blockers: Bitboard,
}

impl<'a> CheckTest<'a> {
    #[inline]
    pub fn new(position: &'a Position) -> Self {
        let them = position.turn().flip();
        Self { position, king: position.king_square(them), blockers: position.blockers_for_king(them) }
    }

    /// Whether a legal move checks.
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
