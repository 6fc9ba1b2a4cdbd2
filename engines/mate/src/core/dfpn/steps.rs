//! Extracts the steps of a proof or disproof from a table: the moves of one side against all moves of the other.

use super::Dfpn;
use crate::core::attack_rules::AttackRules;
use crate::core::interrupt::Interrupted;
use crate::core::mix::mix;
use crate::core::replay::add_moves;
use crate::core::table::KnownMate;
use crate::interface::cell_message::ProofStep;
use hasami_api::{Hand, MateGame, Moves, Verdict};
use std::collections::HashSet;

/// Collects the steps of a proof or disproof.
pub(crate) struct StepCollector<'a> {
    pub(crate) is_mate: bool,
    /// Maximum number of steps.
    pub(crate) most: usize,
    pub(crate) steps: Vec<ProofStep>,
    /// Boards and hands that have been visited.
    seen: HashSet<(u64, u32)>,
    /// Returns whether another cell shows the steps from a position in which the attacker moves, so that they need not
    /// be collected.
    ends: Option<&'a mut dyn FnMut(u64, Hand) -> bool>,
}

impl<'a> StepCollector<'a> {
    pub(crate) fn new(is_mate: bool, most: usize, ends: Option<&'a mut dyn FnMut(u64, Hand) -> bool>) -> Self {
        Self { is_mate, most, steps: Vec::new(), seen: HashSet::new(), ends }
    }

    fn ends(&mut self, key: u64, hand: Hand) -> bool {
        self.steps.len() >= self.most || self.ends.as_mut().is_some_and(|ends| ends(key, hand))
    }
}

/// A position on the path and its moves that are still to be followed.
struct StepFrame<M> {
    moves: std::vec::IntoIter<M>,
    child_path: u64,
}

impl<G: MateGame, R: AttackRules<G>> Dfpn<'_, G, R> {
    /// Reduces the generated moves of a node to the step of the side to move, if the book has a legal one.
    pub(crate) fn keep_step(&mut self, attacks: bool) {
        let Some(book) = self.steps else { return };
        let (key, hand) = (self.game.board_key(), self.game.hand(self.attacker));
        let step = book.step(attacks, key, hand).and_then(|mv| self.game.parse_move(mv).ok());
        if let Some(step) = step.filter(|step| self.moves.contains(step)) {
            self.moves.clear();
            self.moves.push(step);
        }
    }

    /// Collects all steps below the current position, in which the attacker moves, that the table knows. The search
    /// cannot be used afterwards, because an interruption leaves the search in another position.
    pub(crate) fn collect_steps(&mut self, collector: &mut StepCollector) -> Result<(), Interrupted> {
        self.above.iter().for_each(|&(key, hand)| self.path.push(key, hand));
        let mut frames: Vec<StepFrame<G::Move>> = Vec::new();
        let mut path = self.above_path;
        loop {
            let moves = self.moves_to_follow(frames.len(), path, collector)?;
            let (key, hand) = (self.game.board_key(), self.game.hand(self.attacker));
            self.path.push(key, hand);
            frames.push(StepFrame { moves: moves.into_iter(), child_path: mix(path ^ self.game.key()) });
            let Some((m, child_path)) = self.next_to_follow(&mut frames) else {
                self.path.clear();
                return Ok(());
            };
            self.game.make(m);
            self.nodes += 1;
            path = child_path;
        }
    }

    /// Goes up to the nearest position with a move that is still to be followed, and returns that move.
    fn next_to_follow(&mut self, frames: &mut Vec<StepFrame<G::Move>>) -> Option<(G::Move, u64)> {
        loop {
            let StepFrame { moves, child_path } = frames.last_mut()?;
            if let Some(m) = moves.next() {
                return Some((m, *child_path));
            }
            frames.pop();
            self.path.pop();
            if !frames.is_empty() {
                self.game.unmake();
            }
        }
    }

    /// Returns the moves to be followed: the step of the side whose steps are collected, or all moves of the other
    /// side. Returns no move if nothing is left to show.
    fn moves_to_follow(
        &mut self,
        depth: usize,
        path: u64,
        collector: &mut StepCollector,
    ) -> Result<Vec<G::Move>, Interrupted> {
        let attacks = Self::attacks(depth);
        let (key, hand) = (self.game.board_key(), self.game.hand(self.attacker));
        let is_over = match self.game.verdict() {
            Verdict::Open => false,
            Verdict::Win => !attacks,
            Verdict::Draw | Verdict::Loss => true,
        };
        if depth > 0 && is_over || self.path.repeats(key, hand).is_some() || attacks && collector.ends(key, hand) {
            return Ok(Vec::new());
        }
        let known = match self.table.get(self.table_key(key, hand), hand) {
            KnownMate::Decided(value) if value.is_proved() == collector.is_mate => value.hand,
            _ => hand,
        };
        if !collector.seen.insert((key, known.bits())) {
            return Ok(Vec::new());
        }
        let mut moves = Moves::new();
        add_moves(&self.game, attacks && !self.style.any_moves, &mut moves);
        if attacks != collector.is_mate {
            return Ok(moves.to_vec());
        }
        let step = self.known_step(depth, path, &moves, collector.is_mate)?;
        if let Some(m) = step {
            collector.steps.push(ProofStep { key, hand: known, mv: self.game.format_move(m) });
        }
        Ok(step.into_iter().collect())
    }

    /// Returns the move after which the table knows the shortest mate, or the disproof that depends on the fewest
    /// earlier positions.
    fn known_step(
        &mut self,
        depth: usize,
        path: u64,
        moves: &[G::Move],
        is_mate: bool,
    ) -> Result<Option<G::Move>, Interrupted> {
        let child_path = mix(path ^ self.game.key());
        let mut best: Option<(i32, G::Move)> = None;
        self.path.push(self.game.board_key(), self.game.hand(self.attacker));
        for &m in moves {
            self.check_limits()?;
            self.game.make(m);
            self.nodes += 1;
            let value = self.look(depth + 1, child_path);
            self.game.unmake();
            let is_step = if is_mate { value.is_proved() } else { value.is_disproved() };
            let rank = if is_mate { i32::from(value.note) } else { -i32::from(value.note) };
            if is_step && best.is_none_or(|(least, _)| rank < least) {
                best = Some((rank, m));
            }
        }
        self.path.pop();
        Ok(best.map(|(_, m)| m))
    }
}
