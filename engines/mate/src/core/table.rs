//! Proof and disproof numbers by board and hand, in a table that grows with the search up to a maximum size.
//!
//! Entries of one board lie in one cluster, so that a proof for a small hand is also found for larger hands (Nagai
//! 2002, section on proof and disproof pieces). A lookup reads one cache line with the tags of the cluster, and reads
//! more only if a tag matches.
//!
//! A new table is small, so that short searches stay in the processor's caches. The table grows by one cluster at a
//! time, to which half of another cluster is moved (Litwin, "Linear hashing", VLDB 1980), so no search waits for the
//! growth.

use crate::core::mix::mix;
use crate::core::value::ProofNumbers;
use bytemuck::Zeroable;
use hasami_api::{Hand, prefetch};
use hasami_memory::Zeroed;
use std::sync::atomic::Ordering::{Acquire, Relaxed, Release};
use std::sync::atomic::{AtomicBool, AtomicU32, AtomicUsize};

/// Number of entries per cluster, whose tags fill one cache line.
const WAYS: usize = 16;
/// Initial number of clusters, a power of two.
const FIRST: usize = 1 << 10;
/// Average number of entries per cluster above which the table grows. At an average of `LOAD`, some clusters are
/// already full, because entries of one board lie together.
const LOAD: usize = 6;
/// Number of tasks that stamps can distinguish.
const TASKS: usize = 256;

/// The task of an entry, modulo [`TASKS`], and the work below the entry on a logarithmic scale. The entry with the
/// least work is replaced first.
#[derive(Clone, Copy, Default, PartialEq, Eq, PartialOrd, Ord, Zeroable)]
struct Stamp(u16);

impl Stamp {
    /// Creates a stamp, which stores `expansions` in logarithmic steps of an eighth of a doubling.
    fn new(task: u8, expansions: u32) -> Self {
        let expansions = expansions.clamp(1, u32::MAX >> 1);
        let doublings = expansions.ilog2();
        let eighths = (u64::from(expansions) << 3 >> doublings) as u32 & 7;
        Self(u16::from(task) << 8 | (1 + 8 * doublings + eighths) as u16)
    }

    /// Returns the work of an entry of `task`, or 0 for an empty entry or an entry of another task.
    fn work(self, task: u8) -> u16 {
        if self.0 >> 8 == u16::from(task) { self.0 & 255 } else { 0 }
    }
}

/// The contents of an entry.
#[derive(Clone, Copy)]
struct MateEntry {
    value: ProofNumbers,
    stamp: Stamp,
}

/// An entry that several searches may read and write at the same time without a lock. The stored part of the key is
/// combined with all other fields, so that a mixture of two entries is not found under any key (Hyatt and Mann, "A
/// lock-less transposition-table implementation for parallel search", ICGA Journal 25-1, 2002).
#[derive(Zeroable)]
#[repr(C)]
struct MateSlot {
    /// The part of the key that is not in the tag, combined with a checksum.
    rest: AtomicU32,
    hand: AtomicU32,
    pn: AtomicU32,
    dn: AtomicU32,
    /// The note and the stamp.
    course: AtomicU32,
}

/// Returns the checksum that is combined with `rest`.
const fn check(hand: u32, pn: u32, dn: u32, course: u32) -> u32 {
    let (one, other) = ((hand as u64) << 32 | pn as u64, (dn as u64) << 32 | course as u64);
    let mixed = one.wrapping_mul(0x9e37_79b9_7f4a_7c15) ^ other.wrapping_mul(0xbf58_476d_1ce4_e5b9).rotate_left(31);
    (mixed.wrapping_mul(0x94d0_49bb_1331_11eb) >> 32) as u32
}

impl MateSlot {
    fn stamp(&self) -> Stamp {
        Stamp(self.course.load(Relaxed) as u16)
    }

    /// Returns the stored part of the key and the entry.
    #[inline]
    fn read(&self) -> (u32, MateEntry) {
        let (hand, pn, dn) = (self.hand.load(Relaxed), self.pn.load(Relaxed), self.dn.load(Relaxed));
        let course = self.course.load(Relaxed);
        let rest = self.rest.load(Relaxed) ^ check(hand, pn, dn, course);
        let value = ProofNumbers { hand: Hand::from_bits(hand), pn, dn, note: (course >> 16) as i16 };
        (rest, MateEntry { value, stamp: Stamp(course as u16) })
    }

