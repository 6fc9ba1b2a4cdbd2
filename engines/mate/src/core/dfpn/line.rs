//! Builds a main line from a proof.
//!
//! The table's proofs need not be the shortest ones, so the defence with the largest stored length may in fact lead to
//! a mate sooner. Each walk along a line stores the lengths that it finds, and the walk is repeated until the line is
//! as long as the stored length of its first position.

use super::Dfpn;
use crate::core::attack_rules::AttackRules;
use crate::core::interrupt::Interrupted;
use crate::core::mix::mix;
use crate::core::replay::add_moves;
use crate::core::table::KnownMate;
use crate::core::value::ProofNumbers;
use hasami_api::{MateGame, Moves, is_mated};

/// Maximum number of walks for one line.
const ROUNDS: usize = 1_000;

impl<G: MateGame, R: AttackRules<G>> Dfpn<'_, G, R> {
    /// Returns a main line from the current position, which must be proved: the attacker's shortest known proof against
    /// the longest known defence. Returns `None` if the line cannot be followed to its end.
    pub(crate) fn main_line(&mut self) -> Result<Option<Vec<G::Move>>, Interrupted> {
        let mut line = self.walk()?;
        for _ in 0..ROUNDS {
            let Some(known) = line.as_ref() else { break };
            let plies = self.proved_here().map_or(0, |value| usize::from(value.note.unsigned_abs()));
            if plies <= known.len() {
                break;
            }
            match self.walk() {
                Ok(Some(next)) => line = Some(next),
                Ok(None) | Err(Interrupted) => break,
            }
        }
        Ok(line)
    }

    /// Follows one line to its end, and stores the lengths found on the way back.
    fn walk(&mut self) -> Result<Option<Vec<G::Move>>, Interrupted> {
        let mut line = Vec::new();
        let (above, above_path) = (self.above.len(), self.above_path);
        let mut seen = vec![self.game.key()];
        let result = loop {
            let step = match line.len() % 2 {
                _ if self.stop.is_stopped() => Err(Interrupted),
                0 => self.attack(&seen),
                _ => Ok(self.longest_defence()),
            };
            match step {
                Err(Interrupted) => break Err(Interrupted),
                // Either the defender has no move left, or the table no longer has the attacker's proof.
                Ok(None) => break Ok((line.len() % 2 == 1).then(|| line.clone())),
                Ok(Some(m)) => {
                    // If a later position of the line is solved again, the new proof must not return to the current
                    // position.
                    self.above.push((self.game.board_key(), self.game.hand(self.attacker)));
                    self.above_path = mix(self.above_path ^ self.game.key());
                    self.game.make(m);
                    seen.push(self.game.key());
                    line.push(m);
                }
            }
        };
        self.above.truncate(above);
        self.above_path = above_path;
        for made in (0..line.len()).rev() {
            self.game.unmake();
            if matches!(result, Ok(Some(_))) && !self.stop.is_stopped() {
                self.note_length(made % 2 == 0);
            }
        }
        result
    }

    /// Returns the move with the shortest known proof that does not repeat a position. If the table has no proof, the
    /// position is solved again.
    pub(crate) fn attack(&mut self, seen: &[u64]) -> Result<Option<G::Move>, Interrupted> {
        let best = self.lengths(true).into_iter().filter_map(|(m, plies)| Some((plies?, m)));
        let mut best: Vec<(i32, G::Move)> = best.collect();
        best.sort_by_key(|&(plies, _)| plies);
        for (_, m) in best {
            if !seen.contains(&self.key_after(m)) {
                return Ok(Some(m));
            }
        }
        self.solve().map(|(_, m)| m.filter(|&m| !seen.contains(&self.key_after(m))))
    }

    /// Returns the defence with the longest known proof. Positions that the table has lost are proved again, if the
    /// limits allow it.
    fn longest_defence(&mut self) -> Option<G::Move> {
        let mut best: Option<(i32, G::Move)> = None;
        for (m, plies) in self.known_defences() {
            if best.is_none_or(|(most, _)| plies > most) {
                best = Some((plies, m));
            }
        }
        best.map(|(_, m)| m)
    }

    /// Returns the defences, each with the plies to mate after it, or -1 for a defence that could not be proved again
    /// within the limits.
    pub(crate) fn known_defences(&mut self) -> Vec<(G::Move, i32)> {
        let lengths = self.lengths(false).into_iter();
        lengths.map(|(m, plies)| (m, plies.or_else(|| self.prove_again(m)).unwrap_or(-1))).collect()
    }

    fn prove_again(&mut self, m: G::Move) -> Option<i32> {
        self.game.make(m);
        let found = self.solve();
        self.game.unmake();
        found.ok().filter(|(value, _)| value.is_proved()).map(|(value, _)| value.note.into())
    }

    /// Returns the moves of the current position, each with the plies to mate after it if a proof is known.
    fn lengths(&mut self, attacks: bool) -> Vec<(G::Move, Option<i32>)> {
        let mut moves = Moves::new();
        add_moves(&self.game, attacks && !self.style.any_moves, &mut moves);
        moves.iter().map(|&m| (m, self.proof_length(m))).collect()
    }

    /// Stores a shorter length for the mate from the current position, if the lengths stored for its successors prove
    /// one.
    fn note_length(&mut self, attacks: bool) {
        let lengths = self.lengths(attacks).into_iter().map(|(_, plies)| plies);
        let plies = if attacks {
            lengths.flatten().min()
        } else {
            lengths.collect::<Option<Vec<i32>>>().and_then(|all| all.into_iter().max())
        };
        if let Some(value) = self.proved_here()
            && let Some(plies) = plies.map(|plies| plies + 1).filter(|&plies| plies < value.note.into())
        {
            // The length is stored for the current hand only, because a mate may take longer with fewer pieces in hand.
            let hand = self.game.hand(self.attacker);
            let key = self.table_key(self.game.board_key(), hand);
            self.table.put(key, ProofNumbers { note: plies as i16, hand, ..value }, 1);
        }
    }

    /// Returns the table's proof of the current position.
    fn proved_here(&self) -> Option<ProofNumbers> {
        self.proved_of(&self.game)
    }

    pub(crate) fn proved_of(&self, game: &G) -> Option<ProofNumbers> {
        let hand = game.hand(self.attacker);
        match self.table.get(self.table_key(game.board_key(), hand), hand) {
            KnownMate::Decided(value) if value.is_proved() => Some(value),
            _ => None,
        }
    }

    fn key_after(&mut self, m: G::Move) -> u64 {
        self.game.make(m);
        let key = self.game.key();
        self.game.unmake();
        key
    }

    /// Returns the plies to mate after `m`, if the table has a proof or `m` mates immediately.
    fn proof_length(&mut self, m: G::Move) -> Option<i32> {
        self.game.make(m);
        let known = self.proved_here().map(|value| value.note.into());
        let length = if known != Some(0) && is_mated(&self.game) { Some(0) } else { known };
        self.game.unmake();
        length
    }
}
