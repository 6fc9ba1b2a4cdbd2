//! Tests AOHPAS on graphs with virtual processors.

use super::graph::Graph;
use super::{is_won, random_graphs};
use crate::algorithms::aohpas::search_by_aohpas;
use crate::core::dfpn::Dfpn;
use crate::core::style::Style;
use crate::core::table::MateTable;
use crate::core::value::ProofNumbers;
use crate::interface::options::{ProcessorUsage, SearchMachine};
use hasami_api::{Game, Start, Stop};
use std::num::NonZeroU32;

const STYLES: [(&str, Style); 2] = [("pds", Style::PDS), ("dfpn", Style::DFPN)];
const STEP: NonZeroU32 = NonZeroU32::new(5).unwrap();

fn game(text: &str) -> Graph {
    Graph::new(&Start { text: Some(text.into()), ..Start::default() }).unwrap()
}

fn search(
    style: Style,
    step: NonZeroU32,
    text: &str,
    machine: SearchMachine,
    nodes: u64,
) -> (Option<ProofNumbers>, ProcessorUsage) {
    let (mut table, stop) = (MateTable::for_nodes(nodes, 1 << 20), Stop::new());
    table.next_task();
    let mut search: Dfpn<_> = Dfpn::new(style, game(text), &table, &stop, nodes, usize::MAX);
    search_by_aohpas(&mut search, &machine, step)
}

fn solve(
    style: Style,
    step: NonZeroU32,
    text: &str,
    processors: usize,
    nodes: u64,
) -> (Option<ProofNumbers>, ProcessorUsage) {
    search(style, step, text, SearchMachine::Virtual { processors, turn: 5, delay: 0, seed: 1 }, nodes)
}

#[test]
fn any_number_of_processors_solves_random_graphs_like_retrograde_analysis() {
    let (mut decided, mut unknown) = (0, 0);
    for (round, text) in random_graphs(400).enumerate() {
        let won = is_won(&game(&text));
        for (core, style) in STYLES {
            for processors in if round % 10 == 0 { &[1, 2, 8, 32][..] } else { &[2, 8] } {
                let (value, _) = solve(style, STEP, &text, *processors, 20_000);
                match value {
                    Some(value) => {
                        assert_eq!(value.is_proved(), won, "round {round}, {core}, {processors} processors: {text}");
                        decided += 1;
                    }
                    // Sums of proof numbers grow along cycles, as in plain PDS.
                    None => unknown += 1,
                }
            }
        }
    }
    assert!(decided > 1_500 && unknown < 60, "{decided} decided, {unknown} unknown");
}

/// Returns a graph whose first check has two answers, one of which allows an immediate mate. After the other answer
/// there are two checks: the first begins a forced line of 400 plies without a mate, and the second has five answers,
/// each of which allows an immediate mate.
fn mate_at_the_large_end() -> String {
    let mut text = String::from("0-1 1-2,3 3-4 2-5,6 5-100 6-20,21,22,23,24 ");
    (20..25).for_each(|node| text += &format!("{node}-{} ", node + 10));
    (100..500).for_each(|node| text += &format!("{node}-{} ", node + 1));
    text
}

/// Returns a graph with three large trees without a mate, and a mate with five answers.
fn trees() -> String {
    let mut text = String::from("0-1 1-2,3 3-4 2-5,6 5-10,11,12 6-20,21,22,23,24 ");
    (20..25).for_each(|node| text += &format!("{node}-{} ", node + 10));
    let (mut level, mut next) = (vec![10, 11, 12], 100);
    for _ in 0..5 {
        let mut below = Vec::new();
        for node in level {
            text += &format!("{node}-{},{},{} ", next, next + 2, next + 4);
            for check in [next, next + 2, next + 4] {
                text += &format!("{check}-{} ", check + 1);
                below.push(check + 1);
            }
            next += 6;
        }
        level = below;
    }
    text
}

#[test]
fn two_processors_find_a_mate_at_the_large_end_sooner() {
    let text = mate_at_the_large_end();
    for (core, style) in STYLES {
        let times = [1, 2, 4, 8].map(|processors| {
            let (value, usage) = solve(style, STEP, &text, processors, 1_000_000);
            assert!(value.is_some_and(ProofNumbers::is_proved), "{core}, {processors} processors");
            usage.clock()
        });
        // PE1 alone searches the line to its end. With other processors, PE1 receives the proof, leaves the line, and
        // continues with the other answer.
        assert!(times[0] > 400 && times[1..].iter().all(|&time| time < 200), "{core}: {times:?}");
    }
}

#[test]
fn the_same_seed_gives_the_same_nodes() {
    let texts: Vec<String> = random_graphs(40).chain([mate_at_the_large_end(), trees()]).collect();
    for (core, style) in STYLES {
        for text in &texts {
            let run = || {
                let (value, usage) = solve(style, STEP, text, 8, 20_000);
                (value, usage.clocks, usage.worked)
            };
            assert_eq!(run(), run(), "{core}: {text}");
        }
    }
}

#[test]
fn threads_find_the_right_answers() {
    for (core, style) in STYLES {
        for text in random_graphs(60).chain([mate_at_the_large_end()]) {
            let (value, _) = search(style, STEP, &text, SearchMachine::Threads(3), 100_000);
            assert!(value.is_none_or(|value| value.is_proved() == is_won(&game(&text))), "{core}: {text}");
        }
    }
}

#[test]
fn global_thresholds_grow_by_the_step() {
    let text = trees();
    let times = [1, 3, 5, 10].map(|step| {
        let (value, usage) = solve(Style::PDS, NonZeroU32::new(step).unwrap(), &text, 1, 1_000_000);
        assert!(value.is_some_and(ProofNumbers::is_proved), "step {step}");
        usage.clock()
    });
    assert!(times.windows(2).all(|pair| pair[0] != pair[1]), "{times:?}");
}

#[test]
fn a_limit_gives_unknown() {
    for processors in [1, 4] {
        let (value, usage) = solve(Style::PDS, STEP, &mate_at_the_large_end(), processors, 20);
        assert!(value.is_none() && usage.worked.iter().sum::<u64>() < 20 + 40 * processors as u64, "{usage:?}");
    }
}
