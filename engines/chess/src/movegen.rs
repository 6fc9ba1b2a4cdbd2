//! Generates legal moves: all moves, only captures and promotions, or only the other moves, which a search does not
//! need in most positions.

use crate::Move;
use crate::checks::screens;
use hasami_api::Moves;
use shakmaty::{Bitboard, CastlingSide, Chess as Standard, Color, Position, Rank, Role, Square, attacks};

/// Data about a position that the generators of all kinds of moves share.
pub(crate) struct GenerationState<'a> {
    pub position: &'a Standard,
    pub us: Color,
    pub king: Square,
    pub occupied: Bitboard,
    /// Pieces of the side to move that stand alone between their king and an enemy slider.
    pub pinned: Bitboard,
}

/// Appends all legal moves.
pub fn legal(position: &Standard, out: &mut Moves<Move>) {
    // shakmaty's move list holds 256 moves, enough for every reachable position but not for every chess problem.
    if position.is_check() || !is_beyond_a_set(position) {
        return out.extend_from_slice(&position.legal_moves());
    }
    noisy(position, out);
    quiet(position, out);
}

/// Does the side to move have more pieces than promotions can produce from one chess set?
fn is_beyond_a_set(position: &Standard) -> bool {
    let (board, ours) = (position.board(), position.us());
    let count = |men: Bitboard| (men & ours).count();
    // A side with at most nine pieces has fewer than 256 moves.
    ours.count() > 9 && {
        let promoted = [(board.queens(), 1), (board.rooks(), 2), (board.bishops(), 2), (board.knights(), 2)]
            .map(|(men, usual)| count(men).saturating_sub(usual));
        count(board.pawns()) + promoted.iter().sum::<usize>() > 8
    }
}

/// Appends the legal captures and promotions; the side to move must not be in check.
pub fn noisy(position: &Standard, out: &mut Moves<Move>) {
    let Some(node) = GenerationState::new(position) else { return };
    let targets = position.them();
    node.pawns(targets, out);
    node.pieces(targets, out);
    if position.maybe_ep_square().is_some() {
        out.extend(position.en_passant_moves());
    }
}

/// Appends the legal moves that neither capture nor promote; the side to move must not be in check.
pub fn quiet(position: &Standard, out: &mut Moves<Move>) {
    let Some(node) = GenerationState::new(position) else { return };
    node.pawn_steps(out);
    node.pieces(!node.occupied, out);
    if position.castles().has_color(node.us) {
        for side in CastlingSide::ALL {
            out.extend(position.castling_moves(side));
        }
    }
}

impl<'a> GenerationState<'a> {
    #[inline]
    pub fn new(position: &'a Standard) -> Option<Self> {
        let us = position.turn();
        let king = position.board().king_of(us)?;
        let pinned = screens(position, king, position.them());
        Some(Self { position, us, king, occupied: position.board().occupied(), pinned })
    }

    /// Appends the moves to `targets` of the king and all other pieces except pawns.
    #[inline]
    fn pieces(&self, targets: Bitboard, out: &mut Moves<Move>) {
        let board = self.position.board();
        for role in [Role::Knight, Role::Bishop, Role::Rook, Role::Queen] {
            for from in board.by_role(role) & self.position.us() {
                let reached = attacks::attacks(from, role.of(self.us), self.occupied) & targets;
                for to in self.movable(from, reached) {
                    out.push(self.normal(role, from, to, None));
                }
            }
        }
        for to in self.king_targets(targets) {
            out.push(self.normal(Role::King, self.king, to, None));
        }
    }

    /// Returns the squares of `targets` to which the king may move.
    #[inline]
    pub fn king_targets(&self, targets: Bitboard) -> Bitboard {
        let (board, behind) = (self.position.board(), self.occupied.without(self.king));
        let mut safe = attacks::king_attacks(self.king) & targets;
        for to in safe {
            if board.attacks_to(to, self.us.other(), behind).any() {
                safe.discard(to);
            }
        }
        safe
    }

