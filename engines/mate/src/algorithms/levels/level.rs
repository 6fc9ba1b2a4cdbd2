//! A level after the other, shared by the processors: each takes an object of the level, writes its propositions, and
//! erases what they decide. First come the "mates" of all objects, then the other propositions of those that are left: at
//! the level of the answer there are none.

use super::propositions::{Place, PropositionState, Propositions, ROOT};
use super::writer::{Answered, ObjectQuestion, PredicateCount};
use crate::interface::levels::LevelCounts;

/// How the search came to its end.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum SearchEnd {
    Mate,
    NoMate,
    /// No mate within the levels that were allowed.
    Depth,
    /// No memory for a further level.
    Full,
    Stopped,
}

/// A processor's next step.
pub(super) enum LevelWork<M> {
    /// Write which checks mate at once, from the root to the object.
    Mates(u32, Vec<M>),
    /// Write all other propositions.
    Groups(u32, ObjectQuestion<M>),
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
    /// All "mates" of the level have appeared.
    has_mates: bool,
    /// The level whose propositions are written, from 1, and the last one allowed.
    level: u16,
    most: u16,
    /// It may be asked whether there is any mate at all.
    asks: bool,
    most_bytes: usize,
    /// The most bytes so far.
    pub(super) bytes: usize,
    nodes: u64,
    /// The last level of which all "mates" are known.
    pub(super) complete: u16,
    pub(super) end: Option<SearchEnd>,
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
            has_mates: false,
            level: 1,
            most,
            asks: false,
            most_bytes,
            bytes: 0,
            nodes: 0,
            complete: 0,
            end: (most == 0).then_some(SearchEnd::Depth),
        }
    }

    pub(super) fn counts(&self) -> &[LevelCounts] {
        self.propositions.counts.all()
    }

    /// Changes when there is new work for all.
    pub(super) const fn phase(&self) -> (u16, bool) {
        (self.level, self.has_mates)
    }

    pub(super) fn next(&mut self) -> LevelWork<M> {
        while self.end.is_none() {
            while let Some(&object) = self.objects.get(self.given) {
                self.given += 1;
                // What was erased meanwhile need not be written.
                if self.propositions.objects[object].state == PropositionState::Open {
                    self.in_work += 1;
                    return self.work(object);
                }
            }
            if self.in_work > 0 {
                return LevelWork::Wait;
            }
            if std::mem::take(&mut self.asks) {
                self.in_work += 1;
                return LevelWork::LookAtAll(self.nodes);
            }
            if self.has_mates { self.begin_level() } else { self.end_mates() }
        }
        LevelWork::Over
    }

    fn work(&self, object: u32) -> LevelWork<M> {
        let propositions = &self.propositions;
        let way = propositions.way(object);
        if !self.has_mates {
            return LevelWork::Mates(object, way);
        }
        let gates = propositions.gates(object).map(|gate| propositions.objects[gate].place).collect();
        LevelWork::Groups(object, ObjectQuestion { way, gates })
    }

    /// A processor has written which checks mate the object at once, and made so many moves for that.
    pub(super) fn enter_mates(&mut self, object: u32, attacks: Vec<M>, nodes: u64) {
        if !self.is_wanted(object, nodes) {
            return;
        }
        let lines = self.propositions.objects[object].lines;
        let mates = attacks.len() as u64;
        self.propositions.counts.write(self.level, mates, lines);
        let counts = self.propositions.counts.at(self.level);
        counts.entries += 1;
        counts.mates += mates;
        if mates > 0 {
            let groups: Vec<Answered<M>> = attacks.into_iter().map(|attack| (attack, Vec::new())).collect();
            self.propositions.write_groups(object, &groups);
            self.propositions.read_as_mate(object);
            self.look_at_memory();
        }
    }

    /// A processor has written all other groups.
    pub(super) fn enter_groups(&mut self, object: u32, groups: &[Answered<M>], tally: PredicateCount, nodes: u64) {
        if !self.is_wanted(object, nodes) {
            return;
        }
        let lines = self.propositions.objects[object].lines;
        self.propositions.counts.write(self.level, tally.written, lines);
        let counts = self.propositions.counts.at(self.level);
        counts.failures += tally.failures;
        // Without another group the last one that is a failure is not erased by the second rule.
        let last = if groups.is_empty() { tally.failed_last } else { 0 };
        counts.by_rule_2 += tally.failed - last;
        counts.with_others += last;
        if groups.is_empty() {
            self.propositions.read_as_failure(object);
        } else {
            self.propositions.write_groups(object, groups);
        }
        if self.propositions.objects[ROOT].state == PropositionState::Failure {
            self.end = Some(SearchEnd::NoMate);
        }
        self.look_at_memory();
    }

    /// Counts it, and ends the search where there is not enough.
    fn look_at_memory(&mut self) {
        let bytes = self.propositions.bytes() + self.objects.capacity() * size_of::<u32>();
        self.bytes = self.bytes.max(bytes);
        if bytes > self.most_bytes && self.end.is_none() {
            self.end = Some(SearchEnd::Full);
        }
    }

    /// Nobody has decided meanwhile what a processor has been working on for so many moves.
    fn is_wanted(&mut self, object: u32, nodes: u64) -> bool {
        self.in_work -= 1;
        self.nodes += nodes;
        self.end.is_none() && self.propositions.objects[object].state == PropositionState::Open
    }

    /// All possible ways were followed: there is a mate, or none, or it took too long to say.
    pub(super) fn looked_at_all(&mut self, has_mate: Option<bool>, nodes: u64) {
        self.in_work -= 1;
        self.nodes += nodes;
        if has_mate == Some(false) {
            self.end = Some(SearchEnd::NoMate);
        }
    }

    /// The first rule can tell now which "mates" are the latest.
    fn end_mates(&mut self) {
        self.propositions.end_mates();
        self.has_mates = true;
        self.complete = self.level;
        if self.propositions.objects[ROOT].state == PropositionState::Mate {
            self.end = Some(SearchEnd::Mate);
        } else if self.level == self.most {
            self.end = Some(SearchEnd::Depth);
        } else {
            self.given = 0;
        }
    }

    fn begin_level(&mut self) {
        self.objects = self.propositions.begin_level();
        self.given = 0;
        self.has_mates = false;
        self.asks = self.level.is_multiple_of(ASKED);
        self.level += 1;
    }
}
