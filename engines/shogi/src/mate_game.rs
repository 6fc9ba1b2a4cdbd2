//! Shogi as a [`MateGame`].

use crate::{Shogi, between, movegen};
use hasami_api::{Hand, MateGame, Moves, Side};
use rsshogi::types::{Color, HandPiece, Move32, Square};

impl MateGame for Shogi {
    #[inline]
    fn checking_moves(&self, out: &mut Moves<Move32>) {
        movegen::checking(self.position(), out);
    }

    #[inline]
    fn board_key(&self) -> u64 {
        self.position().board_key().low_u64()
    }

    #[inline]
    fn board_key_after(&self, m: Move32) -> Option<u64> {
        // Deprecated in favour of nothing: the next major release drops it, this one is pinned.
        #[allow(deprecated)]
        Some(self.position().board_key_after(m).low_u64())
    }

    #[inline]
    fn hand(&self, side: Side) -> Hand {
        let color = match side {
            Side::First => Color::BLACK,
            Side::Second => Color::WHITE,
        };
        // The same layout.
        Hand::from_bits(self.position().hand(color).bits())
    }

    #[inline]
    fn dropped(&self, m: Move32) -> Option<(usize, u8)> {
        let kind = HandPiece::from_piece_type(m.dropped_piece()?)?;
        Some((kind.to_index(), m.to_sq().to_index() as u8))
    }

    #[inline]
    fn won(&self, m: Move32) -> Option<usize> {
        let captured = self.position().piece_on(m.to_sq());
        if captured.is_empty() {
            return None;
        }
        HandPiece::from_piece_type(captured.piece_type().demote()).map(HandPiece::to_index)
    }

    fn could_block(&self) -> bool {
        between::far_checker(self.position()).is_some()
    }

    fn squares_between(&self) -> Vec<u8> {
        between::squares(self.position()).into_iter().map(|square| square.to_index() as u8).collect()
    }

    fn nearer(&self, square: u8) -> Vec<Self> {
        between::nearer(self.position(), Square::from_index(usize::from(square)))
            .into_iter()
            .map(|position| self.at_the_same_ply(position))
            .collect()
    }
}
