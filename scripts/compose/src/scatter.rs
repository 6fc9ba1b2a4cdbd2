//! Brinkmates among few men scattered about a king: the roots from which others grow.

use crate::diagram::{ATTACKER, DEFENDER, Diagram};
use crate::judge::Judge;
use crate::random::square;
use crate::row::Row;
use rand::prelude::*;
use rand::rngs::SmallRng;
use rsshogi::types::{HandPiece, Piece, PieceType};

/// Nodes after which a mate is not looked for any longer.
const MATE: u64 = 20_000;

const KINDS: [HandPiece; 7] = [
    HandPiece::PAWN,
    HandPiece::LANCE,
    HandPiece::KNIGHT,
    HandPiece::SILVER,
    HandPiece::GOLD,
    HandPiece::BISHOP,
    HandPiece::ROOK,
];

pub struct Scatter {
    judge: Judge,
    random: SmallRng,
    seed: u64,
    nodes: u64,
    found: usize,
}

impl Scatter {
    pub fn new(seed: u64, nodes: u64, hash_mb: usize) -> Self {
        Self { judge: Judge::new(hash_mb), random: SmallRng::seed_from_u64(seed), seed, nodes, found: 0 }
    }

    /// The next brinkmate, of at most so many plies as it says.
    pub fn next(&mut self) -> Row {
        loop {
            let diagram = scattered(&mut self.random);
            let Some(game) = diagram.game() else { continue };
            if let Some((plies, nodes)) = self.judge.any_length(&game, MATE, self.nodes) {
                self.found += 1;
                let name = format!("r{}-{}", self.seed, self.found);
                let row = Row::new(diagram.text(), name.clone(), plies).with("kind", "composed").with("way", "random");
                return row.with("family", name).with("parent", "-").with("nodes", nodes);
            }
        }
    }
}

/// The rules may refuse it.
fn scattered(random: &mut SmallRng) -> Diagram {
    let mut diagram = Diagram::empty();
    let file: i8 = 8 - random.random_range(0..9i32) as i8;
    let rank: i8 = *[0, 0, 0, 1, 1, 2].choose(random).expect("it has six");
    if let Some(king) = square(file, rank) {
        diagram.put(king, Piece::from_parts(DEFENDER, PieceType::KING));
    }
    let attackers: i32 = random.random_range(1..5);
    let defenders: i32 = random.random_range(1..6);
    for man in 0..attackers + defenders {
        scatter(&mut diagram, (file, rank), man < attackers, random);
    }
    for _ in 0..random.random_range(1..5i32) {
        let kind = KINDS[random.random_range(0..KINDS.len())];
        if diagram.take(DEFENDER, kind) {
            diagram.give(ATTACKER, kind);
        }
    }
    diagram
}

fn scatter(diagram: &mut Diagram, king: (i8, i8), attacks: bool, random: &mut SmallRng) {
    let kind = KINDS[random.random_range(0..KINDS.len())];
    if diagram.held(DEFENDER, kind) == 0 {
        return;
    }
    let (aside, ahead) = if random.random_bool(0.8) {
        let aside = random.random_range(-2..=2i32);
        (king.0 - aside as i8, king.1 + random.random_range(-1..=3i32) as i8)
    } else {
        let file = random.random_range(0..9i32);
        (8 - file as i8, random.random_range(0..9i32) as i8)
    };
    let Some(to) = square(aside, ahead).filter(|&to| diagram.at(to).is_empty()) else { return };
    let plain = kind.to_piece_type();
    let is_promoted = plain.is_promotable() && random.random_bool(if attacks { 0.35 } else { 0.05 });
    diagram.take(DEFENDER, kind);
    let side = if attacks { ATTACKER } else { DEFENDER };
    diagram.put(to, Piece::from_parts(side, if is_promoted { plain.promote() } else { plain }));
}

#[cfg(test)]
#[allow(clippy::unwrap_used)]
mod tests {
    use super::*;
    use crate::diagram::tests_of_men::men;

    #[test]
    fn no_man_is_lost_and_the_king_is_near_the_edge() {
        let mut random = SmallRng::seed_from_u64(1);
        for _ in 0..200 {
            let diagram = scattered(&mut random);
            assert_eq!(men(&diagram), 39, "{}", diagram.text());
            assert!(diagram.king(DEFENDER).unwrap().rank().raw() < 3 && diagram.king(ATTACKER).is_none());
        }
    }

    #[test]
    fn a_seed_says_it_all() {
        let first = "7k1/9/6l2/8N/9/9/9/9/9 b 3SP2r2b4gs3n3l17p 1";
        let mut random = SmallRng::seed_from_u64(3);
        assert!((0..2_000).any(|_| scattered(&mut random).text() == first), "r3-1 of the public set's material");
        let mut random = SmallRng::seed_from_u64(4);
        assert!((0..2_000).all(|_| scattered(&mut random).text() != first));
    }
}
