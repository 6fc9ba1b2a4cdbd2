//! Remembers the expected move in each position of earlier lines. A line from a member of a search group breaks off
//! where it uses another member's table entry, but that member may have reported the continuation, perhaps in a line
//! that reached the position by other moves.

use super::variation::shows_end;
use hasami_api::{Game, MoveText, Score, Verdict};
use std::collections::{HashMap, HashSet};
use std::hash::{DefaultHasher, Hash, Hasher};

/// The tables are cleared before they hold more positions than this.
const MOST: usize = 8_192;

/// For each position, the move that the deepest search expected (of equally deep searches, the newest), and its depth.
#[derive(Default)]
pub(super) struct Continuations {
    moves: HashMap<u64, (u16, MoveText)>,
    /// For each position and number of plies to a forced end, the move that leads to that end.
    ends: HashMap<(u64, u16), MoveText>,
    /// Hashes of lines that were already recorded, because progress reports repeat the same lines many times a second.
    noted: HashSet<u64>,
}

impl Continuations {
    /// Records a line from this position with the value `score`, reported by a search of `depth` plies.
    pub fn note<G: Game>(&mut self, game: &mut G, line: &[MoveText], depth: u16, score: Score) {
        let most = self.moves.len().max(self.ends.len());
        if most + line.len() > MOST || self.noted.len() >= MOST {
            *self = Self::default();
        }
        let mut hasher = DefaultHasher::new();
        (game.key(), line, depth, score).hash(&mut hasher);
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
        if score.is_decisive() {
            self.note_end(game, line, plies_of(score));
        }
    }

    /// Records a line toward a forced end that is `plies` plies away. The line may break off before the end.
    fn note_end<G: Game>(&mut self, game: &mut G, line: &[MoveText], plies: u16) {
        let mut made = 0;
        for (&text, left) in line.iter().zip((1..=plies).rev()) {
            let Ok(m) = game.parse_move(&text) else { break };
            self.ends.insert((game.key(), left), text);
            game.make(m);
            made += 1;
        }
        (0..made).for_each(|_| game.unmake());
    }

    /// Extends a line up to the forced end that `score` announces. Leaves the line unchanged if some of the moves are
    /// unknown.
    pub fn lengthen_to_end<G: Game>(&self, game: &mut G, line: &mut Vec<MoveText>, score: Score) {
        let (length, plies) = (line.len(), plies_of(score));
        let next = |key: u64, made: usize| {
            let end = self.ends.get(&(key, plies.saturating_sub(made as u16)));
            end.or_else(|| self.moves.get(&key).map(|(_, text)| text)).copied()
        };
        continue_with(game, line, plies.into(), next);
        if !shows_end(game, line, score) {
            line.truncate(length);
        }
    }

    /// Extends a line of legal moves from this position with known moves, up to `length` moves or the end of the game.
    pub fn lengthen<G: Game>(&self, game: &mut G, line: &mut Vec<MoveText>, length: usize) {
        continue_with(game, line, length, |key, _| self.moves.get(&key).map(|&(_, text)| text));
    }
}

/// The number of plies to the forced end that a score announces.
fn plies_of(score: Score) -> u16 {
    u16::try_from(Score::MATE.abs_diff(score.raw().abs())).unwrap_or(u16::MAX)
}

/// Extends a line to `length` moves. `next` returns the next move, given the key of a position and the number of plies
/// played.
fn continue_with<G: Game>(
    game: &mut G,
    line: &mut Vec<MoveText>,
    length: usize,
    next: impl Fn(u64, usize) -> Option<MoveText>,
) {
    let mut made = 0;
    for text in line.iter() {
        let Ok(m) = game.parse_move(text) else { break };
        game.make(m);
        made += 1;
    }
    while made == line.len() && made < length && game.verdict() == Verdict::Open {
        let known = next(game.key(), made).and_then(|text| game.parse_move(&text).ok());
        let Some(m) = known else { break };
        line.push(game.format_move(m));
        game.make(m);
        made += 1;
    }
    (0..made).for_each(|_| game.unmake());
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

    fn lengthened(lines: &[(&str, u16)], short: &str, length: usize) -> Vec<MoveText> {
        let mut game = Chess::new(&Start::default()).unwrap();
        let mut known = Continuations::default();
        lines.iter().for_each(|&(text, depth)| known.note(&mut game, &line(text), depth, Score::DRAW));
        let mut all = line(short);
        known.lengthen(&mut game, &mut all, length);
        assert_eq!(game.key(), Chess::new(&Start::default()).unwrap().key());
        all
    }

    #[test]
    fn a_line_is_continued_after_a_transposition() {
        let lines = [("g1f3 g8f6 d2d4 d7d5 c2c4 e7e6", 8)];
        assert_eq!(lengthened(&lines, "d2d4 g8f6 g1f3", 5), line("d2d4 g8f6 g1f3 d7d5 c2c4"));
        assert_eq!(lengthened(&lines, "d2d4 g8f6", 5), line("d2d4 g8f6"));
        assert_eq!(lengthened(&lines, "d2d4 g8f6 g1f3", 2), line("d2d4 g8f6 g1f3"));
    }

    #[test]
    fn the_deepest_search_counts_and_the_newest_among_equals() {
        let lines = [("e2e4 e7e5", 9), ("e2e4 c7c5", 4)];
        assert_eq!(lengthened(&lines, "e2e4", 2), line("e2e4 e7e5"));
        let lines = [("e2e4 e7e5", 9), ("e2e4 c7c5", 9)];
        assert_eq!(lengthened(&lines, "e2e4", 2), line("e2e4 c7c5"));
    }

    #[test]
    fn a_line_ends_with_the_game() {
        let shuffle = "g1f3 g8f6 f3g1 f6g8 g1f3 g8f6 f3g1 f6g8";
        let all = lengthened(&[(shuffle, 3)], "g1f3", 30);
        assert_eq!(all, line(shuffle)[..all.len()], "the third repetition is a draw");
        assert!(all.len() <= 8);
    }

    #[test]
    fn a_mate_is_extended_to_its_end_or_not_at_all() {
        let mut game = Chess::new(&Start::default()).unwrap();
        let mut known = Continuations::default();
        let mate = line("f2f3 e7e5 g2g4 d8h4");
        let mut lengthened = |known: &Continuations, short: &str| {
            let mut all = line(short);
            known.lengthen_to_end(&mut game, &mut all, Score::loss_in(4));
            all
        };
        let mut at_start = Chess::new(&Start::default()).unwrap();
        known.note(&mut at_start, &mate, 5, Score::loss_in(4));
        // A deeper search reports another line from the same positions, which does not lead to the mate.
        known.note(&mut at_start, &line("f2f3 e7e5 e2e4 b8c6"), 9, Score::cp(-90));
        assert_eq!(lengthened(&known, "f2f3"), mate);
        assert_eq!(lengthened(&known, "g2g4"), line("g2g4"));
        let mut known = Continuations::default();
        known.note(&mut at_start, &mate[..3], 5, Score::loss_in(4));
        assert_eq!(lengthened(&known, "f2f3"), line("f2f3"), "the last move is not known");
    }

    #[test]
    fn old_positions_are_forgotten_when_there_are_too_many() {
        let mut game = Chess::new(&Start::default()).unwrap();
        let moves = (0..MOST as u64 - 1).map(|key| (key, (1, line("a2a3")[0]))).collect();
        let mut known = Continuations { moves, ..Continuations::default() };
        known.note(&mut game, &line("e2e4 e7e5"), 5, Score::DRAW);
        assert_eq!(known.moves.len(), 2);
    }
}