    /// Appends the pawn moves that neither capture nor promote.
    #[inline]
    fn pawn_steps(&self, out: &mut Moves<Move>) {
        let pawns = self.position.board().pawns() & self.position.us();
        let (seventh, third) = self.us.fold_wb((Rank::Seventh, Rank::Third), (Rank::Second, Rank::Sixth));
        let ahead = |set: Bitboard| self.us.fold_wb(Bitboard(set.0 << 8), Bitboard(set.0 >> 8)) & !self.occupied;
        let single = ahead(pawns & !Bitboard::from_rank(seventh));
        let double = ahead(single & Bitboard::from_rank(third));
        for (targets, back) in [(single, self.us.fold_wb(-8, 8)), (double, self.us.fold_wb(-16, 16))] {
            for to in targets {
                let Some(from) = to.offset(back) else { continue };
                if !self.pinned.contains(from) || attacks::ray(self.king, from).contains(to) {
                    out.push(Move::Normal { role: Role::Pawn, from, capture: None, to, promotion: None });
                }
            }
        }
    }

    /// Appends all promotions, and the captures of `targets` by pawns, except captures en passant.
    fn pawns(&self, targets: Bitboard, out: &mut Moves<Move>) {
        let pawns = self.position.board().pawns() & self.position.us();
        for from in pawns {
            for to in self.movable(from, attacks::pawn_attacks(self.us, from) & targets) {
                self.pawn_move(from, to, out);
            }
        }
        let (seventh, step) = self.us.fold_wb((Rank::Seventh, 8), (Rank::Second, -8));
        for from in pawns & Bitboard::from_rank(seventh) {
            let Some(to) = from.offset(step) else { continue };
            if !self.occupied.contains(to) && self.movable(from, Bitboard::from_square(to)).any() {
                self.pawn_move(from, to, out);
            }
        }
    }

    /// Appends a pawn move that is a capture, a promotion or both.
    fn pawn_move(&self, from: Square, to: Square, out: &mut Moves<Move>) {
        if Bitboard::BACKRANKS.contains(to) {
            for role in [Role::Queen, Role::Rook, Role::Bishop, Role::Knight] {
                out.push(self.normal(Role::Pawn, from, to, Some(role)));
            }
        } else {
            out.push(self.normal(Role::Pawn, from, to, None));
        }
    }

    /// Returns the squares of `reached` to which the piece on `from` may move; a pinned piece must stay on its line to
    /// the king.
    #[inline]
    pub fn movable(&self, from: Square, reached: Bitboard) -> Bitboard {
        if self.pinned.contains(from) { reached & attacks::ray(self.king, from) } else { reached }
    }

    #[inline]
    fn normal(&self, role: Role, from: Square, to: Square, promotion: Option<Role>) -> Move {
        Move::Normal { role, from, capture: self.position.board().role_at(to), to, promotion }
    }
}

#[cfg(test)]
mod tests {
    use crate::walk::random_games;
    use hasami_api::{Game, Moves, SearchGame};
    use std::collections::HashSet;

    #[test]
    fn noisy_and_quiet_moves_together_are_the_legal_moves() {
        random_games(31, 240, 100, |game, moves| {
            if game.in_check() {
                return;
            }
            let mut noisy = Moves::new();
            game.noisy_moves(&mut noisy);
            let found: HashSet<_> = noisy.iter().copied().collect();
            let expected: HashSet<_> = moves.iter().copied().filter(|m| m.is_capture() || m.is_promotion()).collect();
            assert_eq!(found, expected, "{}", game.to_text());
            assert_eq!(found.len(), noisy.len(), "{}", game.to_text());
            let mut rest = Moves::new();
            game.quiet_moves(&mut rest);
            let found: HashSet<_> = rest.iter().copied().collect();
            let expected: HashSet<_> = moves.iter().copied().filter(|m| !expected.contains(m)).collect();
            assert_eq!(found, expected, "{}", game.to_text());
            assert_eq!(found.len(), rest.len(), "{}", game.to_text());
        });
    }
}
