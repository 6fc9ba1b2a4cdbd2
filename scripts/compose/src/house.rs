//! A house for the attacker's king, in a corner: where the defender can check, a brinkmate takes longer.

use crate::diagram::{ATTACKER, DEFENDER, Diagram};
use crate::random::square;
use rand::prelude::*;
use rand::rngs::SmallRng;
use rsshogi::types::{HandPiece, Piece, PieceType, Square};

/// Squares from the corner (aside, ahead), who may stand there, and how often somebody does.
const WALLS: [(i8, i8, f64); 8] =
    [(1, 0, 0.85), (0, 1, 0.85), (1, 1, 0.85), (2, 0, 0.4), (2, 1, 0.4), (0, 2, 0.4), (1, 2, 0.4), (2, 2, 0.4)];
const KINDS: [PieceType; 7] = [
    PieceType::PAWN,
    PieceType::PAWN,
    PieceType::LANCE,
    PieceType::KNIGHT,
    PieceType::SILVER,
    PieceType::SILVER,
    PieceType::GOLD,
];
/// Of the walls those that are the defender's.
const HOSTILE: f64 = 0.06;
/// How far from the house the defender's king lives, in files.
const APART: i8 = 4;

/// The attacker's king and men about it, all from the defender's hand, in the corner that is far from the other king.
pub fn housed(diagram: &Diagram, random: &mut SmallRng) -> Option<Diagram> {
    let other = diagram.king(DEFENDER)?.file().raw();
    let corner = if other < APART { 8 } else { 0 };
    let king = square(corner, 8).filter(|&at| diagram.at(at).is_empty())?;
    let mut housed = *diagram;
    housed.put(king, Piece::from_parts(ATTACKER, PieceType::KING));
    for (aside, ahead, often) in WALLS {
        if random.random_bool(often) {
            put_wall(&mut housed, near(king, aside, ahead), random);
        }
    }
    Some(housed)
}

/// A wall is put, or taken away.
pub fn rebuilt(diagram: &Diagram, random: &mut SmallRng) -> Option<Diagram> {
    let king = diagram.king(ATTACKER)?;
    let mut rebuilt = *diagram;
    for _ in 0..random.random_range(1..=2) {
        let (aside, ahead, _) = *WALLS.choose(random)?;
        let at = near(king, aside, ahead)?;
        if rebuilt.at(at).is_empty() || rebuilt.remove(at) && random.random_bool(0.5) {
            put_wall(&mut rebuilt, Some(at), random);
        }
    }
    Some(rebuilt)
}

/// Aside is towards the middle.
fn near(king: Square, aside: i8, ahead: i8) -> Option<Square> {
    let aside = if king.file().raw() < 5 { aside } else { -aside };
    square(king.file().raw() + aside, king.rank().raw() - ahead)
}

/// The rules may refuse it.
fn put_wall(diagram: &mut Diagram, at: Option<Square>, random: &mut SmallRng) {
    let kind = *KINDS.choose(random).expect("it has seven");
    let side = if random.random_bool(HOSTILE) { DEFENDER } else { ATTACKER };
    let Some(at) = at.filter(|&at| diagram.at(at).is_empty()) else { return };
    if HandPiece::from_piece_type(kind).is_some_and(|held| diagram.take(DEFENDER, held)) {
        diagram.put(at, Piece::from_parts(side, kind));
    }
}

#[cfg(test)]
#[allow(clippy::unwrap_used)]
mod tests {
    use super::*;
    use crate::diagram::tests_of_men::men;

    const WITHOUT: &str = "k1+L6/9/9/S8/9/9/9/9/9 b G2r2b3g3s4n3l18p 1";

    #[test]
    fn a_house_stands_in_the_corner_that_is_far() {
        let mut random = SmallRng::seed_from_u64(1);
        for (text, corner) in [(WITHOUT, "1i"), ("6+L1k/9/9/8S/9/9/9/9/9 b G2r2b3g3s4n3l18p 1", "9i")] {
            let diagram = Diagram::parse(text).unwrap();
            let houses: Vec<_> = (0..200).map(|_| housed(&diagram, &mut random).unwrap()).collect();
            let count = |house: &Diagram| house.squares(ATTACKER).count() - diagram.squares(ATTACKER).count();
            for house in &houses {
                assert_eq!(house.king(ATTACKER), Some(corner.parse().unwrap()));
                assert_eq!(men(house), men(&diagram) + 1, "a king has come");
                assert!(diagram.squares(ATTACKER).all(|at| house.at(at) == diagram.at(at)));
                assert!(count(house) <= 1 + WALLS.len());
            }
            let legal = houses.iter().filter(|house| house.game().is_some()).count();
            assert!(legal > 100, "{legal}");
        }
        let taken = Diagram::parse("k8/9/9/9/9/9/9/9/8G b 2r2b3g4s4n4l18p 1").unwrap();
        assert!(housed(&taken, &mut random).is_none(), "somebody stands there");
    }

    #[test]
    fn only_walls_are_rebuilt_and_no_man_is_lost() {
        let mut random = SmallRng::seed_from_u64(2);
        let diagram = Diagram::parse("kl7/2+L6/9/9/G8/9/9/7SS/7NK b 2r2b3g2s3n2l18p 1").unwrap();
        let houses: Vec<_> = (0..200).map(|_| rebuilt(&diagram, &mut random).unwrap()).collect();
        let count = |house: &Diagram| house.squares(ATTACKER).count();
        assert!(houses.iter().all(|house| men(house) == men(&diagram)));
        let walls = |house: &Diagram| house.squares(ATTACKER).filter(|at| at.rank().raw() >= 6).count();
        assert!(houses.iter().all(|house| count(house) - walls(house) == 2 && house.king(ATTACKER).is_some()));
        assert!(houses.iter().any(|house| count(house) > count(&diagram)));
        assert!(houses.iter().any(|house| count(house) < count(&diagram)));
        assert!(rebuilt(&Diagram::parse(WITHOUT).unwrap(), &mut random).is_none(), "there is no house");
    }
}
