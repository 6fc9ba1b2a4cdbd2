//! Storage of propositions, which are objects, groups and pairs (docs/design/level-synchronous.md).
//!
//! A proposition is `[object] -> [attack defence]`: the pair leads to the position after a check and an answer to it.
//! The pairs of one object with the same attack are a group; the attacker chooses among groups, and the defender among
//! the pairs of a group. The predicate of a pair is an object of the next level. Equal positions on one level are one
//! object, because the length of a mate does not depend on the path, so an object may be the predicate of several
//! pairs.

use super::counts::CountsByLevel;
use super::pool::LevelPool;
use crate::core::mix::mix;
use hasami_api::PositionKey;
use hashbrown::HashTable;
use hashbrown::hash_table::Entry;
use std::iter;

/// Number that means "no record".
pub(super) const NONE: u32 = u32::MAX;

pub(super) const ROOT: u32 = 0;

/// Maximum number of objects added between two memory checks.
const SPARE: usize = 1 << 10;

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum PropositionState {
    Open,
    Mate,
    Failure,
    /// No proposition leads to the object any more.
    Orphan,
}

/// A position in which the attacker is to move.
pub(super) struct Object {
    pub(super) place: PositionKey,
    /// The nearest earlier object that lies on every line to this object.
    pub(super) gate: u32,
    pub(super) first_group: u32,
    /// The first of the pairs whose predicate is this object.
    pub(super) first_in: u32,
    /// Number of lines that lead to the object.
    pub(super) lines: u64,
    /// Number of remaining groups.
    pub(super) groups: u16,
    pub(super) level: u16,
    pub(super) state: PropositionState,
}

/// A check and the remaining answers to it. If there are no answers, the check mates immediately.
pub(super) struct CheckGroup<M> {
    pub(super) attack: M,
    pub(super) object: u32,
    pub(super) next: u32,
    pub(super) first_pair: u32,
    /// Number of the group's pairs that are not known to be "mate".
    pub(super) open: u16,
}

pub(super) struct Pair<M> {
    pub(super) defence: M,
    pub(super) group: u32,
    pub(super) next: u32,
    pub(super) predicate: u32,
    /// The next pair with the same predicate.
    pub(super) next_in: u32,
}

/// The remaining propositions of all levels.
pub(super) struct Propositions<M> {
    pub(super) objects: LevelPool<Object>,
    pub(super) groups: LevelPool<CheckGroup<M>>,
    pub(super) pairs: LevelPool<Pair<M>>,
    /// The objects of the next level, indexed by board and hand.
    index: HashTable<u32>,
    /// The objects of the next level in the order in which they were added.
    pub(super) next_level: Vec<u32>,
    /// Objects that became a "mate" during the current level. Rule 1 is applied to them when all "mates" are known.
    pub(super) mates: Vec<u32>,
    /// Objects to be freed at the end of the level, when no processor uses them any more.
    pub(super) orphans: Vec<u32>,
    /// Number of orphans whose groups have been dropped.
    pub(super) dropped: usize,
    pub(super) counts: CountsByLevel,
}

fn name((board, hand): PositionKey) -> u64 {
    mix(board ^ mix(u64::from(hand.bits()) + 1))
}

impl<M: Copy> Propositions<M> {
    pub(super) fn new(root: PositionKey) -> Self {
        let mut board = Self {
            objects: LevelPool::default(),
            groups: LevelPool::default(),
            pairs: LevelPool::default(),
            index: HashTable::new(),
            next_level: vec![ROOT],
            mates: Vec::new(),
            orphans: Vec::new(),
            dropped: 0,
            counts: CountsByLevel::default(),
        };
        board.objects.add(Object::new(root, 0, NONE, 1));
        board
    }

    /// Begins the next level and returns its objects.
    pub(super) fn begin_level(&mut self) -> Vec<u32> {
        self.free_orphans();
        self.index.clear();
        std::mem::take(&mut self.next_level)
    }

    /// Memory used in bytes, including what a collection needs while it grows to twice its size.
    pub(super) fn bytes(&self) -> usize {
        let grows = self.index.len() + SPARE > self.index.capacity();
        let index = self.index.allocation_size() * if grows { 3 } else { 1 };
        let lists = self.next_level.capacity() + self.mates.capacity() + self.orphans.capacity();
        self.objects.bytes() + self.groups.bytes() + self.pairs.bytes() + index + 3 * lists * size_of::<u32>()
    }

    /// Iterates, from an object back to the root, over the objects through which every line to it passes.
    pub(super) fn gates(&self, object: u32) -> impl Iterator<Item = u32> {
        list(object, |object| self.objects[object].gate)
    }

    /// Returns the moves of one line from the root to the object.
    pub(super) fn way(&self, object: u32) -> Vec<M> {
        let mut moves = Vec::new();
        let mut at = self.objects[object].first_in;
        while at != NONE {
            let Pair { defence, group, .. } = self.pairs[at];
            let CheckGroup { attack, object, .. } = self.groups[group];
            moves.extend([defence, attack]);
            at = self.objects[object].first_in;
        }
        moves.reverse();
        moves
    }

