//! Tests of the manager in virtual time: ten thousand scenarios, none of which may violate a rule. `hasami-lab
//! simulate` runs more.

use hasami_manager::Manager;
use hasami_protocol::Settings;
use hasami_sim::{BrokenRule, emergency_search, examine};
use hasami_toy::Toy;
use hasami_tree::Transitions;
use hasami_tree::manage::Manage;
use std::sync::Mutex;
use std::sync::atomic::{AtomicU64, Ordering};

const SEEDS: u64 = 10_000;

fn make(settings: &Settings) -> Box<dyn Manage> {
    Box::new(
        Manager::<Toy>::new(settings.clone(), Transitions::default(), None).with_emergency_search(emergency_search()),
    )
}

#[test]
fn the_manager_violates_no_rule() {
    let next = AtomicU64::new(0);
    let first: Mutex<Option<Box<BrokenRule>>> = Mutex::new(None);
    let threads = std::thread::available_parallelism().map_or(1, std::num::NonZero::get);
    std::thread::scope(|scope| {
        for _ in 0..threads {
            scope.spawn(|| {
                while let Some(seed) = Some(next.fetch_add(1, Ordering::Relaxed)).filter(|&seed| seed < SEEDS) {
                    if let Err(finding) = examine(seed, &make) {
                        next.store(SEEDS, Ordering::Relaxed);
                        first.lock().unwrap().get_or_insert(finding);
                    }
                }
            });
        }
    });
    if let Some(finding) = first.into_inner().unwrap() {
        panic!("{finding}");
    }
}

/// Each of these scenarios has violated a rule in the past.
#[test]
fn what_has_broken_a_rule_breaks_it_no_more() {
    let seeds = [
        // `go nodes` was not answered when all moves were settled, or when a worker was kept whose reports could not be
        // used.
        &[25_133, 44_455, 119_238][..],
        // A false mate was reported: while the opponent was thinking, and when another reply was known to lose at
        // worst.
        &[35_217, 528_733],
        // A position was searched twice, by one child to verify a claim and by another one as its task: at the
        // beginning of a search, immediately, and when moves have their own nodes.
        &[144_353, 35_079, 234_075],
        // A machine answered `go mate` with a win that is not by checks only.
        &[327_676],
        // A machine's `resign`, sent after its first move, was taken for the next move.
        &[396_790],
        // A claim concerned the remaining moves of a position, all of which had received their own nodes meanwhile.
        &[499_788, 515_381, 541_439],
        // The judge searched endlessly for a mate in an even number of plies.
        &[455_634],
    ];
    for &seed in seeds.into_iter().flatten() {
        if let Err(finding) = examine(seed, &make) {
            panic!("{finding}");
        }
    }
}
