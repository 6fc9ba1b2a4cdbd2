#![allow(clippy::unwrap_used)]
use super::*;
use crate::core::mix::mix;
use crate::core::value::UNCONDITIONAL;

const MUCH: u64 = 1_000_000;
const MIB: usize = 1 << 20;

fn pawns(count: u32) -> Hand {
    Hand::EMPTY.with(0, count)
}

fn used(table: &MateTable) -> usize {
    table.used.load(Relaxed)
}

fn entries(table: &MateTable) -> usize {
    table.entries.load(Relaxed)
}

fn plies(known: KnownMate) -> Option<i16> {
    match known {
        KnownMate::Decided(value) if value.is_proved() => Some(value.note),
        _ => None,
    }
}

#[test]
fn proofs_hold_with_more_in_hand_and_disproofs_with_less() {
    let table = MateTable::for_nodes(MUCH, MIB);
    table.put(5, ProofNumbers::proved(3, pawns(2)), 1);
    table.put(5, ProofNumbers::disproved(0, pawns(1)), 1);
    assert_eq!(plies(table.get(5, pawns(2).plus_one(3))), Some(3));
    assert_eq!(plies(table.get(5, pawns(9))), Some(3));
    assert!(matches!(table.get(5, pawns(0)), KnownMate::Decided(value) if value.is_disproved()));
    assert_eq!(table.get(5, pawns(1).plus_one(3)), KnownMate::Nothing, "a silver more, a pawn less than was proved");
    assert_eq!(table.get(6, pawns(2)), KnownMate::Nothing);
}

#[test]
fn of_several_proofs_the_shortest_is_found() {
    let table = MateTable::for_nodes(MUCH, MIB);
    for (note, hand) in [(9, pawns(1)), (5, pawns(2)), (3, pawns(3))] {
        table.put(5, ProofNumbers::proved(note, hand), 1);
    }
    assert_eq!([1, 2, 3, 4].map(|count| plies(table.get(5, pawns(count)))), [9, 5, 3, 3].map(Some));
}

/// The stored plies to mate must not grow along a main line.
#[test]
fn a_longer_proof_with_less_in_hand_leaves_the_shorter_one() {
    let table = MateTable::for_nodes(MUCH, MIB);
    for (note, hand) in [(3, pawns(3)), (5, pawns(2)), (9, pawns(1)), (7, pawns(3)), (9, pawns(2))] {
        table.put(5, ProofNumbers::proved(note, hand), 1);
    }
    assert_eq!([1, 2, 3, 4].map(|count| plies(table.get(5, pawns(count)))), [9, 5, 3, 3].map(Some));
    table.put(5, ProofNumbers::proved(3, pawns(0)), 1);
    assert_eq!([0, 1, 3].map(|count| plies(table.get(5, pawns(count)))), [3, 3, 3].map(Some));
    assert_eq!(entries(&table), 1, "no entry says more than the last one");
}

#[test]
fn open_numbers_bound_those_of_other_hands() {
    let table = MateTable::for_nodes(MUCH, MIB);
    table.put(5, ProofNumbers::open(7, 9, pawns(3)), 1);
    assert_eq!(table.get(5, pawns(3)), KnownMate::Open { pn: 7, dn: 9 });
    assert_eq!(table.get(5, pawns(2)), KnownMate::Open { pn: 7, dn: 1 }, "harder to prove with less");
    assert_eq!(table.get(5, pawns(4)), KnownMate::Open { pn: 1, dn: 9 }, "harder to refute with more");
}

#[test]
fn a_proof_replaces_weaker_entries() {
    let mut table = MateTable::for_nodes(MUCH, MIB);
    (3..9).for_each(|count| table.put(5, ProofNumbers::open(2, 2, pawns(count)), 1));
    table.put(5, ProofNumbers::proved(7, pawns(6)), 1);
    table.put(5, ProofNumbers::proved(5, pawns(4)), 1);
    assert_eq!(plies(table.get(5, pawns(8))), Some(5));
    assert_eq!(table.get(5, pawns(3)), KnownMate::Open { pn: 2, dn: 2 });
    assert_eq!(entries(&table), 2);
    table.put(5, ProofNumbers::open(7, 7, pawns(4)), 100);
    assert_eq!(plies(table.get(5, pawns(4))), Some(5), "a decided entry is not replaced by an open one");
    table.next_task();
    assert_eq!(table.get(5, pawns(8)), KnownMate::Nothing);
}

