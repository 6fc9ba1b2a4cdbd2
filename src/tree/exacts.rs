//! Remembers the last exact value of each move in a position. The last exact value is reported before an answer if the
//! search ends with only a bound. An exact value may come from an earlier search whose variation passed through the
//! position.

use super::rules::pv_inference;
use super::variation::shows_end;
use hasami_api::{Bound, Game, MoveText, Report, Score};
use std::collections::HashMap;

/// The table is cleared before it holds more moves than this.
const MOST: usize = 8_192;
/// Values are recorded for this many positions along a line, because the next search begins two plies later.
const PLIES: u16 = 3;

/// The exact value for each position and move.
#[derive(Default)]
pub(super) struct Exacts {
    known: HashMap<(u64, MoveText), Exact>,
    search: u32,
}

/// The parts of a report that are shown to the user, which take a third of the memory of a whole report.
struct Exact {
    /// Number of the search that reported the value.
    search: u32,
    depth: u16,
    seldepth: u16,
    score: Score,
    nodes: u64,
    pv: Box<[MoveText]>,
}

impl Exacts {
    /// Begins a new search, whose values replace those of earlier searches regardless of depth.
    pub fn begin(&mut self) {
        self.search += 1;
    }

    /// Records the exact value of the first move of a line. A line that announces a mate but does not show it is
    /// ignored.
    pub fn note<G: Game>(&mut self, game: &mut G, report: &Report) {
        if report.score.is_decisive() && !shows_end(game, &report.pv, report.score) {
            return;
        }
        if self.known.len() + usize::from(PLIES) > MOST {
            self.known.clear();
        }
        let mut made = 0;
        while made < PLIES
            && let Some(found) = pv_inference::along(report, made)
            && let Some(&first) = found.pv.first()
            && let Ok(m) = game.parse_move(&first)
        {
            let known = self.known.get(&(game.key(), first));
            if known.is_none_or(|known| known.search < self.search || known.depth <= found.depth) {
                let Report { depth, seldepth, score, nodes, pv, .. } = found;
                let exact = Exact { search: self.search, depth, seldepth, score, nodes, pv: pv.into() };
                self.known.insert((game.key(), first), exact);
            }
            game.make(m);
            made += 1;
        }
        (0..made).for_each(|_| game.unmake());
    }

    pub fn of(&self, key: u64, text: MoveText) -> Option<Report> {
        let &Exact { depth, seldepth, score, nodes, ref pv, .. } = self.known.get(&(key, text))?;
        Some(Report { depth, seldepth, bound: Bound::Exact, nodes, pv: pv.to_vec(), ..Report::new(score) })
    }
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used)]
    use super::*;
    use hasami_api::{Score, Start};
    use hasami_chess::Chess;

    fn report(depth: u16, cp: i32, pv: &str) -> Report {
        let pv = pv.split_whitespace().map(|m| m.parse().unwrap()).collect();
        Report { depth, pv, ..Report::new(Score::cp(cp)) }
    }

    #[test]
    fn the_deepest_value_of_the_newest_search_counts() {
        let mut game = Chess::new(&Start::default()).unwrap();
        let mut exacts = Exacts::default();
        let (key, first) = (game.key(), "e2e4".parse().unwrap());
        let mut score_after = |depth, cp, begin| {
            if begin {
                exacts.begin();
            }
            exacts.note(&mut game, &report(depth, cp, "e2e4 e7e5"));
            exacts.of(key, first).map(|known| known.score).unwrap()
        };
        assert_eq!(score_after(9, 30, true), Score::cp(30));
        assert_eq!(score_after(8, 20, false), Score::cp(30));
        assert_eq!(score_after(9, 25, false), Score::cp(25));
        assert_eq!(score_after(2, 10, true), Score::cp(10));
    }

    #[test]
    fn a_line_also_gives_values_for_the_positions_along_it() {
        let mut game = Chess::new(&Start::default()).unwrap();
        let mut exacts = Exacts::default();
        exacts.note(&mut game, &report(9, 30, "e2e4 e7e5 g1f3 b8c6"));
        for text in ["e2e4", "e7e5"] {
            let m = game.parse_move(&text.parse::<MoveText>().unwrap()).unwrap();
            game.make(m);
        }
        let known = exacts.of(game.key(), "g1f3".parse().unwrap()).unwrap();
        assert_eq!((known.score, known.depth, known.pv.len()), (Score::cp(30), 7, 2));
        game.unmake();
        assert_eq!(exacts.of(game.key(), "e7e5".parse().unwrap()).unwrap().score, Score::cp(-30));
    }
}
