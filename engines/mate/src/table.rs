//! Proof and disproof numbers by board and hand, in a table that grows with the search up to a fixed size.
//!
//! Entries of one board lie in one cluster, so that what is proved with few pieces in hand is found for many (Nagai 2002,
//! section on proof and disproof pieces). A look at a cluster reads one line of memory, that of the tags, unless one of
//! them fits.
//!
//! A table begins small, so that short searches stay in the processor's caches, and grows by one cluster at a time, into
//! which half of another one moves (Litwin, "Linear hashing", VLDB 1980): nobody ever waits for it.

use crate::value::Value;
use bytemuck::Zeroable;
use hasami_api::{Hand, prefetch};
use hasami_memory::Zeroed;

/// Entries of a cluster: their tags fill a cache line.
const WAYS: usize = 16;
/// Clusters at first, a power of two.
const FIRST: usize = 1 << 10;
/// The table grows when it has more entries a cluster: those of one board lie together, so that some are full by then.
const LOAD: usize = 6;

/// In which task, modulo 256, and after how much work below, on a logarithmic scale; the least goes first.
#[derive(Clone, Copy, Default, PartialEq, Eq, PartialOrd, Ord, Zeroable)]
struct Stamp(u16);

impl Stamp {
    /// `expansions` in steps of an eighth of a doubling.
    fn new(task: u8, expansions: u32) -> Self {
        let expansions = expansions.clamp(1, u32::MAX >> 1);
        let doublings = expansions.ilog2();
        let eighths = (u64::from(expansions) << 3 >> doublings) as u32 & 7;
        Self(u16::from(task) << 8 | (1 + 8 * doublings + eighths) as u16)
    }

    /// 0: empty, or of another task.
    fn work(self, task: u8) -> u16 {
        if self.0 >> 8 == u16::from(task) { self.0 & 255 } else { 0 }
    }
}

#[derive(Clone, Copy, Zeroable)]
#[repr(C)]
struct Entry {
    /// What of the key is not in the tag.
    rest: u32,
    hand: u32,
    pn: u32,
    dn: u32,
    stamp: Stamp,
    note: i16,
}

impl Entry {
    fn value(self) -> Value {
        Value { hand: Hand::from_bits(self.hand), pn: self.pn, dn: self.dn, note: self.note }
    }
}

#[derive(Clone, Copy, Zeroable)]
#[repr(C, align(64))]
struct Cluster {
    tags: [u32; WAYS],
    entries: [Entry; WAYS],
}

impl Cluster {
    fn clear(&mut self, way: usize) {
        self.tags[way] = 0;
        self.entries[way].stamp = Stamp::default();
    }

    /// The entries that fit.
    fn fitting(&self, place: Place, task: u8) -> impl Iterator<Item = usize> {
        // One comparison of a whole line, then only what fits.
        let bits = |bits, (way, &tag): (usize, &u32)| bits | u32::from(tag == place.tag) << way;
        let mut fitting = self.tags.iter().enumerate().fold(0u32, bits);
        std::iter::from_fn(move || {
            while fitting != 0 {
                let way = fitting.trailing_zeros() as usize;
                fitting &= fitting - 1;
                let entry = &self.entries[way];
                if entry.rest == place.rest && entry.stamp.work(task) > 0 {
                    return Some(way);
                }
            }
            None
        })
    }

    /// The entry that has cost least.
    fn cheapest(&self, task: u8) -> usize {
        (0..WAYS).min_by_key(|&way| self.entries[way].stamp.work(task)).unwrap_or(0)
    }
}

/// Fewer positions are stored than nodes are counted: only those whose moves were looked at.
fn clusters_for(nodes: u64, most_bytes: usize) -> usize {
    let wanted = usize::try_from(nodes).unwrap_or(usize::MAX).div_ceil(LOAD);
    wanted.min(most_bytes / size_of::<Cluster>()).max(1)
}

pub(crate) struct Table {
    clusters: Zeroed<Cluster>,
    /// Those of the task so far, at most [`Self::clusters`].
    used: usize,
    /// The largest power of two of them.
    half: usize,
    /// Entries of the task.
    entries: usize,
    /// Keys differ by task: what one line's history allows, another's may not.
    salt: u64,
    /// Modulo 256: an entry of a task so long ago may stay a little longer than it should, but is never found.
    task: u8,
}

/// A key's place.
#[derive(Clone, Copy)]
struct Place {
    cluster: usize,
    tag: u32,
    rest: u32,
}