#[test]
fn a_table_is_no_larger_than_its_task_needs() {
    let bytes = |nodes, most_bytes| MateTable::for_nodes(nodes, most_bytes).clusters.len() * 384;
    assert!(bytes(1, 64 * MIB) < 1_024 && bytes(1_001, 64 * MIB) < 64 << 10);
    for most in [64 << 10, 100_000, MIB, 64 * MIB + 1] {
        assert!((most - 384..=most).contains(&bytes(u64::MAX, most)), "{most}: {}", bytes(u64::MAX, most));
    }
    assert_eq!(bytes(u64::MAX, 0), bytes(1, MIB), "a table has at least one cluster");
    let table = MateTable::for_nodes(1_000, MIB);
    assert!(table.suffices(1_000, MIB) && table.suffices(10, MIB) && !table.suffices(u64::MAX, MIB));
}

#[test]
fn a_table_grows_to_its_limit_without_losing_entries() {
    let mut table = MateTable::for_nodes(u64::MAX, 5 * FIRST * size_of::<MateCluster>() / 2);
    table.next_task();
    let value = |key: u64| ProofNumbers::open(key as u32 + 1, 7, pawns(key as u32 % 5));
    let (mut before, mut most) = (used(&table), 0);
    assert_eq!(before, FIRST);
    // The clusters have so few entries on average that hardly any cluster is full.
    for key in 0..(2 * FIRST * LOAD) as u64 {
        table.put(key, value(key), 1);
        assert!(used(&table) == before || used(&table) == before + 1, "one cluster at a time");
        before = used(&table);
        most = most.max(entries(&table).div_ceil(before));
    }
    assert!(before >= 2 * FIRST - FIRST / 32 && most <= LOAD + 1, "{before} clusters, {most} entries each");
    let kept = (0..(2 * FIRST * LOAD) as u64).filter(|&key| {
        let known = table.get(key, pawns(key as u32 % 5));
        assert!(
            known == KnownMate::Nothing || known == KnownMate::Open { pn: key as u32 + 1, dn: 7 },
            "{key}: {known:?}"
        );
        known != KnownMate::Nothing
    });
    assert!(kept.count() * 1_000 > 2 * FIRST * LOAD * 995, "only entries of full clusters may be lost");
    let more = (2 * FIRST * LOAD) as u64..(4 * FIRST * LOAD) as u64;
    more.for_each(|key| table.put(key, value(key), 1));
    assert_eq!(used(&table), table.clusters.len(), "the table does not exceed its limit");
    table.next_task();
    assert_eq!((used(&table), entries(&table)), (FIRST, 0));
}

#[test]
fn work_is_stored_in_eighths_of_a_doubling() {
    let works = [1, 2, 3, 4, 5, 8, 9, 10, 1_000, 1_100, 1 << 20, 1 << 31, u32::MAX].map(|w| Stamp::new(3, w).work(3));
    assert!(works.is_sorted() && works[0] > 0, "{works:?}");
    assert!(works[..10].windows(2).all(|pair| pair[0] < pair[1]), "{works:?}");
    assert_eq!(Stamp::new(3, 5).work(4), 0, "entries of another task have no work");
}

#[test]
fn a_full_table_keeps_the_most_expensive_entries() {
    let table = MateTable::for_nodes(1, MIB);
    for key in 0..1_000 {
        table.put(key, ProofNumbers::open(1, 2, pawns(0)), if key % 100 == 50 { 1_000 } else { 1 });
    }
    assert!((0..10).all(|i| table.get(100 * i + 50, pawns(0)) == KnownMate::Open { pn: 1, dn: 2 }));
}

#[test]
fn entries_of_earlier_tasks_are_replaced_and_never_found() {
    let mut table = MateTable::for_nodes(1, MIB);
    for task in 0..1_000u64 {
        table.next_task();
        assert!((0..100).all(|key| table.get(key, pawns(0)) == KnownMate::Nothing), "task {task}");
        (0..WAYS as u64).for_each(|key| table.put(key, ProofNumbers::open(2, 3, pawns(0)), u32::MAX));
        let kept = (0..WAYS as u64).filter(|&key| table.get(key, pawns(0)) != KnownMate::Nothing).count();
        assert_eq!(kept, WAYS, "task {task}");
    }
}

/// Neither the cluster of a board nor the choice of replaced entries depends on earlier tasks.
#[test]
fn a_task_does_not_depend_on_earlier_tasks() {
    let task = |table: &MateTable| {
        let keys = || (0..20_000u64).map(|n| (mix(n) % 3_000, pawns((n % 7) as u32)));
        keys().for_each(|(key, hand)| table.put(key, ProofNumbers::open(key as u32 + 1, 7, hand), 1 + key as u32 % 90));
        (keys().map(|(key, hand)| table.get(key, hand)).collect::<Vec<_>>(), used(table), entries(table))
    };
    for most in [100 * size_of::<MateCluster>(), 2 * FIRST * size_of::<MateCluster>()] {
        let mut table = MateTable::for_nodes(u64::MAX, most);
        let alone = task(&table);
        for before in 0..600u64 {
            table.next_task();
            if before % 100 == 99 {
                assert!(task(&table) == alone, "{most} bytes, after {before} others");
            } else {
                let value = |key: u64| ProofNumbers::open(2, key as u32, pawns((before % 5) as u32));
                (0..70 * before).for_each(|key| table.put(key, value(key), u32::MAX));
            }
        }
    }
}

