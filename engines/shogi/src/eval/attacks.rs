//! Attack maps of each side, and the terms of mobility.

use super::layout::{MOBILITY, MOBILITY_COUNTS};
use super::sink::Sink;
use crate::sliders::{bishop_attacks, lance_attacks, rook_attacks};
use crate::squares::squares;
use rsshogi::board::{GOLD_ATTACKS, KING_ATTACKS, KNIGHT_ATTACKS, PAWN_ATTACKS, Position, SILVER_ATTACKS};
use rsshogi::types::{Bitboard, Color, PieceType, Square};

/// The squares that one side attacks.
#[derive(Clone, Copy)]
pub struct Attacks {
    /// Squares attacked by any piece except the king.
    pub men: Bitboard,
    /// Squares attacked by the king.
    pub king: Bitboard,
    /// Squares attacked by at least two pieces other than the king.
    pub twice: Bitboard,
    /// Squares attacked by pawns.
    pub pawns: Bitboard,
    /// Squares attacked by pawns, lances, knights, silvers, golds, or pieces that move like golds.
    pub minors: Bitboard,
}

impl Attacks {
    /// Computes the attacks of `color` and adds its mobility.
    pub fn of(position: &Position, color: Color, sink: &mut impl Sink) -> Self {
        let none = Bitboard::EMPTY;
        let mut attacks = Self { men: none, king: none, twice: none, pawns: none, minors: none };
        let own = position.pieces_by_color(color);
        for from in squares(own & position.pieces_by_type(PieceType::PAWN)) {
            attacks.add(PAWN_ATTACKS[from][color.to_index()]);
        }
        attacks.pawns = attacks.men;
        attacks.minors = attacks.men;
        for from in squares(own.and_not(position.pieces_by_type(PieceType::PAWN))) {
            let kind = position.piece_on(from).piece_type();
            if kind == PieceType::KING {
                attacks.king = KING_ATTACKS[from];
                continue;
            }
            let (slot, reach) = reach(kind, from, color, position.pieces());
            attacks.add(reach);
            if slot < FIRST_MAJOR {
                attacks.minors |= reach;
            }
            let free = reach.and_not(own).count() as usize;
            sink.add(color, MOBILITY + slot * MOBILITY_COUNTS + free.min(MOBILITY_COUNTS - 1));
        }
        attacks
    }

    #[inline(always)]
    fn add(&mut self, reach: Bitboard) {
        self.twice |= self.men & reach;
        self.men |= reach;
    }

    /// The squares attacked by any piece, including the king.
    #[inline]
    pub fn all(&self) -> Bitboard {
        self.men | self.king
    }
}

/// The first mobility slot of bishops, rooks, horses and dragons.
const FIRST_MAJOR: usize = 4;

/// The mobility slot of a kind of piece, and the squares that it attacks.
#[inline(always)]
fn reach(kind: PieceType, from: Square, color: Color, occupied: Bitboard) -> (usize, Bitboard) {
    match kind {
        PieceType::LANCE => (0, lance_attacks(from, occupied, color)),
        PieceType::KNIGHT => (1, KNIGHT_ATTACKS[from][color.to_index()]),
        PieceType::SILVER => (2, SILVER_ATTACKS[from][color.to_index()]),
        PieceType::BISHOP => (4, bishop_attacks(from, occupied)),
        PieceType::ROOK => (5, rook_attacks(from, occupied)),
        PieceType::HORSE => (6, bishop_attacks(from, occupied) | KING_ATTACKS[from]),
        PieceType::DRAGON => (7, rook_attacks(from, occupied) | KING_ATTACKS[from]),
        _ => (3, GOLD_ATTACKS[from][color.to_index()]),
    }
}
