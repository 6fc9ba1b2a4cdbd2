//! Proves that a mate is the shortest, which means that no mate is two plies shorter. Lengths are counted by strict
//! rules, or by tsume shogi composers' rules, without futile interpositions (rules in docs/guide/solve.md).
//!
//! An interposed drop is futile if the attacker, after capturing the dropped piece with the checking piece, mates as
//! quickly as without the drop, even if the captured piece goes back to the defender's hand. Whether a drop is futile
//! is a question about another position, in which the checking piece is nearer to the king ([`MateGame::nearer`]), and
//! no proof needs to know which pieces were used. Module `within` decides whether there is a mate within a number of
//! plies; `shortest` builds a line from such decisions.
//!
//! The search begins with a mate and looks for shorter ones. If it takes long to find any mate, or to decide whether a
//! shorter mate exists, the search also raises a lower bound, beginning with the shortest lengths. The length thus has
//! a lower and an upper bound, and a short mate is found even if the first mate would be long.

use super::Dfpn;
use crate::core::attack_rules::AttackRules;
use crate::core::interrupt::Interrupted;
use crate::core::value::ProofNumbers;
use crate::interface::request::MateRules;
use hasami_api::{Hand, MateGame};

/// Longest mate, in plies, that the search for a shortest mate considers. The recursion is as deep as the mate is long.
pub(crate) const LONGEST: usize = 300;
/// Minimum node budget for comparing defences of equal length by the pieces that they leave in hand.
const COMPARING: u64 = 50_000;
/// The node budget for the line of a shorter mate is the number of nodes searched so far divided by `NOTE`.
const NOTE: u64 = 16;
/// Node budget of the first attempt to decide whether a shorter mate exists. The budget doubles with each attempt.
const TURN: u64 = 1 << 18;
/// The node budget for raising the lower bound by one step is the attempt's budget divided by `FROM_BELOW`.
const FROM_BELOW: u64 = 2;
/// Node budget of the first attempt to find any mate, which doubles with each attempt. When the budget exceeds
/// `LAST_ANY_TURN`, the lower bound is no longer raised, because mates that cost more are usually long.
const ANY_TURN: u64 = 1 << 12;
const LAST_ANY_TURN: u64 = 1 << 21;

/// The result of alternately searching for any mate and for the shortest mate.
pub(crate) enum FirstFound {
    /// The result of the search for any mate.
    Any(ProofNumbers),
    /// The length of the shortest mate, in plies.
    Shortest(usize),
}

/// An intermediate result of the search for the shortest mate.
pub(crate) enum LengthNews<M> {
    /// A line of a shorter mate, which is as long as the proved upper bound on the length.
    Line(Vec<M>),
    /// A lower bound: no mate has fewer plies.
    AtLeast(usize),
}

/// A line and the number of pieces that it leaves in the attacker's hand.
struct Counted<M> {
    left: u32,
    line: Vec<M>,
}