/// What the table knows of a position.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Known {
    Nothing,
    /// Of this very hand, or a bound by that of others.
    Open {
        pn: u32,
        dn: u32,
    },
    Decided(Value),
}

impl Table {
    /// Room for a search of `nodes` nodes, in at most so many bytes (but for one cluster at least).
    pub(crate) fn for_nodes(nodes: u64, most_bytes: usize) -> Self {
        let clusters = Zeroed::new(clusters_for(nodes, most_bytes));
        let mut table = Self { clusters, used: 0, half: 0, entries: 0, salt: 1, task: 0 };
        table.shrink();
        table
    }

    /// A new table of [`Self::for_nodes`] would be no larger.
    pub(crate) fn suffices(&self, nodes: u64, most_bytes: usize) -> bool {
        self.clusters.len() >= clusters_for(nodes, most_bytes)
    }

    /// Everything stored so far belongs to another task. Takes no time: a look of a thousand nodes is a task, too.
    pub(crate) fn next_task(&mut self) {
        self.salt = mix(self.salt);
        self.task = self.task.wrapping_add(1);
        self.shrink();
    }

    /// The system hands memory out when it is first written.
    pub(crate) fn touch(&mut self) {
        let used = self.used;
        self.clusters[..used].iter_mut().for_each(|cluster| cluster.clear(0));
    }

    fn shrink(&mut self) {
        self.used = FIRST.min(self.clusters.len());
        self.half = 1 << self.used.ilog2();
        self.entries = 0;
    }

    #[inline]
    fn place(&self, key: u64) -> Place {
        let key = mix(key ^ self.salt);
        let rest = (key >> 32) as u32;
        // An empty tag is 0.
        Place { cluster: self.cluster(rest), tag: (key as u32).max(1), rest }
    }

    #[inline]
    fn cluster(&self, rest: u32) -> usize {
        let cluster = rest as usize & (2 * self.half - 1);
        if cluster < self.used { cluster } else { cluster - self.half }
    }

    /// One cluster more, for what lies in its other half and would have gone there.
    fn grow(&mut self) {
        let (from, to) = (self.used - self.half, self.used);
        self.used += 1;
        if self.used == 2 * self.half {
            self.half = self.used;
        }
        let mut moved = Cluster::zeroed();
        for way in 0..WAYS {
            let (tag, entry) = (self.clusters[from].tags[way], self.clusters[from].entries[way]);
            if entry.stamp.work(self.task) > 0 && self.cluster(entry.rest) == to {
                (moved.tags[way], moved.entries[way]) = (tag, entry);
                self.clusters[from].clear(way);
            }
        }
        self.clusters[to] = moved;
    }

    /// Brings what is known of a board nearer.
    #[inline]
    pub(crate) fn prefetch(&self, key: u64) {
        prefetch(&self.clusters[self.place(key).cluster]);
    }

    /// What is known of the board with this hand of the attacker; of several proofs, the shortest.
    pub(crate) fn get(&self, key: u64, hand: Hand) -> Known {
        let place = self.place(key);
        let cluster = &self.clusters[place.cluster];
        let (mut pn, mut dn, mut known) = (1, 1, false);
        let mut proof: Option<Value> = None;
        for way in cluster.fitting(place, self.task) {
            let value = cluster.entries[way].value();
            let (more, less) = (hand.covers(value.hand), value.hand.covers(hand));
            if value.is_proved() {
                if more && proof.is_none_or(|best| value.note < best.note) {
                    proof = Some(value);
                }
            } else if value.is_disproved() {
                if less {
                    return Known::Decided(value);
                }
            } else if more && less {
                (pn, dn, known) = (pn.max(value.pn), dn.max(value.dn), true);
            } else if more {
                // With more in hand it is no harder to mate, and no easier to refute.
                (dn, known) = (dn.max(value.dn), true);
            } else if less {
                (pn, known) = (pn.max(value.pn), true);
            }
        }
        match proof {
            Some(proof) => Known::Decided(proof),
            None if known => Known::Open { pn, dn },
            None => Known::Nothing,
        }
    }

