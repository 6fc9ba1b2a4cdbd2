//! Lines other than the main line, as composers print them: other defences with the mate after them (henka), and other
//! checks with a defence that holds (magire).

use super::Dfpn;
use super::first_lines::ANSWER;
use super::shortest::LONGEST;
use crate::core::attack_rules::AttackRules;
use crate::core::interrupt::Interrupted;
use crate::core::notation::texts;
use crate::interface::findings::{Variation, VariationKind};
use crate::interface::request::{MateRequest, MateRules};
use hasami_api::MateGame;
use std::cmp::Reverse;

/// Maximum number of defences per ply. `ATTEMPTS` is the maximum number of failing checks per ply.
const DEFENCES: usize = 6;
const ATTEMPTS: usize = 3;
/// Node budget for finding the defences of one ply, and for the line of each defence.
const SHARE: u64 = 50_000;

/// A defence, and the number of plies within which the attacker mates after it.
type Defence<M> = (M, usize);

impl<G: MateGame, R: AttackRules<G>> Dfpn<'_, G, R> {
    /// Returns the variations of the main line, ply by ply, omitting those that a limit leaves undecided.
    pub(crate) fn variations(&mut self, line: &[G::Move], request: MateRequest) -> Vec<Variation> {
        let limit = self.node_limit;
        let counts = request.shortest || request.rules == MateRules::Tsume;
        let (mut variations, mut made) = (Vec::new(), 0);
        for (index, &played) in line.iter().enumerate() {
            if self.stop.is_stopped() {
                break;
            }
            let rest = line.len() - index;
            let (kind, lines) = match (Self::attacks(index), rest) {
                // At the last move, composers print neither other mates nor failing checks.
                (true, 1) if index > 0 => break,
                (true, _) => (VariationKind::Attempt, self.attempts(played, limit)),
                (false, _) => (VariationKind::Defence, self.other_defences(played, rest, counts, limit)),
            };
            let variation = |line: Vec<G::Move>| Variation { ply: index + 1, moves: texts(&self.game, &line), kind };
            variations.extend(lines.into_iter().map(variation));
            self.game.make(played);
            made += 1;
        }
        (0..made).for_each(|_| self.game.unmake());
        self.node_limit = limit;
        variations
    }

    /// Returns checks other than `played`, each with an answer after which there is no mate. The checks with the fewest
    /// answers come first, because they are the nearest to a mate.
    fn attempts(&mut self, played: G::Move, limit: u64) -> Vec<Vec<G::Move>> {
        let mut checks = self.checks();
        checks.retain(|&m| m != played);
        checks.sort_by_cached_key(|&m| {
            self.game.make(m);
            let answers = self.game.count_answers();
            self.game.unmake();
            answers
        });
        let mut lines = Vec::new();
        for m in checks {
            self.node_limit = limit.min(self.nodes.saturating_add(ANSWER));
            if lines.len() == ATTEMPTS || self.check_limits().is_err() {
                break;
            }
            if let Ok(Some(answer)) = self.after(m, Self::escape) {
                lines.push(vec![m, answer]);
            }
        }
        lines
    }

    /// Returns defences other than `played` in a position that is lost within `rest` plies, the longest first, with the
    /// mates after them. Only one of the drops on a square is included.
    fn other_defences(&mut self, played: G::Move, rest: usize, counts: bool, limit: u64) -> Vec<Vec<G::Move>> {
        self.node_limit = limit.min(self.nodes.saturating_add(SHARE));
        let found = match counts && rest <= LONGEST {
            true => self.counted_defences(played, rest),
            false => Ok(Vec::new()),
        };
        let mut defences = match found {
            Ok(defences) if counts => defences,
            Ok(_) => self.proved_defences(),
            Err(Interrupted) => Vec::new(),
        };
        defences.retain(|&(m, _)| m != played);
        defences.sort_by_key(|&(_, plies)| Reverse(plies));
        let mut squares = Vec::new();
        defences.retain(|&(m, _)| match self.game.dropped(m) {
            Some((_, square)) if squares.contains(&square) => false,
            Some((_, square)) => {
                squares.push(square);
                true
            }
            None => true,
        });
        let mut lines = Vec::new();
        for (m, plies) in defences.into_iter().take(DEFENCES) {
            self.node_limit = limit.min(self.nodes.saturating_add(SHARE));
            if let Ok(line) = self.after(m, |search| search.line_of_mate(plies, counts)) {
                lines.push([&[m][..], &line].concat());
            }
        }
        lines
    }

    /// Returns the defences that count as moves, each with the length of the shortest mate after it.
    fn counted_defences(&mut self, played: G::Move, rest: usize) -> Result<Vec<Defence<G::Move>>, Interrupted> {
        if self.length_of_defence(rest)?.is_none() {
            return Ok(self.proved_defences());
        }
        let mut defences = Vec::new();
        for m in self.answers_that_count(rest)? {
            if m != played {
                defences.push((m, self.after(m, |search| search.least_length(rest - 1))?));
            }
        }
        Ok(defences)
    }

    /// Returns the length of the shortest mate in a position in which the attacker mates within `plies` plies.
    fn least_length(&mut self, plies: usize) -> Result<usize, Interrupted> {
        let mut plies = self.length_of_attack(plies)?.ok_or(Interrupted)?;
        while plies > 2
            && let Some(shorter) = self.length_of_attack(plies - 2)?
        {
            plies = shorter;
        }
        Ok(plies)
    }

    /// Returns all defences, each with the length of the known proof.
    fn proved_defences(&mut self) -> Vec<Defence<G::Move>> {
        let known = self.known_defences().into_iter();
        known.filter_map(|(m, plies)| Some((m, usize::try_from(plies).ok()?))).collect()
    }

    fn line_of_mate(&mut self, plies: usize, counts: bool) -> Result<Vec<G::Move>, Interrupted> {
        let line = if counts { None } else { self.main_line()? };
        line.map_or_else(|| self.line_within(plies), Ok)
    }
}
