//! What was expected to follow in the positions of earlier lines. A member of a team that takes over what another has found
//! cuts its line short there; that other one has told how it goes on, perhaps in a line that came to the position by other
//! moves.

use hasami_api::{Game, MoveText, Verdict};
use std::collections::{HashMap, HashSet};
use std::hash::{DefaultHasher, Hash, Hasher};

/// Positions that are remembered; beyond, all are forgotten, and the next lines teach them anew.
const MOST: usize = 8_192;

/// The move of the deepest search by position, and how deep that was; the newest of equals.
#[derive(Default)]
pub(super) struct Continuations {
    moves: HashMap<u64, (u16, MoveText)>,
    /// Lines that were noted: signs of life repeat them many times a second.
    noted: HashSet<u64>,
}

impl Continuations {
    /// A search of `depth` plies has told a line from here.
    pub fn note<G: Game>(&mut self, game: &mut G, line: &[MoveText], depth: u16) {
        if self.moves.len() + line.len() > MOST || self.noted.len() >= MOST {
            *self = Self::default();
        }
        let mut hasher = DefaultHasher::new();
        (game.key(), line, depth).hash(&mut hasher);
        if !self.noted.insert(hasher.finish()) {
            return;
        }
        let mut made = 0;
        for (&text, left) in line.iter().zip((0..=depth).rev()) {
            let Ok(m) = game.parse_move(&text) else { break };
            if self.moves.get(&game.key()).is_none_or(|&(known, _)| left >= known) {
                self.moves.insert(game.key(), (left, text));
            }
            game.make(m);
            made += 1;
        }
        (0..made).for_each(|_| game.unmake());
    }

    /// Lengthens a line of legal moves from here to `length`, if so many are known. It ends where the game does.
    pub fn lengthen<G: Game>(&self, game: &mut G, line: &mut Vec<MoveText>, length: usize) {
        let mut made = 0;
        for text in line.iter() {
            let Ok(m) = game.parse_move(text) else { break };
            game.make(m);
            made += 1;
        }
        while made == line.len() && made < length && game.verdict() == Verdict::Open {
            let known = self.moves.get(&game.key()).and_then(|(_, text)| game.parse_move(text).ok());
            let Some(m) = known else { break };
            line.push(game.format_move(m));
            game.make(m);
            made += 1;
        }
        (0..made).for_each(|_| game.unmake());
    }
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used)]
    use super::*;
    use hasami_api::Start;
    use hasami_chess::Chess;

    fn line(text: &str) -> Vec<MoveText> {
        text.split_whitespace().map(|m| m.parse().unwrap()).collect()
    }

    fn lengthened(told: &[(&str, u16)], short: &str, length: usize) -> Vec<MoveText> {
        let mut game = Chess::new(&Start::default()).unwrap();
        let mut known = Continuations::default();
        told.iter().for_each(|&(told, depth)| known.note(&mut game, &line(told), depth));
        let mut all = line(short);
        known.lengthen(&mut game, &mut all, length);
        assert_eq!(game.key(), Chess::new(&Start::default()).unwrap().key());
        all
    }

    #[test]
    fn another_order_of_moves_shows_how_a_line_goes_on() {
        let told = [("g1f3 g8f6 d2d4 d7d5 c2c4 e7e6", 8)];
        assert_eq!(lengthened(&told, "d2d4 g8f6 g1f3", 5), line("d2d4 g8f6 g1f3 d7d5 c2c4"));
        assert_eq!(lengthened(&told, "d2d4 g8f6", 5), line("d2d4 g8f6"));
        assert_eq!(lengthened(&told, "d2d4 g8f6 g1f3", 2), line("d2d4 g8f6 g1f3"));
    }

    #[test]
    fn the_deepest_search_counts_and_among_equals_the_newest() {
        let told = [("e2e4 e7e5", 9), ("e2e4 c7c5", 4)];
        assert_eq!(lengthened(&told, "e2e4", 2), line("e2e4 e7e5"));
        let told = [("e2e4 e7e5", 9), ("e2e4 c7c5", 9)];
        assert_eq!(lengthened(&told, "e2e4", 2), line("e2e4 c7c5"));
    }

    #[test]
    fn a_line_ends_with_the_game() {
        let shuffle = "g1f3 g8f6 f3g1 f6g8 g1f3 g8f6 f3g1 f6g8";
        let all = lengthened(&[(shuffle, 3)], "g1f3", 30);
        assert_eq!(all, line(shuffle)[..all.len()], "the third time it is drawn");
        assert!(all.len() <= 8);
    }

    #[test]
    fn old_positions_are_forgotten_when_there_are_too_many() {
        let mut game = Chess::new(&Start::default()).unwrap();
        let moves = (0..MOST as u64 - 1).map(|key| (key, (1, line("a2a3")[0]))).collect();
        let mut known = Continuations { moves, ..Continuations::default() };
        known.note(&mut game, &line("e2e4 e7e5"), 5);
        assert_eq!(known.moves.len(), 2);
    }
}