/// Returns a value determined by `key` and `number`.
fn of(key: u64, number: u32) -> ProofNumbers {
    ProofNumbers::open(number, number ^ key as u32, pawns(key as u32 % 3))
}

#[test]
fn concurrent_writers_never_produce_an_entry_that_was_not_stored() {
    for most in [8 * 384, 3 * FIRST * size_of::<MateCluster>() / 2] {
        let table = MateTable::for_nodes(u64::MAX, most);
        let found = std::thread::scope(|scope| {
            let one = |thread: u64| {
                let (mut state, mut found) = (thread, 0);
                for _ in 0..60_000 {
                    state = mix(state.wrapping_add(0x9e37_79b9_7f4a_7c15));
                    let (key, number) = (state % 4_096, (state >> 40) as u32 | 1);
                    match table.get(key, pawns(key as u32 % 3)) {
                        KnownMate::Open { pn, dn } => {
                            // If two threads stored entries for one key, `get` returns the larger numbers.
                            assert!(pn == dn ^ key as u32 || pn & 1 == 1, "{key}: {pn}, {dn}");
                            found += 1;
                        }
                        KnownMate::Decided(value) => panic!("{key}: {value:?}"),
                        KnownMate::Nothing => {}
                    }
                    table.put(key, of(key, number), number % 100);
                }
                found
            };
            let threads: Vec<_> = (0..4).map(|thread| scope.spawn(move || one(thread))).collect();
            threads.into_iter().map(|thread| thread.join().unwrap()).sum::<u64>()
        });
        assert!(found > 3_000, "{found}");
    }
}

/// A reader may see any mixture of the words of a slot's old entry and of two entries being written. A mixture must not
/// be found under any of the three keys, unless it equals one of the three entries. The test tries all such mixtures.
#[test]
fn a_mixture_of_entries_is_never_found() {
    let value = |n: u32| ProofNumbers { hand: pawns(n % 7), pn: n * 3 + 1, dn: n * 5 + 2, note: n as i16 };
    let words =
        |slot: &MateSlot| [&slot.rest, &slot.hand, &slot.pn, &slot.dn, &slot.course].map(|word| word.load(Relaxed));
    for n in 1..400 {
        let rests = [n, 7 * n, n];
        let written = [0, 1, 2].map(|i| {
            let slot = MateSlot::zeroed();
            slot.write(rests[i as usize], MateEntry { value: value(n + 3 * i), stamp: Stamp::new(1, n + i) });
            words(&slot)
        });
        for mixture in 0..3usize.pow(5) {
            let word = |i: usize| written[mixture / 3usize.pow(i as u32) % 3][i];
            let mixed = [0, 1, 2, 3, 4].map(word);
            let slot = MateSlot::zeroed();
            let targets = [&slot.rest, &slot.hand, &slot.pn, &slot.dn, &slot.course];
            targets.into_iter().zip(mixed).for_each(|(target, word)| target.store(word, Relaxed));
            let (rest, _) = slot.read();
            assert!(written.contains(&mixed) || !rests.contains(&rest), "{n}, {mixture}");
        }
    }
}

/// Simulates a memory error.
#[test]
fn an_entry_with_one_bit_changed_is_not_found() {
    let hand = pawns(2).plus_one(3);
    let values =
        [ProofNumbers::proved(3, hand), ProofNumbers::disproved(UNCONDITIONAL, hand), ProofNumbers::open(5, 9, hand)];
    for (key, value) in (1..200).flat_map(|key| values.map(|value| (mix(key), value))) {
        let table = MateTable::for_nodes(1, 1);
        table.put(key, value, 7);
        let known = table.get(key, hand);
        assert_ne!(known, KnownMate::Nothing);
        let place = table.place(key);
        let cluster = &table.clusters[place.cluster];
        let (way, _) = cluster.fitting(place, table.task).next().unwrap();
        let MateSlot { rest, hand: held, pn, dn, course } = &cluster.slots[way];
        for word in [rest, held, pn, dn, course, &cluster.tags[way]] {
            for bit in 0..32 {
                word.fetch_xor(1 << bit, Relaxed);
                assert_eq!(table.get(key, hand), KnownMate::Nothing, "{key}, {value:?}, bit {bit}");
                word.fetch_xor(1 << bit, Relaxed);
            }
        }
        assert_eq!(table.get(key, hand), known);
    }
}