    pub(super) fn groups_of(&self, object: u32) -> impl Iterator<Item = u32> {
        list(self.objects[object].first_group, |group| self.groups[group].next)
    }

    pub(super) fn pairs_of(&self, group: u32) -> impl Iterator<Item = u32> {
        list(self.groups[group].first_pair, |pair| self.pairs[pair].next)
    }

    /// Iterates over the pairs whose predicate is the object.
    pub(super) fn pairs_to(&self, object: u32) -> impl Iterator<Item = u32> {
        list(self.objects[object].first_in, |pair| self.pairs[pair].next_in)
    }

    /// Writes the groups of an object that has none yet.
    pub(super) fn write_groups(&mut self, object: u32, groups: &[(M, Vec<(M, PositionKey)>)]) {
        let mut last = NONE;
        for (attack, pairs) in groups {
            let open = pairs.len() as u16;
            let group = self.groups.add(CheckGroup { attack: *attack, object, next: NONE, first_pair: NONE, open });
            match some(last) {
                Some(last) => self.groups[last].next = group,
                None => self.objects[object].first_group = group,
            }
            self.objects[object].groups += 1;
            self.write_pairs(group, pairs);
            last = group;
        }
    }

    fn write_pairs(&mut self, group: u32, pairs: &[(M, PositionKey)]) {
        let mut last = NONE;
        for &(defence, place) in pairs {
            let predicate = self.predicate(place, self.groups[group].object);
            let pair = self.pairs.add(Pair { defence, group, next: NONE, predicate, next_in: NONE });
            match some(last) {
                Some(last) => self.pairs[last].next = pair,
                None => self.groups[group].first_pair = pair,
            }
            self.link(pair, predicate);
            last = pair;
        }
    }

    /// Returns the next level's object at `place`, adding it if it is new; the object `before` leads to it.
    fn predicate(&mut self, place: PositionKey, before: u32) -> u32 {
        let Object { lines, level, .. } = self.objects[before];
        let objects = &self.objects;
        let is_it = |&object: &u32| objects[object].place == place;
        match self.index.entry(name(place), is_it, |&object| name(objects[object].place)) {
            Entry::Occupied(found) => {
                let found = *found.get();
                let gate = self.common_gate(self.objects[found].gate, before);
                let object = &mut self.objects[found];
                object.gate = gate;
                object.lines = object.lines.saturating_add(lines);
                found
            }
            Entry::Vacant(vacant) => {
                let object = self.objects.add(Object::new(place, level + 1, before, lines));
                vacant.insert(object);
                self.next_level.push(object);
                self.counts.at(level + 1).objects += 1;
                object
            }
        }
    }

    /// Returns the last object that lies on every line to `one` and on every line to `other`.
    fn common_gate(&self, mut one: u32, mut other: u32) -> u32 {
        while one != other {
            if self.objects[one].level >= self.objects[other].level {
                one = self.objects[one].gate;
            } else {
                other = self.objects[other].gate;
            }
        }
        one
    }

    /// Links a pair to its predicate. The first pair linked to an object stays at the head of the list.
    fn link(&mut self, pair: u32, predicate: u32) {
        let first = self.objects[predicate].first_in;
        if first == NONE {
            self.objects[predicate].first_in = pair;
        } else {
            self.pairs[pair].next_in = self.pairs[first].next_in;
            self.pairs[first].next_in = pair;
        }
    }

    /// Unlinks the pair from its predicate. Returns true if another pair leads to the same predicate.
    pub(super) fn unlink(&mut self, pair: u32) -> bool {
        let Pair { predicate, next_in, .. } = self.pairs[pair];
        let first = self.objects[predicate].first_in;
        if first == pair {
            self.objects[predicate].first_in = next_in;
        } else {
            let before =
                list(first, |other| self.pairs[other].next_in).find(|&other| self.pairs[other].next_in == pair);
            self.pairs[before.expect("a pair is in the list of its predicate")].next_in = next_in;
        }
        self.objects[predicate].first_in != NONE
    }

    /// Removes an orphan of the next level from the index, so that a later pair that leads to the same position gets a
    /// new object.
    pub(super) fn forget_place(&mut self, object: u32) {
        let name = name(self.objects[object].place);
        if let Ok(found) = self.index.find_entry(name, |&other| other == object) {
            found.remove();
        }
    }
}

impl Object {
    const fn new(place: PositionKey, level: u16, gate: u32, lines: u64) -> Self {
        let state = PropositionState::Open;
        Self { place, gate, first_group: NONE, first_in: NONE, lines, groups: 0, level, state }
    }
}

/// Returns the record number, or `None` if it is [`NONE`].
pub(super) fn some(number: u32) -> Option<u32> {
    Some(number).filter(|&number| number != NONE)
}

fn list(first: u32, next: impl Fn(u32) -> u32) -> impl Iterator<Item = u32> {
    iter::successors(some(first), move |&at| some(next(at)))
}
