//! Implements [`BrinkmateGame`], the interface of the brinkmate solver.

use crate::{Shogi, zone};
use hasami_api::{BrinkmateGame, Side, Zone};
use rsshogi::board::attack_tables::{bishop_attacks, lance_attacks, rook_attacks};
use rsshogi::types::{Bitboard, Color, Move32, PieceType, Square};

/// Largest distance from which a moved piece may threaten the king: the reach of a knight's jump, plus one.
const NEAR: u8 = 3;

impl BrinkmateGame for Shogi {
    fn pass(&mut self) {
        Self::pass(self);
    }

    fn check_zone(&self, m: Move32) -> Zone {
        zone::of_attack(m)
    }

    fn evasion_zone(&self) -> Zone {
        zone::of_answers(self.position())
    }

    fn meets(&self, answer: Move32, zone: Zone) -> bool {
        zone::is_reached(self.position(), answer, zone)
    }

    fn is_far(&self, m: Move32, king: Side) -> bool {
        let position = self.position();
        let king = match king {
            Side::First => position.king_square(Color::BLACK),
            Side::Second => position.king_square(Color::WHITE),
        };
        let to = m.to_sq();
        if distance(to, king) <= NEAR || !position.piece_on(to).is_empty() {
            return false;
        }
        let mut occupied = position.pieces();
        if !m.is_drop() {
            occupied.clear(m.from_sq());
        }
        let along = match m.piece_after_move().piece_type() {
            PieceType::LANCE => lance_attacks(to, occupied, position.turn()),
            PieceType::BISHOP | PieceType::HORSE => bishop_attacks(to, occupied),
            PieceType::ROOK | PieceType::DRAGON => rook_attacks(to, occupied),
            _ => return true,
        };
        !along.intersects(around(king))
    }

    fn is_on_one_square(a: Move32, b: Move32) -> bool {
        a.to_sq() == b.to_sq()
    }
}

fn distance(a: Square, b: Square) -> u8 {
    let file = (a.file().to_index() as u8).abs_diff(b.file().to_index() as u8);
    file.max((a.rank().to_index() as u8).abs_diff(b.rank().to_index() as u8))
}

/// The squares at most two king's steps away from `king`.
fn around(king: Square) -> Bitboard {
    let near = (0..81).map(Square::from_index).filter(|&square| distance(square, king) <= 2);
    near.fold(Bitboard::default(), |all, square| all | Bitboard::from_square(square))
}

#[cfg(test)]
mod tests {
    use super::*;
    use hasami_api::{Game, Start};

    fn at(text: &str) -> Shogi {
        Shogi::new(&Start { text: Some(text.into()), ..Start::default() }).expect("a position")
    }

    #[test]
    fn a_pass_can_be_unmade() {
        let mut game = at("7nl/7k1/6p2/7Pp/9/9/9/9/9 b GS2r2b3g3s3n3l15p 1");
        let (key, side) = (game.key(), game.side());
        game.pass();
        assert_eq!(game.side(), side.other());
        assert_ne!(game.key(), key);
        game.unmake();
        assert_eq!((game.key(), game.side()), (key, side));
    }

    #[test]
    fn moves_close_to_the_king_or_on_a_line_to_it_are_near() {
        let game = at("7nl/7k1/6p2/7Pp/9/9/4R4/8P/L8 b GSBLrb3g3s3nl14p 1");
        let is_far = |text: &str| game.is_far(game.parse_move(text).expect("a legal move"), Side::Second);
        for (near, far) in [("S*3d", "S*3h"), ("G*5c", "G*6b"), ("5g2g", "5g8g"), ("B*7g", "B*9a"), ("L*2f", "L*7f")] {
            assert!(!is_far(near), "{near}");
            assert!(is_far(far), "{far}");
        }
    }
}
