//! Small changes of a problem.

use crate::diagram::{ATTACKER, DEFENDER, Diagram};
use crate::random::{add_near, hand_over, square};
use rand::prelude::*;
use rand::rngs::SmallRng;
use rsshogi::types::{HandPiece, Piece, PieceType, Square};

/// One change or two; the rules may refuse it.
pub fn varied(diagram: &Diagram, random: &mut SmallRng) -> Diagram {
    let mut changed = *diagram;
    for _ in 0..random.random_range(1..=2) {
        change(&mut changed, random);
    }
    changed
}

fn change(diagram: &mut Diagram, random: &mut SmallRng) {
    let sides = [ATTACKER, DEFENDER];
    let men: Vec<Square> = sides.iter().flat_map(|&side| diagram.squares(side)).collect();
    let (Some(&at), Some(king)) = (men.choose(random), diagram.king(DEFENDER)) else { return };
    match random.random_range(0..10) {
        0..4 => shift(diagram, at, random),
        4 => _ = diagram.remove(at),
        5..7 => add_near(diagram, king, *sides.choose(random).expect("it has two"), random),
        7 => hand_over(diagram, random),
        8 => take_from_hand(diagram, random),
        _ => promote(diagram, at),
    }
}

/// A man goes to an empty square at most two steps away.
fn shift(diagram: &mut Diagram, from: Square, random: &mut SmallRng) {
    let (file, rank) = (from.file().raw(), from.rank().raw());
    let to = square(file + random.random_range(-2..=2), rank + random.random_range(-2..=2));
    if let Some(to) = to.filter(|&to| diagram.at(to).is_empty()) {
        diagram.put(to, diagram.at(from));
        diagram.put(from, Piece::NONE);
    }
}

fn take_from_hand(diagram: &mut Diagram, random: &mut SmallRng) {
    let held = HandPiece::iter().filter(|&kind| diagram.held(ATTACKER, kind) > 0).choose(random);
    if let Some(kind) = held.filter(|&kind| diagram.take(ATTACKER, kind)) {
        diagram.give(DEFENDER, kind);
    }
}

/// Or back again.
fn promote(diagram: &mut Diagram, at: Square) {
    let (side, kind) = (diagram.at(at).color(), diagram.at(at).piece_type());
    if kind.is_promoted() {
        diagram.put(at, Piece::from_parts(side, kind.demote()));
    } else if kind.is_promotable() && kind != PieceType::KING {
        diagram.put(at, Piece::from_parts(side, kind.promote()));
    }
}

/// The attack has a man less, or the defence one more. Brinkmates are where mates end.
pub fn weakened(diagram: &Diagram, random: &mut SmallRng) -> Diagram {
    let mut weaker = *diagram;
    let men: Vec<Square> = diagram.squares(ATTACKER).filter(|&at| Some(at) != diagram.king(ATTACKER)).collect();
    match (random.random_range(0..5), men.choose(random), diagram.king(DEFENDER)) {
        (0, _, Some(king)) => add_near(&mut weaker, king, DEFENDER, random),
        (1..3, Some(&at), _) => _ = weaker.remove(at),
        _ => take_from_hand(&mut weaker, random),
    }
    weaker
}

/// All problems with one man less: the defender holds it. Kings stay.
pub fn with_one_less(diagram: &Diagram) -> Vec<Diagram> {
    let mut found = Vec::new();
    for at in diagram.squares(DEFENDER).chain(diagram.squares(ATTACKER)) {
        let mut less = *diagram;
        if less.remove(at) {
            found.push(less);
        }
    }
    for kind in HandPiece::iter() {
        let mut less = *diagram;
        if less.take(ATTACKER, kind) {
            less.give(DEFENDER, kind);
            found.push(less);
        }
    }
    found
}

#[cfg(test)]
#[allow(clippy::unwrap_used)]
mod tests {
    use super::*;
    use crate::diagram::tests_of_men::men;

    const TEXT: &str = "5+B1nl/8k/6pp1/8p/9/9/9/9/4K4 b G2S2rb3g2s3n3l15p 1";

    #[test]
    fn changes_lose_no_man_and_most_are_legal() {
        let mut random = SmallRng::seed_from_u64(2);
        let diagram = Diagram::parse(TEXT).unwrap();
        let varied: Vec<_> = (0..300).map(|_| varied(&diagram, &mut random)).collect();
        assert!(varied.iter().all(|changed| men(changed) == men(&diagram)));
        assert!(varied.iter().all(|changed| changed.king(DEFENDER).is_some() && changed.turn() == ATTACKER));
        let legal = varied.iter().filter(|changed| changed.game().is_some()).count();
        assert!(legal > 150, "{legal}");
        assert!(varied.iter().filter(|changed| **changed != diagram).count() > 200);
    }

    #[test]
    fn who_is_weakened_has_less_or_stands_against_more() {
        let mut random = SmallRng::seed_from_u64(2);
        let diagram = Diagram::parse(TEXT).unwrap();
        let count = |diagram: &Diagram, side| diagram.squares(side).count();
        let held = |diagram: &Diagram| HandPiece::iter().map(|kind| diagram.held(ATTACKER, kind)).sum::<u32>();
        let mut ways = [0; 3];
        for _ in 0..200 {
            let weaker = weakened(&diagram, &mut random);
            assert_eq!(men(&weaker), men(&diagram));
            assert!(weaker.king(ATTACKER).is_some());
            ways[0] += usize::from(held(&weaker) < held(&diagram));
            ways[1] += usize::from(count(&weaker, ATTACKER) < count(&diagram, ATTACKER));
            ways[2] += usize::from(count(&weaker, DEFENDER) > count(&diagram, DEFENDER));
        }
        assert!(ways.iter().all(|&ways| ways > 10) && ways.iter().sum::<usize>() <= 200, "{ways:?}");
    }

    #[test]
    fn every_man_but_a_king_can_be_left_out() {
        let diagram = Diagram::parse(TEXT).unwrap();
        let less = with_one_less(&diagram);
        // Six on the board, gold and silver in hand.
        assert_eq!(less.len(), 8);
        assert!(less.iter().all(|less| men(less) == men(&diagram) && *less != diagram));
        assert!(less.iter().all(|less| less.king(ATTACKER).is_some()));
    }
}
