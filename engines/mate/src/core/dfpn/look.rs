//! Evaluates a new position from the table, by the rules of the game, or by an estimate.

use super::{Dfpn, path_key};
use crate::core::attack_rules::{AttackRules, Twin};
use crate::core::frame::DropSquares;
use crate::core::hands;
use crate::core::interrupt::Interrupted;
use crate::core::mix::mix;
use crate::core::replay::add_moves;
use crate::core::table::KnownMate;
use crate::core::value::{CUT, HISTORY, ProofNumbers, UNCONDITIONAL};
use hasami_api::is_mated_without_moves;
use hasami_api::{Hand, MateGame, Verdict};

impl<G: MateGame, R: AttackRules<G>> Dfpn<'_, G, R> {
    /// Returns the table key of a board or, if results are not shared between hands, of a board and a hand.
    pub(crate) const fn table_key(&self, key: u64, hand: Hand) -> u64 {
        if self.style.by_hands { key } else { mix(key ^ mix(hand.bits() as u64 + 1)) }
    }

    /// Returns the known value of the current position at `depth`, or an estimate.
    pub(crate) fn look(&mut self, depth: usize, path: u64) -> ProofNumbers {
        let (key, hand) = (self.game.board_key(), self.game.hand(self.attacker));
        let known = self.known(key, hand, R::twin(&self.game), path);
        known.unwrap_or_else(|| self.first_sight(depth, hand))
    }

    /// Evaluates the position after a move of the last node.
    pub(crate) fn look_after(&mut self, child: usize) -> Result<(), Interrupted> {
        self.check_limits()?;
        let depth = self.frames.len();
        let path = self.frames[depth - 1].child_path;
        self.nodes += 1;
        self.arena[child].value = self.look_behind(self.arena[child].mv, depth, path);
        Ok(())
    }

    /// Like [`Self::look`], for the position after a legal move that leads to `depth`. The move is made only if the
    /// table does not contain the position.
    fn look_behind(&mut self, m: G::Move, depth: usize, path: u64) -> ProofNumbers {
        let Some(key) = self.game.board_key_after(m) else {
            self.game.make(m);
            let value = self.look(depth, path);
            self.game.unmake();
            return value;
        };
        let hand = self.hand_after(m, depth);
        let twin = R::twin_after(&self.game, m, key);
        self.known(key, hand, twin, path).unwrap_or_else(|| {
            self.game.make(m);
            let value = self.first_sight(depth, hand);
            self.game.unmake();
            value
        })
    }

    /// Returns the attacker's hand after a move that leads to `depth`.
    fn hand_after(&self, m: G::Move, depth: usize) -> Hand {
        let hand = self.game.hand(self.attacker);
        if Self::attacks(depth) {
            return hand;
        }
        hands::after_attack(hand, self.game.dropped(m), self.game.won(m))
    }

    /// Returns the value of a board and a hand, if the path, the table or a twin determines it.
    fn known(&self, key: u64, hand: Hand, twin: Option<Twin>, path: u64) -> Option<ProofNumbers> {
        if let Some((earlier, hand)) = self.path.repeats(key, hand) {
            return Some(ProofNumbers::disproved(self.depth_of(earlier), hand));
        }
        let known = self.table.get(self.table_key(key, hand), hand);
        if let KnownMate::Decided(value) = known {
            return Some(value);
        }
        if self.path_bound.may_have(key)
            && let KnownMate::Decided(value) = self.table.get(self.table_key(path_key(key, path), hand), hand)
        {
            return Some(value);
        }
        if let Some(value) = twin.and_then(|twin| self.by_twin(twin, hand)) {
            return Some(value);
        }
        match known {
            KnownMate::Open { pn, dn } => Some(ProofNumbers::open(pn, dn, hand)),
            _ => None,
        }
    }

    /// Estimates the numbers of the current position, which is not in the table.
    fn first_sight(&mut self, depth: usize, hand: Hand) -> ProofNumbers {
        self.moves.clear();
        if Self::attacks(depth) { self.look_attacking(depth, hand) } else { self.look_defending(hand) }
    }

    /// Returns the result that the stored result of a twin implies, if there is one.
    fn by_twin(&self, Twin { key, by_proof }: Twin, hand: Hand) -> Option<ProofNumbers> {
        // The filter is checked first, because few boards have a refuted twin and a table lookup is more expensive.
        if !by_proof && self.refuted_twins.as_ref().is_some_and(|twins| !twins.may_have(key)) {
            return None;
        }
        match self.table.get(key, hand) {
            KnownMate::Decided(value) if by_proof && value.is_proved() => Some(ProofNumbers { note: 0, ..value }),
            KnownMate::Decided(value) if !by_proof && value.is_disproved() && value.note == UNCONDITIONAL => {
                Some(value)
            }
            _ => None,
        }
    }

    fn look_attacking(&mut self, depth: usize, hand: Hand) -> ProofNumbers {
        if matches!(self.game.verdict(), Verdict::Draw | Verdict::Loss) {
            return ProofNumbers::disproved(HISTORY, hand);
        }
        if let Some((pn, dn)) = R::first_numbers(&self.game, true) {
            return ProofNumbers::open(pn, dn, hand);
        }
        add_moves(&self.game, !self.style.any_moves, &mut self.moves);
        if self.moves.is_empty() {
            let other = self.game.hand(self.attacker.other());
            return ProofNumbers::disproved(UNCONDITIONAL, hands::without_checks(hand, other));
        }
        if depth >= self.depth_limit {
            return ProofNumbers::disproved(CUT, hand);
        }
        self.first_numbers(
            1 + R::depth_cost(&self.game),
            if self.style.counts_moves { self.count_checks() } else { 1 },
            hand,
        )
    }

    /// Returns the pieces that the attacker must hold so that the defender, who is in check, cannot interpose them.
    pub(crate) fn held_back(&self) -> Hand {
        let (hand, other) = (self.game.hand(self.attacker), self.game.hand(self.attacker.other()));
        if self.game.could_block() { hands::kept_from(hand, other) } else { Hand::EMPTY }
    }

    fn look_defending(&mut self, hand: Hand) -> ProofNumbers {
        if let Some((pn, dn)) = R::first_numbers(&self.game, false) {
            // The game is drawn by the rules, or the defender may declare a win.
            let is_open = self.game.verdict() == Verdict::Open;
            return if is_open { ProofNumbers::open(pn, dn, hand) } else { ProofNumbers::disproved(HISTORY, hand) };
        }
        // More answers make a position harder to prove; drops on one square count as one answer.
        let answers = self.game.count_answers();
        if answers == 0 {
            return if is_mated_without_moves(&self.game) {
                ProofNumbers::proved(0, self.held_back())
            } else {
                ProofNumbers::disproved(UNCONDITIONAL, hand)
            };
        }
        // The game is drawn by the rules, or the defender may declare a win.
        if self.game.verdict() != Verdict::Open {
            return ProofNumbers::disproved(HISTORY, hand);
        }
        let pn = if self.style.counts_moves { answers as u32 } else { 1 };
        self.first_numbers(pn + R::depth_cost(&self.game), 1, hand)
    }

    const fn first_numbers(&self, pn: u32, dn: u32, hand: Hand) -> ProofNumbers {
        let [in_proofs, in_disproofs] = self.style.doubts;
        ProofNumbers::open(pn * in_proofs, dn * in_disproofs, hand)
    }

    /// Counts the generated moves. If the style combines drops, drops on one square count once.
    fn count_checks(&self) -> u32 {
        let mut dropped = DropSquares::default();
        let square = |&m: &G::Move| self.game.dropped(m).filter(|_| self.style.joins_drops).map(|(_, square)| square);
        self.moves.iter().map(|m| u32::from(dropped.insert(square(m)))).sum()
    }

    /// Records the target squares of the drops among the children from `begin` on.
    pub(crate) fn note_drops(&mut self, depth: usize, first: usize, begin: usize) {
        if !Self::attacks(depth) {
            return self.let_drops_wait(first, begin);
        }
        if !self.style.joins_drops {
            return;
        }
        for child in &mut self.arena[begin..] {
            child.square = self.game.dropped(child.mv).map(|(_, square)| square);
        }
    }

    /// Makes the defender's drops among the children from `begin` on wait, except for the first drop on each square.
    /// Usually one move of the attacker answers all drops on a square, and the proof against the first drop makes the
    /// next drop easier to answer.
    fn let_drops_wait(&mut self, first: usize, begin: usize) {
        let (before, children) = self.arena[first..].split_at_mut(begin - first);
        let mut squares = DropSquares::default();
        for child in before {
            squares.insert(child.square);
        }
        for child in children {
            if let Some((_, square)) = self.game.dropped(child.mv) {
                child.square = Some(square);
                child.waits = !squares.insert(child.square);
            }
        }
    }
}
