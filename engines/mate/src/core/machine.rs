//! The processors of a parallel search: either threads, or simulated with a virtual clock.
//!
//! In virtual time every processor has a thread, but only the processor whose clock is furthest behind runs. The
//! running processor ends its turn whenever the search calls the pace of its [`Stop`]. Searches use the same code with
//! threads and in virtual time. In virtual time, shared state changes as on real processors, but reproducibly.

mod turns;

use crate::interface::options::{ProcessorUsage, SearchMachine};
use hasami_api::{Pace, Stop};
use std::panic::resume_unwind;
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Arc, Condvar, Mutex, PoisonError};
use std::thread;
use std::time::{Duration, Instant};
use turns::Turns;

/// Stack size of a processor's thread in bytes. Searches keep their path on the heap.
const STACK: usize = 4 << 20;
/// Number of nodes between two checks of the caller's stop.
const PORTION: u64 = 512;
/// Maximum time that an idle processor sleeps before it checks for work.
const NAP: Duration = Duration::from_millis(1);

/// State shared by all processors.
struct SharedMachine {
    outer: Stop,
    /// The stop shared by all processors of this machine.
    end: Stop,
    /// Limit on the total number of nodes of all processors.
    limit: u64,
    portion: u64,
    /// Number of nodes counted so far, summed over all processors.
    nodes: AtomicU64,
    /// Node count at which the pace of the caller's stop is called next.
    ask_at: AtomicU64,
    processors: u64,
    turns: Option<Turns>,
    idle: (Mutex<u64>, Condvar),
}

impl SharedMachine {
    /// Adds `nodes` nodes of one processor to the total count.
    fn count(&self, nodes: u64) {
        let nodes = self.nodes.fetch_add(nodes, Ordering::Relaxed) + nodes;
        if nodes >= self.ask_at.load(Ordering::Relaxed) {
            self.ask_at.store(self.outer.more(nodes), Ordering::Relaxed);
        }
        if self.outer.is_stopped() || nodes >= self.limit {
            self.end.stop();
        }
    }

    /// Returns how many nodes a processor may search before it must add them to the shared node count.
    fn portion(&self) -> u64 {
        let left = self.limit.saturating_sub(self.nodes.load(Ordering::Relaxed));
        // Nodes of other processors are counted late, so the node limit is exceeded by at most a sixteenth.
        self.portion.min(left / (16 * self.processors)).max(1)
    }
}

/// Nodes and idle time of one processor.
struct ProcessorCounters {
    rank: usize,
    common: Arc<SharedMachine>,
    /// Nodes of the current search that have already been counted.
    counted: AtomicU64,
    worked: AtomicU64,
    clock: AtomicU64,
    /// Total time during which the processor was idle.
    idled: Mutex<Duration>,
}

impl ProcessorCounters {
    fn pass(&self, time: u64) {
        let clock = self.clock.fetch_add(time, Ordering::Relaxed) + time;
        if let Some(turns) = &self.common.turns {
            turns.pass(self.rank, clock);
        }
    }

    /// Counts the new nodes of the current search, which has searched `nodes` nodes in total.
    fn count(&self, nodes: u64) {
        let before = self.counted.swap(nodes, Ordering::Relaxed);
        let new = if nodes < before { nodes } else { nodes - before };
        self.worked.fetch_add(new, Ordering::Relaxed);
        self.common.count(new);
        self.pass(new);
    }
}

impl Pace for ProcessorCounters {
    fn more(&self, nodes: u64) -> u64 {
        if nodes == 0 {
            self.counted.store(0, Ordering::Relaxed);
        } else {
            self.count(nodes);
        }
        nodes + self.common.portion()
    }
}

/// A handle to one processor.
#[derive(Clone)]
pub(crate) struct Processor {
    counters: Arc<ProcessorCounters>,
    stop: Stop,
}

impl Processor {
    pub(crate) fn rank(&self) -> usize {
        self.counters.rank
    }

    /// Returns the stop of this processor, which is set by the caller's stop, at the node limit, or when the answer is
    /// known. A search that checks the returned stop needs no other code for turns and limits.
    pub(crate) fn stop(&self) -> &Stop {
        &self.stop
    }

    /// Excludes `nodes` nodes of the current search from the count, because they were searched before the search moved
    /// to this processor.
    pub(crate) fn goes_on(&self, nodes: u64) {
        self.counters.counted.store(nodes, Ordering::Relaxed);
    }

    /// Returns the number of nodes counted so far, summed over all processors.
    pub(crate) fn nodes_of_all(&self) -> u64 {
        self.counters.common.nodes.load(Ordering::Relaxed)
    }

    /// Counts the remaining nodes of a search that has ended after `nodes` nodes.
    pub(crate) fn ended(&self, nodes: u64) {
        self.counters.count(nodes);
        self.counters.counted.store(0, Ordering::Relaxed);
    }

    /// Idles for a turn, or until [`Self::wake`] is called.
    pub(crate) fn idle(&self) {
        let common = &self.counters.common;
        common.count(0);
        if common.turns.is_some() {
            return self.counters.pass(common.portion);
        }
        let since = Instant::now();
        let (calls, called) = &common.idle;
        let calls = calls.lock().unwrap_or_else(PoisonError::into_inner);
        if !self.stop.is_stopped() {
            drop(called.wait_timeout(calls, NAP));
        }
        *self.counters.idled.lock().unwrap_or_else(PoisonError::into_inner) += since.elapsed();
    }

