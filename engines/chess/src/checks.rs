//! Which moves give check, without playing them.

use crate::Move;
use shakmaty::{Bitboard, CastlingSide, Chess as Standard, Piece, Position, Role, Square, attacks};

/// Does the legal move `m` check the opponent's king?
#[inline]
pub fn gives_check(position: &Standard, m: Move) -> bool {
    let us = position.turn();
    let board = position.board();
    let Some(king) = board.king_of(us.other()) else { return false };
    match m {
        Move::Normal { role, from, to, promotion, .. } => {
            let occupied = board.occupied().without(from).with(to);
            let piece = promotion.unwrap_or(role).of(us);
            attacks_king(king, to, piece, occupied) || discovers(position, king, from, occupied)
        }
        Move::EnPassant { from, to } => {
            let victim = Square::from_coords(to.file(), from.rank());
            let occupied = board.occupied().without(from).without(victim).with(to);
            attacks_king(king, to, us.pawn(), occupied) || slides(position, king, occupied)
        }
        Move::Castle { king: from, rook } => {
            let side = CastlingSide::from_queen_side(rook < from);
            let occupied = board.occupied().without(from).without(rook).with(side.king_to(us)).with(side.rook_to(us));
            attacks_king(king, side.rook_to(us), us.rook(), occupied)
        }
        Move::Put { .. } => false,
    }
}

#[inline]
fn attacks_king(king: Square, to: Square, piece: Piece, occupied: Bitboard) -> bool {
    match piece.role {
        Role::Pawn => attacks::pawn_attacks(piece.color, to).contains(king),
        Role::Knight => attacks::knight_attacks(to).contains(king),
        Role::King => false,
        _ => attacks::attacks(to, piece, occupied).contains(king),
    }
}

/// A slider of ours looks at the king once `from` is left.
#[inline]
fn discovers(position: &Standard, king: Square, from: Square, occupied: Bitboard) -> bool {
    attacks::ray(king, from).any() && slides(position, king, occupied)
}

#[inline]
fn slides(position: &Standard, king: Square, occupied: Bitboard) -> bool {
    let board = position.board();
    // The moved piece itself is off its square in `occupied`, so it cannot check from there.
    let ours = position.us() & occupied;
    let straight = board.rooks_and_queens() & ours;
    let diagonal = board.bishops_and_queens() & ours;
    (attacks::rook_attacks(king, occupied) & straight).any()
        || (attacks::bishop_attacks(king, occupied) & diagonal).any()
}

#[cfg(test)]
mod tests {
    use super::gives_check;
    use crate::walk::random_games;
    use hasami_api::{Game, MateGame, Moves};

    #[test]
    fn a_move_checks_exactly_if_the_king_is_in_check_after_it() {
        random_games(4, 160, 100, |game, moves| {
            let mut checking = Moves::new();
            game.checking_moves(&mut checking);
            for &m in moves {
                let told = gives_check(game.position(), m);
                assert_eq!(checking.contains(&m), told);
                game.make(m);
                let found = game.in_check();
                game.unmake();
                assert_eq!(told, found, "{} {m}", game.to_text());
            }
        });
    }
}