    fn write(&self, rest: u32, MateEntry { value, stamp }: MateEntry) {
        let ProofNumbers { hand, pn, dn, note } = value;
        let course = u32::from(note as u16) << 16 | u32::from(stamp.0);
        self.rest.store(rest ^ check(hand.bits(), pn, dn, course), Relaxed);
        self.hand.store(hand.bits(), Relaxed);
        self.pn.store(pn, Relaxed);
        self.dn.store(dn, Relaxed);
        self.course.store(course, Relaxed);
    }
}

#[derive(Zeroable)]
#[repr(C, align(64))]
struct MateCluster {
    tags: [AtomicU32; WAYS],
    slots: [MateSlot; WAYS],
}

impl MateCluster {
    fn clear(&self, way: usize) {
        self.tags[way].store(0, Relaxed);
        self.slots[way].course.store(0, Relaxed);
    }

    fn empty(&self) {
        (0..WAYS).for_each(|way| self.clear(way));
    }

    /// Iterates over the entries of a key.
    fn fitting(&self, place: KeyPlace, task: u8) -> impl Iterator<Item = (usize, MateEntry)> {
        // Only entries with a matching tag are read.
        let bits = |bits, (way, tag): (usize, &AtomicU32)| bits | u32::from(tag.load(Relaxed) == place.tag) << way;
        let mut fitting = self.tags.iter().enumerate().fold(0u32, bits);
        std::iter::from_fn(move || {
            while fitting != 0 {
                let way = fitting.trailing_zeros() as usize;
                fitting &= fitting - 1;
                let (rest, entry) = self.slots[way].read();
                if rest == place.rest && entry.stamp.work(task) > 0 {
                    return Some((way, entry));
                }
            }
            None
        })
    }

    /// Returns the index of the entry with the least work.
    fn cheapest(&self, task: u8) -> usize {
        (0..WAYS).min_by_key(|&way| self.slots[way].stamp().work(task)).unwrap_or(0)
    }
}

/// Number of clusters for a search of `nodes` nodes. Only expanded positions are stored, and they are fewer than the
/// counted nodes.
fn clusters_for(nodes: u64, most_bytes: usize) -> usize {
    let wanted = usize::try_from(nodes).unwrap_or(usize::MAX).div_ceil(LOAD);
    wanted.min(most_bytes / size_of::<MateCluster>()).max(1)
}

/// The transposition table shared by all searches of a task. Concurrent writes seldom lose an entry.
pub(crate) struct MateTable {
    clusters: Zeroed<MateCluster>,
    /// Number of clusters used by the task so far, at most the length of [`Self::clusters`].
    used: AtomicUsize,
    /// Approximate number of entries of the task.
    entries: AtomicUsize,
    /// True while a search is adding a cluster.
    grows: AtomicBool,
    /// Number of clusters written since the table was created.
    written: usize,
    /// The task's number, modulo [`TASKS`]. Entries of other tasks are ignored, because results may depend on the moves
    /// before the root, and because a search must not depend on earlier searches.
    task: u8,
}

/// A key's cluster, and the parts of the key that are compared with entries.
#[derive(Clone, Copy)]
struct KeyPlace {
    cluster: usize,
    tag: u32,
    rest: u32,
}

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum KnownMate {
    Nothing,
    /// Numbers stored for the requested hand, or bounds from the numbers of other hands.
    Open {
        pn: u32,
        dn: u32,
    },
    Decided(ProofNumbers),
}

impl MateTable {
    /// Creates a table for a search of `nodes` nodes, with at most `most_bytes` bytes, but at least one cluster.
    pub(crate) fn for_nodes(nodes: u64, most_bytes: usize) -> Self {
        let clusters = Zeroed::new(clusters_for(nodes, most_bytes));
        let (used, entries, grows) = (AtomicUsize::new(0), AtomicUsize::new(0), AtomicBool::new(false));
        let mut table = Self { clusters, used, entries, grows, written: 0, task: 0 };
        table.shrink();
        table
    }

    /// Returns true if the table is at least as large as [`Self::for_nodes`] would create it.
    pub(crate) fn suffices(&self, nodes: u64, most_bytes: usize) -> bool {
        self.clusters.len() >= clusters_for(nodes, most_bytes)
    }

