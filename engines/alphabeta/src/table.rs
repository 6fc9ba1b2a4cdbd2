//! The transposition table, which any number of searches share without locks.

use crate::slot::TtSlot;
use bytemuck::Zeroable;
use hasami_api::{News, Score, prefetch};
use hasami_memory::Zeroed;
use std::sync::Once;
use std::sync::atomic::{AtomicBool, Ordering::Relaxed};

/// Marks an entry that has no static evaluation.
pub(crate) const NO_EVAL: i32 = i16::MIN as i32;

/// The depth of an entry that holds a static evaluation but no result of a search.
pub(crate) const UNSEARCHED: i32 = -2;

/// How a stored score relates to the true value of the position. Bit 0 means that the value is at most the score, and
/// bit 1 that the value is at least the score.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Kind {
    None = 0,
    Upper = 1,
    Lower = 2,
    Exact = 3,
}

impl Kind {
    const fn from_bits(bits: u64) -> Self {
        match bits & 3 {
            0 => Self::None,
            1 => Self::Upper,
            2 => Self::Lower,
            _ => Self::Exact,
        }
    }

    /// Does a score with this bound prove on which side of `beta` the true value is?
    pub(crate) const fn decides(self, score: i32, beta: i32) -> bool {
        let needed = if score >= beta { 2 } else { 1 };
        self as u8 & needed != 0
    }
}

/// An entry of the transposition table, with the score relative to the position itself.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) struct TtEntry {
    /// The move in packed form; 0 if there is none.
    pub(crate) mv: u16,
    pub(crate) score: i32,
    /// Static evaluation before corrections, or [`NO_EVAL`].
    pub(crate) eval: i32,
    pub(crate) depth: i32,
    pub(crate) kind: Kind,
    /// Whether the position was once on a principal variation.
    pub(crate) pv: bool,
    /// The generation of the search that stored the entry. [`TranspositionTable::store`] ignores this field and uses
    /// its argument.
    pub(crate) generation: u8,
}

impl TtEntry {
    pub(crate) const EMPTY: Self =
        Self { mv: 0, score: 0, eval: NO_EVAL, depth: UNSEARCHED - 1, kind: Kind::None, pv: false, generation: 0 };

    /// Does the entry contain more information than `known`? An entry contains more information if it is deeper, or if
    /// it is equally deep and is exact, a tighter bound or a bound from the other side.
    const fn adds_to(self, known: Self) -> bool {
        let says_more = match (self.kind, known.kind) {
            (_, Kind::Exact) => false,
            (Kind::Lower, Kind::Lower) => self.score > known.score,
            (Kind::Upper, Kind::Upper) => self.score < known.score,
            _ => true,
        };
        self.depth > known.depth || (self.depth == known.depth && says_more)
    }

    const fn pack(self, generation: u8) -> u64 {
        self.mv as u64
            | (self.score as i16 as u16 as u64) << 16
            | (self.eval as i16 as u16 as u64) << 32
            | ((self.depth - UNSEARCHED) as u8 as u64) << 48
            | (self.kind as u64) << 56
            | (self.pv as u64) << 58
            | (generation as u64 & GENERATIONS) << 59
    }

    const fn unpack(data: u64) -> Self {
        Self {
            mv: data as u16,
            score: (data >> 16) as i16 as i32,
            eval: (data >> 32) as i16 as i32,
            depth: (data >> 48) as u8 as i32 + UNSEARCHED,
            kind: Kind::from_bits(data >> 56),
            pv: data >> 58 & 1 != 0,
            generation: (data >> 59) as u8,
        }
    }
}

const GENERATIONS: u64 = 31;
const SLOTS: usize = 4;

/// The smallest page size of any supported system.
const PAGE: usize = 4096;
const PAGES_PER_MIB: usize = (1 << 20) / PAGE;

/// A group of slots that fills one cache line and is selected by the key of a position.
#[repr(align(64))]
#[derive(Default, Zeroable)]
struct TtCluster([TtSlot; SLOTS]);

/// A transposition table of fixed size for positions of one game.
pub struct TranspositionTable {
    clusters: Zeroed<TtCluster>,
    used: AtomicBool,
    prepared: Once,
}

impl TranspositionTable {
    /// Creates a table of about `mebibytes` MiB (at least one), or less if the system has less memory. The system
    /// allocates memory when the search or [`Self::prepare`] first touches it.
    pub fn new(mebibytes: usize) -> Self {
        let clusters = Zeroed::new((mebibytes.max(1) << 20) / size_of::<TtCluster>());
        Self { clusters, used: AtomicBool::new(false), prepared: Once::new() }
    }