impl<G: MateGame, R: AttackRules<G>> Dfpn<'_, G, R> {
    /// Searches alternately for any mate and for short mates, the shortest lengths first, until either search succeeds.
    /// Raises `least` to the best known lower bound on the length, and passes new bounds to `note`.
    pub(crate) fn any_or_shortest(
        &mut self,
        least: &mut usize,
        note: &mut dyn FnMut(&mut Self, LengthNews<G::Move>),
    ) -> Result<FirstFound, Interrupted> {
        let more_than_all = LONGEST.min(self.depth_limit) + 2;
        let mut turn = ANY_TURN;
        loop {
            if let Some(value) = self.solve_for(turn)? {
                return Ok(FirstFound::Any(value));
            }
            if turn <= LAST_ANY_TURN {
                let from_below =
                    |search: &mut Self| search.shortest_from_below(least, more_than_all, turn / FROM_BELOW, note);
                if let Some(plies) = self.pause_for(from_below)? {
                    return Ok(FirstFound::Shortest(plies));
                }
            }
            turn = turn.saturating_mul(2);
        }
    }

    /// Returns the main line of the shortest mate, given that there is a mate within `plies` and that none has fewer
    /// plies than `least`. `note` receives lines of shorter mates found on the way, and lower bounds on the length.
    pub(crate) fn shortest(
        &mut self,
        mut plies: usize,
        least: usize,
        note: &mut dyn FnMut(&mut Self, LengthNews<G::Move>),
    ) -> Result<Vec<G::Move>, Interrupted> {
        if plies > LONGEST {
            plies = self.length_of_attack(LONGEST)?.ok_or(Interrupted)?;
        }
        let plies = self.shortest_length(plies, least, note)?;
        let comparing = match self.lengths {
            MateRules::Strict => 0,
            MateRules::Tsume => (self.nodes / 2).max(COMPARING),
        };
        let mut line = self.shortest_attack(plies, self.nodes + comparing)?.line;
        line.reverse();
        Ok(line)
    }

    /// Returns the length of the shortest mate, given that there is a mate within `plies` and none with fewer plies
    /// than `least`.
    fn shortest_length(
        &mut self,
        mut plies: usize,
        mut least: usize,
        note: &mut dyn FnMut(&mut Self, LengthNews<G::Move>),
    ) -> Result<usize, Interrupted> {
        let mut turn = TURN;
        while least < plies.saturating_sub(1) {
            let shorter = match self.for_at_most(turn, |search| search.length_of_attack(plies - 2))? {
                Some(None) => return Ok(plies),
                Some(shorter) => shorter,
                None => self.shortest_from_below(&mut least, plies, turn / FROM_BELOW, note)?,
            };
            turn = turn.saturating_mul(2);
            if let Some(shorter) = shorter {
                plies = shorter;
                if let Some(line) = self.line_for_a_part(plies) {
                    note(self, LengthNews::Line(line));
                }
            }
        }
        Ok(plies)
    }

    /// Searches for a mate within `least` plies, with a limit of `nodes` nodes, and raises `least` while there is no
    /// such mate. If the search finds a mate of fewer than `plies` plies, returns its length.
    fn shortest_from_below(
        &mut self,
        least: &mut usize,
        plies: usize,
        nodes: u64,
        note: &mut dyn FnMut(&mut Self, LengthNews<G::Move>),
    ) -> Result<Option<usize>, Interrupted> {
        while *least < plies.saturating_sub(1) {
            match self.for_at_most(nodes, |search| search.length_of_attack(*least))? {
                Some(Some(shorter)) => return Ok(Some(shorter)),
                Some(None) => *least += 2,
                None => break,
            }
            note(self, LengthNews::AtLeast(*least));
        }
        Ok(None)
    }

    /// Returns the result of `ask`, or `None` if `ask` takes more than `nodes` nodes.
    fn for_at_most<T>(
        &mut self,
        nodes: u64,
        ask: impl FnOnce(&mut Self) -> Result<T, Interrupted>,
    ) -> Result<Option<T>, Interrupted> {
        let (all, share) = (self.node_limit, self.nodes.saturating_add(nodes));
        self.node_limit = all.min(share);
        let found = ask(self);
        self.node_limit = all;
        match found {
            Ok(found) => Ok(Some(found)),
            Err(Interrupted) if self.nodes >= share => self.check_limits().map(|()| None),
            Err(Interrupted) => Err(Interrupted),
        }
    }

    /// Returns a line of exactly `plies` plies if finding it is cheap. There must be a mate within `plies` plies. A
    /// shorter line is not returned, because its defence may not be the longest, so the line does not prove a shorter
    /// mate.
    fn line_for_a_part(&mut self, plies: usize) -> Option<Vec<G::Move>> {
        let all = self.node_limit;
        self.node_limit = all.min(self.nodes + self.nodes / NOTE);
        let line = self.line_within(plies);
        self.node_limit = all;
        line.ok().filter(|line| line.len() == plies)
    }

    /// Returns a main line from a position in which the attacker mates within `plies` plies. Every step is proved
    /// within the remaining plies, so the line ends even if the table has lost results.
    pub(crate) fn line_within(&mut self, mut plies: usize) -> Result<Vec<G::Move>, Interrupted> {
        if plies > LONGEST {
            return Err(Interrupted);
        }
        let mut line = Vec::new();
        let result = loop {
            match self.step_within(plies, &mut line) {
                Ok(0) => break Ok(()),
                Ok(left) => plies = left,
                Err(Interrupted) => break Err(Interrupted),
            }
        };
        line.iter().for_each(|_| self.game.unmake());
        result.map(|()| line)
    }

    /// Makes a check and the longest answer to it. Returns the number of plies, smaller than `plies`, within which the
    /// attacker mates after both moves.
    fn step_within(&mut self, plies: usize, line: &mut Vec<G::Move>) -> Result<usize, Interrupted> {
        let plies = self.length_of_attack(plies)?.ok_or(Interrupted)?;
        let mut left = None;
        for m in self.checks_that_mate_first(plies) {
            left = self.after(m, |search| search.length_of_defence(plies - 1))?;
            if left.is_some() {
                self.play(m, line);
                break;
            }
        }
        let left = left.ok_or(Interrupted)?;
        let mut longest: Option<(usize, G::Move)> = None;
        for m in if left == 0 { Vec::new() } else { self.answers_that_count(left)? } {
            let plies = self.after(m, |search| search.length_of_attack(left - 1))?.ok_or(Interrupted)?;
            if longest.is_none_or(|(most, _)| plies > most) {
                longest = Some((plies, m));
            }
        }
        let Some((plies, m)) = longest else { return Ok(0) };
        self.play(m, line);
        Ok(plies)
    }

    fn play(&mut self, m: G::Move, line: &mut Vec<G::Move>) {
        self.game.make(m);
        line.push(m);
    }

    /// Returns the checks. Checks that are known to mate within `plies` plies come first, because they need no search.
    fn checks_that_mate_first(&mut self, plies: usize) -> Vec<G::Move> {
        let mut checks = self.checks();
        checks.sort_by_cached_key(|&m| !self.is_known_lost(m, plies - 1));
        checks
    }

    /// Returns a main line, in reverse, from a position in which the attacker mates in exactly `plies` plies. Among the
    /// longest defences, the line shows the one that leaves the attacker the fewest pieces in hand. The comparison of
    /// defences ends after `until` nodes.
    fn shortest_attack(&mut self, plies: usize, until: u64) -> Result<Counted<G::Move>, Interrupted> {
        for m in self.checks_that_mate_first(plies) {
            if self.after(m, |search| search.length_of_defence(plies - 1))?.is_some() {
                let mut found = self.after(m, |search| search.longest_answer(plies - 1, until))?;
                found.line.push(m);
                return Ok(found);
            }
        }
        Err(Interrupted)
    }

    fn longest_answer(&mut self, plies: usize, until: u64) -> Result<Counted<G::Move>, Interrupted> {
        if plies == 0 {
            let hand = self.game.hand(self.attacker);
            return Ok(Counted { left: (0..Hand::KINDS).map(|kind| hand.count(kind)).sum(), line: Vec::new() });
        }
        let mut best: Option<Counted<G::Move>> = None;
        let mut answers = self.answers_that_count(plies)?;
        answers.sort_by_cached_key(|&m| plies >= 4 && !self.is_known_to_last(m, plies - 3));
        for m in answers {
            if best.is_some() && self.nodes >= until {
                break;
            }
            if plies >= 4 && self.after(m, |search| search.mates_within(plies - 3))? {
                continue;
            }
            let mut found = self.after(m, |search| search.shortest_attack(plies - 1, until))?;
            if best.as_ref().is_none_or(|best| found.left < best.left) {
                found.line.push(m);
                best = Some(found);
            }
        }
        best.ok_or(Interrupted)
    }

    /// Returns true if the attacker mates within `plies` plies after every answer.
    pub(crate) fn is_lost_within(&mut self, plies: usize) -> Result<bool, Interrupted> {
        self.length_of_defence(plies).map(|found| found.is_some())
    }
}
