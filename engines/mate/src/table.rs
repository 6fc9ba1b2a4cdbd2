//! Proof and disproof numbers by board and hand, in a table of fixed size.
//!
//! Entries of one board lie in one cluster, so that what is proved with few pieces in hand is found for many (Nagai 2002,
//! section on proof and disproof pieces). A look at a cluster reads one line of memory, that of the tags, unless one of
//! them fits. The memory is fresh from the system, which fills it with zeros when it is first touched.

use crate::value::Value;
use hasami_api::{Hand, prefetch};

/// Entries of a cluster: their tags fill a cache line.
const WAYS: usize = 16;
/// Words of an entry beside its tag: hand, proof number, disproof number, stamp, note and rest of the key.
const FIELDS: usize = 5;
const WORDS: usize = WAYS * (1 + FIELDS);
const LINE: usize = 64;

/// In which task, modulo 256, and after how much work below, in expansions; the least goes first.
#[derive(Clone, Copy, Default)]
struct Stamp(u32);

impl Stamp {
    const MOST: u32 = (1 << 24) - 1;

    fn new(task: u8, work: u32) -> Self {
        Self(u32::from(task) << 24 | work.clamp(1, Self::MOST))
    }

    /// 0: empty, or of another task.
    fn work(self, task: u8) -> u32 {
        if self.0 >> 24 == u32::from(task) { self.0 & Self::MOST } else { 0 }
    }
}

/// Fewer positions are stored than nodes are counted: only those whose moves were looked at.
fn clusters_for(nodes: u64, most_bytes: usize) -> usize {
    let most = most_bytes.saturating_sub(LINE) / (WORDS * size_of::<u32>());
    let wanted = usize::try_from(nodes).unwrap_or(usize::MAX).div_ceil(WAYS);
    wanted.min(most).max(1)
}

pub(crate) struct Table {
    words: Vec<u32>,
    /// Words before the first whole cache line.
    offset: usize,
    clusters: usize,
    /// Keys differ by task: what one line's history allows, another's may not.
    salt: u64,
    /// Modulo 256: an entry of a task so long ago may stay a little longer than it should, but is never found.
    task: u8,
}

/// A key's place: cluster, tag, and what of the key is in neither.
#[derive(Clone, Copy)]
struct Place {
    cluster: usize,
    tag: u32,
    rest: u16,
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
        let clusters = clusters_for(nodes, most_bytes);
        let words = vec![0; clusters * WORDS + LINE / size_of::<u32>()];
        let offset = words.as_ptr().align_offset(LINE).min(LINE / size_of::<u32>());
        Self { words, offset, clusters, salt: 1, task: 0 }
    }

    /// A new table of [`Self::for_nodes`] would be no larger.
    pub(crate) fn suffices(&self, nodes: u64, most_bytes: usize) -> bool {
        self.clusters >= clusters_for(nodes, most_bytes)
    }

    /// Everything stored so far belongs to another task. Takes no time: a look of a thousand nodes is a task, too.
    pub(crate) fn next_task(&mut self) {
        self.salt = mix(self.salt);
        self.task = self.task.wrapping_add(1);
    }

    fn place(&self, key: u64) -> Place {
        let key = mix(key ^ self.salt);
        let cluster = ((u128::from(key) * self.clusters as u128) >> 64) as usize;
        // An empty tag is 0.
        Place { cluster: self.offset + cluster * WORDS, tag: (key as u32).max(1), rest: (key >> 32) as u16 }
    }

    /// Brings what is known of a board nearer.
    #[inline]
    pub(crate) fn prefetch(&self, key: u64) {
        prefetch(&self.words[self.place(key).cluster]);
    }

    /// The entries of a place.
    fn entries(&self, place: Place) -> impl Iterator<Item = usize> {
        let tags = &self.words[place.cluster..place.cluster + WAYS];
        // One comparison of a whole line, then only what fits.
        let mut fitting = tags.iter().enumerate().fold(0u32, |bits, (i, &tag)| bits | u32::from(tag == place.tag) << i);
        let (words, task) = (&self.words, self.task);
        std::iter::from_fn(move || {
            while fitting != 0 {
                let way = fitting.trailing_zeros() as usize;
                fitting &= fitting - 1;
                let entry = place.cluster + WAYS + way * FIELDS;
                if (words[entry + 4] >> 16) as u16 == place.rest && Stamp(words[entry + 3]).work(task) > 0 {
                    return Some(way);
                }
            }
            None
        })
    }

    fn value(&self, place: Place, way: usize) -> Value {
        let entry = place.cluster + WAYS + way * FIELDS;
        let words = &self.words[entry..entry + FIELDS];
        Value { hand: Hand::from_bits(words[0]), pn: words[1], dn: words[2], note: words[4] as u16 as i16 }
    }

    /// What is known of the board with this hand of the attacker; of several proofs, the shortest.
    pub(crate) fn get(&self, key: u64, hand: Hand) -> Known {
        let place = self.place(key);
        let (mut pn, mut dn, mut known) = (1, 1, false);
        let mut proof: Option<Value> = None;
        for way in self.entries(place) {
            let value = self.value(place, way);
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
        let place = self.place(key);
        let (mut own, mut spare) = (None, 0u32);
        for way in self.entries(place) {
            let other = self.value(place, way);
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
        let way = own.unwrap_or_else(|| self.cheapest(place));
        let entry = place.cluster + WAYS + way * FIELDS;
        let (task, before) = (self.task, Stamp(self.words[entry + 3]).work(self.task));
        let work = if own.is_some() { work.max(before) } else { work };
        for other in (0..WAYS).filter(|other| spare >> other & 1 == 1) {
            self.words[place.cluster + other] = 0;
            self.words[place.cluster + WAYS + other * FIELDS + 3] = 0;
        }
        self.words[place.cluster + way] = place.tag;
        let note = u32::from(value.note as u16) | u32::from(place.rest) << 16;
        let words = [value.hand.bits(), value.pn, value.dn, Stamp::new(task, work).0, note];
        self.words[entry..entry + FIELDS].copy_from_slice(&words);
    }

    /// The entry that has cost least.
    fn cheapest(&self, place: Place) -> usize {
        let work = |way: &usize| Stamp(self.words[place.cluster + WAYS + way * FIELDS + 3]).work(self.task);
        (0..WAYS).min_by_key(work).unwrap_or(0)
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
        assert_eq!(table.entries(table.place(5)).count(), 2);
        table.put(5, Value::open(7, 7, pawns(4)), 100);
        assert_eq!(plies(table.get(5, pawns(4))), Some(5), "what is decided is not forgotten");
        table.next_task();
        assert_eq!(table.get(5, pawns(8)), Known::Nothing);
    }

    #[test]
    fn a_table_is_no_larger_than_its_task_can_fill() {
        let bytes = |nodes, most_bytes| Table::for_nodes(nodes, most_bytes).words.len() * 4;
        assert!(bytes(1, 64 * MIB) < 1_024 && bytes(1_001, 64 * MIB) < 64 << 10);
        for most in [64 << 10, 100_000, MIB, 64 * MIB + 1] {
            assert!((most - 384..=most).contains(&bytes(u64::MAX, most)), "{most}: {}", bytes(u64::MAX, most));
        }
        assert_eq!(bytes(u64::MAX, 0), bytes(1, MIB), "one cluster there must be");
        let table = Table::for_nodes(1_000, MIB);
        assert!(table.suffices(1_000, MIB) && table.suffices(10, MIB) && !table.suffices(u64::MAX, MIB));
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
