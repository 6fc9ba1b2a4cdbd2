//! Implements [`MateGame`], the interface of the mate solver.

use crate::{Shogi, between, movegen};
use hasami_api::{Game, Hand, MateGame, Moves, Side};
use rsshogi::types::{Bitboard, Color, HandPiece, Move32, Square};

impl MateGame for Shogi {
    #[inline]
    fn checking_moves(&self, out: &mut Moves<Move32>) {
        movegen::checking(self.position(), out);
    }

    #[inline]
    fn count_answers(&self) -> usize {
        movegen::count_answers(self.position())
    }

    #[inline]
    fn board_key(&self) -> u64 {
        self.position().board_key().low_u64()
    }

    #[inline]
    fn board_key_after(&self, m: Move32) -> Option<u64> {
        // rsshogi's `board_key_after` is deprecated without a replacement, but the version of rsshogi is pinned.
        #[allow(deprecated)]
        Some(self.position().board_key_after(m).low_u64())
    }

    #[inline]
    fn hand(&self, side: Side) -> Hand {
        let color = match side {
            Side::First => Color::BLACK,
            Side::Second => Color::WHITE,
        };
        // rsshogi's hands have the same bit layout as [`Hand`].
        Hand::from_bits(self.position().hand(color).bits())
    }

    #[inline]
    fn dropped(&self, m: Move32) -> Option<(usize, u8)> {
        let kind = HandPiece::from_piece_type(m.dropped_piece()?)?;
        Some((kind.to_index(), m.to_sq().to_index() as u8))
    }

    #[inline]
    fn won(&self, m: Move32) -> Option<usize> {
        let captured = self.position().piece_on(m.to_sq());
        if captured.is_empty() {
            return None;
        }
        HandPiece::from_piece_type(captured.piece_type().demote()).map(HandPiece::to_index)
    }

    fn differ_in_promotion(&self, one: Move32, other: Move32) -> bool {
        let is_drop = one.is_drop() || other.is_drop();
        !is_drop && one != other && (one.from_sq(), one.to_sq()) == (other.from_sq(), other.to_sq())
    }

    fn differ_in_distance(&self, one: Move32, other: Move32) -> bool {
        let origin = |m: Move32| (!m.is_drop()).then(|| m.from_sq());
        if origin(one) != origin(other) || one.piece_after_move() != other.piece_after_move() {
            return false;
        }
        let king = self.position().king_square(self.position().turn().flip());
        let is_beyond = |far: Move32, near: Move32| {
            Bitboard::between(king, far.to_sq()).iter().any(|square| square == near.to_sq())
        };
        let far = match (is_beyond(one, other), is_beyond(other, one)) {
            _ if king.is_none() => return false,
            (true, _) => one,
            (_, true) => other,
            _ => return false,
        };
        let mut after = self.clone();
        after.make(far);
        between::far_checker(after.position()) == Some(far.to_sq())
    }

    fn could_block(&self) -> bool {
        between::far_checker(self.position()).is_some()
    }

    fn squares_between(&self) -> Vec<u8> {
        between::squares(self.position()).into_iter().map(|square| square.to_index() as u8).collect()
    }

    fn nearer(&self, square: u8) -> Vec<Self> {
        between::nearer(self.position(), Square::from_index(usize::from(square)))
            .into_iter()
            .map(|position| self.at_the_same_ply(position))
            .collect()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use hasami_api::Start;
    use rand::SeedableRng;
    use rand::rngs::SmallRng;
    use rand::seq::IndexedRandom;

    #[test]
    fn board_keys_and_hands_after_a_move_are_predicted() {
        let mut random = SmallRng::seed_from_u64(2);
        let (mut drops, mut captures, mut promotions) = (0, 0, 0);
        for _ in 0..60 {
            let mut game = Shogi::new(&Start::default()).expect("the first position");
            for _ in 0..150 {
                let mut moves = Moves::new();
                game.legal_moves(&mut moves);
                let side = game.side();
                let hands = [side, side.other()].map(|side| game.hand(side));
                for &m in &*moves {
                    let (key, dropped, won) = (game.board_key_after(m), game.dropped(m), game.won(m));
                    let own = match (dropped, won) {
                        (Some((kind, _)), _) => hands[0].minus_one(kind),
                        (None, Some(kind)) => hands[0].plus_one(kind),
                        (None, None) => hands[0],
                    };
                    drops += usize::from(dropped.is_some());
                    captures += usize::from(won.is_some());
                    promotions += usize::from(game.format_move(m).ends_with('+'));
                    game.make(m);
                    assert_eq!(key, Some(game.board_key()), "{}", game.to_text());
                    assert_eq!([side, side.other()].map(|side| game.hand(side)), [own, hands[1]], "{}", game.to_text());
                    game.unmake();
                }
                let Some(&m) = moves.choose(&mut random) else { break };
                game.make(m);
            }
        }
        let seen = format!("{drops} drops, {captures} captures, {promotions} promotions");
        assert!(drops > 10_000 && captures > 10_000 && promotions > 1_000, "{seen}");
    }

    #[test]
    fn checks_that_differ_in_promotion_or_distance_only_are_recognised() {
        // Black has one rook in hand and one on the board.
        let start = Start { text: Some("4k4/9/9/4P4/R8/9/9/9/9 b R 1".into()), ..Start::default() };
        let game = Shogi::new(&start).expect("a position");
        let m = |text: &str| game.parse_move(text).expect("a move");
        let promotion = |one, other| game.differ_in_promotion(m(one), m(other));
        let distance = |one, other| game.differ_in_distance(m(one), m(other));
        assert!(promotion("9e9a+", "9e9a") && promotion("9e9a", "9e9a+"));
        assert!(!promotion("9e9a", "9e9a") && !promotion("9e9a", "9e9b") && !promotion("R*9a", "9e9a"));
        assert!(distance("R*9a", "R*6a") && distance("R*7a", "R*9a"), "along the first rank");
        assert!(distance("R*5c", "R*5b"), "one of them next to the king");
        assert!(!distance("R*6a", "R*4a") && !distance("R*9a", "R*5c"), "from other sides");
        assert!(!distance("R*9a", "9e9a"), "another rook");
    }

    #[test]
    fn drops_on_one_square_count_as_one_answer() {
        let mut random = SmallRng::seed_from_u64(1);
        let (mut positions, mut with_drops) = (0, 0);
        for _ in 0..300 {
            let mut game = Shogi::new(&Start::default()).expect("the first position");
            for _ in 0..150 {
                let mut moves = Moves::new();
                game.legal_moves(&mut moves);
                let Some(&m) = moves.choose(&mut random) else { break };
                let drops: std::collections::BTreeSet<_> =
                    moves.iter().filter_map(|&m| game.dropped(m)).map(|(_, to)| to).collect();
                let others = moves.iter().filter(|&&m| game.dropped(m).is_none()).count();
                assert_eq!(game.count_answers(), others + drops.len(), "{}", game.to_text());
                with_drops += usize::from(game.in_check() && !drops.is_empty());
                positions += 1;
                game.make(m);
            }
        }
        assert!(positions > 10_000 && with_drops > 30, "{positions} positions, {with_drops} checks met by drops");
    }
}