    pub(crate) fn put(&mut self, key: u64, value: Value, work: u32) {
        let (place, task) = (self.place(key), self.task);
        let cluster = &mut self.clusters[place.cluster];
        let (mut own, mut spare) = (None, 0u32);
        for way in cluster.fitting(place, task) {
            let other = cluster.entries[way].value();
            let (covers, covered) = (other.hand.covers(value.hand), value.hand.covers(other.hand));
            if value.is_proved() && covers && !other.is_disproved()
                || value.is_disproved() && covered && !other.is_proved()
            {
                // Says no more than the new one.
                spare |= 1 << way;
                own = own.or(Some(way));
            } else if covers && covered {
                if other.is_decided() {
                    return;
                }
                own = Some(way);
            }
        }
        let way = own.unwrap_or_else(|| cluster.cheapest(task));
        let before = cluster.entries[way].stamp;
        let stamp = Stamp::new(task, work);
        let stamp = if own.is_some() { stamp.max(before) } else { stamp };
        for other in (0..WAYS).filter(|&other| other != way && spare >> other & 1 == 1) {
            cluster.clear(other);
            self.entries -= 1;
        }
        cluster.tags[way] = place.tag;
        let Value { pn, dn, hand, note } = value;
        cluster.entries[way] = Entry { rest: place.rest, hand: hand.bits(), pn, dn, stamp, note };
        if before.work(task) == 0 {
            self.entries += 1;
            if self.entries > LOAD * self.used && self.used < self.clusters.len() {
                self.grow();
            }
        }
    }
}

/// A bijection that spreads every bit (Steele, Lea and Flood, "Fast splittable pseudorandom number generators", 2014).
pub(crate) const fn mix(mut x: u64) -> u64 {
    x ^= x >> 30;
    x = x.wrapping_mul(0xbf58_476d_1ce4_e5b9);
    x ^= x >> 27;
    x = x.wrapping_mul(0x94d0_49bb_1331_11eb);
    x ^ (x >> 31)
}

#[cfg(test)]
mod tests {
    use super::*;

    const MUCH: u64 = 1_000_000;
    const MIB: usize = 1 << 20;

    fn pawns(count: u32) -> Hand {
        Hand::EMPTY.with(0, count)
    }

    fn plies(known: Known) -> Option<i16> {
        match known {
            Known::Decided(value) if value.is_proved() => Some(value.note),
            _ => None,
        }
    }

    #[test]
    fn what_is_proved_holds_with_more_in_hand_and_what_is_disproved_with_less() {
        let mut table = Table::for_nodes(MUCH, MIB);
        table.put(5, Value::proved(3, pawns(2)), 1);
        table.put(5, Value::disproved(0, pawns(1)), 1);
        assert_eq!(plies(table.get(5, pawns(2).plus_one(3))), Some(3));
        assert_eq!(plies(table.get(5, pawns(9))), Some(3));
        assert!(matches!(table.get(5, pawns(0)), Known::Decided(value) if value.is_disproved()));
        assert_eq!(table.get(5, pawns(1).plus_one(3)), Known::Nothing, "a silver more, a pawn less than was proved");
        assert_eq!(table.get(6, pawns(2)), Known::Nothing);
    }

    #[test]
    fn of_several_proofs_the_shortest_is_found() {
        let mut table = Table::for_nodes(MUCH, MIB);
        for (note, hand) in [(9, pawns(1)), (5, pawns(2)), (3, pawns(3))] {
            table.put(5, Value::proved(note, hand), 1);
        }
        assert_eq!([1, 2, 3, 4].map(|count| plies(table.get(5, pawns(count)))), [9, 5, 3, 3].map(Some));
    }

    #[test]
    fn open_numbers_bound_those_of_other_hands() {
        let mut table = Table::for_nodes(MUCH, MIB);
        table.put(5, Value::open(7, 9, pawns(3)), 1);
        assert_eq!(table.get(5, pawns(3)), Known::Open { pn: 7, dn: 9 });
        assert_eq!(table.get(5, pawns(2)), Known::Open { pn: 7, dn: 1 }, "harder to prove with less");
        assert_eq!(table.get(5, pawns(4)), Known::Open { pn: 1, dn: 9 }, "harder to refute with more");
    }

    #[test]
    fn a_proof_takes_the_place_of_what_says_no_more() {
        let mut table = Table::for_nodes(MUCH, MIB);
        (3..9).for_each(|count| table.put(5, Value::open(2, 2, pawns(count)), 1));
        table.put(5, Value::proved(7, pawns(6)), 1);
        table.put(5, Value::proved(5, pawns(4)), 1);
        assert_eq!(plies(table.get(5, pawns(8))), Some(5));
        assert_eq!(table.get(5, pawns(3)), Known::Open { pn: 2, dn: 2 });
        assert_eq!(table.entries, 2);
        table.put(5, Value::open(7, 7, pawns(4)), 100);
        assert_eq!(plies(table.get(5, pawns(4))), Some(5), "what is decided is not forgotten");
        table.next_task();
        assert_eq!(table.get(5, pawns(8)), Known::Nothing);
    }

