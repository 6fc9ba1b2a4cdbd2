//! Lines with other first moves: other checks that mate or, if there is no mate, checks with an answer.

use super::Dfpn;
use crate::core::attack_rules::AttackRules;
use crate::core::interrupt::Interrupted;
use crate::core::notation::texts;
use crate::core::reports::other_line;
use crate::core::table::KnownMate;
use crate::core::value::{CUT, UNCONDITIONAL};
use crate::interface::findings::OtherAnswer;
use hasami_api::{MateGame, MoveText};

/// Minimum node budget for a line other than the main line. `ANSWER` is the node budget for an answer to a check, which
/// is smaller because the table usually contains an answer.
const LEAST: u64 = 100_000;
pub(crate) const ANSWER: u64 = 20_000;

impl<G: MateGame, R: AttackRules<G>> Dfpn<'_, G, R> {
    /// Returns the main lines of at most `most` checks other than `played` that mate, the shortest first. The search
    /// for each line may take as many nodes as the search for the main line.
    pub(crate) fn other_lines(&mut self, played: &MoveText, most: usize) -> Vec<Vec<G::Move>> {
        let (limit, share) = (self.node_limit, self.nodes.max(LEAST));
        let mut lines = Vec::new();
        let mut checks = self.checks();
        checks.retain(|&m| self.game.format_move(m) != *played);
        for m in checks {
            self.node_limit = limit.min(self.nodes.saturating_add(share));
            if let Ok(Some(rest)) = self.after(m, Self::line_against) {
                lines.push([&[m][..], &rest].concat());
                if lines.len() <= most {
                    self.tell_line(&lines);
                }
            }
        }
        self.node_limit = limit;
        lines.sort_by_key(Vec::len);
        lines.truncate(most);
        lines
    }

    /// Reports the last line found, numbered in order of discovery.
    fn tell_line(&mut self, lines: &[Vec<G::Move>]) {
        let Some(line) = lines.last() else { return };
        let place = u16::try_from(lines.len() + 1).unwrap_or(u16::MAX);
        self.report(other_line(place, &texts(&self.game, line), self.nodes));
    }

    /// Returns the longest known defence and the mate after it, or `None` if the position, in which the defender is to
    /// move, is not lost.
    fn line_against(&mut self) -> Result<Option<Vec<G::Move>>, Interrupted> {
        if !matches!(self.lost_here(None)?, Some(OtherAnswer::Mate(_))) {
            return Ok(None);
        }
        let Some((m, plies)) = self.known_defences().into_iter().max_by_key(|&(_, plies)| plies) else {
            return Ok(Some(Vec::new()));
        };
        let plies = usize::try_from(plies).map_err(|_| Interrupted)?;
        let rest = self.after(m, |search| match search.main_line()? {
            Some(line) => Ok(line),
            None => search.line_within(plies),
        })?;
        Ok(Some([&[m][..], &rest].concat()))
    }

    /// Returns at most `most` checks of a position without a mate, each with an answer that refutes it.
    pub(crate) fn refutations(&mut self, most: usize) -> Vec<Vec<G::Move>> {
        let limit = self.node_limit;
        let mut lines = Vec::new();
        for m in self.checks() {
            if lines.len() == most {
                break;
            }
            self.node_limit = limit.min(self.nodes.saturating_add(ANSWER));
            if let Ok(Some(answer)) = self.after(m, Self::escape) {
                lines.push(vec![m, answer]);
            }
        }
        self.node_limit = limit;
        lines
    }

    /// Returns an answer after which there is no mate: a known answer or, if none is known, one that is found quickly.
    pub(crate) fn escape(&mut self) -> Result<Option<G::Move>, Interrupted> {
        let answers = self.answers();
        for &m in &answers {
            if self.after(m, |search| Ok(search.is_known_to_fail()))? {
                return Ok(Some(m));
            }
        }
        for m in answers {
            let (value, _) = self.after(m, Self::solve)?;
            if value.is_disproved() && value.note != CUT {
                return Ok(Some(m));
            }
        }
        Ok(None)
    }

    fn is_known_to_fail(&self) -> bool {
        let hand = self.game.hand(self.attacker);
        match self.table.get(self.table_key(self.game.board_key(), hand), hand) {
            KnownMate::Decided(value) => value.is_disproved() && value.note == UNCONDITIONAL,
            _ => false,
        }
    }
}
