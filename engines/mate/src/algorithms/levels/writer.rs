//! Writes the propositions of an object: every check and every answer to it, until an answer shows that the group of
//! the check is a failure.
//!
//! A predicate is "mate" if the defender is in check and has no move. A predicate is "failure" if the attacker has no
//! check, if the rules end the game in another way, or if the position gains nothing over an earlier position that lies
//! on every line to it, because any mate would have been possible earlier in fewer moves. (Pawn drops that mate are not
//! among the checks.)

use crate::core::interrupt::Interrupted;
use crate::core::replay::add_moves;
use hasami_api::{MateGame, Moves, PositionKey, Side, Stop, Verdict, is_mated_without_moves};

/// The answers to a check, none of which is a failure, each with the position that it leads to.
pub(super) type Answers<M> = Vec<(M, PositionKey)>;
/// A check and its answers.
pub(super) type Answered<M> = (M, Answers<M>);

/// Counts of the predicates written for an object that does not mate immediately.
#[derive(Clone, Copy, Default)]
pub(super) struct PredicateCount {
    pub(super) failures: u64,
    /// Number of predicates written, failures included. `failed` counts the predicates in groups that are failures, and
    /// `failed_last` the predicates in the last group that is a failure.
    pub(super) written: u64,
    pub(super) failed: u64,
    pub(super) failed_last: u64,
}

impl PredicateCount {
    /// Counts a group whose last predicate is a failure.
    const fn add_failure(&mut self, predicates: u64) {
        self.failures += 1;
        self.written += predicates;
        self.failed += predicates;
        self.failed_last = predicates;
    }
}

/// The input for writing the propositions of an object.
pub(super) struct ObjectQuestion<M> {
    /// Moves from the root to the object.
    pub(super) way: Vec<M>,
    /// The positions (board and hand) through which every line to the object passes, including the object itself.
    pub(super) gates: Vec<PositionKey>,
}

pub(super) struct Writer<'a, G: MateGame> {
    game: G,
    attacker: Side,
    /// Whether the attacker may only play checks.
    checks: bool,
    /// Moves from the root to the object. `made` counts the moves from the root to the current position.
    way: Vec<G::Move>,
    made: usize,
    stop: &'a Stop,
    /// Total number of moves made.
    pub(super) nodes: u64,
    node_limit: u64,
    pause: u64,
}

impl<'a, G: MateGame> Writer<'a, G> {
    pub(super) fn new(game: G, checks: bool, stop: &'a Stop) -> Self {
        let (attacker, pause) = (game.side(), stop.more(0));
        Self { game, attacker, checks, way: Vec::new(), made: 0, stop, nodes: 0, node_limit: u64::MAX, pause }
    }

    /// Limits the total number of moves made.
    pub(super) const fn limit(&mut self, nodes: u64) {
        self.node_limit = nodes;
    }

    /// Returns the board and the attacker's hand of the current position.
    pub(super) fn place(&self) -> PositionKey {
        (self.game.board_key(), self.game.hand(self.attacker))
    }

    /// Returns the checks that mate immediately.
    pub(super) fn mates(&mut self, way: &[G::Move]) -> Result<Vec<G::Move>, Interrupted> {
        let mut mates = Vec::new();
        for &attack in self.attacks(way)?.iter() {
            self.make(attack)?;
            if self.game.count_moves() == 0 && is_mated_without_moves(&self.game) {
                mates.push(attack);
            }
            self.unmake();
        }
        Ok(mates)
    }

    /// Returns the groups of an object that does not mate immediately, except for groups that are failures.
    pub(super) fn groups(
        &mut self,
        question: &ObjectQuestion<G::Move>,
        tally: &mut PredicateCount,
    ) -> Result<Vec<Answered<G::Move>>, Interrupted> {
        let mut groups = Vec::new();
        for &attack in self.attacks(&question.way)?.iter() {
            self.make(attack)?;
            let mut answers = Moves::new();
            self.game.legal_moves(&mut answers);
            if answers.is_empty() || self.is_ended(|verdict| verdict != Verdict::Open) {
                tally.add_failure(1);
            } else {
                let pairs = self.answer(&answers, &question.gates, tally)?;
                groups.extend(pairs.map(|pairs| (attack, pairs)));
            }
            self.unmake();
        }
        Ok(groups)
    }

    fn attacks(&mut self, way: &[G::Move]) -> Result<Moves<G::Move>, Interrupted> {
        self.go_to(way)?;
        let mut attacks = Moves::new();
        add_moves(&self.game, self.checks, &mut attacks);
        Ok(attacks)
    }

    /// Returns the answers to the check just made, or `None` if the group is a failure.
    fn answer(
        &mut self,
        answers: &[G::Move],
        gates: &[PositionKey],
        tally: &mut PredicateCount,
    ) -> Result<Option<Answers<G::Move>>, Interrupted> {
        let mut pairs = Vec::new();
        for &defence in answers {
            self.make(defence)?;
            let place = self.place();
            let is_failure = self.is_failure(place, gates);
            self.unmake();
            if is_failure {
                tally.add_failure(pairs.len() as u64 + 1);
                return Ok(None);
            }
            pairs.push((defence, place));
        }
        tally.written += pairs.len() as u64;
        Ok(Some(pairs))
    }

    fn is_failure(&self, (board, hand): PositionKey, gates: &[PositionKey]) -> bool {
        let gains_nothing = |&(earlier, held): &PositionKey| earlier == board && held.covers(hand);
        if gates.iter().any(gains_nothing) || self.is_ended(|end| matches!(end, Verdict::Draw | Verdict::Loss)) {
            return true;
        }
        let mut attacks = Moves::new();
        add_moves(&self.game, self.checks, &mut attacks);
        attacks.is_empty()
    }

    /// Returns true if the rules end the game in this position for a reason other than a repetition on the current
    /// path. A repetition is ignored, because the position need not repeat on other paths.
    fn is_ended(&self, counts: impl Fn(Verdict) -> bool) -> bool {
        if !counts(self.game.verdict()) {
            return false;
        }
        let (mut before, key) = (self.game.clone(), self.game.key());
        let goes_round = (0..self.made).any(|_| {
            before.unmake();
            before.key() == key
        });
        !goes_round
    }

    /// Goes to the position after the moves `way`, keeping the moves that it shares with the previous line.
    fn go_to(&mut self, way: &[G::Move]) -> Result<(), Interrupted> {
        let common = self.way.iter().zip(way).take_while(|(one, other)| one == other).count();
        (common..self.made).for_each(|_| self.unmake());
        self.way.truncate(common);
        for &m in &way[common..] {
            self.make(m)?;
            self.way.push(m);
        }
        Ok(())
    }

    fn make(&mut self, m: G::Move) -> Result<(), Interrupted> {
        if self.nodes >= self.pause {
            self.pause = self.stop.more(self.nodes);
        }
        if self.nodes >= self.node_limit || self.stop.is_stopped() {
            return Err(Interrupted);
        }
        self.nodes += 1;
        self.made += 1;
        self.game.make(m);
        Ok(())
    }

    fn unmake(&mut self) {
        self.made -= 1;
        self.game.unmake();
    }
}
