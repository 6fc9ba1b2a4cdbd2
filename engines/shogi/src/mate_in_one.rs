//! Finds mates in one move that check from a square next to the king or with a knight. Attack tables rule out a mate in
//! most positions before any move is tried. Mates from a distance are left to the search.

use crate::sliders::{bishop_attacks, lance_attacks, rook_attacks};
use crate::squares::squares;
use rsshogi::board::{GOLD_ATTACKS, KING_ATTACKS, KNIGHT_ATTACKS, PAWN_ATTACKS, Position, SILVER_ATTACKS};
use rsshogi::types::{Bitboard, Color, HandPiece, Move32, Piece, PieceType, Square};

/// Kinds of pieces whose drop next to the king may mate. The rules forbid mate by a pawn drop.
const DROPS: [HandPiece; 5] =
    [HandPiece::GOLD, HandPiece::SILVER, HandPiece::ROOK, HandPiece::BISHOP, HandPiece::LANCE];

struct Finder<'a> {
    position: &'a Position,
    us: Color,
    them: Color,
    /// The enemy king.
    king: Square,
    /// Squares next to the enemy king.
    around: Bitboard,
    /// Squares that the enemy king could move to before our move.
    flights: Bitboard,
    /// Our pieces that are pinned to our king.
    pinned: Bitboard,
    /// Enemy pieces that are pinned to the enemy king.
    shields: Bitboard,
    /// Our promotion zone.
    zone: Bitboard,
}

/// Returns a move that mates at once, or `None`; some mating moves are missed. The side to move must not be in check.
pub fn find(position: &Position) -> Option<Move32> {
    let (us, them) = (position.turn(), position.turn().flip());
    let king = position.king_square(them);
    if king.is_none() {
        return None;
    }
    let (own, theirs) = (position.pieces_by_color(us), position.pieces_by_color(them));
    let mut without_king = position.pieces();
    without_king.clear(king);
    let around = KING_ATTACKS[king];
    let held = attacked(position, us, king, around, without_king);
    let finder = Finder {
        position,
        us,
        them,
        king,
        around,
        flights: around.and_not(held).and_not(theirs),
        pinned: position.blockers_for_king(us) & own,
        shields: position.blockers_for_king(them) & theirs,
        zone: Bitboard::promotion_zone(us),
    };
    let found = finder.by_drop(held.and_not(position.pieces()));
    found.or_else(|| finder.by_move(held.and_not(own))).or_else(|| finder.by_knight())
}

/// The squares of `around` that pieces of `us` attack.
#[inline]
fn attacked(position: &Position, us: Color, king: Square, around: Bitboard, occupied: Bitboard) -> Bitboard {
    let own = position.pieces_by_color(us);
    let sliders = (position.rook_dragon() | position.bishop_horse() | position.pieces_by_type(PieceType::LANCE)) & own;
    let [low, high] = NEAR[king.to_index()];
    let men = (own & Bitboard::from_parts([low, high])) | sliders;
    squares(men).fold(Bitboard::EMPTY, |held, from| {
        let kind = position.piece_on(from).piece_type();
        let reach = if kind == PieceType::KING { KING_ATTACKS[from] } else { attacks(kind, from, us, occupied) };
        held | reach & around
    })
}

/// Squares at most three files and ranks away from a king. From farther away, only sliders attack a square next to the
/// king.
static NEAR: [[u64; 2]; 81] = {
    let mut all = [[0; 2]; 81];
    let mut king = 0;
    while king < 81 {
        let mut square = 0;
        while square < 81 {
            let (file, rank): (i32, i32) = (square / 9 - king / 9, square % 9 - king % 9);
            if file.abs() <= 3 && rank.abs() <= 3 {
                // The two words of a bitboard hold 63 and 18 squares.
                let word = square / 63;
                all[king as usize][word as usize] |= 1 << (square - 63 * word);
            }
            square += 1;
        }
        king += 1;
    }
    all
};