    /// Begins a new task, which ignores all previous entries. Each call clears one part of the table, which is fast;
    /// all parts are cleared before a stamp is reused.
    pub(crate) fn next_task(&mut self) {
        self.written = self.written.max(*self.used.get_mut());
        let part = self.clusters.len().div_ceil(TASKS);
        let from = part * usize::from(self.task);
        let old = from.min(self.written)..(from + part).min(self.written);
        self.clusters[old].iter().for_each(MateCluster::empty);
        self.task = self.task.wrapping_add(1);
        self.shrink();
    }

    /// Writes to every used cluster, because the system allocates memory at the first write.
    pub(crate) fn touch(&mut self) {
        let used = *self.used.get_mut();
        self.clusters[..used].iter().for_each(|cluster| cluster.clear(0));
    }

    fn shrink(&mut self) {
        *self.used.get_mut() = FIRST.min(self.clusters.len());
        *self.entries.get_mut() = 0;
    }

    #[inline]
    fn place(&self, key: u64) -> KeyPlace {
        let key = mix(key);
        let rest = (key >> 32) as u32;
        // Tag 0 marks an empty entry, so no key has this tag.
        KeyPlace { cluster: self.cluster(rest), tag: (key as u32).max(1), rest }
    }

    #[inline]
    fn cluster(&self, rest: u32) -> usize {
        cluster_of(rest, self.used.load(Acquire))
    }

    /// Adds one cluster and moves entries to it from another cluster. An entry that another search stores at the same
    /// time may be lost.
    fn grow(&self) {
        if self.grows.swap(true, Acquire) {
            return;
        }
        let used = self.used.load(Relaxed);
        if used < self.clusters.len() {
            let (from, to) = (&self.clusters[used - (1 << used.ilog2())], &self.clusters[used]);
            let mut moved = 0u32;
            for way in 0..WAYS {
                let (rest, entry) = from.slots[way].read();
                if entry.stamp.work(self.task) > 0 && cluster_of(rest, used + 1) == used {
                    to.slots[way].write(rest, entry);
                    to.tags[way].store(from.tags[way].load(Relaxed), Relaxed);
                    moved |= 1 << way;
                } else {
                    to.clear(way);
                }
            }
            self.used.store(used + 1, Release);
            (0..WAYS).filter(|way| moved >> way & 1 == 1).for_each(|way| from.clear(way));
        }
        self.grows.store(false, Release);
    }

    /// Prefetches the entries of a board.
    #[inline]
    pub(crate) fn prefetch(&self, key: u64) {
        prefetch(&self.clusters[self.place(key).cluster]);
    }

    /// Returns the value of a board with a hand of the attacker. If several proofs are stored, returns the shortest.
    pub(crate) fn get(&self, key: u64, hand: Hand) -> KnownMate {
        let place = self.place(key);
        let cluster = &self.clusters[place.cluster];
        let (mut pn, mut dn, mut known) = (1, 1, false);
        let mut proof: Option<ProofNumbers> = None;
        for (_, MateEntry { value, .. }) in cluster.fitting(place, self.task) {
            let (more, less) = (hand.covers(value.hand), value.hand.covers(hand));
            if value.is_proved() {
                if more && proof.is_none_or(|best| value.note < best.note) {
                    proof = Some(value);
                }
            } else if value.is_disproved() {
                if less {
                    return KnownMate::Decided(value);
                }
            } else if more && less {
                (pn, dn, known) = (pn.max(value.pn), dn.max(value.dn), true);
            } else if more {
                // A mate is no harder to prove and no easier to refute with more pieces in hand.
                (dn, known) = (dn.max(value.dn), true);
            } else if less {
                (pn, known) = (pn.max(value.pn), true);
            }
        }
        match proof {
            Some(proof) => KnownMate::Decided(proof),
            None if known => KnownMate::Open { pn, dn },
            None => KnownMate::Nothing,
        }
    }

