//! Captures and promotions without generating the other moves: most positions of a search need no more.

use crate::Move;
use hasami_api::Moves;
use shakmaty::{Bitboard, Chess as Standard, Color, Position, Role, Square, attacks};

/// What the generation of each kind of man needs to know.
struct Node<'a> {
    position: &'a Standard,
    us: Color,
    king: Square,
    occupied: Bitboard,
    /// Our men that stand alone between our king and a slider.
    pinned: Bitboard,
}

/// Appends the legal captures and promotions of a position in which the side to move is not in check.
pub fn generate(position: &Standard, out: &mut Moves<Move>) {
    let board = position.board();
    let us = position.turn();
    let Some(king) = board.king_of(us) else { return };
    let node = Node { position, us, king, occupied: board.occupied(), pinned: pinned(position, king) };
    let targets = position.them();
    node.pawns(targets, out);
    for role in [Role::Knight, Role::Bishop, Role::Rook, Role::Queen] {
        for from in board.by_role(role) & position.us() {
            let reached = attacks::attacks(from, role.of(us), node.occupied) & targets;
            node.captures(role, from, reached, out);
        }
    }
    for to in attacks::king_attacks(king) & targets {
        if board.attacks_to(to, us.other(), node.occupied.without(king)).is_empty() {
            out.push(node.capture(Role::King, king, to, None));
        }
    }
    if position.maybe_ep_square().is_some() {
        out.extend(position.en_passant_moves());
    }
}

fn pinned(position: &Standard, king: Square) -> Bitboard {
    let board = position.board();
    let straight = attacks::rook_attacks(king, Bitboard::EMPTY) & board.rooks_and_queens();
    let diagonal = attacks::bishop_attacks(king, Bitboard::EMPTY) & board.bishops_and_queens();
    let mut pinned = Bitboard::EMPTY;
    for sniper in (straight | diagonal) & position.them() {
        let between = attacks::between(king, sniper) & board.occupied();
        if !between.more_than_one() {
            pinned |= between & position.us();
        }
    }
    pinned
}

impl Node<'_> {
    fn pawns(&self, targets: Bitboard, out: &mut Moves<Move>) {
        let pawns = self.position.board().pawns() & self.position.us();
        for from in pawns {
            for to in self.movable(from, attacks::pawn_attacks(self.us, from) & targets) {
                self.pawn_move(from, to, out);
            }
        }
        let (seventh, step) = self.us.fold_wb((shakmaty::Rank::Seventh, 8), (shakmaty::Rank::Second, -8));
        for from in pawns & Bitboard::from_rank(seventh) {
            let Some(to) = from.offset(step) else { continue };
            if !self.occupied.contains(to) && self.movable(from, Bitboard::from_square(to)).any() {
                self.pawn_move(from, to, out);
            }
        }
    }

    /// A capture, a promotion, or both.
    fn pawn_move(&self, from: Square, to: Square, out: &mut Moves<Move>) {
        if Bitboard::BACKRANKS.contains(to) {
            for role in [Role::Queen, Role::Rook, Role::Bishop, Role::Knight] {
                out.push(self.capture(Role::Pawn, from, to, Some(role)));
            }
        } else {
            out.push(self.capture(Role::Pawn, from, to, None));
        }
    }

    #[inline]
    fn captures(&self, role: Role, from: Square, reached: Bitboard, out: &mut Moves<Move>) {
        for to in self.movable(from, reached) {
            out.push(self.capture(role, from, to, None));
        }
    }

    /// A pinned man stays on its line to the king.
    #[inline]
    fn movable(&self, from: Square, reached: Bitboard) -> Bitboard {
        if self.pinned.contains(from) { reached & attacks::ray(self.king, from) } else { reached }
    }

    #[inline]
    fn capture(&self, role: Role, from: Square, to: Square, promotion: Option<Role>) -> Move {
        Move::Normal { role, from, capture: self.position.board().role_at(to), to, promotion }
    }
}

#[cfg(test)]
mod tests {
    use crate::walk::random_games;
    use hasami_api::{Game, Moves, SearchGame};
    use std::collections::HashSet;

    #[test]
    fn they_are_the_captures_and_promotions_among_the_legal_moves() {
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
        });
    }
}