impl Finder<'_> {
    fn by_drop(&self, targets: Bitboard) -> Option<Move32> {
        let hand = self.position.hand(self.us);
        for kind in DROPS.into_iter().filter(|&kind| hand.count(kind) != 0) {
            let kind = kind.to_piece_type();
            for to in squares(targets & self.position.check_square(kind)) {
                if self.is_mate(None, to, kind) {
                    return Some(Move32::drop(kind, to, self.us));
                }
            }
        }
        None
    }

    fn by_move(&self, targets: Bitboard) -> Option<Move32> {
        let occupied = self.position.pieces();
        for to in squares(targets) {
            let movers = self.position.attackers_to_color(self.us, to, occupied);
            for from in squares(movers) {
                let piece = self.position.piece_on(from);
                let kind = piece.piece_type();
                if kind == PieceType::KING || !self.may_leave(from, to) {
                    continue;
                }
                if kind.is_promotable() && (self.zone.test(from) || self.zone.test(to)) {
                    let promoted = kind.promote();
                    if self.checks(promoted, to) && self.is_mate(Some(from), to, promoted) {
                        return Some(Move32::promotion(from, to, piece));
                    }
                    if !matches!(kind, PieceType::SILVER | PieceType::LANCE) {
                        continue;
                    }
                }
                if kind != PieceType::KNIGHT && self.checks(kind, to) && self.is_mate(Some(from), to, kind) {
                    return Some(Move32::normal(from, to, piece));
                }
            }
        }
        None
    }

    /// Returns a knight's move or drop that mates, if any. A knight checks from a distance, but its check cannot be
    /// blocked.
    fn by_knight(&self) -> Option<Move32> {
        if !self.flights.is_empty() {
            return None;
        }
        let targets = self.position.check_square(PieceType::KNIGHT).and_not(self.position.pieces_by_color(self.us));
        let in_hand = self.position.hand(self.us).count(HandPiece::KNIGHT) != 0;
        let knights = self.position.pieces_for(PieceType::KNIGHT, self.us);
        if !in_hand && knights.is_empty() {
            return None;
        }
        for to in squares(targets) {
            if in_hand && self.position.piece_on(to).is_empty() && self.is_mate(None, to, PieceType::KNIGHT) {
                return Some(Move32::drop(PieceType::KNIGHT, to, self.us));
            }
            for from in squares(KNIGHT_ATTACKS[to][self.them.to_index()] & knights) {
                if self.may_leave(from, to) && self.is_mate(Some(from), to, PieceType::KNIGHT) {
                    return Some(Move32::normal(from, to, Piece::from_parts(self.us, PieceType::KNIGHT)));
                }
            }
        }
        None
    }

    fn checks(&self, kind: PieceType, to: Square) -> bool {
        self.position.check_square(kind).test(to)
    }

    /// Returns whether our piece on `from` can move to `to` without exposing our king.
    fn may_leave(&self, from: Square, to: Square) -> bool {
        !self.pinned.test(from) || Bitboard::is_aligned(from, to, self.position.king_square(self.us))
    }

    /// Returns whether the check by our piece of `kind` on `to` is mate: the piece cannot be captured, and the king has
    /// no square to move to. Some mates are not recognized.
    fn is_mate(&self, from: Option<Square>, to: Square, kind: PieceType) -> bool {
        let mut occupied = self.position.pieces();
        if let Some(from) = from {
            occupied.clear(from);
        }
        let mut without_king = occupied | Bitboard::from_square(to);
        without_king.clear(self.king);
        let reach = attacks(kind, to, self.us, without_king);
        let here = Bitboard::from_square(to);
        if !self.flights.and_not(reach).and_not(here).is_empty() {
            return false;
        }
        // If the moved slider pinned a piece, the slider's move may free that piece to capture.
        let is_slider = from.is_some_and(|from| is_slider(self.position.piece_on(from).piece_type()));
        let takers = self.position.attackers_to_color(self.them, to, occupied | here);
        for taker in squares(takers) {
            let is_held = !is_slider && self.shields.test(taker) && !Bitboard::is_aligned(taker, to, self.king);
            if taker != self.king && !is_held {
                return false;
            }
        }
        let gone = from.map_or(Bitboard::EMPTY, Bitboard::from_square);
        let is_held = |square: Square| {
            let ours = self.position.attackers_to_color(self.us, square, without_king).and_not(gone);
            !ours.and_not(Bitboard::from_square(square)).is_empty()
        };
        if self.around.test(to) && !is_held(to) {
            return false;
        }
        let theirs = self.position.pieces_by_color(self.them);
        squares(self.around.and_not(theirs).and_not(here)).all(|square| reach.test(square) || is_held(square))
    }
}

fn is_slider(kind: PieceType) -> bool {
    matches!(kind, PieceType::LANCE | PieceType::BISHOP | PieceType::ROOK | PieceType::HORSE | PieceType::DRAGON)
}

/// Returns the squares that a piece, which must not be a king, attacks.
pub fn attacks(kind: PieceType, from: Square, color: Color, occupied: Bitboard) -> Bitboard {
    let side = color.to_index();
    match kind {
        PieceType::PAWN => PAWN_ATTACKS[from][side],
        PieceType::LANCE => lance_attacks(from, occupied, color),
        PieceType::KNIGHT => KNIGHT_ATTACKS[from][side],
        PieceType::SILVER => SILVER_ATTACKS[from][side],
        PieceType::BISHOP => bishop_attacks(from, occupied),
        PieceType::ROOK => rook_attacks(from, occupied),
        PieceType::HORSE => bishop_attacks(from, occupied) | KING_ATTACKS[from],
        PieceType::DRAGON => rook_attacks(from, occupied) | KING_ATTACKS[from],
        _ => GOLD_ATTACKS[from][side],
    }
}

#[cfg(test)]
#[allow(clippy::unwrap_used)]
mod tests {
    use super::*;
    use crate::walk::random_games;
    use hasami_api::{Game, SearchGame};

    #[test]
    fn found_moves_mate_and_most_contact_mates_are_found() {
        let (mut positions, mut found, mut missed) = (0, 0, 0);
        random_games(5, 300, 250, |game, moves| {
            if game.in_check() {
                return;
            }
            positions += 1;
            let mates = |m| {
                let mut next = game.clone();
                next.make(m);
                next.in_check() && next.count_moves() == 0
            };
            match find(game.position()) {
                Some(m) => {
                    assert!(moves.contains(&m) && mates(m), "{m} in {}", game.to_text());
                    found += 1;
                }
                None => {
                    let king = game.position().king_square(game.position().turn().flip());
                    let is_near = |m: &&Move32| KING_ATTACKS[king].test(m.to_sq());
                    missed += usize::from(moves.iter().filter(is_near).any(|&m| game.gives_check(m) && mates(m)));
                }
            }
        });
        assert!(
            positions > 10_000 && found > 100 && missed * 10 < found,
            "{found} found, {missed} missed of {positions}"
        );
    }
}
