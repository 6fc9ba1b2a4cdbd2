//! Answers that need no search.

use super::answer::{Choice, UNKNOWN};
use super::core::Manager;
use crate::event::{Action, Time};
use crate::protocol::{BestMove, Go, Info, Output};
use hasami_api::{Game, MoveText};
use std::time::Duration;

impl<G: Game> Manager<G> {
    /// Mate, a declared win, a book move: nothing to search. False if that is not so.
    pub(super) fn answer_without_search(&mut self, now: Time, go: &Go) -> bool {
        let best = self.end_of_game().or_else(|| self.book_move(now, go));
        let is_known = best.is_some();
        self.out.extend(best.map(|best| Action::Say(Output::Best(best))));
        is_known
    }

    /// A move of the book, after the info line that GUIs expect before every move.
    fn book_move(&mut self, now: Time, go: &Go) -> Option<BestMove> {
        if !self.settings.own_book || self.settings.analyse_mode || !go.search_moves.is_empty() {
            return None;
        }
        let moves = self.opening.as_ref()?.moves(&self.line);
        let best = self.game.format_move(self.draw(now, &moves)?);
        let before = self.crew.nodes;
        let Choice { line, value } =
            self.glance_at(&[best]).unwrap_or_else(|| Choice { line: vec![best], value: UNKNOWN });
        self.message("a move of the book");
        let info = self.info(Duration::ZERO, self.crew.nodes - before, value, line);
        let ponder = info.pv.get(1).copied();
        self.say(Output::Info(Info { multipv: (self.settings.multi_pv > 1).then_some(1), ..info }));
        Some(BestMove::Move { best, ponder })
    }

    /// `go rtime`: how long this move takes.
    pub(super) fn draw_time(&self, now: Time, go: &mut Go) {
        if let Some(least) = go.random_time {
            let more = least / 2_000 * (self.noise(now) % 1_001) as u32;
            go.move_time = Some(least + more + self.settings.overhead);
        }
    }

    /// The time makes games differ; nothing else here is random.
    fn noise(&self, now: Time) -> u64 {
        (now.as_nanos() as u64 ^ self.game.key()).wrapping_mul(0x9E37_79B9_7F4A_7C15) >> 16
    }

    /// Draws a legal book move by weight.
    fn draw(&self, now: Time, moves: &[(MoveText, u32)]) -> Option<G::Move> {
        let parse =
            |&(text, weight): &(MoveText, u32)| self.game.parse_move(&text).ok().map(|m| (m, u64::from(weight)));
        let legal: Vec<(G::Move, u64)> = moves.iter().filter_map(parse).collect();
        let sum: u64 = legal.iter().map(|&(_, weight)| weight).sum();
        let mut rest = self.noise(now).checked_rem(sum).unwrap_or(0);
        for &(m, weight) in &legal {
            if rest < weight {
                return Some(m);
            }
            rest -= weight;
        }
        legal.first().map(|&(m, _)| m)
    }
}
