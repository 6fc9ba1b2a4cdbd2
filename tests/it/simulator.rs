//! The manager in virtual time: ten thousand worlds, none of which may break a rule. `scripts/simulate.rs` plays more.

use hasami::manager::{Manage, Manager};
use hasami::protocol::Settings;
use hasami::sim::toy::Toy;
use hasami::sim::{BrokenRule, emergency_search, examine};
use hasami::tree::Transitions;
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

/// Each of them has broken a rule: no answer to `go nodes` where all moves are settled (the first two), or where a worker was
/// told to stay whose words do not do (the third one); a mate that is none while the opponent thinks; a position that one child
/// searched for a claim and another one for itself, where a search begins, at once, and where moves have nodes of their own; and a
/// machine's answer to `go mate` that wins, but not by checks.
#[test]
fn what_has_broken_a_rule_breaks_it_no_more() {
    for seed in [25_133, 44_455, 119_238, 35_217, 144_353, 35_079, 234_075, 327_676] {
        if let Err(finding) = examine(seed, &make) {
            panic!("{finding}");
        }
    }
}
