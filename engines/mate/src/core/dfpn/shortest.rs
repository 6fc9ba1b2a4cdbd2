//! The shortest mate, proved: no mate within two plies less.
//!
//! A search within so many plies keeps what it finds by board and plies left, so that a refutation holds wherever no more
//! are left. Proofs of the search without such a limit serve it where they are short enough.

use super::Dfpn;
use crate::core::attack_rules::AttackRules;
use crate::core::interrupt::Interrupted;
use hasami_api::MateGame;
use hasami_api::{is_mated, is_mated_without_moves};

/// A shorter line may cost that part of the nodes so far.
const NOTE: u64 = 16;

impl<G: MateGame, R: AttackRules<G>> Dfpn<'_, G, R> {
    /// The current position is mate within so many plies.
    pub(crate) fn is_mate_within(&mut self, plies: usize) -> Result<bool, Interrupted> {
        self.depth_limit = plies;
        self.style.within = true;
        Ok(self.solve()?.0.is_proved())
    }

    /// A main line of the shortest mate of the current position, which mates within `plies`: every defence in it is one of
    /// the longest. `known`: the shortest line so far, for whoever cannot wait.
    pub(crate) fn shortest(
        &mut self,
        mut plies: usize,
        known: &mut Option<Vec<G::Move>>,
    ) -> Result<Vec<G::Move>, Interrupted> {
        while plies > 2 && self.is_mate_within(plies - 2)? {
            plies -= 2;
            self.note_shorter(plies, known);
        }
        let mut line = Vec::new();
        let result = self.follow(plies, &mut line);
        line.iter().for_each(|_| self.game.unmake());
        result.map(|()| line)
    }

    /// Keeps the line of a mate within so many plies, if it can be had for a small part of what the search has cost.
    fn note_shorter(&mut self, plies: usize, known: &mut Option<Vec<G::Move>>) {
        let all = self.node_limit;
        self.node_limit = all.min(self.nodes + self.nodes / NOTE);
        if let Ok(line) = self.line_within(plies)
            && known.as_ref().is_none_or(|known| line.len() < known.len())
        {
            *known = Some(line);
        }
        self.node_limit = all;
    }

    /// A main line from a position that is known to mate within so many plies. Every step is proved within what is left of
    /// them, so that it comes to an end whatever the table has forgotten.
    pub(crate) fn line_within(&mut self, mut plies: usize) -> Result<Vec<G::Move>, Interrupted> {
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
        let (left, check) = self.proof_within(plies)?;
        let Some(check) = check else { return Err(Interrupted) };
        self.play(check, line);
        if is_mated(&self.game) {
            return Ok(0);
        }
        let mut longest: Option<(usize, G::Move)> = None;
        for m in self.answers() {
            let (plies, _) = self.after(m, |search| search.proof_within(left.saturating_sub(2)))?;
            if longest.is_none_or(|(most, _)| plies > most) {
                longest = Some((plies, m));
            }
        }
        let Some((plies, m)) = longest else { return Err(Interrupted) };
        self.play(m, line);
        Ok(plies)
    }

    /// The plies that a proof within so many takes, and its first move.
    fn proof_within(&mut self, plies: usize) -> Result<(usize, Option<G::Move>), Interrupted> {
        self.depth_limit = plies;
        self.style.within = true;
        let (value, m) = self.solve()?;
        if value.is_proved() { Ok((plies.min(value.note.unsigned_abs().into()), m)) } else { Err(Interrupted) }
    }

    /// Plays a line of exactly so many plies from a position that mates in no fewer.
    fn follow(&mut self, plies: usize, line: &mut Vec<G::Move>) -> Result<(), Interrupted> {
        let mut left = plies;
        while left > 0 {
            let Some(check) = self.check_within(left)? else { return Err(Interrupted) };
            self.play(check, line);
            if is_mated(&self.game) {
                return Ok(());
            }
            let Some(defence) = self.defence_beyond(left.saturating_sub(4))? else { return Err(Interrupted) };
            self.play(defence, line);
            left -= 2;
        }
        Err(Interrupted)
    }

    fn play(&mut self, m: G::Move, line: &mut Vec<G::Move>) {
        self.game.make(m);
        line.push(m);
    }

    /// A check that mates within so many plies, itself included.
    fn check_within(&mut self, plies: usize) -> Result<Option<G::Move>, Interrupted> {
        for m in self.checks() {
            self.game.make(m);
            let mates = if plies == 1 { Ok(is_mated(&self.game)) } else { self.is_lost_within(plies - 2) };
            self.game.unmake();
            if mates? {
                return Ok(Some(m));
            }
        }
        Ok(None)
    }

    /// Every answer is mate within so many plies.
    pub(crate) fn is_lost_within(&mut self, plies: usize) -> Result<bool, Interrupted> {
        Ok(self.defence_beyond(plies)?.is_none() && (self.game.count_moves() > 0 || is_mated_without_moves(&self.game)))
    }

    /// An answer that is not mate within so many plies.
    fn defence_beyond(&mut self, plies: usize) -> Result<Option<G::Move>, Interrupted> {
        for m in self.answers() {
            self.game.make(m);
            let mates = if plies == 0 { Ok(false) } else { self.is_mate_within(plies) };
            self.game.unmake();
            if !mates? {
                return Ok(Some(m));
            }
        }
        Ok(None)
    }
}
