#![allow(clippy::unwrap_used)]
use super::*;
use std::sync::atomic::AtomicBool;

const fn virtual_machine(processors: usize, seed: u64) -> SearchMachine {
    SearchMachine::Virtual { processors, turn: 10, delay: 0, seed }
}

/// Simulates a search of `nodes` nodes, which calls the pace of its stop at the requested node counts.
fn search(processor: &Processor, nodes: u64, mut each: impl FnMut(u64)) -> u64 {
    let mut pause = processor.stop().more(0);
    for node in 1..=nodes {
        each(node);
        if node >= pause {
            pause = processor.stop().more(node);
        }
        if processor.stop().is_stopped() {
            processor.ended(node);
            return node;
        }
    }
    processor.ended(nodes);
    nodes
}

/// Returns the nodes in the order in which they were visited: for each, the processor and the number that it counted.
fn diary(seed: u64) -> Vec<(usize, u64)> {
    let diary = Mutex::new(Vec::new());
    run(&virtual_machine(3, seed), &Stop::new(), u64::MAX, |processor| {
        search(processor, 35, |node| diary.lock().unwrap().push((processor.rank(), node)))
    });
    diary.into_inner().unwrap()
}

#[test]
fn virtual_processors_run_in_turns_ordered_by_a_seed() {
    let first = diary(1);
    assert_eq!(first.len(), 105);
    for turn in first.chunks(10).take(9) {
        assert!(turn.iter().all(|&(rank, _)| rank == turn[0].0), "{turn:?}");
    }
    let rounds: Vec<usize> = first.chunks(10).take(3).map(|turn| turn[0].0).collect();
    assert!([0, 1, 2].iter().all(|rank| rounds.contains(rank)), "{rounds:?}");
    assert_eq!(first, diary(1));
    assert!((2..20).any(|seed| diary(seed) != first));
}

#[test]
fn clocks_count_nodes_and_idle_turns() {
    let machine = virtual_machine(2, 7);
    let (made, usage) = run(&machine, &Stop::new(), u64::MAX, |processor| {
        if processor.rank() == 0 {
            let made = search(processor, 25, |_| {}) + search(processor, 8, |_| {});
            assert_eq!(processor.clock(), 33);
            made
        } else {
            (0..3).for_each(|_| processor.idle());
            search(processor, 5, |_| {})
        }
    });
    assert_eq!(made, [33, 5]);
    assert_eq!((&usage.worked[..], &usage.clocks[..]), (&[33, 5][..], &[33, 35][..]));
    assert_eq!((usage.nodes(), usage.clock()), (38, 35));
    assert_eq!(usage.busy, 543, "38 of 70");
}

#[test]
fn all_processors_end_with_the_first_answer_the_limit_or_the_outer_stop() {
    for machine in [SearchMachine::Threads(4), virtual_machine(4, 3)] {
        let (made, usage) = run(&machine, &Stop::new(), 1_000, |processor| search(processor, u64::MAX, |_| {}));
        assert_eq!(made.iter().sum::<u64>(), usage.nodes());
        assert!((1_000..1_040).contains(&usage.nodes()), "{machine:?}: {usage:?}");

        let (made, _) = run(&machine, &Stop::new(), u64::MAX, |processor| {
            search(processor, u64::MAX, |node| {
                if processor.rank() == 2 && node == 500 {
                    processor.end()
                }
            })
        });
        assert_eq!(made[2], 500, "{machine:?}");

        let stop = Stop::new();
        stop.stop();
        let (made, _) = run(&machine, &stop, u64::MAX, |processor| search(processor, u64::MAX, |_| {}));
        assert_eq!(made, [1; 4], "{machine:?}");
    }
}

/// A pace that sets its flag when called for the third time.
struct Third(AtomicU64, AtomicBool);

impl Pace for Third {
    fn more(&self, nodes: u64) -> u64 {
        if self.0.fetch_add(1, Ordering::Relaxed) == 2 {
            self.1.store(true, Ordering::Relaxed);
        }
        nodes + 100
    }
}

#[test]
fn the_outer_pace_is_asked_at_its_own_intervals() {
    let pace = Arc::new(Third(AtomicU64::new(0), AtomicBool::new(false)));
    let stop = Stop::paced(Arc::clone(&pace) as Arc<dyn Pace>);
    run(&virtual_machine(2, 0), &stop, u64::MAX, |processor| {
        search(processor, u64::MAX, |_| {
            if pace.1.load(Ordering::Relaxed) {
                stop.stop()
            }
        })
    });
    assert_eq!(pace.0.load(Ordering::Relaxed), 3, "asked at 0, 100 and 200 nodes in total");
}

#[test]
fn idle_processors_wait_for_work() {
    for machine in [SearchMachine::Threads(3), virtual_machine(3, 5)] {
        let (work, done) = (AtomicU64::new(0), AtomicU64::new(0));
        run(&machine, &Stop::new(), u64::MAX, |processor| {
            if processor.rank() == 0 {
                search(processor, 2_000, |_| {});
                work.store(1, Ordering::Release);
                processor.wake();
                return;
            }
            while work.load(Ordering::Acquire) == 0 {
                processor.idle();
            }
            done.fetch_add(1, Ordering::Relaxed);
        });
        assert_eq!(done.load(Ordering::Relaxed), 2, "{machine:?}");
    }
}

#[test]
fn a_thousand_virtual_processors_take_turns() {
    let (made, usage) = run(&virtual_machine(1_000, 1), &Stop::new(), u64::MAX, |p| search(p, 20, |_| {}));
    assert_eq!((made.len(), usage.nodes(), usage.clock()), (1_000, 20_000, 20));
    assert_eq!(usage.busy, 1_000);
}

#[test]
fn the_first_processor_continues_a_search_on_the_callers_thread() {
    let caller = thread::current().id();
    let lead = |processor: &Processor| {
        assert_eq!((thread::current().id(), processor.rank()), (caller, 0));
        processor.goes_on(1_000);
        processor.stop().more(1_005);
        processor.ended(1_030);
        assert_eq!((processor.clock(), processor.nodes_of_all()), (30, 30 + 30));
        30
    };
    let machine = virtual_machine(2, 0);
    let (made, usage) = run_led(&machine, &Stop::new(), u64::MAX, lead, |processor| search(processor, 30, |_| {}));
    assert_eq!((made, usage.worked, usage.clocks), (vec![30, 30], vec![30, 30], vec![30, 30]));
}
