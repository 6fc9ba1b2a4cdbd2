//! Lengths as composers of tsume shogi count them: without futile interpositions. docs/guide/solve.md states the rules.
//!
//! A drop between is futile if the attacker mates as soon as without it after taking it with the piece that checks, even if
//! what it took goes back to the defender's hand. So the question about a drop is one about another position, that with the
//! checking piece nearer ([`MateGame::nearer`]), and no proof needs to know which pieces were used. `within_counted` answers
//! such questions; here they are asked, and become a line.

use super::Dfpn;
use crate::core::attack_rules::AttackRules;
use crate::core::interrupt::Interrupted;
use hasami_api::{Hand, MateGame};

/// The longest mate that is counted, in plies: every one of them is a call within a call.
pub(crate) const LONGEST_COUNTED: usize = 300;
/// Nodes, at least, for which defences of the same length are compared by what they leave in hand.
const COMPARING: u64 = 50_000;

/// A line and how many pieces it leaves in the attacker's hand.
struct Counted<M> {
    left: u32,
    line: Vec<M>,
}

impl<G: MateGame, R: AttackRules<G>> Dfpn<'_, G, R> {
    /// The main line of the shortest mate, which mates within `plies` if every defence counts.
    pub(crate) fn shortest_for_composers(&mut self, mut plies: usize) -> Result<Vec<G::Move>, Interrupted> {
        if plies > LONGEST_COUNTED {
            return Err(Interrupted);
        }
        while plies > 2 && self.mates_counting(plies - 2)? {
            plies -= 2;
        }
        let until = self.nodes + (self.nodes / 2).max(COMPARING);
        let mut line = self.counted_attack(plies, until)?.line;
        line.reverse();
        Ok(line)
    }

    /// A main line from a position that mates in exactly so many plies that count. Of the longest defences it shows the one
    /// that leaves least in the attacker's hand, as far as so many nodes tell.
    fn counted_attack(&mut self, plies: usize, until: u64) -> Result<Counted<G::Move>, Interrupted> {
        // Those of which it is known need no search.
        let mut checks = self.checks();
        checks.sort_by_cached_key(|&m| !self.is_known_lost(m, plies - 1));
        for m in checks {
            if self.after(m, |search| search.is_lost_counting(plies - 1, None))? {
                let mut found = self.after(m, |search| search.counted_defence(plies - 1, until))?;
                found.line.push(m);
                return Ok(found);
            }
        }
        Err(Interrupted)
    }

    fn counted_defence(&mut self, plies: usize, until: u64) -> Result<Counted<G::Move>, Interrupted> {
        if plies == 0 {
            let hand = self.game.hand(self.attacker);
            return Ok(Counted { left: (0..Hand::KINDS).map(|kind| hand.count(kind)).sum(), line: Vec::new() });
        }
        let mut best: Option<Counted<G::Move>> = None;
        let mut answers = self.counted_answers(plies)?;
        answers.sort_by_cached_key(|&m| plies >= 4 && !self.is_known_to_last(m, plies - 3));
        for m in answers {
            if best.is_some() && self.nodes >= until {
                break;
            }
            if plies >= 4 && self.after(m, |search| search.mates_counting(plies - 3))? {
                continue;
            }
            let mut found = self.after(m, |search| search.counted_attack(plies - 1, until))?;
            if best.as_ref().is_none_or(|best| found.left < best.left) {
                found.line.push(m);
                best = Some(found);
            }
        }
        best.ok_or(Interrupted)
    }

    /// The defences of a position that is lost in exactly so many plies, futile ones left out.
    fn counted_answers(&mut self, plies: usize) -> Result<Vec<G::Move>, Interrupted> {
        let squares = self.game.squares_between();
        let mut answers = self.answers();
        answers.retain(|&m| self.game.dropped(m).is_none());
        for (index, &square) in squares.iter().enumerate() {
            let mut rest = 0;
            while rest < plies && !self.is_lost_counting(rest, Some(index))? {
                rest += 2;
            }
            if !self.is_lost_nearer(square, rest)? {
                answers.extend(self.drops_on(square));
            }
        }
        Ok(answers)
    }

    fn drops_on(&self, square: u8) -> Vec<G::Move> {
        let mut drops = self.answers();
        drops.retain(|&m| self.game.dropped(m).is_some_and(|(_, to)| to == square));
        drops
    }
}
