//! Processes one level after another. Each processor takes an object of the level, writes its propositions, and erases
//! the propositions that they decide. The "mates" of all objects are written first, then the other propositions of the
//! objects that are still open. The search ends at the level at which the root is decided.

use super::propositions::{PropositionState, Propositions, ROOT};
use super::writer::{Answered, ObjectQuestion, PredicateCount};
use crate::interface::levels::LevelCounts;
use hasami_api::PositionKey;

/// The reason why a search ended.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum SearchEnd {
    Mate,
    NoMate,
    /// No mate was found within the maximum number of levels.
    Depth,
    /// The memory does not suffice for another level.
    Full,
    Stopped,
}

/// A processor's next step.
pub(super) enum LevelWork<M> {
    /// Write an object's checks that mate immediately. The moves lead from the root to the object.
    Mates(u32, Vec<M>),
    /// Write an object's propositions, except for checks that mate immediately.
    Groups(u32, ObjectQuestion<M>),
    /// Test, within this number of nodes, whether there is a mate of any length.
    LookAtAll(u64),
    /// Wait until the other processors are done.
    Wait,
    Over,
}

/// Number of levels between two tests for a mate of any length; without such tests, the search would never end if the
/// attacker could check forever.
const ASKED: u16 = 8;

pub(super) struct Level<M> {
    pub(super) propositions: Propositions<M>,
    /// The objects of the current level. The first `given` objects have been assigned to processors.
    objects: Vec<u32>,
    given: usize,
    in_work: usize,
    /// Whether every check that mates immediately has been written for all objects of the level.
    has_mates: bool,
    /// The level whose propositions are being written, counted from 1. `most` is the last level allowed.
    level: u16,
    most: u16,
    /// Whether the next step is a test for a mate of any length.
    asks: bool,
    most_bytes: usize,
    /// Largest amount of memory used so far, in bytes.
    pub(super) bytes: usize,
    nodes: u64,
    /// The last level whose "mates" are all known.
    pub(super) complete: u16,
    pub(super) end: Option<SearchEnd>,
}

impl<M: Copy> Level<M> {
    pub(super) fn new(root: PositionKey, most: u16, most_bytes: usize) -> Self {
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

    /// Returns a value that changes whenever new work is available for all processors.
    pub(super) const fn phase(&self) -> (u16, bool) {
        (self.level, self.has_mates)
    }

    pub(super) fn next(&mut self) -> LevelWork<M> {
        while self.end.is_none() {
            while let Some(&object) = self.objects.get(self.given) {
                self.given += 1;
                // Objects that have been erased need no propositions.
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

    /// Records the checks that mate immediately, which took a processor `nodes` moves to find.
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

    /// Records the groups that a processor has written for an object, other than checks that mate immediately.
    pub(super) fn enter_groups(&mut self, object: u32, groups: &[Answered<M>], tally: PredicateCount, nodes: u64) {
        if !self.is_wanted(object, nodes) {
            return;
        }
        let lines = self.propositions.objects[object].lines;
        self.propositions.counts.write(self.level, tally.written, lines);
        let counts = self.propositions.counts.at(self.level);
        counts.failures += tally.failures;
        // If all groups are failures, rule 2 does not erase the last one.
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

    /// Measures the memory in use and ends the search if the limit is exceeded.
    fn look_at_memory(&mut self) {
        let bytes = self.propositions.bytes() + self.objects.capacity() * size_of::<u32>();
        self.bytes = self.bytes.max(bytes);
        if bytes > self.most_bytes && self.end.is_none() {
            self.end = Some(SearchEnd::Full);
        }
    }

    /// Counts `nodes` moves made for an object, and returns true if the object is still open.
    fn is_wanted(&mut self, object: u32, nodes: u64) -> bool {
        self.in_work -= 1;
        self.nodes += nodes;
        self.end.is_none() && self.propositions.objects[object].state == PropositionState::Open
    }

    /// Records whether there is a mate of any length; `None` if undecided.
    pub(super) fn looked_at_all(&mut self, has_mate: Option<bool>, nodes: u64) {
        self.in_work -= 1;
        self.nodes += nodes;
        if has_mate == Some(false) {
            self.end = Some(SearchEnd::NoMate);
        }
    }

    /// Applies rule 1 when all "mates" of the level have been written, and decides whether the search ends.
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
