//! Measures how often machines are named in matches that are examined while they go on: the figures of
//! docs/guide/games.md.

#![allow(clippy::unwrap_used)]
use super::differing::{Differing, LEVEL, StratifiedCounts};
use rand::rngs::StdRng;
use rand::{Rng, SeedableRng};

const MACHINES: usize = 4;
const MATCHES: u64 = 1_000;
/// Number of pairs between two examinations.
const PAIRS_A_LOOK: u32 = 3;

/// Number of openings that repeat, and the probability that a pair ends as its opening always does. `None`: each
/// opening is played once.
type Book = Option<(u32, f64)>;

/// Simulates one match. On the last machine each pair is turned into a win with probability `cheats`. Returns whether
/// the last machine was ever named, and whether another one was ever named or undecided.
fn look(seed: u64, pairs: u32, drawn: f64, book: Book, cheats: f64) -> (bool, bool) {
    let mut random = StdRng::seed_from_u64(seed);
    let outcome = |random: &mut StdRng| match random.random::<f64>() {
        x if x < drawn => 1,
        x if x < (1.0 + drawn) / 2.0 => 0,
        _ => 2,
    };
    let usual: Vec<usize> = (0..book.map_or(0, |(openings, _)| openings)).map(|_| outcome(&mut random)).collect();
    let mut counts = vec![StratifiedCounts::new(); MACHINES];
    let (mut is_last_named, mut is_other_told) = (false, false);
    for pair in 0..pairs {
        let machine = random.random_range(0..MACHINES);
        let opening = book.map_or(pair, |(openings, _)| pair % openings) as usize;
        let is_usual = book.is_some_and(|(_, share)| random.random_bool(share));
        let mut result = if is_usual { usual[opening] } else { outcome(&mut random) };
        if machine == MACHINES - 1 && cheats > 0.0 && random.random_bool(cheats) {
            result = 2;
        }
        counts[machine].entry(([0, 1], Some(opening))).or_insert([0; 3])[result] += 1;
        if pair % PAIRS_A_LOOK == 0 {
            let found = Differing::of(&counts);
            let is_honest = |&machine: &usize| cheats == 0.0 || machine != MACHINES - 1;
            is_last_named |= found.named.iter().any(|machine| !is_honest(machine));
            is_other_told |= found.named.iter().any(is_honest) || (cheats == 0.0 && !found.undecided.is_empty());
        }
    }
    (is_last_named, is_other_told)
}

/// Shares of matches in which the last machine is named, and in which any other one is named or undecided.
fn rates(most: u32, drawn: f64, book: Book, cheats: f64) -> [f64; 2] {
    let found = (0..MATCHES).map(|seed| {
        let pairs = if cheats > 0.0 { most } else { StdRng::seed_from_u64(!seed).random_range(most / 5..=most) };
        look(seed, pairs, drawn, book, cheats)
    });
    let counts = found.fold([0_u32; 2], |sum, (last, other)| [sum[0] + u32::from(last), sum[1] + u32::from(other)]);
    let rates = counts.map(|count| f64::from(count) / MATCHES as f64);
    println!(
        "drawn {drawn:.2}, book {book:?}, cheats {cheats}, seeds 0..{MATCHES}: named {:.3}, others {:.3}",
        rates[0], rates[1]
    );
    rates
}

const BOOKS: [Book; 6] = [None, Some((8, 1.0)), Some((8, 0.7)), Some((8, 0.0)), Some((50, 0.7)), Some((200, 0.5))];

#[test]
#[ignore = "measures, for some minutes"]
fn honest_machines_are_rarely_named_in_every_kind_of_match() {
    for drawn in [1.0 / 3.0, 0.5, 0.8] {
        for book in BOOKS {
            // The measured rate may exceed the level by three of its standard errors.
            assert!(rates(500, drawn, book, 0.0)[1] <= LEVEL + 3.0 * (LEVEL / MATCHES as f64).sqrt());
        }
    }
}

#[test]
#[ignore = "measures, for some minutes"]
fn a_machine_that_wins_all_its_pairs_is_named_within_200_games() {
    for drawn in [0.5, 0.8] {
        for book in [None, Some((8, 1.0)), Some((200, 0.5))] {
            let [named, others] = rates(100, drawn, book, 1.0);
            assert!(named >= 0.95 && others <= 0.02);
        }
    }
}
