#![allow(clippy::unwrap_used)]
use super::*;
use crate::core::machine::run;
use crate::core::mix::mix;
use crate::core::presence::Presence;
use crate::core::style::Style;
use crate::core::table::MateTable;
use crate::interface::options::SearchMachine;
use crate::tests::graph::Graph;
use hasami_api::{Game, Start, Stop};
use std::sync::Mutex;
use std::sync::atomic::Ordering::Relaxed;

/// Returns a tree of seven plies, some of whose leaves are mates.
fn tree() -> Graph {
    let inner = |i: u64| format!("{i}-{},{},{} ", 3 * i + 1, 3 * i + 2, 3 * i + 3);
    let leaf = |i: u64| if mix(i).is_multiple_of(5) { format!("{i}! ") } else { String::new() };
    let text: String = (0..1_093).map(inner).chain((1_093..3_280).map(leaf)).collect();
    Graph::new(&Start { text: Some(text.as_str().into()), ..Start::default() }).unwrap()
}

/// Returns the number of nodes that the processor with this rank searches with a separate table, when `others` gives
/// the number of other searches below each move.
fn nodes(rank: usize, others: impl Fn(usize) -> u32 + Sync) -> u64 {
    let machine = SearchMachine::Virtual { processors: 2, turn: 1_000, delay: 0, seed: 1 };
    let made = Mutex::new(0);
    run(&machine, &Stop::new(), u64::MAX, |processor| {
        if processor.rank() != rank {
            return;
        }
        let table = MateTable::for_nodes(1_000_000, 1 << 20);
        let presence = Arc::new(Presence::new(2));
        presence.slots.iter().enumerate().for_each(|(slot, below)| below.store(others(slot), Relaxed));
        let mut search: Dfpn<_> = Dfpn::new(Style::DFPN, tree(), &table, processor.stop(), u64::MAX, 100);
        search.shared = Some(SharedSearch::new(&presence, processor));
        assert!(search.solve().is_ok());
        *made.lock().unwrap() = search.nodes;
    });
    made.into_inner().unwrap()
}

#[test]
fn the_first_search_ignores_the_others_and_the_rest_avoid_them() {
    let table = MateTable::for_nodes(1_000_000, 1 << 20);
    let mut alone: Dfpn<_> = Dfpn::new(Style::DFPN, tree(), &table, &Stop::new(), u64::MAX, 100);
    assert!(alone.solve().is_ok());
    let crowded = |slot: usize| mix(slot as u64) as u32 % 20;
    assert_eq!([nodes(0, |_| 0), nodes(0, crowded)], [alone.nodes; 2]);
    assert_ne!(nodes(1, crowded), nodes(1, |_| 0));
}
