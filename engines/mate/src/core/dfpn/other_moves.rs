//! Other checks along the main line that mate: other keys, cooks, and duals at the end.

use super::Dfpn;
use crate::core::attack_rules::AttackRules;
use crate::core::interrupt::Interrupted;
use crate::core::value::CUT;
use crate::interface::findings::{MoveLikeness, OtherAnswer, OtherMove};
use hasami_api::MateGame;
use hasami_api::is_mated_without_moves;

/// Minimum node budget for examining each other move.
const LEAST: u64 = 1_000_000;

impl<G: MateGame, R: AttackRules<G>> Dfpn<'_, G, R> {
    /// Returns every check outside the line that mates or cannot be decided. Examining a check may take as many nodes
    /// as finding the line. If `is_shortest` is true, the line is a shortest one, and other mates of the same length
    /// are reported with that length.
    pub(crate) fn others(&mut self, line: &[G::Move], is_shortest: bool) -> Vec<OtherMove> {
        let (limit, share) = (self.node_limit, self.nodes.max(LEAST));
        let mut others = Vec::new();
        for (ply, &played) in line.iter().enumerate() {
            if ply % 2 == 0 {
                let rest = line.len() - ply;
                for m in self.checks().into_iter().filter(|&m| m != played) {
                    self.node_limit = limit.min(self.nodes.saturating_add(share));
                    let within = is_shortest.then_some(rest);
                    let answer = self.after(m, |search| search.lost_here(within)).unwrap_or(Some(OtherAnswer::Open));
                    let mv = self.game.format_move(m);
                    let likeness = MoveLikeness::of(&self.game, played, m);
                    others.extend(answer.map(|answer| OtherMove { ply: ply + 1, mv, answer, likeness }));
                }
            }
            self.game.make(played);
        }
        line.iter().for_each(|_| self.game.unmake());
        self.node_limit = limit;
        others
    }

    /// Decides whether the position, in which the defender is to move, is lost; if not, returns `None`. With `within`,
    /// also tests whether the mate takes at most `within` plies, including the previous check.
    pub(crate) fn lost_here(&mut self, within: Option<usize>) -> Result<Option<OtherAnswer>, Interrupted> {
        self.search_without_limit();
        let answers = self.answers();
        if answers.is_empty() {
            return Ok(is_mated_without_moves(&self.game).then_some(OtherAnswer::Mate(1)));
        }
        // If the attacker may play any moves, longer mates are numerous, hard to decide, and irrelevant to a problem.
        if let Some(plies) = within.filter(|_| self.style.any_moves) {
            return Ok(self.is_lost_within(plies - 1)?.then_some(OtherAnswer::Mate(plies)));
        }
        let mut longest = 0;
        for m in answers {
            let (value, _) = self.after(m, |search| search.solve())?;
            if value.is_disproved() {
                return Ok((value.note == CUT).then_some(OtherAnswer::Open));
            }
            longest = longest.max(usize::from(value.note.unsigned_abs()) + 2);
        }
        let is_short = match within.filter(|&plies| (1..longest).contains(&plies)) {
            // The known mate may be too long, or its last plies may only answer futile drops. If the exact length is
            // too expensive to find, the length of the known mate is reported.
            Some(plies) => self.is_lost_within(plies - 1).unwrap_or(false),
            None => false,
        };
        Ok(Some(OtherAnswer::Mate(within.filter(|_| is_short).unwrap_or(longest))))
    }
}
