//! Problems as they would come about in games: what the attack is about stands on the board of a game.

use crate::diagram::{ATTACKER, DEFENDER, Diagram, held_kind};
use crate::games::Games;
use crate::judge::Judge;
use crate::row::Row;
use hasami_api::Game;
use rand::prelude::*;
use rand::rngs::SmallRng;
use rsshogi::types::{Color, PieceType, Square};
use std::collections::HashSet;

/// The plies of a game whose positions serve as boards.
const MIDDLE: std::ops::Range<usize> = 40..110;
/// Boards of each game.
const BOARDS: usize = 6;
/// Men on the board at least.
const MEN: usize = 22;

pub struct Grafts {
    judge: Judge,
    random: SmallRng,
    boards: Vec<Diagram>,
    nodes: u64,
    /// On the board at least.
    men: usize,
    seen: HashSet<String>,
}

impl Grafts {
    pub fn new(seed: u64, nodes: u64, hash_mb: usize, games: usize) -> Self {
        let (mut source, mut random) = (Games::new(seed, nodes, 1), SmallRng::seed_from_u64(seed));
        let mut boards = Vec::new();
        for _ in 0..games {
            let all: Vec<Diagram> = source.positions().into_iter().map(|(diagram, _)| diagram).collect();
            let middle = all.get(MIDDLE.start..all.len().min(MIDDLE.end)).unwrap_or_default();
            boards.extend(middle.choose_multiple(&mut random, BOARDS).copied());
        }
        Self { judge: Judge::new(hash_mb), random, boards, nodes, men: MEN, seen: HashSet::new() }
    }

    /// The finished problem on one of so many boards, where it begins with the same move and is as long as it was.
    pub fn graft(&mut self, row: &Row, tries: usize) -> Result<Option<Row>, String> {
        let problem = Diagram::parse(&row.position)?;
        Ok((0..tries).find_map(|_| self.on_a_board(row, &problem)))
    }

    fn on_a_board(&mut self, row: &Row, problem: &Diagram) -> Option<Row> {
        let board = *self.boards.choose(&mut self.random)?;
        let board = if self.random.random_bool(0.5) { board.turned() } else { board };
        let clear = self.random.random_range(2..=4);
        let diagram = grafted(problem, &board, clear)?;
        let men = diagram.squares(ATTACKER).count() + diagram.squares(DEFENDER).count();
        let game = diagram.game().filter(|game| men >= self.men && !game.in_check())?;
        let limit = self.nodes * (1 + u64::from(row.plies) / 2);
        // To look at one move is cheaper than to look for it.
        if !self.judge.begins(&game, row.note("first"), row.plies, limit) {
            return None;
        }
        let plies = self.judge.length(&game, row.plies, 20 * limit).filter(|&plies| plies == row.plies)?;
        if !self.seen.insert(diagram.key()) {
            return None;
        }
        let unique = self.judge.keys(&game, plies, 20 * limit).unique();
        let grafted = Row::new(diagram.text(), format!("b-{}", row.name), plies).with("kind", "game-like");
        let grafted = grafted.with("way", "grafted").with("unique", unique.word());
        Some(grafted.with("family", row.note("family")).with("parent", &row.name))
    }
}

/// The men of a board where the problem leaves room and the defender holds them, but not so near to the defender's king. The
/// board's kings serve only where the problem has none.
fn grafted(problem: &Diagram, board: &Diagram, clear: u8) -> Option<Diagram> {
    let king = problem.king(DEFENDER)?;
    let mut diagram = *problem;
    for side in [ATTACKER, DEFENDER] {
        for at in board.squares(side).filter(|&at| problem.at(at).is_empty() && distance(at, king) > clear) {
            put(&mut diagram, side, board.at(at).piece_type(), at);
        }
    }
    diagram.king(ATTACKER).map(|_| diagram)
}

fn put(diagram: &mut Diagram, side: Color, kind: PieceType, at: Square) {
    let piece = rsshogi::types::Piece::from_parts(side, kind);
    let is_second_pawn = kind == PieceType::PAWN
        && diagram.squares(side).any(|other| other.file() == at.file() && diagram.at(other) == piece);
    let is_there = match held_kind(kind) {
        Some(held) => !is_second_pawn && diagram.take(DEFENDER, held),
        None => diagram.king(side).is_none(),
    };
    if is_there {
        diagram.put(at, piece);
    }
}

fn distance(a: Square, b: Square) -> u8 {
    let file = a.file().raw().abs_diff(b.file().raw());
    file.max(a.rank().raw().abs_diff(b.rank().raw()))
}

#[cfg(test)]
#[allow(clippy::unwrap_used)]
mod tests {
    use super::*;
    use crate::diagram::tests_of_men::men;

    const PROBLEM: &str = "7nl/7k1/6p2/7Pp/9/9/9/9/9 b GS2r2b3g3s3n3l15p 1";
    const BOARD: &str = "ln1g4l/1r1s1kgb1/p2ppp1p1/2ps2p1p/1p5P1/2P1PP2P/PP1PS1P2/2GS1G1R1/LN1K3NL b BNp 1";

    #[test]
    fn the_problem_stays_and_the_board_fills_the_rest() {
        let (problem, board) = (Diagram::parse(PROBLEM).unwrap(), Diagram::parse(BOARD).unwrap());
        let whole = grafted(&problem, &board, 2).unwrap();
        assert_eq!(men(&whole), men(&problem) + 1, "the attacker's king has come");
        let count = |diagram: &Diagram| diagram.squares(ATTACKER).chain(diagram.squares(DEFENDER)).count();
        assert!(count(&whole) > 20, "{}", whole.text());
        assert!(count(&whole) > count(&grafted(&problem, &board, 5).unwrap()));
        for side in [ATTACKER, DEFENDER] {
            assert!(problem.squares(side).all(|at| whole.at(at) == problem.at(at)));
        }
        assert!(whole.game().is_some());
    }

    #[test]
    fn grafts_are_as_long_as_the_problem() {
        let mut grafts = Grafts::new(1, 200_000, 8, 0);
        // Where the attacker's king is out of reach, the problem is what it was.
        grafts.boards.push(Diagram::parse("9/9/9/9/9/9/1P7/LN7/KG7 b - 1").unwrap());
        let row = Row::new(PROBLEM.into(), "x".into(), 3).with("family", "f").with("first", "S*2c");
        assert!(grafts.graft(&row, 20).unwrap().is_none(), "too few men");
        grafts.men = 6;
        let wrong = row.clone().with("first", "G*2c");
        assert!(grafts.graft(&wrong, 20).unwrap().is_none(), "no brinkmate begins so");
        let found = grafts.graft(&row, 20).unwrap().unwrap();
        assert!(found.plies == 3 && found.note("kind") == "game-like" && found.note("parent") == "x", "{found}");
        assert!(Diagram::parse(&found.position).unwrap().king(ATTACKER).is_some());
        assert!(grafts.graft(&row, 20).unwrap().is_none(), "the same is found once");
    }
}