    /// Touches all memory, so that the search does not wait at nearly every probe for the system to allocate and zero a
    /// page. Returns when the memory is ready, even if another thread prepares it, or when `enough` returns true.
    /// `enough` is called once per MiB, since some machines provide only half a GiB of memory per second.
    pub fn prepare(&self, enough: &dyn Fn() -> bool) {
        self.prepared.call_once(|| {
            for (page, cluster) in self.clusters.iter().step_by(PAGE / size_of::<TtCluster>()).enumerate() {
                if page.is_multiple_of(PAGES_PER_MIB) && enough() {
                    break;
                }
                // Only a write allocates a page; a load would map the page of zeros that all untouched pages share.
                let _ = cluster.0[0].check.compare_exchange(0, 0, Relaxed, Relaxed);
            }
        });
    }

    /// Removes all entries; does nothing if the table has not been used since the last call.
    pub fn clear(&self) {
        if self.used.swap(false, Relaxed) {
            self.clusters.iter().flat_map(|cluster| &cluster.0).for_each(TtSlot::clear);
        }
    }

    /// Marks the table as used, so that [`Self::clear`] clears it.
    pub(crate) fn touch(&self) {
        self.used.store(true, Relaxed);
    }

    fn cluster(&self, key: u64) -> &TtCluster {
        let index = (u128::from(key) * self.clusters.len() as u128) >> 64;
        &self.clusters[index as usize]
    }

    #[inline]
    pub(crate) fn prefetch(&self, key: u64) {
        prefetch(self.cluster(key));
    }

    #[inline]
    pub(crate) fn probe(&self, key: u64) -> Option<TtEntry> {
        self.cluster(key).0.iter().find_map(|slot| {
            let data = slot.data();
            (slot.is_of(key, data) && data != 0).then(|| TtEntry::unpack(data))
        })
    }

    /// Stores an entry, or only its move if the table has a much deeper entry for the position. An entry without a move
    /// keeps the move of the entry that it replaces. If the depth, bound or score of the entry is new to the table,
    /// returns the entry as news for other searches.
    pub(crate) fn store(&self, key: u64, mut entry: TtEntry, generation: u8) -> Option<News> {
        let cluster = self.cluster(key);
        let mut victim = &cluster.0[0];
        let mut lowest = i32::MAX;
        for slot in &cluster.0 {
            let data = slot.data();
            if data == 0 || slot.is_of(key, data) {
                victim = slot;
                break;
            }
            let worth = i32::from((data >> 48) as u8) - 8 * age(data, generation);
            if worth < lowest {
                (victim, lowest) = (slot, worth);
            }
        }
        let old = victim.data();
        let mut is_news = true;
        if old != 0 && victim.is_of(key, old) {
            let known = TtEntry::unpack(old);
            let depth = entry.depth + if entry.pv { 2 } else { 0 };
            if entry.kind != Kind::Exact && depth + 4 <= known.depth && age(old, generation) == 0 {
                if entry.mv != 0 && entry.mv != known.mv {
                    victim.write(key, TtEntry { mv: entry.mv, ..known }.pack(generation));
                }
                return None;
            }
            // A tighter bound at the same depth is news, because the other searches use the same window at this depth.
            let differs = (entry.kind, entry.score) != (known.kind, known.score);
            is_news = entry.depth > known.depth || (entry.depth == known.depth && differs);
            if entry.mv == 0 {
                entry.mv = known.mv;
            }
        }
        let data = entry.pack(generation);
        victim.write(key, data);
        is_news.then_some(News { key, word: data })
    }

    /// Stores an entry from another search, and returns the entry if it is valid. Keeps a deeper or better entry of the
    /// current generation, since news may arrive late.
    pub(crate) fn accept(&self, received: News, generation: u8) -> Option<TtEntry> {
        let entry = TtEntry::unpack(received.word);
        let makes_sense = entry.kind != Kind::None && entry.score.abs() <= Score::MATE;
        makes_sense.then(|| {
            let known = self
                .probe(received.key)
                .filter(|known| u64::from(known.generation) == u64::from(generation) & GENERATIONS);
            if known.is_none_or(|known| entry.adds_to(known)) {
                self.store(received.key, entry, generation);
            }
            entry
        })
    }

    /// Returns the share of the table filled with entries of the current generation, in permille, estimated from a
    /// sample.
    pub(crate) fn full(&self, generation: u8) -> u16 {
        let sample = &self.clusters[..self.clusters.len().min(250)];
        let slots = sample.iter().flat_map(|cluster| &cluster.0);
        let used = slots.map(TtSlot::data).filter(|&data| data != 0 && age(data, generation) == 0);
        (used.count() * 1000 / (sample.len() * SLOTS)) as u16
    }
}

/// Number of moves by which a user may go back in a game without making the later entries old. All other distances count
/// as age: if entries looked new again after half of the generations, they would crowd out those of recent moves.
const LATER: i32 = 4;

