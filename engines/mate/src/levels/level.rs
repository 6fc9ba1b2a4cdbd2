//! A level after the other, shared by the processors: each takes an object of the level, writes its propositions, and
//! erases what they decide. A level begins when all of the one before are done.

use super::propositions::{Place, Propositions, ROOT, State};
use super::writer::{Question, Tally, Written};
use hasami_api::LevelCounts;

/// How the search came to its end.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum End {
    Mate,
    NoMate,
    /// No mate within the levels that were allowed.
    Depth,
    /// No memory for a further level.
    Full,
    Stopped,
}

/// What a processor is to do next.
pub(super) enum Work<M> {
    Write(u32, Question<M>),
    /// Find out, within so many nodes, whether there is any mate at all.
    LookAtAll(u64),
    /// Nothing until the others are done.
    Wait,
    Over,
}

/// Levels after which it is asked whether there is any mate at all: going round has no end.
const ASKED: u16 = 8;

pub(super) struct Level<M> {
    pub(super) propositions: Propositions<M>,
    /// The objects of this level and how many of them are given out.
    objects: Vec<u32>,
    given: usize,
    in_work: usize,
    /// The level whose propositions are written, from 1, and the last one allowed.
    level: u16,
    most: u16,
    /// It may be asked whether there is any mate at all.
    asks: bool,
    most_bytes: usize,
    /// The most bytes at the end of a level.
    pub(super) bytes: usize,
    nodes: u64,
    pub(super) end: Option<End>,
}

impl<M: Copy> Level<M> {
    pub(super) fn new(root: Place, most: u16, most_bytes: usize) -> Self {
        let mut propositions = Propositions::new(root);
        let objects = propositions.begin_level();
        Self {
            propositions,
            objects,
            given: 0,
            in_work: 0,
            level: 1,
            most,
            asks: false,
            most_bytes,
            bytes: 0,
            nodes: 0,
            end: (most == 0).then_some(End::Depth),
        }
    }

    /// The last level that is complete.
    pub(super) const fn last(&self) -> u16 {
        self.level - 1
    }

    pub(super) fn counts(&self) -> &[LevelCounts] {
        self.propositions.counts.all()
    }

    pub(super) fn next(&mut self) -> Work<M> {
        while self.end.is_none() {
            while let Some(&object) = self.objects.get(self.given) {
                self.given += 1;
                // What was erased meanwhile need not be written.
                if self.propositions.objects[object].state == State::Open {
                    self.in_work += 1;
                    return Work::Write(object, self.question(object));
                }
            }
            if self.in_work > 0 {
                return Work::Wait;
            }
            if std::mem::take(&mut self.asks) {
                self.in_work += 1;
                return Work::LookAtAll(self.nodes);
            }
            self.end_level();
        }
        Work::Over
    }

    fn question(&self, object: u32) -> Question<M> {
        let propositions = &self.propositions;
        let gates = || propositions.gates(object).map(|gate| &propositions.objects[gate]);
        // Above, a mate is found: as soon as that one is only another mate on this level.
        let at_once = gates().any(|gate| gate.state == State::Mate);
        Question { way: propositions.way(object), gates: gates().map(|gate| gate.place).collect(), at_once }
    }

    /// What a processor has written of an object, for which it made so many moves.
    pub(super) fn enter(&mut self, object: u32, written: Written<M>, tally: Tally, nodes: u64) {
        self.in_work -= 1;
        self.nodes += nodes;
        if self.propositions.objects[object].state != State::Open || self.end.is_some() {
            return;
        }
        let lines = self.propositions.objects[object].lines;
        let counts = self.propositions.counts.at(self.level);
        counts.entries += 1;
        counts.written += tally.written;
        counts.as_lines = counts.as_lines.saturating_add(tally.written.saturating_mul(lines));
        counts.mates += tally.mates;
        counts.failures += tally.failures;
        // Without another group the last one that is a failure is not erased by the second rule.
        let is_failure = matches!(&written, Written::Groups(groups) if groups.is_empty());
        let last = if is_failure { tally.failed_last } else { 0 };
        counts.by_rule_2 += tally.failed - last;
        counts.with_others += last;
        match written {
            Written::Mates(attacks) => {
                let groups: Vec<_> = attacks.into_iter().map(|attack| (attack, Vec::new())).collect();
                self.propositions.write_groups(object, &groups);
                self.propositions.read_as_mate(object);
            }
            Written::Groups(groups) if groups.is_empty() => self.propositions.read_as_failure(object),
            Written::Groups(groups) => self.propositions.write_groups(object, &groups),
            Written::NoMate => {}
        }
        if self.propositions.objects[ROOT].state == State::Failure {
            self.end = Some(End::NoMate);
        } else if self.propositions.bytes() > self.most_bytes {
            self.bytes = self.bytes.max(self.propositions.bytes());
            self.end = Some(End::Full);
        }
    }

    /// All possible ways were followed: there is a mate, or none, or it took too long to say.
    pub(super) fn looked_at_all(&mut self, has_mate: Option<bool>, nodes: u64) {
        self.in_work -= 1;
        self.nodes += nodes;
        if has_mate == Some(false) {
            self.end = Some(End::NoMate);
        }
    }

    fn end_level(&mut self) {
        self.bytes = self.bytes.max(self.propositions.bytes());
        self.propositions.end_level();
        self.level += 1;
        if self.propositions.objects[ROOT].state == State::Mate {
            self.end = Some(End::Mate);
        } else if self.last() == self.most {
            self.end = Some(End::Depth);
        } else {
            self.objects = self.propositions.begin_level();
            self.given = 0;
            self.asks = self.last().is_multiple_of(ASKED);
        }
    }
}
