//! Determines which moves give check, without making the moves.

use crate::Move;
use shakmaty::{Bitboard, CastlingSide, Chess as Standard, Piece, Position, Role, Square, attacks};

/// Returns true if the legal move `m` gives check to the opponent's king.
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

/// The squares from which each kind of piece gives check, and the pieces whose moves discover a check.
pub struct Checks<'a> {
    position: &'a Standard,
    king: Square,
    /// Squares from which a piece gives check, indexed by [`Role`] (which counts from 1).
    squares: [Bitboard; 7],
    /// Pieces of the side to move that stand alone between the enemy king and one of their own side's sliders.
    screens: Bitboard,
}

impl<'a> Checks<'a> {
    #[inline]
    pub fn of(position: &'a Standard) -> Self {
        let (board, us) = (position.board(), position.turn());
        let king = board.king_of(us.other()).expect("both sides have a king");
        let straight = attacks::rook_attacks(king, board.occupied());
        let diagonal = attacks::bishop_attacks(king, board.occupied());
        let mut squares = [Bitboard::EMPTY; 7];
        squares[Role::Pawn as usize] = attacks::pawn_attacks(us.other(), king);
        squares[Role::Knight as usize] = attacks::knight_attacks(king);
        squares[Role::Bishop as usize] = diagonal;
        squares[Role::Rook as usize] = straight;
        squares[Role::Queen as usize] = straight | diagonal;
        Self { position, king, squares, screens: screens(position, king, position.us()) }
    }

    /// Returns true if the legal move `m` gives check.
    #[inline]
    pub fn contain(&self, m: Move) -> bool {
        match m {
            Move::Normal { role, from, to, promotion: None, .. } => {
                let leaves = self.screens.contains(from) && !attacks::ray(self.king, from).contains(to);
                leaves || self.squares[role as usize].contains(to)
            }
            _ => gives_check(self.position, m),
        }
    }
}

/// Returns the pieces of the side to move that stand alone between `king` and one of `sliders`.
#[inline]
pub fn screens(position: &Standard, king: Square, sliders: Bitboard) -> Bitboard {
    let board = position.board();
    let straight = attacks::rook_attacks(king, Bitboard::EMPTY) & board.rooks_and_queens();
    let diagonal = attacks::bishop_attacks(king, Bitboard::EMPTY) & board.bishops_and_queens();
    let mut screens = Bitboard::EMPTY;
    for slider in (straight | diagonal) & sliders {
        let between = attacks::between(king, slider) & board.occupied();
        if !between.more_than_one() {
            screens |= between & position.us();
        }
    }
    screens
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

/// Does a slider of the side to move attack the king once the square `from` is empty?
#[inline]
fn discovers(position: &Standard, king: Square, from: Square, occupied: Bitboard) -> bool {
    attacks::ray(king, from).any() && slides(position, king, occupied)
}

#[inline]
fn slides(position: &Standard, king: Square, occupied: Bitboard) -> bool {
    let board = position.board();
    // `occupied` excludes the old square of the moved piece, so the piece cannot check from that square.
    let ours = position.us() & occupied;
    let straight = board.rooks_and_queens() & ours;
    let diagonal = board.bishops_and_queens() & ours;
    (attacks::rook_attacks(king, occupied) & straight).any()
        || (attacks::bishop_attacks(king, occupied) & diagonal).any()
}

#[cfg(test)]
mod tests {
    use super::{Checks, gives_check};
    use crate::walk::random_games;
    use hasami_api::{Game, MateGame, Moves};

    #[test]
    fn predicted_checks_are_those_found_by_playing_the_move() {
        random_games(4, 160, 100, |game, moves| {
            let mut checking = Moves::new();
            game.checking_moves(&mut checking);
            for &m in moves {
                let predicted = gives_check(game.position(), m);
                assert_eq!(checking.contains(&m), predicted);
                assert_eq!(Checks::of(game.position()).contain(m), predicted, "{} {m}", game.to_text());
                game.make(m);
                let found = game.in_check();
                game.unmake();
                assert_eq!(predicted, found, "{} {m}", game.to_text());
            }
        });
    }
}
