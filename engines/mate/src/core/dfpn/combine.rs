//! Computes a node's numbers and hands from those of its children.

use super::Dfpn;
use crate::core::attack_rules::AttackRules;
use crate::core::frame::{ChildNode, DropSquares, PathFrame};
use crate::core::hands;
use crate::core::interrupt::Interrupted;
use crate::core::numbers::ChildCount;
use crate::core::value::{INFINITE, ProofNumbers, UNCONDITIONAL};
use hasami_api::{Hand, MateGame};
use std::cmp::Reverse;

impl<G: MateGame, R: AttackRules<G>> Dfpn<'_, G, R> {
    /// Returns the divisor that determines what fraction of a child's number is added to the number of a node at
    /// `depth`.
    pub(crate) const fn part(&self, depth: usize) -> u32 {
        self.style.parts[if Self::attacks(depth) { 1 } else { 0 }]
    }

    /// Returns the value of the node at `depth`, which must be the last one, and chooses the child to search next.
    pub(crate) fn combine(&mut self, depth: usize) -> Result<ProofNumbers, Interrupted> {
        let attacks = Self::attacks(depth);
        self.refresh(depth)?;
        let (least, numbers) = loop {
            if !attacks {
                self.look_at_drops(depth)?;
            }
            let (least, numbers) = self.numbers(depth);
            if !self.begin_stage(depth, least)? {
                break (least, numbers);
            }
        };
        self.choose_shared(depth);
        let PathFrame { hand, stage, .. } = self.frames[depth];
        let (from, adds) = stage.map_or((INFINITE, 0), |stage| (stage.from, stage.adds));
        let total = numbers.total().saturating_add(adds).min(INFINITE - 1);
        Ok(match (attacks, least, numbers.open) {
            (true, 0, _) => self.prove_attack(depth),
            (true, _, 0) if stage.is_none() => self.disprove_attack(depth),
            (false, 0, _) => {
                self.note_escape(depth);
                self.disprove_defence(depth)
            }
            (false, _, 0) => self.prove_defence(depth),
            (true, ..) => ProofNumbers::open(least.min(from), total, hand),
            (false, ..) => ProofNumbers::open(total, least.min(from), hand),
        })
    }

    /// Chooses a child of the last node. Returns the number by which the child is chosen, and the sum of the children's
    /// other numbers.
    fn numbers(&mut self, depth: usize) -> (u32, ChildCount) {
        let attacks = Self::attacks(depth);
        let first = self.frames[depth].first;
        let (mut numbers, mut least, mut chosen) = (ChildCount::default(), (INFINITE, Reverse(0)), 0);
        let part = self.part(depth);
        let mut dropped = DropSquares::default();
        for (i, child) in self.arena[first..].iter().enumerate().filter(|(_, child)| !child.waits) {
            let ProofNumbers { pn, dn, .. } = child.value;
            let (own, other) = if attacks { (pn, dn) } else { (dn, pn) };
            // Among equally good checks, the check with the larger disproof number is preferred; among equally good
            // answers, the first.
            let rank = (own, if attacks { Reverse(other) } else { Reverse(0) });
            if rank < least {
                (least, chosen) = (rank, i);
            }
            // Usually one answer refutes all drops on a square.
            if attacks && other > 0 && !dropped.insert(child.square) {
                numbers.add_twin(other);
            } else {
                numbers.add(other, part);
            }
        }
        self.frames[depth].chosen = chosen;
        (least.0, numbers)
    }

    /// Adds the last node's next stage of moves if all earlier moves have reached the number at which the stage begins.
    fn begin_stage(&mut self, depth: usize, least: u32) -> Result<bool, Interrupted> {
        let PathFrame { stage, next_stage, .. } = self.frames[depth];
        if stage.is_none_or(|stage| least < stage.from) {
            return Ok(false);
        }
        let attacks = Self::attacks(depth);
        self.moves.clear();
        R::later_moves(&self.game, attacks, next_stage, &mut self.moves);
        self.take_sample(depth)?;
        let frame = &mut self.frames[depth];
        frame.next_stage += 1;
        frame.stage = R::stage(&self.game, attacks, frame.next_stage);
        frame.has_waiting = self.style.by_hands;
        self.add_children(depth)?;
        Ok(true)
    }

    /// Returns the attack that led to the node at `depth`.
    fn attack_before(&self, depth: usize) -> Option<G::Move> {
        let above = self.frames.get(depth.checked_sub(1)?)?;
        Some(self.arena[above.first + above.chosen].mv)
    }

    fn note_escape(&mut self, depth: usize) {
        let first = self.frames[depth].first;
        let escape = self.arena[first..].iter().find(|child| !child.waits && child.value.is_disproved());
        if let (Some(attack), Some(&ChildNode { mv, .. })) = (self.attack_before(depth), escape)
            && R::remembers_escapes(&self.game)
        {
            self.escapes.insert(attack, mv);
        }
    }

    /// Moves the answer that refuted the same attack in another position to the front of the children from `begin` on.
    pub(crate) fn escape_first(&mut self, depth: usize, begin: usize) {
        let escape = self.attack_before(depth).and_then(|attack| self.escapes.get(&attack));
        if let Some(escape) = escape
            && let Some(at) = self.arena[begin..].iter().position(|child| child.mv == *escape)
        {
            self.arena[begin..=begin + at].rotate_right(1);
        }
    }

    /// Returns the proof of a node in which a check mates.
    fn prove_attack(&self, depth: usize) -> ProofNumbers {
        let frame = &self.frames[depth];
        let proofs = self.arena[frame.first..].iter().filter(|child| child.value.is_proved());
        let length = |child: &&ChildNode<G::Move>| R::length_before(&self.game, child.mv, child.value.note);
        let best = proofs.min_by_key(length).expect("some child is proved");
        ProofNumbers::proved(length(&best), self.before_attack(best))
    }

    /// Returns the disproof of a node in which no check mates.
    fn disprove_attack(&self, depth: usize) -> ProofNumbers {
        let frame = &self.frames[depth];
        let children = &self.arena[frame.first..];
        let largest = hands::without_checks(frame.hand, frame.other_hand);
        let hand = children.iter().fold(largest, |hand, child| hand.intersection(self.before_attack(child)));
        discharge(children.iter().map(|child| child.value.note).min().unwrap_or(UNCONDITIONAL), depth, hand)
    }

    /// Returns the disproof of a node in which an answer refutes the attack.
    fn disprove_defence(&self, depth: usize) -> ProofNumbers {
        let frame = &self.frames[depth];
        let answers = self.arena[frame.first..].iter().filter(|child| !child.waits && child.value.is_disproved());
        let best = answers.max_by_key(|child| child.value.note).expect("some child is disproved");
        let dropped = self.game.dropped(best.mv);
        let hand = hands::before_defence(best.value.hand, frame.hand, frame.other_hand, dropped);
        discharge(best.value.note, depth, hand)
    }

    /// Returns the proof of a node in which the attacker mates after every answer.
    fn prove_defence(&self, depth: usize) -> ProofNumbers {
        let children = &self.arena[self.frames[depth].first..];
        let hand = children.iter().fold(self.held_back(), |hand, child| hand.union(child.value.hand));
        let lengths = children.iter().map(|child| R::length_before(&self.game, child.mv, child.value.note));
        ProofNumbers::proved(lengths.max().unwrap_or(0), hand)
    }

    fn before_attack(&self, child: &ChildNode<G::Move>) -> Hand {
        hands::before_attack(child.value.hand, self.game.dropped(child.mv), self.game.won(child.mv))
    }

    /// Evaluates waiting drops whose predecessors on the same square have all failed.
    fn look_at_drops(&mut self, depth: usize) -> Result<(), Interrupted> {
        let first = self.frames[depth].first;
        if !self.frames[depth].has_waiting {
            return Ok(());
        }
        let mut has_waiting = false;
        for next in first..self.arena.len() {
            let ChildNode { waits, square, .. } = self.arena[next];
            if !waits {
                continue;
            }
            let is_rival =
                |other: &ChildNode<G::Move>| !other.waits && other.square == square && !other.value.is_proved();
            let is_refuted = |child: &ChildNode<G::Move>| !child.waits && child.value.is_disproved();
            if self.arena[first..].iter().any(|child| is_refuted(child) || is_rival(child)) {
                has_waiting = true;
            } else {
                self.arena[next].waits = false;
                self.look_or_try(next)?;
            }
        }
        self.frames[depth].has_waiting = has_waiting;
        Ok(())
    }
}

/// Returns a disproof of the node at `depth`, which holds on every path if it depends on nothing above the node.
const fn discharge(depends_on: i16, depth: usize, hand: Hand) -> ProofNumbers {
    let note = if depends_on as i32 >= depth as i32 { UNCONDITIONAL } else { depends_on };
    ProofNumbers::disproved(note, hand)
}
