//! Lengths as composers of tsume shogi count them: without futile interpositions. docs/guide/solve.md states the rules.
//!
//! A drop between is futile if the attacker mates as soon as without it after taking it with the piece that checks, even if
//! what it took goes back to the defender's hand. So the question about a drop is one about another position, that with the
//! checking piece nearer ([`MateGame::nearer`]), and no proof needs to know which pieces were used.
//!
//! Results by these rules lie in the table under keys of their own: they are neither proofs nor disproofs.

use super::Dfpn;
use crate::core::attack_rules::AttackRules;
use crate::core::interrupt::Interrupted;
use crate::core::mix::mix;
use crate::core::table::KnownMate;
use crate::core::value::{CUT, ProofNumbers, UNCONDITIONAL};
use hasami_api::{Hand, MateGame, is_mated_for_composers, is_mated_without_moves};
use std::mem;

/// Keeps names of counted lengths apart from all others.
const COUNTED: u64 = 1 << 33;
/// Cost limit for a position that seems to have no mate at all.
const GLANCE: u64 = 2_000;
/// The longest mate that is counted, in plies: every one of them is a call within a call.
pub(crate) const LONGEST_COUNTED: usize = 300;
/// Positions in which defences of the same length are compared by what they leave in hand.
const COMPARED: u32 = 2_000;

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
        while plies > 2 && self.counts_within(plies - 2)? {
            plies -= 2;
        }
        let mut line = self.counted_attack(plies, &mut { COMPARED })?.line;
        line.reverse();
        Ok(line)
    }

    /// A main line by the proofs that the table has, without the interpositions that these show to be futile.
    pub(crate) fn line_for_composers(&mut self) -> Result<Option<Vec<G::Move>>, Interrupted> {
        let (mut line, mut seen) = (Vec::new(), vec![self.game.key()]);
        let found = loop {
            let is_attack = line.len() % 2 == 0;
            let step = match is_attack {
                _ if self.stop.is_stopped() => Err(Interrupted),
                true => self.attack(&seen),
                false => Ok(self.longest_counted_defence()),
            };
            match step {
                Err(Interrupted) => break Err(Interrupted),
                Ok(None) => break Ok((!is_attack).then(|| line.clone())),
                Ok(Some(m)) => {
                    self.game.make(m);
                    seen.push(self.game.key());
                    line.push(m);
                }
            }
        };
        line.iter().for_each(|_| self.game.unmake());
        found
    }

    fn longest_counted_defence(&mut self) -> Option<G::Move> {
        let mut best: Option<(i32, G::Move)> = None;
        let lengths = self.known_defences();
        let squares = self.game.squares_between();
        for square in std::iter::once(None).chain(squares.into_iter().map(Some)) {
            let beyond = best.map_or(0, |(plies, _)| plies + 1);
            if square.is_some_and(|square| self.proof_nearer(square).is_some_and(|plies| plies <= beyond)) {
                continue;
            }
            for &(m, plies) in &lengths {
                let to = self.game.dropped(m).map(|(_, to)| to);
                if to == square && best.is_none_or(|(most, _)| plies > most) {
                    best = Some((plies, m));
                }
            }
        }
        best.map(|(_, m)| m)
    }

    /// Plies to mate with the checking piece on that square, as far as a proof is known.
    fn proof_nearer(&mut self, square: u8) -> Option<i32> {
        let nearer = self.game.nearer(square).into_iter();
        let lengths = nearer.filter_map(|game| match is_mated_for_composers(&game) {
            true => Some(0),
            false => self.proved_of(&game).map(|value| value.note.into()),
        });
        lengths.min()
    }

    /// The position, in which the attacker is to move, mates within so many plies that count.
    fn counts_within(&mut self, plies: usize) -> Result<bool, Interrupted> {
        self.check_limits()?;
        let name = self.name_of(plies, 0);
        if let Some(known) = self.recall(name) {
            return Ok(known);
        }
        let mates = self.mates_within(plies)?;
        self.keep(name, mates);
        Ok(mates)
    }

    fn mates_within(&mut self, plies: usize) -> Result<bool, Interrupted> {
        if plies >= 3 {
            if self.is_mate_within(plies)? {
                return Ok(true);
            }
            if self.is_soon_refuted()? {
                return Ok(false);
            }
        }
        for m in self.checks() {
            if self.after(m, |search| search.is_lost_counting(plies - 1))? {
                return Ok(true);
            }
        }
        Ok(false)
    }

    /// A glance is enough to see that there is no mate of any length.
    fn is_soon_refuted(&mut self) -> Result<bool, Interrupted> {
        let all = self.node_limit;
        self.node_limit = all.min(self.nodes + GLANCE);
        self.search_without_limit();
        let found = self.solve();
        self.node_limit = all;
        match found {
            Ok((value, _)) => Ok(value.is_disproved() && value.note != CUT),
            Err(Interrupted) => self.check_limits().map(|()| false),
        }
    }

    /// The position, in which the defender is to move, is lost within so many plies that count.
    fn is_lost_counting(&mut self, plies: usize) -> Result<bool, Interrupted> {
        let squares = self.game.squares_between();
        self.is_lost_by(plies, &squares)
    }

    /// The same if nothing but what goes to these squares is dropped, the nearest to the king first.
    fn is_lost_by(&mut self, plies: usize, squares: &[u8]) -> Result<bool, Interrupted> {
        self.check_limits()?;
        let name = self.name_of(plies, squares.len() + 1);
        if let Some(known) = self.recall(name) {
            return Ok(known);
        }
        let is_lost = match squares.split_last() {
            None => self.is_lost_without_drops(plies)?,
            Some((&last, before)) => self.is_lost_by(plies, before)? && self.are_drops_lost(plies, last, before)?,
        };
        self.keep(name, is_lost);
        Ok(is_lost)
    }

    fn is_lost_without_drops(&mut self, plies: usize) -> Result<bool, Interrupted> {
        let answers = self.answers();
        if answers.is_empty() {
            return Ok(is_mated_without_moves(&self.game));
        }
        let others: Vec<G::Move> = answers.into_iter().filter(|&m| self.game.dropped(m).is_none()).collect();
        if plies == 0 {
            return Ok(others.is_empty());
        }
        for m in others {
            if !self.after(m, |search| search.counts_within(plies - 1))? {
                return Ok(false);
            }
        }
        Ok(true)
    }

    /// Drops on the last of the squares are futile, or lost within so many plies; whatever else there is, is.
    fn are_drops_lost(&mut self, plies: usize, last: u8, before: &[u8]) -> Result<bool, Interrupted> {
        let drops = self.drops_on(last);
        if drops.is_empty() {
            return Ok(true);
        }
        // To take it and to go on as if it had not been there takes two plies more.
        if plies >= 2 && self.is_lost_nearer(last, plies - 2)? {
            return Ok(true);
        }
        // Futile: the rest takes as long. If it took less, the drop would count.
        if (plies == 0 || !self.is_lost_by(plies - 2, before)?) && self.is_lost_nearer(last, plies)? {
            return Ok(true);
        }
        for m in drops {
            if plies == 0 || !self.after(m, |search| search.counts_within(plies - 1))? {
                return Ok(false);
            }
        }
        Ok(true)
    }

    /// With the checking piece on that square it is lost within so many plies.
    fn is_lost_nearer(&mut self, square: u8, plies: usize) -> Result<bool, Interrupted> {
        for nearer in self.game.nearer(square) {
            let here = mem::replace(&mut self.game, nearer);
            let is_lost = self.is_lost_counting(plies);
            self.game = here;
            if is_lost? {
                return Ok(true);
            }
        }
        Ok(false)
    }

    /// A main line from a position that mates in exactly so many plies that count. Of the longest defences it shows the one
    /// that leaves least in the attacker's hand, as far as so many comparisons tell.
    fn counted_attack(&mut self, plies: usize, compared: &mut u32) -> Result<Counted<G::Move>, Interrupted> {
        for m in self.checks() {
            if self.after(m, |search| search.is_lost_counting(plies - 1))? {
                let mut found = self.after(m, |search| search.counted_defence(plies - 1, compared))?;
                found.line.push(m);
                return Ok(found);
            }
        }
        Err(Interrupted)
    }

    fn counted_defence(&mut self, plies: usize, compared: &mut u32) -> Result<Counted<G::Move>, Interrupted> {
        if plies == 0 {
            let hand = self.game.hand(self.attacker);
            return Ok(Counted { left: (0..Hand::KINDS).map(|kind| hand.count(kind)).sum(), line: Vec::new() });
        }
        let mut best: Option<Counted<G::Move>> = None;
        for m in self.counted_answers(plies)? {
            let is_shorter = plies >= 4 && self.after(m, |search| search.counts_within(plies - 3))?;
            if is_shorter || best.is_some() && *compared == 0 {
                continue;
            }
            *compared = compared.saturating_sub(1);
            let mut found = self.after(m, |search| search.counted_attack(plies - 1, compared))?;
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
            let (mut rest, before) = (0, &squares[..index]);
            while rest < plies && !self.is_lost_by(rest, before)? {
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

    /// The key of a question about the position: so many plies, so many squares.
    fn name_of(&self, plies: usize, squares: usize) -> u64 {
        mix(self.game.key() ^ mix(COUNTED + (plies as u64) * 16 + squares as u64))
    }

    fn recall(&self, name: u64) -> Option<bool> {
        match self.table.get(name, Hand::EMPTY) {
            KnownMate::Decided(value) => Some(value.is_proved()),
            _ => None,
        }
    }

    fn keep(&mut self, name: u64, is_so: bool) {
        let value = if is_so {
            ProofNumbers::proved(0, Hand::EMPTY)
        } else {
            ProofNumbers::disproved(UNCONDITIONAL, Hand::EMPTY)
        };
        self.table.put(name, value, 1);
    }
}
