//! Rules that choose among predicates (docs/design/level-synchronous.md), applied from the last level backwards as soon
//! as a "mate" or a "failure" appears:
//!
//! 1. A predicate that is "mate" is erased if its group has another predicate, so the defender finds the latest mate.
//! 2. If a predicate is "failure", its group is erased if the object has another group, so the attacker finds the
//!    earliest mate.
//! 3. An object whose groups all fail, or one of whose groups mates, is read as "failure" or "mate", and the rules
//!    continue at the previous level, where the object is a predicate.
//! 4. A "mate" or "failure" of the first level is certain.
//!
//! "Mates" of one level are equally late, so rule 1 is applied only when all "mates" of the level have appeared
//! ([`Propositions::end_mates`]). A group whose last predicates are on the same level keeps all of them, so all optimal
//! lines remain.

use super::propositions::{CheckGroup, Pair, PropositionState, Propositions, some};

impl<M: Copy> Propositions<M> {
    /// Reads an object as "mate", given that one of its groups mates.
    pub(super) fn read_as_mate(&mut self, object: u32) {
        let mut read = vec![object];
        while let Some(object) = read.pop() {
            // The object may have been read as "mate" already, because of another group.
            if self.objects[object].state != PropositionState::Open {
                continue;
            }
            self.objects[object].state = PropositionState::Mate;
            self.mates.push(object);
            // Rule 4 needs no code, because no pair leads to the root.
            let pairs: Vec<u32> = self.pairs_to(object).collect();
            for pair in pairs {
                let group = self.pairs[pair].group;
                let CheckGroup { object: before, ref mut open, .. } = self.groups[group];
                *open -= 1;
                // Rule 1 may erase the pair later, if its group has other pairs.
                if *open == 0 {
                    // Rule 3 applies.
                    read.push(before);
                }
                self.counts.at(self.objects[object].level).read += 1;
            }
        }
    }

    /// Reads an object as "failure", given that all its groups fail.
    pub(super) fn read_as_failure(&mut self, object: u32) {
        let mut read = vec![object];
        while let Some(object) = read.pop() {
            self.objects[object].state = PropositionState::Failure;
            // Rule 4 needs no code, because no pair leads to the root.
            while let Some(pair) = some(self.objects[object].first_in) {
                self.counts.at(self.objects[object].level).read += 1;
                let group = self.pairs[pair].group;
                let before = self.groups[group].object;
                // Rule 2 applies, or rule 3 if the group is the last one.
                let has_other = self.objects[before].groups > 1;
                let erased = self.erase_group(group);
                let counts = self.counts.at(self.objects[before].level + 1);
                *(if has_other { &mut counts.by_rule_2 } else { &mut counts.with_others }) += erased;
                if !has_other {
                    read.push(before);
                }
            }
        }
    }

    /// Applies rule 1 when all "mates" of the level have appeared: erases the "mates" whose groups have other pairs,
    /// and the groups of mated objects that would mate later.
    pub(super) fn end_mates(&mut self) {
        for object in std::mem::take(&mut self.mates) {
            if self.objects[object].state == PropositionState::Orphan {
                continue;
            }
            let level = self.objects[object].level;
            let late: Vec<u32> = self.groups_of(object).filter(|&group| self.groups[group].open > 0).collect();
            for group in late {
                let erased = self.erase_group(group);
                self.counts.at(level + 1).with_others += erased;
            }
            let is_early = |&pair: &u32| self.groups[self.pairs[pair].group].open > 0;
            let early: Vec<u32> = self.pairs_to(object).filter(is_early).collect();
            for pair in early {
                self.erase_pair(pair);
                self.counts.at(level).by_rule_1 += 1;
            }
        }
    }

    /// Frees the numbers of orphans when no processor uses them any more.
    pub(super) fn free_orphans(&mut self) {
        self.next_level.retain(|&object| self.objects[object].state != PropositionState::Orphan);
        self.dropped = 0;
        for orphan in std::mem::take(&mut self.orphans) {
            self.objects.erase(orphan);
        }
    }

    /// Removes a pair from its group.
    fn erase_pair(&mut self, pair: u32) {
        let Pair { group, next, .. } = self.pairs[pair];
        let first = self.groups[group].first_pair;
        if first == pair {
            self.groups[group].first_pair = next;
        } else {
            let before = self.pairs_of(group).find(|&other| self.pairs[other].next == pair);
            self.pairs[before.expect("a pair is in the list of its group")].next = next;
        }
        self.drop_pair(pair);
        self.drop_below();
    }

    /// Removes a group from its object and returns the number of its pairs.
    fn erase_group(&mut self, group: u32) -> u64 {
        let CheckGroup { object, next, .. } = self.groups[group];
        let first = self.objects[object].first_group;
        if first == group {
            self.objects[object].first_group = next;
        } else {
            let before = self.groups_of(object).find(|&other| self.groups[other].next == group);
            self.groups[before.expect("a group is in the list of its object")].next = next;
        }
        self.objects[object].groups -= 1;
        self.drop_group(group)
    }

    /// Drops a group that was removed from its object, and everything that is reached only through its pairs.
    fn drop_group(&mut self, group: u32) -> u64 {
        let dropped = self.drop_pairs(group);
        self.drop_below();
        dropped
    }

    fn drop_pairs(&mut self, group: u32) -> u64 {
        let mut dropped = 0;
        while let Some(pair) = some(self.groups[group].first_pair) {
            self.groups[group].first_pair = self.pairs[pair].next;
            self.drop_pair(pair);
            dropped += 1;
        }
        self.groups.erase(group);
        // A group without pairs counts as one "mate".
        dropped.max(1)
    }

    fn drop_pair(&mut self, pair: u32) {
        let predicate = self.pairs[pair].predicate;
        if !self.unlink(pair) {
            self.forget_place(predicate);
            self.objects[predicate].state = PropositionState::Orphan;
            self.orphans.push(predicate);
        }
        self.pairs.erase(pair);
    }

    /// Drops everything that is reached only from orphans.
    fn drop_below(&mut self) {
        while let Some(&orphan) = self.orphans.get(self.dropped) {
            self.dropped += 1;
            let level = self.objects[orphan].level;
            while let Some(group) = some(self.objects[orphan].first_group) {
                self.objects[orphan].first_group = self.groups[group].next;
                let dropped = self.drop_pairs(group);
                self.counts.at(level + 1).with_others += dropped;
            }
        }
    }
}
