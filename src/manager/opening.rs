//! Answers that need no search.

use super::core::Manager;
use crate::event::Time;
use crate::protocol::{BestMove, Go};
use crate::tree::legal_moves;
use hasami_api::{Game, MoveText};

impl<G: Game> Manager<G> {
    /// Mate, a declared win, a book move: nothing to search.
    pub(super) fn answer_without_search(&mut self, now: Time, go: &Go) -> Option<BestMove> {
        if legal_moves(&self.game).is_empty() {
            return Some(BestMove::None);
        }
        if self.game.may_declare_win() {
            return Some(BestMove::Win);
        }
        if !self.settings.own_book || self.settings.analyse_mode || !go.search_moves.is_empty() {
            return None;
        }
        let moves = self.opening.as_ref()?.moves(&self.line);
        let best = self.draw(now, &moves)?;
        Some(BestMove::Move { best: self.game.format_move(best), ponder: None })
    }

    /// Draws a legal book move by weight. The time makes games differ; nothing else here is random.
    fn draw(&self, now: Time, moves: &[(MoveText, u32)]) -> Option<G::Move> {
        let parse =
            |&(text, weight): &(MoveText, u32)| self.game.parse_move(&text).ok().map(|m| (m, u64::from(weight)));
        let legal: Vec<(G::Move, u64)> = moves.iter().filter_map(parse).collect();
        let sum: u64 = legal.iter().map(|&(_, weight)| weight).sum();
        let noise = (now.as_nanos() as u64 ^ self.game.key()).wrapping_mul(0x9E37_79B9_7F4A_7C15) >> 16;
        let mut rest = noise.checked_rem(sum).unwrap_or(0);
        for &(m, weight) in &legal {
            if rest < weight {
                return Some(m);
            }
            rest -= weight;
        }
        legal.first().map(|&(m, _)| m)
    }
}