    /// Wakes the idle processors.
    pub(crate) fn wake(&self) {
        let (calls, called) = &self.counters.common.idle;
        *calls.lock().unwrap_or_else(PoisonError::into_inner) += 1;
        called.notify_all();
    }

    /// Ends the work of all processors.
    pub(crate) fn end(&self) {
        self.stop.stop();
        self.wake();
    }

    /// Returns the number of nodes so far, in virtual time plus the length of every idle turn.
    pub(crate) fn clock(&self) -> u64 {
        self.counters.clock.load(Ordering::Relaxed)
    }
}

/// Runs `work` on every processor until the last one has returned. The processors are stopped by `stop`, or after a
/// total of `nodes` nodes.
pub(crate) fn run<T: Send>(
    machine: &SearchMachine,
    stop: &Stop,
    nodes: u64,
    work: impl Fn(&Processor) -> T + Sync,
) -> (Vec<T>, ProcessorUsage) {
    run_led(machine, stop, nodes, &work, &work)
}

/// Like [`run`], but the first processor runs `lead` on the caller's thread.
pub(crate) fn run_led<T: Send>(
    machine: &SearchMachine,
    stop: &Stop,
    nodes: u64,
    lead: impl FnOnce(&Processor) -> T,
    work: impl Fn(&Processor) -> T + Sync,
) -> (Vec<T>, ProcessorUsage) {
    let processors = machine.processors().max(1);
    let (turns, portion) = match *machine {
        SearchMachine::Threads(_) => (None, PORTION),
        SearchMachine::Virtual { turn, seed, .. } => (Some(Turns::new(processors, seed)), turn.max(1)),
    };
    let common = Arc::new(SharedMachine {
        outer: stop.clone(),
        end: Stop::new(),
        limit: nodes,
        portion,
        nodes: AtomicU64::new(0),
        ask_at: AtomicU64::new(stop.more(0)),
        processors: processors as u64,
        turns,
        idle: (Mutex::new(0), Condvar::new()),
    });
    common.count(0);
    let all_counters: Vec<Arc<ProcessorCounters>> = (0..processors).map(|rank| counters(rank, &common)).collect();
    let begun = Instant::now();
    let results = thread::scope(|scope| {
        let start = |counters: &Arc<ProcessorCounters>| {
            let (counters, work) = (Arc::clone(counters), &work);
            let thread = thread::Builder::new().name(format!("processor {}", counters.rank)).stack_size(STACK);
            thread.spawn_scoped(scope, move || one(counters, work)).expect("the system can start a thread")
        };
        let threads: Vec<_> = all_counters[1..].iter().map(start).collect();
        let first = one(Arc::clone(&all_counters[0]), lead);
        let others = threads.into_iter().map(|thread| thread.join().unwrap_or_else(|why| resume_unwind(why)));
        std::iter::once(first).chain(others).collect()
    });
    (results, usage(&all_counters, begun.elapsed()))
}

fn counters(rank: usize, common: &Arc<SharedMachine>) -> Arc<ProcessorCounters> {
    Arc::new(ProcessorCounters {
        rank,
        common: Arc::clone(common),
        counted: AtomicU64::new(0),
        worked: AtomicU64::new(0),
        clock: AtomicU64::new(0),
        idled: Mutex::default(),
    })
}

fn one<T>(counters: Arc<ProcessorCounters>, work: impl FnOnce(&Processor) -> T) -> T {
    let common = Arc::clone(&counters.common);
    let _seat = common.turns.as_ref().map(|turns| turns.sit_down(counters.rank));
    let stop = common.end.clone().with_pace(Arc::clone(&counters) as Arc<dyn Pace>);
    work(&Processor { counters, stop })
}

fn usage(all_counters: &[Arc<ProcessorCounters>], took: Duration) -> ProcessorUsage {
    let load = |count: &AtomicU64| count.load(Ordering::Relaxed);
    let worked: Vec<u64> = all_counters.iter().map(|counters| load(&counters.worked)).collect();
    let clocks: Vec<u64> = all_counters.iter().map(|counters| load(&counters.clock)).collect();
    let is_virtual = all_counters.first().is_some_and(|counters| counters.common.turns.is_some());
    let (busy, all) = if is_virtual {
        let longest = clocks.iter().max().copied().unwrap_or(0);
        (worked.iter().sum::<u64>() as f64, (longest * clocks.len() as u64) as f64)
    } else {
        let idled = |counters: &Arc<ProcessorCounters>| *counters.idled.lock().unwrap_or_else(PoisonError::into_inner);
        let all = took.as_secs_f64() * all_counters.len() as f64;
        (all - all_counters.iter().map(|counters| idled(counters).as_secs_f64()).sum::<f64>(), all)
    };
    let busy = if all > 0.0 { (1_000.0 * busy / all).round() as u32 } else { 1_000 };
    ProcessorUsage { worked, clocks, busy, ..ProcessorUsage::default() }
}

#[cfg(test)]
mod tests;