    #[test]
    fn a_table_is_no_larger_than_its_task_can_fill() {
        let bytes = |nodes, most_bytes| Table::for_nodes(nodes, most_bytes).clusters.len() * 384;
        assert!(bytes(1, 64 * MIB) < 1_024 && bytes(1_001, 64 * MIB) < 64 << 10);
        for most in [64 << 10, 100_000, MIB, 64 * MIB + 1] {
            assert!((most - 384..=most).contains(&bytes(u64::MAX, most)), "{most}: {}", bytes(u64::MAX, most));
        }
        assert_eq!(bytes(u64::MAX, 0), bytes(1, MIB), "one cluster there must be");
        let table = Table::for_nodes(1_000, MIB);
        assert!(table.suffices(1_000, MIB) && table.suffices(10, MIB) && !table.suffices(u64::MAX, MIB));
    }

    #[test]
    fn a_table_grows_up_to_its_size_and_loses_nothing_by_it() {
        let mut table = Table::for_nodes(u64::MAX, 5 * FIRST * size_of::<Cluster>() / 2);
        table.next_task();
        let value = |key: u64| Value::open(key as u32 + 1, 7, pawns(key as u32 % 5));
        let (mut used, mut most) = (table.used, 0);
        assert_eq!(used, FIRST);
        // So few a cluster that hardly one is full.
        for key in 0..(2 * FIRST * LOAD) as u64 {
            table.put(key, value(key), 1);
            assert!(table.used == used || table.used == used + 1, "one cluster at a time");
            used = table.used;
            most = most.max(table.entries.div_ceil(used));
        }
        assert!(used >= 2 * FIRST - FIRST / 32 && most <= LOAD + 1, "{used} clusters, {most} entries each");
        let kept = (0..(2 * FIRST * LOAD) as u64).filter(|&key| {
            let known = table.get(key, pawns(key as u32 % 5));
            assert!(known == Known::Nothing || known == Known::Open { pn: key as u32 + 1, dn: 7 }, "{key}: {known:?}");
            known != Known::Nothing
        });
        assert!(kept.count() * 1_000 > 2 * FIRST * LOAD * 995, "what lies in a full cluster is lost");
        let more = (2 * FIRST * LOAD) as u64..(4 * FIRST * LOAD) as u64;
        more.for_each(|key| table.put(key, value(key), 1));
        assert_eq!(table.used, table.clusters.len(), "no larger than it may be");
        table.next_task();
        assert_eq!((table.used, table.entries), (FIRST, 0));
    }

    #[test]
    fn work_is_told_apart_by_eighths_of_a_doubling() {
        let works =
            [1, 2, 3, 4, 5, 8, 9, 10, 1_000, 1_100, 1 << 20, 1 << 31, u32::MAX].map(|w| Stamp::new(3, w).work(3));
        assert!(works.is_sorted() && works[0] > 0, "{works:?}");
        assert!(works[..10].windows(2).all(|pair| pair[0] < pair[1]), "{works:?}");
        assert_eq!(Stamp::new(3, 5).work(4), 0, "of another task");
    }

    #[test]
    fn a_full_table_keeps_what_cost_most() {
        let mut table = Table::for_nodes(1, MIB);
        for key in 0..1_000 {
            table.put(key, Value::open(1, 2, pawns(0)), if key % 100 == 50 { 1_000 } else { 1 });
        }
        assert!((0..10).all(|i| table.get(100 * i + 50, pawns(0)) == Known::Open { pn: 1, dn: 2 }));
    }

    #[test]
    fn what_earlier_tasks_left_makes_room_and_is_never_found() {
        let mut table = Table::for_nodes(1, MIB);
        for task in 0..1_000u64 {
            table.next_task();
            assert!((0..100).all(|key| table.get(key, pawns(0)) == Known::Nothing), "task {task}");
            (0..WAYS as u64).for_each(|key| table.put(key, Value::open(2, 3, pawns(0)), u32::MAX));
            let kept = (0..WAYS as u64).filter(|&key| table.get(key, pawns(0)) != Known::Nothing).count();
            assert!(kept == WAYS || task >= 256, "task {task}: {kept}");
        }
    }
}