    pub(crate) fn put(&self, key: u64, value: ProofNumbers, work: u32) {
        let place = self.place(key);
        let cluster = &self.clusters[place.cluster];
        let (mut own, mut spare) = (None, 0u32);
        for (way, MateEntry { value: other, .. }) in cluster.fitting(place, self.task) {
            let (covers, covered) = (other.hand.covers(value.hand), value.hand.covers(other.hand));
            // A proof for fewer pieces in hand does not replace a shorter proof, because the stored lengths could then
            // grow along a line, and following the line would never end.
            let is_longer = other.is_proved() && other.note < value.note;
            if value.is_proved() && covers && !other.is_disproved() && !is_longer
                || value.is_disproved() && covered && !other.is_proved()
            {
                // The old entry contains no additional information.
                spare |= 1 << way;
                own = own.or(Some(way));
            } else if covers && covered {
                if other.is_decided() {
                    return;
                }
                own = Some(way);
            }
        }
        self.store(place, value, work, own, spare);
    }

    /// Calls `look` with each value stored under the key.
    pub(crate) fn look_through(&self, key: u64, mut look: impl FnMut(&ProofNumbers)) {
        let place = self.place(key);
        self.clusters[place.cluster].fitting(place, self.task).for_each(|(_, entry)| look(&entry.value));
    }

    /// Stores a value and removes the entries for which `is_spare` is true.
    pub(crate) fn replace(
        &self,
        key: u64,
        value: ProofNumbers,
        work: u32,
        mut is_spare: impl FnMut(&ProofNumbers) -> bool,
    ) {
        let place = self.place(key);
        let fitting = self.clusters[place.cluster].fitting(place, self.task);
        let spare = fitting.filter(|(_, entry)| is_spare(&entry.value)).fold(0u32, |spare, (way, _)| spare | 1 << way);
        let own = (spare != 0).then(|| spare.trailing_zeros() as usize);
        self.store(place, value, work, own, spare);
    }

    /// Stores an entry in the slot `own` or, if `own` is `None`, in the slot with the least work. The other slots in
    /// `spare` are cleared.
    fn store(&self, place: KeyPlace, value: ProofNumbers, work: u32, own: Option<usize>, spare: u32) {
        let task = self.task;
        let cluster = &self.clusters[place.cluster];
        let way = own.unwrap_or_else(|| cluster.cheapest(task));
        let before = cluster.slots[way].stamp();
        let stamp = Stamp::new(task, work);
        let stamp = if own.is_some() { stamp.max(before) } else { stamp };
        for other in (0..WAYS).filter(|&other| other != way && spare >> other & 1 == 1) {
            cluster.clear(other);
            self.entries.fetch_sub(1, Relaxed);
        }
        cluster.tags[way].store(place.tag, Relaxed);
        cluster.slots[way].write(place.rest, MateEntry { value, stamp });
        if before.work(task) == 0 {
            let (entries, used) = (self.entries.fetch_add(1, Relaxed) + 1, self.used.load(Relaxed));
            if entries > LOAD * used && used < self.clusters.len() {
                self.grow();
            }
        }
    }
}

/// A table that is created on demand, and again when a search needs a larger one.
pub(crate) struct LazyTable {
    /// The table for the largest task so far.
    table: Option<MateTable>,
    most_bytes: usize,
}

impl LazyTable {
    /// Limits the table to `most_bytes` bytes, but at least one cluster.
    pub(crate) const fn new(most_bytes: usize) -> Self {
        Self { table: None, most_bytes }
    }

    /// Returns a table for a search of `nodes` nodes. A search of a few thousand nodes gets a small table, because
    /// writing a large one would take longer than the search.
    pub(crate) fn for_nodes(&mut self, nodes: u64) -> &mut MateTable {
        let old = self.table.take().filter(|table| table.suffices(nodes, self.most_bytes));
        self.table.insert(old.unwrap_or_else(|| MateTable::for_nodes(nodes, self.most_bytes)))
    }

    /// Allocates the memory that every task needs; searches may let the table grow further.
    pub(crate) fn prepare(&mut self) {
        self.for_nodes(u64::MAX).touch();
    }

    pub(crate) fn forget(&mut self) {
        self.table = None;
    }

    pub(crate) const fn get(&self) -> Option<&MateTable> {
        self.table.as_ref()
    }
}

/// Returns the cluster of a key among `used` clusters.
#[inline]
const fn cluster_of(rest: u32, used: usize) -> usize {
    let half = 1 << used.ilog2();
    let cluster = rest as usize & (2 * half - 1);
    if cluster < used { cluster } else { cluster - half }
}

#[cfg(test)]
mod tests;
