//! The manager in virtual time: ten thousand worlds, none of which may break a rule. `scripts/simulate.rs` plays more.

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
fn no_rule_of_the_manager_breaks() {
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

/// Each of them has broken a rule.
#[test]
fn what_has_broken_a_rule_breaks_it_no_more() {
    let seeds = [
        // No answer to `go nodes` where all moves are settled, or where a worker was told to stay whose words do not do.
        &[25_133, 44_455, 119_238][..],
        // A mate that is none: while the opponent thinks, and where another reply was known to lose at worst.
        &[35_217, 528_733],
        // A position that one child searched for a claim and another one for itself: where a search begins, at once, and where
        // moves have nodes of their own.
        &[144_353, 35_079, 234_075],
        // A machine's answer to `go mate` that wins, but not by checks.
        &[327_676],
        // A machine's `resign` behind its first move, taken for the next one.
        &[396_790],
        // A claim about the remaining moves of a position, all of which have got nodes of their own.
        &[499_788, 515_381, 541_439],
        // The judge looked for a mate in an even number of plies, without end.
        &[455_634],
    ];
    for &seed in seeds.into_iter().flatten() {
        if let Err(finding) = examine(seed, &make) {
            panic!("{finding}");
        }
    }
}
