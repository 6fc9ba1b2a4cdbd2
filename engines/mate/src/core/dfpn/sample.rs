//! Applies the proof of an attack against one answer to other answers (Kawano, "Using similar positions to search game
//! trees", 1996). Most answers do nothing against a threat, but each answer leads to a different position.

use super::Dfpn;
use crate::core::attack_rules::AttackRules;
use crate::core::frame::{ChildNode, PathFrame};
use crate::core::interrupt::Interrupted;
use crate::core::sample::{Sample, SampleTurn};
use crate::core::table::KnownMate;
use crate::core::value::ProofNumbers;
use hasami_api::is_mated_without_moves;
use hasami_api::{Hand, MateGame, Moves, Verdict, Zone};
use std::rc::Rc;

/// Maximum number of turns (moves of the attacker) in a sample.
const TURNS: usize = 400;

/// Maximum number of attacks in one line of a sample.
const DEEPEST: usize = 60;

impl<G: MateGame, R: AttackRules<G>> Dfpn<'_, G, R> {
    /// Extracts the proof against the answer for which [`AttackRules::is_sample`] is true, before a later stage of the
    /// node at `depth` begins. The node must be the last one on the path.
    pub(crate) fn take_sample(&mut self, depth: usize) -> Result<(), Interrupted> {
        let PathFrame { first, .. } = self.frames[depth];
        let answer = self.arena[first..].iter().find(|child| R::is_sample(&self.game, child.mv));
        let Some(&ChildNode { mv, value, .. }) =
            answer.filter(|_| !Self::attacks(depth) && self.frames[depth].sample.is_none())
        else {
            return Ok(());
        };
        let mut sample = Sample { turns: Vec::new(), zone: Zone::default(), hand: value.hand };
        self.game.make(mv);
        let found = self.turn(&mut sample, DEEPEST);
        self.game.unmake();
        self.frames[depth].sample = found.map(|_| Rc::new(sample));
        Ok(())
    }

    /// Adds the attacker's turn in the current position, which must be won, and all turns after it. Returns the index
    /// of the turn, or `None` if a part of the proof is unknown. The depth is limited because the stored proof for a
    /// hand may come from a longer proof for another hand.
    fn turn(&mut self, sample: &mut Sample<G::Move>, depth: usize) -> Option<u32> {
        let depth = depth.checked_sub(1)?;
        let attack = self.known_attack()?;
        let zone = R::zone_of_attack(&self.game, attack);
        self.game.make(attack);
        let zone = zone.with(R::zone_of_answers(&self.game));
        let answers = self.known_answers(sample, depth);
        self.game.unmake();
        sample.zone = sample.zone.with(zone);
        sample.turns.push(SampleTurn { attack, answers: answers? });
        let turns = sample.turns.len();
        u32::try_from(turns - 1).ok().filter(|_| turns <= TURNS)
    }

    fn known_answers(&mut self, sample: &mut Sample<G::Move>, depth: usize) -> Option<Vec<(G::Move, u32)>> {
        let answers = self.answers();
        let mut known = Vec::with_capacity(answers.len());
        for answer in answers {
            self.game.make(answer);
            let next = self.turn(sample, depth);
            self.game.unmake();
            known.push((answer, next?));
        }
        Some(known)
    }

    /// Returns the attack with the shortest known proof.
    fn known_attack(&mut self) -> Option<G::Move> {
        let mut best: Option<(i16, G::Move)> = None;
        for m in self.first_attacks() {
            self.game.make(m);
            let plies = match self.proved_of(&self.game) {
                Some(value) => Some(value.note),
                None => (self.game.count_answers() == 0 && is_mated_without_moves(&self.game)).then_some(0),
            };
            self.game.unmake();
            if let Some(plies) = plies
                && best.is_none_or(|(least, _)| plies < least)
            {
                best = Some((plies, m));
            }
        }
        best.map(|(_, m)| m)
    }

    /// Generates the attacks. The function is not inlined, so that its buffer is not on the stack of the recursive
    /// caller.
    #[inline(never)]
    fn first_attacks(&self) -> Vec<G::Move> {
        let mut moves = Moves::new();
        R::first_moves(&self.game, true, &mut moves);
        moves.to_vec()
    }

    /// Evaluates the position after a move of the last node, and tries the node's sample in that position.
    pub(crate) fn look_or_try(&mut self, child: usize) -> Result<(), Interrupted> {
        if let Some(sample) = &self.frames.last().and_then(|frame| frame.sample.as_ref())
            && !R::is_within(&self.game, self.arena[child].mv, sample.zone)
        {
            self.arena[child].value = ProofNumbers::proved(0, sample.hand);
            return Ok(());
        }
        self.look_after(child)?;
        self.try_sample(child)
    }

    /// Stores a proof of the position after the answer `child` if the last node's sample also wins against that answer.
    fn try_sample(&mut self, child: usize) -> Result<(), Interrupted> {
        let Some(sample) = self.frames.last().and_then(|frame| frame.sample.clone()) else { return Ok(()) };
        if self.arena[child].value.is_decided() {
            return Ok(());
        }
        let mv = self.arena[child].mv;
        self.game.make(mv);
        let found = self.follow_turn(&sample, sample.turns.len() - 1);
        if let Ok(Some((_, hand))) = found {
            let value = ProofNumbers::proved(0, hand);
            self.arena[child].value = value;
            let key = self.game.board_key();
            self.table.put(key, value, 1);
        }
        self.game.unmake();
        found.map(drop)
    }

    /// If the sample's turn wins in the current position, returns the length in plies and the hand of the proof.
    fn follow_turn(&mut self, sample: &Sample<G::Move>, turn: usize) -> Result<Option<(i16, Hand)>, Interrupted> {
        self.check_limits()?;
        let SampleTurn { attack, answers } = &sample.turns[turn];
        if !self.first_attacks().contains(attack) || matches!(self.game.verdict(), Verdict::Draw | Verdict::Loss) {
            return Ok(None);
        }
        let (dropped, won) = (self.game.dropped(*attack), self.game.won(*attack));
        self.game.make(*attack);
        self.nodes += 1;
        let found = self.follow_answers(sample, answers);
        self.game.unmake();
        Ok(found?.map(|(plies, hand)| (plies + 1, crate::core::hands::before_attack(hand, dropped, won))))
    }

    fn follow_answers(
        &mut self,
        sample: &Sample<G::Move>,
        known: &[(G::Move, u32)],
    ) -> Result<Option<(i16, Hand)>, Interrupted> {
        let answers = self.answers();
        if answers.is_empty() {
            return Ok(is_mated_without_moves(&self.game).then(|| (0, self.held_back())));
        }
        if self.game.verdict() != Verdict::Open {
            return Ok(None);
        }
        let mut proof = (0, self.held_back());
        for answer in answers {
            self.game.make(answer);
            self.nodes += 1;
            let here = match known.iter().find(|(m, _)| *m == answer) {
                Some(&(_, turn)) => self.follow_turn(sample, turn as usize),
                None => Ok(None),
            };
            let here = here.map(|here| here.or_else(|| self.known_here()));
            self.game.unmake();
            let Some((plies, hand)) = here? else { return Ok(None) };
            proof = (proof.0.max(plies + 1), proof.1.union(hand));
        }
        let (key, (plies, hand)) = (self.game.board_key(), proof);
        self.table.put(key, ProofNumbers::proved(plies, hand), 1);
        Ok(Some(proof))
    }

    fn known_here(&self) -> Option<(i16, Hand)> {
        let hand = self.game.hand(self.attacker);
        match self.table.get(self.game.board_key(), hand) {
            KnownMate::Decided(value) if value.is_proved() => Some((value.note, value.hand)),
            _ => None,
        }
    }
}
