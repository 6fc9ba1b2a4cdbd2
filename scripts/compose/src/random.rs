//! Few men at random about a king near the edge.

use crate::diagram::{ATTACKER, DEFENDER, Diagram, held_kind};
use rand::prelude::*;
use rand::rngs::SmallRng;
use rsshogi::types::{Color, File, HandPiece, Piece, PieceType, Rank, Square};

/// The kinds, pieces that attack well a little more often.
const KINDS: [PieceType; 9] = [
    PieceType::PAWN,
    PieceType::LANCE,
    PieceType::KNIGHT,
    PieceType::SILVER,
    PieceType::SILVER,
    PieceType::GOLD,
    PieceType::GOLD,
    PieceType::BISHOP,
    PieceType::ROOK,
];

/// The rules may refuse it.
pub fn position(random: &mut SmallRng) -> Diagram {
    let mut diagram = Diagram::empty();
    let (file, rank) = (random.random_range(0..9), *[0, 0, 0, 1, 1, 2].choose(random).expect("it has six"));
    let Some(king) = square(file, rank) else { return diagram };
    diagram.put(king, Piece::from_parts(DEFENDER, PieceType::KING));
    for _ in 0..random.random_range(1..5) {
        add_near(&mut diagram, king, ATTACKER, random);
    }
    for _ in 0..random.random_range(1..6) {
        add_near(&mut diagram, king, DEFENDER, random);
    }
    for _ in 0..random.random_range(2..5) {
        hand_over(&mut diagram, random);
    }
    if random.random_bool(0.3) {
        add_own_king(&mut diagram, random);
    }
    diagram
}

/// The attacker's, with a man or two that may give it trouble.
fn add_own_king(diagram: &mut Diagram, random: &mut SmallRng) {
    let Some(king) = square(random.random_range(0..9), random.random_range(6..9)) else { return };
    if !diagram.at(king).is_empty() {
        return;
    }
    diagram.put(king, Piece::from_parts(ATTACKER, PieceType::KING));
    for _ in 0..random.random_range(0..3) {
        let side = *[ATTACKER, DEFENDER].choose(random).expect("it has two");
        add_near(diagram, king, side, random);
    }
}

/// A man of the defender's hand to a square about the king, most often near it.
pub fn add_near(diagram: &mut Diagram, king: Square, side: Color, random: &mut SmallRng) {
    let towards = if king.rank().raw() < 5 { 1 } else { -1 };
    let to = if random.random_bool(0.8) {
        let ahead = towards * random.random_range(-1..=3);
        square(king.file().raw() + random.random_range(-2..=2), king.rank().raw() + ahead)
    } else {
        square(random.random_range(0..9), random.random_range(0..9))
    };
    let kind = *KINDS.choose(random).expect("it has nine");
    let is_promoted = kind.is_promotable() && random.random_bool(if side == ATTACKER { 0.35 } else { 0.05 });
    let Some(to) = to.filter(|&to| diagram.at(to).is_empty()) else { return };
    if held_kind(kind).is_some_and(|held| diagram.take(DEFENDER, held)) {
        diagram.put(to, Piece::from_parts(side, if is_promoted { kind.promote() } else { kind }));
    }
}

/// A man from the defender's hand to the attacker's.
pub fn hand_over(diagram: &mut Diagram, random: &mut SmallRng) {
    let kind = *KINDS.choose(random).expect("it has nine");
    let Some(held) = HandPiece::from_piece_type(kind) else { return };
    if diagram.take(DEFENDER, held) {
        diagram.give(ATTACKER, held);
    }
}

pub fn square(file: i8, rank: i8) -> Option<Square> {
    let is_on_board = (0..9).contains(&file) && (0..9).contains(&rank);
    is_on_board.then(|| Square::from_file_rank(File::new(file), Rank::new(rank)))
}

#[cfg(test)]
#[allow(clippy::unwrap_used)]
mod tests {
    use super::*;
    use crate::diagram::tests_of_men::men;

    #[test]
    fn positions_are_whole_sets_and_many_are_legal() {
        let mut random = SmallRng::seed_from_u64(1);
        let positions: Vec<_> = (0..200).map(|_| position(&mut random)).collect();
        for diagram in &positions {
            let kings = 1 + usize::from(diagram.king(ATTACKER).is_some());
            assert_eq!(men(diagram), 38 + kings, "{}", diagram.text());
            assert!(diagram.king(DEFENDER).unwrap().rank().raw() < 3);
        }
        let legal = positions.iter().filter(|diagram| diagram.game().is_some()).count();
        assert!(legal > 50, "{legal}");
        let with_kings = positions.iter().filter(|diagram| diagram.king(ATTACKER).is_some()).count();
        assert!((20..120).contains(&with_kings), "{with_kings}");
    }

    #[test]
    fn a_seed_says_it_all() {
        let of = |seed| position(&mut SmallRng::seed_from_u64(seed)).text();
        assert_eq!(of(7), of(7));
        assert_ne!(of(7), of(8));
    }
}
