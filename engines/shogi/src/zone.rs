//! Computes zones: the squares where an additional piece of the defender could change the outcome of a check.
//!
//! A zone may be too large, but never too small. A piece dropped outside the zone cannot affect a mate that consists of
//! checks: it blocks none of the attacker's lines, stands on no target square of a move, and cannot answer a check. A
//! drop outside the zone only reduces the defender's pieces in hand, and the files on which the defender may drop a
//! pawn.

use crate::mate_in_one::attacks;
use hasami_api::Zone;
use rsshogi::board::attack_tables::{bishop_step_attacks, lance_step_attacks, rook_step_attacks};
use rsshogi::board::{KING_ATTACKS, Position};
use rsshogi::types::{Bitboard, Color, Move32, PieceType, Square};

/// Returns the zone of the check `m`.
pub fn of_attack(m: Move32) -> Zone {
    let to = Bitboard::from_square(m.to_sq());
    let is_king = m.piece_after_move().piece_type() == PieceType::KING;
    let way = if m.is_drop() { Bitboard::EMPTY } else { Bitboard::between(m.from_sq(), m.to_sq()) };
    Zone { on: (to | way).packed_bits(), reach: if is_king { to.packed_bits() } else { 0 } }
}

/// Returns the zone of all moves that can answer a check to the side to move.
pub fn of_answers(position: &Position) -> Zone {
    let (us, them) = (position.turn(), position.turn().flip());
    let king = position.king_square(us);
    let near = KING_ATTACKS[king.to_index()] | Bitboard::from_square(king);
    let mut on = near;
    for slider in position.pieces_by_color(them).iter() {
        let along = lines(position.piece_on(slider).piece_type(), slider, them);
        for covered in (along & near).iter() {
            on |= Bitboard::between(slider, covered);
        }
    }
    let checkers = position.checkers();
    let reach = checkers.iter().fold(checkers, |reach, checker| reach | Bitboard::between(checker, king));
    Zone { on: (on | checkers).packed_bits(), reach: reach.packed_bits() }
}

/// Returns whether a drop by the side to move lands in `zone.on`, or attacks a square of `zone.reach` or the other
/// side's king. For moves on the board, always returns true.
pub fn is_reached(position: &Position, m: Move32, zone: Zone) -> bool {
    let (us, to) = (position.turn(), m.to_sq());
    let Some(kind) = m.dropped_piece() else { return true };
    let attacks = attacks(kind, to, us, Bitboard::EMPTY);
    let king = position.king_square(us.flip());
    let reach = if king.is_on_board() { Bitboard::from_square(king).packed_bits() } else { 0 };
    (zone.on >> to.to_index() & 1 == 1) || attacks.packed_bits() & (zone.reach | reach) != 0
}

/// Returns the squares that a slider attacks on an empty board, or no squares for other pieces.
fn lines(kind: PieceType, square: Square, color: Color) -> Bitboard {
    match kind {
        PieceType::LANCE => lance_step_attacks(square, color),
        PieceType::BISHOP | PieceType::HORSE => bishop_step_attacks(square),
        PieceType::ROOK | PieceType::DRAGON => rook_step_attacks(square),
        _ => Bitboard::EMPTY,
    }
}
