//! The shortest mate, proved: no mate within two plies less. By strict rules, or as composers of tsume shogi count: without futile
//! interpositions. docs/guide/solve.md states the rules.
//!
//! A drop between is futile if the attacker mates as soon as without it after taking it with the piece that checks, even if
//! what it took goes back to the defender's hand. So the question about a drop is one about another position, that with the
//! checking piece nearer ([`MateGame::nearer`]), and no proof needs to know which pieces were used. `within` answers such
//! questions; here they are asked, and become a line.

use super::Dfpn;
use crate::core::attack_rules::AttackRules;
use crate::core::interrupt::Interrupted;
use crate::interface::request::MateRules;
use hasami_api::{Hand, MateGame};

/// The longest mate whose length is searched for, in plies: every one of them is a call within a call.
pub(crate) const LONGEST: usize = 300;
/// Nodes, at least, for which defences of the same length are compared by what they leave in hand.
const COMPARING: u64 = 50_000;
/// A shorter line may cost that part of the nodes so far.
const NOTE: u64 = 16;

/// A line and how many pieces it leaves in the attacker's hand.
struct Counted<M> {
    left: u32,
    line: Vec<M>,
}

impl<G: MateGame, R: AttackRules<G>> Dfpn<'_, G, R> {
    /// The main line of the shortest mate, which mates within `plies` by strict rules. `note` hears of shorter lines on the way,
    /// each as long as its mate may take at most.
    pub(crate) fn shortest(
        &mut self,
        mut plies: usize,
        note: &mut dyn FnMut(&mut Self, Vec<G::Move>),
    ) -> Result<Vec<G::Move>, Interrupted> {
        if plies > LONGEST {
            plies = self.length_of_attack(LONGEST)?.ok_or(Interrupted)?;
        }
        while plies > 2
            && let Some(shorter) = self.length_of_attack(plies - 2)?
        {
            plies = shorter;
            if let Some(line) = self.line_for_a_part(plies) {
                note(self, line);
            }
        }
        let comparing = match self.lengths {
            MateRules::Strict => 0,
            MateRules::Tsume => (self.nodes / 2).max(COMPARING),
        };
        let mut line = self.shortest_attack(plies, self.nodes + comparing)?.line;
        line.reverse();
        Ok(line)
    }

    /// The line of a mate within so many plies, if it can be had for a small part of what the search has cost.
    fn line_for_a_part(&mut self, plies: usize) -> Option<Vec<G::Move>> {
        let all = self.node_limit;
        self.node_limit = all.min(self.nodes + self.nodes / NOTE);
        let line = self.line_within(plies);
        self.node_limit = all;
        line.ok()
    }

    /// A main line from a position that is known to mate within so many plies. Every step is proved within what is left of
    /// them, so that it comes to an end whatever the table has forgotten.
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

    /// A check and the longest answer to it; the plies within which the position after it mates, fewer than before.
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

    /// The checks, those first of which it is known that they mate within so many plies: they need no search.
    fn checks_that_mate_first(&mut self, plies: usize) -> Vec<G::Move> {
        let mut checks = self.checks();
        checks.sort_by_cached_key(|&m| !self.is_known_lost(m, plies - 1));
        checks
    }

    /// A main line from a position that mates in exactly so many plies. Of the longest defences it shows the one that leaves
    /// least in the attacker's hand, as far as so many nodes tell.
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

    /// Every answer is mate within so many plies.
    pub(crate) fn is_lost_within(&mut self, plies: usize) -> Result<bool, Interrupted> {
        self.length_of_defence(plies).map(|found| found.is_some())
    }
}
