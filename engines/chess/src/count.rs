//! Counts the legal moves of a position without listing them, mostly by counting bits.

use crate::movegen::GenerationState;
use shakmaty::{Bitboard, CastlingSide, Chess as Standard, File, Position, Rank, Role, attacks};

pub fn legal(position: &Standard) -> usize {
    let Some(node) = GenerationState::new(position) else { return 0 };
    let checkers = position.checkers();
    let mut sum = node.king_targets(!position.us()).count();
    let targets = match checkers.single_square() {
        None if checkers.any() => return sum,
        None => !position.us(),
        Some(checker) => attacks::between(node.king, checker).with(checker),
    };
    sum += node.count_pieces(targets) + node.count_pawns(targets);
    if position.maybe_ep_square().is_some() {
        sum += position.en_passant_moves().len();
    }
    if checkers.is_empty() && position.castles().has_color(node.us) {
        sum += CastlingSide::ALL.map(|side| position.castling_moves(side).len()).iter().sum::<usize>();
    }
    sum
}

impl GenerationState<'_> {
    /// Counts the moves of all pieces except the king and pawns to `targets`; a pinned knight has no moves.
    #[inline]
    fn count_pieces(&self, targets: Bitboard) -> usize {
        let (board, ours) = (self.position.board(), self.position.us());
        let mut sum = 0;
        for from in board.knights() & ours & !self.pinned {
            sum += (attacks::knight_attacks(from) & targets).count();
        }
        for from in board.bishops_and_queens() & ours {
            sum += (self.movable(from, attacks::bishop_attacks(from, self.occupied)) & targets).count();
        }
        for from in board.rooks_and_queens() & ours {
            sum += (self.movable(from, attacks::rook_attacks(from, self.occupied)) & targets).count();
        }
        sum
    }

    /// Counts the moves of all pawns to `targets`, except captures en passant.
    #[inline]
    fn count_pawns(&self, targets: Bitboard) -> usize {
        let pawns = self.position.board().by_role(Role::Pawn) & self.position.us();
        let mut sum = self.count_steps_and_captures(pawns & !self.pinned, targets);
        for from in pawns & self.pinned {
            sum += self.count_steps_and_captures(from.into(), targets & attacks::ray(self.king, from));
        }
        sum
    }

    /// Counts the moves of `pawns` to `targets`; a promotion counts as four moves.
    #[inline]
    fn count_steps_and_captures(&self, pawns: Bitboard, targets: Bitboard) -> usize {
        let ahead = |set: Bitboard| self.us.fold_wb(Bitboard(set.0 << 8), Bitboard(set.0 >> 8));
        let third = Bitboard::from_rank(self.us.fold_wb(Rank::Third, Rank::Sixth));
        let single = ahead(pawns) & !self.occupied;
        let double = ahead(single & third) & !self.occupied & targets;
        let victims = self.position.them() & targets;
        let west = Bitboard((ahead(pawns) & !Bitboard::from_file(File::A)).0 >> 1) & victims;
        let east = Bitboard((ahead(pawns) & !Bitboard::from_file(File::H)).0 << 1) & victims;
        let parts = [single & targets, double, west, east];
        parts.iter().map(|&part| part.count() + 3 * (part & Bitboard::BACKRANKS).count()).sum()
    }
}

#[cfg(test)]
mod tests {
    use crate::walk::random_games;
    use hasami_api::Game;

    #[test]
    fn count_equals_the_length_of_the_list() {
        let (mut checks, mut passing) = (0, 0);
        random_games(57, 400, 140, |game, moves| {
            assert_eq!(game.count_moves(), moves.len(), "{}", game.to_text());
            checks += u32::from(game.in_check());
            passing += u32::from(moves.iter().any(|m| m.is_en_passant()));
        });
        assert!(checks > 1_000 && passing > 50, "{checks} checks, {passing} captures en passant");
    }
}
