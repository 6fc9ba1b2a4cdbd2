//! Games of the engine against itself, and the brinkmates in their last moves.

use crate::diagram::{ATTACKER, Diagram};
use crate::judge::Judge;
use crate::row::Row;
use hasami_alphabeta::{Engine, Table};
use hasami_api::{Answer, Game, Limits, Line, MoveText, Moves, Searcher, Start, Stop, Task, Verdict};
use hasami_shogi::{Shogi, ShogiEval};
use rand::prelude::*;
use rand::rngs::SmallRng;
use std::collections::HashSet;

/// Plies that are chosen at random.
const OPENING: usize = 8;
/// Plies after which a game is given up, and the last ones that are looked at.
const LONGEST: usize = 256;
const LAST: usize = 30;

pub struct Games {
    judge: Judge,
    random: SmallRng,
    seed: u64,
    nodes: u64,
    engine: Engine<Shogi, ShogiEval>,
    seen: HashSet<String>,
    played: usize,
}

impl Games {
    pub fn new(seed: u64, nodes: u64, hash_mb: usize) -> Self {
        let engine = Engine::new(ShogiEval::default(), Table::new(4));
        let (judge, random) = (Judge::new(hash_mb), SmallRng::seed_from_u64(seed));
        Self { judge, random, seed, nodes, engine, seen: HashSet::new(), played: 0 }
    }

    /// Plays one game: its problems, one of each length at most. First the moves that were played are looked at: does a
    /// brinkmate of one ply begin with one of them? Where that is so, there may be a longer one before.
    pub fn play(&mut self) -> Vec<Row> {
        self.played += 1;
        let positions = self.positions();
        self.problems(&positions)
    }

    fn problems(&mut self, positions: &[(Diagram, MoveText)]) -> Vec<Row> {
        let mut rows = Vec::<Row>::new();
        let first = positions.len().saturating_sub(LAST);
        let mut longer = [None; 2];
        for (ply, (diagram, played)) in positions.iter().enumerate().skip(first).rev() {
            let side = if diagram.turn() == ATTACKER { *diagram } else { diagram.turned() };
            let Some(game) = side.game().filter(|game| !game.in_check()) else { continue };
            let sought: &mut Option<u16> = &mut longer[diagram.turn().to_index()];
            let found = match *sought {
                Some(likely) => self.judge.length(&game, likely, self.nodes),
                None if self.judge.begins(&game, &turned(played, *diagram == side), 1, self.nodes) => Some(1),
                None => None,
            };
            let Some(plies) = found.filter(|&plies| plies > 0) else { continue };
            *sought = Some(plies + 2);
            if rows.iter().all(|row| row.plies != plies) && self.seen.insert(side.key()) {
                let unique = self.judge.keys(&game, plies, self.nodes).unique();
                let (family, parent) = (format!("p{}-{}", self.seed, self.played), format!("ply {ply}"));
                let row = Row::new(side.text(), format!("{family}-{plies}"), plies);
                let row = row.with("kind", "game").with("way", "game").with("unique", unique.word());
                rows.push(row.with("family", family).with("parent", parent));
            }
        }
        rows
    }

    /// All positions of a game, each with the move that was played there.
    pub fn positions(&mut self) -> Vec<(Diagram, MoveText)> {
        self.engine.new_game();
        let Ok(mut game) = Shogi::new(&Start::default()) else { return Vec::new() };
        let (mut line, mut positions) = (Line::default(), Vec::new());
        while line.moves.len() < LONGEST && game.verdict() == Verdict::Open {
            let Some(text) = self.next(&game, &line) else { break };
            let Ok(m) = game.parse_move(&text) else { break };
            positions.push((Diagram::of(&game), text));
            game.make(m);
            line.moves.push(text);
        }
        positions
    }

    fn next(&mut self, game: &Shogi, line: &Line) -> Option<MoveText> {
        if line.moves.len() < OPENING {
            let mut moves = Moves::new();
            game.legal_moves(&mut moves);
            return moves.choose(&mut self.random).map(|&m| game.format_move(m));
        }
        // Now stronger and now weaker, so that games differ.
        let limits = Limits { nodes: Some(self.random.random_range(200..3_000)), ..Limits::default() };
        let task = Task { line: line.clone(), limits, ..Task::default() };
        match self.engine.search(&task, &Stop::new(), &mut |_| {}) {
            Ok(Answer::Best { best, .. }) => best,
            _ => None,
        }
    }
}

/// A move as seen from the other side of the board, unless it is seen from there already.
fn turned(played: &str, is_seen_so: bool) -> String {
    if is_seen_so {
        return played.to_owned();
    }
    let turn = |c: char| match c {
        '1'..='9' => char::from(b'1' + b'9' - c as u8),
        'a'..='i' => char::from(b'a' + b'i' - c as u8),
        _ => c,
    };
    played.chars().map(turn).collect()
}

#[cfg(test)]
#[allow(clippy::unwrap_used)]
mod tests {
    use super::*;

    #[test]
    fn a_game_is_one_move_after_another_and_a_seed_says_it_all() {
        let game = |seed| Games::new(seed, 1_000, 1).positions();
        let positions = game(1);
        assert!(positions.len() > 30);
        for pair in positions.windows(2) {
            let mut game = pair[0].0.game().unwrap();
            let m = game.parse_move(&pair[0].1).unwrap();
            game.make(m);
            assert_eq!(Diagram::of(&game), pair[1].0);
        }
        assert_eq!(positions, game(1));
        assert_ne!(positions, game(2));
    }

    /// The end of a game with a brinkmate of three plies, played by either side.
    #[test]
    fn brinkmates_are_found_where_they_were_played() {
        let first = Diagram::parse("7nl/7k1/6p2/7Pp/9/9/9/9/9 b GS2r2b3g3s3n3l15p 1").unwrap();
        let mut game = first.game().unwrap();
        let mut positions = Vec::new();
        for text in ["S*2c", "2b1c", "2c3d+"] {
            positions.push((Diagram::of(&game), text.parse::<MoveText>().unwrap()));
            let m = game.parse_move(text).unwrap();
            game.make(m);
        }
        let turned: Vec<_> =
            positions.iter().map(|(d, m)| (d.turned(), turned(m, false).parse::<MoveText>().unwrap())).collect();
        for positions in [positions, turned] {
            let rows = Games::new(1, 5_000_000, 8).problems(&positions);
            let found: Vec<_> = rows.iter().map(|row| (row.plies, row.position.clone())).collect();
            assert_eq!(found.len(), 2, "{found:?}");
            assert_eq!((found[1].0, &found[1].1), (3, &first.text()));
            assert_eq!((found[0].0, rows[0].note("kind")), (1, "game"));
        }
    }

    #[test]
    fn moves_are_turned_as_boards_are() {
        assert_eq!(turned("7g7f", true), "7g7f");
        assert_eq!(turned("7g7f", false), "3c3d");
        assert_eq!(turned("S*1a+", false), "S*9i+");
    }
}