/// Returns the number of generations since `data` was written, or 0 if `data` comes from one of the next moves of the
/// game.
const fn age(data: u64, generation: u8) -> i32 {
    let distance = (generation as i32 - (data >> 59) as i32) & GENERATIONS as i32;
    if distance > GENERATIONS as i32 - LATER { 0 } else { distance }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn entry(depth: i32, mv: u16) -> TtEntry {
        TtEntry { mv, score: -31_990, eval: 12, depth, kind: Kind::Lower, pv: true, generation: 31 }
    }

    #[test]
    fn packing_is_reversible() {
        for entry in [entry(UNSEARCHED, 1), entry(0, 1), entry(245, u16::MAX)] {
            assert_eq!(TtEntry::unpack(entry.pack(31)), entry);
        }
    }

    #[test]
    fn preparing_keeps_all_entries() {
        let table = TranspositionTable::new(1);
        for i in 1..1_000 {
            table.store(i << 52, entry(3, 7), 1);
        }
        let kept = |table: &TranspositionTable| (1..1_000).filter(|i| table.probe(i << 52).is_some()).count();
        let before = kept(&table);
        table.prepare(&|| false);
        table.prepare(&|| false);
        assert_eq!((kept(&table), before), (999, 999));
    }

    #[test]
    fn preparing_ends_when_enough_returns_true() {
        let asked = |most| {
            let count = std::cell::Cell::new(0);
            let enough = || {
                count.set(count.get() + 1);
                count.get() >= most
            };
            let table = TranspositionTable::new(8);
            table.prepare(&enough);
            table.prepare(&enough);
            count.get()
        };
        assert_eq!((asked(usize::MAX), asked(3)), (8, 3));
    }

    #[test]
    fn deeper_entries_stay_until_they_are_old() {
        let table = TranspositionTable::new(1);
        table.store(7, entry(20, 3), 1);
        table.store(7, entry(5, 4), 1);
        assert_eq!(table.probe(7).map(|e| (e.depth, e.mv)), Some((20, 4)), "the move of a refused entry is kept");
        table.store(7, entry(5, 0), 2);
        assert_eq!(table.probe(7).map(|e| (e.depth, e.mv)), Some((5, 4)), "an absent move keeps the old one");
        assert_eq!(table.probe(8), None);
    }

    #[test]
    fn shallow_and_old_entries_are_replaced() {
        let table = TranspositionTable::new(1);
        for (key, depth) in [(1, 9), (2, 3), (3, 8), (4, 7)] {
            table.store(key, entry(depth, 1), 4);
        }
        table.store(5, entry(1, 1), 4);
        assert_eq!(table.probe(2), None);
        assert!(table.probe(1).is_some() && table.probe(5).is_some());
    }

    #[test]
    fn a_torn_slot_is_a_miss() {
        let table = TranspositionTable::new(1);
        table.store(7, entry(20, 3), 1);
        table.cluster(7).0[0].data.fetch_xor(1 << 20, Relaxed);
        assert_eq!(table.probe(7), None);
    }

    #[test]
    fn late_news_does_not_replace_better_entries() {
        let table = TranspositionTable::new(1);
        let hear = |depth, kind, score| {
            let received = TtEntry { depth, kind, score, ..entry(depth, 1) };
            table
                .accept(News { key: 7, word: received.pack(9) }, 9)
                .map(|_| table.probe(7).map(|e| (e.depth, e.kind, e.score)))
        };
        let known = |depth, kind, score| Some(Some((depth, kind, score)));
        assert_eq!(hear(6, Kind::Lower, 10), known(6, Kind::Lower, 10));
        assert_eq!(hear(5, Kind::Exact, 20), known(6, Kind::Lower, 10), "less deep");
        assert_eq!(hear(6, Kind::Lower, 5), known(6, Kind::Lower, 10), "a looser bound");
        assert_eq!(hear(6, Kind::Lower, 15), known(6, Kind::Lower, 15));
        assert_eq!(hear(6, Kind::Upper, 30), known(6, Kind::Upper, 30), "from the other side");
        assert_eq!(hear(6, Kind::Exact, 20), known(6, Kind::Exact, 20));
        assert_eq!(hear(6, Kind::Lower, 40), known(6, Kind::Exact, 20), "exact values stay");
        assert_eq!(hear(7, Kind::Upper, 25), known(7, Kind::Upper, 25));
        table.store(7, entry(9, 1), 8);
        assert_eq!(hear(3, Kind::Lower, 0), known(3, Kind::Lower, 0), "entries of earlier generations do not count");
    }

    #[test]
    fn age_wraps_and_ignores_the_future() {
        let at = |generation| entry(1, 1).pack(generation);
        assert_eq!(age(at(31), 2), 3);
        assert_eq!(age(at(5), 2), 0);
        assert_eq!(age(at(14), 2), 20, "old entries do not look new");
        assert_eq!(age(at(2), 2), 0);
    }
}
