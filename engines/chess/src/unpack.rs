//! Finds a legal move by its 16-bit packed form, without generating all moves.

use crate::Move;
use hasami_api::SearchGame;
use shakmaty::{Bitboard, CastlingSide, Chess as Standard, Piece, Position, Role, Square, attacks};

/// Returns the legal move that [`hasami_api::SearchGame::pack`] turns into `packed`. `packed` may be any number, even
/// the packed form of a move that is illegal in `position`.
pub fn unpack(position: &Standard, packed: u16) -> Option<Move> {
    let [from, to] = [packed, packed >> 6].map(|bits| Square::new(u32::from(bits & 63)));
    let promotion = match packed >> 12 {
        0 => None,
        number => {
            Some(*Role::ALL.get(usize::from(number) - 1).filter(|&&role| role != Role::Pawn && role != Role::King)?)
        }
    };
    let piece = position.board().piece_at(from).filter(|piece| piece.color == position.turn())?;
    if position.us().contains(to) {
        let side = CastlingSide::from_queen_side(to < from);
        let mut castlings = position.castling_moves(side).into_iter();
        return castlings.find(|&m| piece.role == Role::King && crate::Chess::pack(m) == packed);
    }
    let occupied = position.board().occupied();
    let capture = position.board().role_at(to);
    if piece.role == Role::Pawn {
        if promotion.is_some() != Bitboard::BACKRANKS.contains(to) {
            return None;
        }
        if capture.is_none() && from.file() != to.file() {
            return position.en_passant_moves().into_iter().find(|&m| crate::Chess::pack(m) == packed);
        }
        if !steps(piece, from, occupied, position.them()).contains(to) {
            return None;
        }
    } else if promotion.is_some() || !attacks::attacks(from, piece, occupied).contains(to) {
        return None;
    }
    is_safe(position, piece.role, from, to).then_some(Move::Normal { role: piece.role, from, capture, to, promotion })
}

/// Squares that a pawn can reach, except by capturing en passant.
fn steps(pawn: Piece, from: Square, occupied: Bitboard, them: Bitboard) -> Bitboard {
    let ahead = |set: Bitboard| pawn.color.fold_wb(Bitboard(set.0 << 8), Bitboard(set.0 >> 8)) & !occupied;
    let single = ahead(Bitboard::from_square(from));
    let third = pawn.color.fold_wb(shakmaty::Rank::Third, shakmaty::Rank::Sixth);
    let double = ahead(single & Bitboard::from_rank(third));
    single | double | (attacks::pawn_attacks(pawn.color, from) & them)
}

/// Is the king of the side to move safe from attack after the move?
fn is_safe(position: &Standard, role: Role, from: Square, to: Square) -> bool {
    let (board, us) = (position.board(), position.turn());
    let Some(king) = (if role == Role::King { Some(to) } else { board.king_of(us) }) else { return false };
    board.attacks_to(king, us.other(), board.occupied().without(from).with(to)).without(to).is_empty()
}

#[cfg(test)]
mod tests {
    use crate::{Chess, Move, walk::random_games};
    use hasami_api::{Game, SearchGame};
    use std::collections::HashMap;

    #[test]
    fn exactly_the_packed_legal_moves_are_found() {
        random_games(17, 64, 60, |game, moves| {
            let legal: HashMap<u16, Move> = moves.iter().map(|&m| (Chess::pack(m), m)).collect();
            // The test unpacks the packed forms of all legal moves, and a sample of other numbers.
            let sample = (1 + game.ply() as u16..u16::MAX).step_by(97);
            for packed in legal.keys().copied().chain(sample) {
                assert_eq!(game.unpack(packed), legal.get(&packed).copied(), "{} {packed:#x}", game.to_text());
            }
        });
    }
}
