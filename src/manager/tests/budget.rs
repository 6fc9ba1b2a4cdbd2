//! Tests that several workers together keep the limit of `go nodes`.

use super::harness::{Harness, best, profile};
use hasami_api::{Answer, Bound, Report, Score};
use hasami_chess::Chess;
use hasami_protocol::{Clock, Go, Settings, settings::TreeModel};
use hasami_tree::event::{TaskEnd, WorkerEvent, WorkerId};
use std::collections::BTreeMap;
use std::time::Duration;

const LIMIT: u64 = 20_000;

fn nodes(limit: u64) -> Go {
    Go { nodes: Some(limit), ..Go::default() }
}

/// Engines that report iterations as they search, and end when they have spent their node limit.
struct Engines {
    harness: Harness<Chess>,
    made: BTreeMap<WorkerId, u64>,
    sum: u64,
}

impl Engines {
    fn new(settings: Settings, workers: u32) -> Self {
        Self { harness: Harness::new(settings, workers), made: BTreeMap::new(), sum: 0 }
    }

    /// Lets a worker search `step` more nodes, report a line, and end if it has reached its limit.
    fn work(&mut self, worker: WorkerId, step: u64) {
        let Some((task, work)) = self.harness.running.get(&worker).cloned() else { return };
        let limit = work.limits.nodes.unwrap_or(u64::MAX);
        let made = self.made.get(&worker).copied().unwrap_or(0);
        let now = (made + step).min(limit);
        self.made.insert(worker, now);
        self.sum += now - made;
        let depth = (now / 500) as u16 + 1;
        let pv = super::harness::walk::<Chess>(&work).0;
        let report = Report { depth, nodes: now, pv, bound: Bound::Exact, ..Report::new(Score::cp(0)) };
        self.harness.worker(WorkerEvent::Report { worker, task, report });
        if now == limit && self.harness.running.get(&worker).is_some_and(|(id, _)| *id == task) {
            self.harness.running.remove(&worker);
            self.made.remove(&worker);
            let end = TaskEnd::Answer(Answer::Best { best: None, ponder: None });
            self.harness.worker(WorkerEvent::Ended { worker, task, end });
        }
        let before: Vec<_> = self.harness.running.iter().map(|(&worker, (id, _))| (worker, *id)).collect();
        self.harness.end_cancelled();
        for (worker, id) in before {
            if self.harness.running.get(&worker).is_none_or(|(now, _)| *now != id) {
                self.made.remove(&worker);
            }
        }
    }

    fn lose(&mut self, worker: WorkerId) {
        self.harness.running.remove(&worker);
        self.made.remove(&worker);
        self.harness.worker(WorkerEvent::Lost { worker, why: "test".into(), for_good: false });
    }

    /// Lets each worker search at its speed until the manager answers, and returns the total number of nodes.
    fn answer(&mut self, go: Go, speeds: &[u64]) -> u64 {
        let before = (self.sum, self.harness.best_moves().len());
        self.harness.go(go);
        self.harness.end_cancelled();
        self.made.clear();
        for (worker, &speed) in speeds.iter().enumerate().cycle().take(100_000) {
            self.work(WorkerId(worker as u32), speed);
            self.harness.wait(Duration::from_micros(500));
            if self.harness.best_moves().len() > before.1 {
                self.harness.manager.check().unwrap();
                return self.sum - before.0;
            }
        }
        panic!("no answer after {} nodes", self.sum - before.0);
    }
}

fn assert_near(made: u64, limit: u64, what: &str) {
    assert!(made <= limit && made >= limit - limit / 20, "{what}: {made} nodes of {limit}");
}

#[test]
fn all_workers_together_search_the_requested_nodes() {
    for model in [TreeModel::Rank, TreeModel::Gap, TreeModel::Hasami] {
        for workers in [2, 3, 4, 16] {
            let settings = Settings { tree_model: model, ..Settings::default() };
            let mut engines = Engines::new(settings, workers);
            for limit in [LIMIT, 1_000, 300_000] {
                let speeds: Vec<u64> = (0..u64::from(workers)).map(|worker| 50 + 170 * worker).collect();
                let made = engines.answer(nodes(limit), &speeds);
                assert_near(made, limit, &format!("{model:?} with {workers} workers"));
                let shown = engines.harness.infos().last().unwrap().nodes;
                assert_eq!(shown, made, "{model:?} with {workers} workers");
            }
        }
    }
}

#[test]
fn every_worker_gets_a_share_of_the_nodes() {
    let mut engines = Engines::new(Settings::default(), 4);
    engines.harness.go(nodes(LIMIT));
    assert_eq!(engines.harness.task_of(0).limits.nodes, Some(LIMIT / 4));
    engines.work(WorkerId(0), 4_000);
    assert!(engines.harness.running.len() >= 2);
    let granted: u64 = engines.harness.running.values().map(|(_, task)| task.limits.nodes.unwrap()).sum();
    assert!(granted <= LIMIT - 4_000, "{granted}");
}

#[test]
fn the_unspent_nodes_of_a_lost_worker_are_returned() {
    let mut engines = Engines::new(Settings::default(), 2);
    engines.harness.go(nodes(LIMIT));
    engines.work(WorkerId(0), 1_000);
    for worker in [WorkerId(0), WorkerId(1)] {
        engines.lose(worker);
    }
    engines.harness.worker(WorkerEvent::Joined { worker: WorkerId(2), profile: profile("new") });
    assert!(best(&engines.harness).is_empty());
    for _ in 0..200 {
        engines.work(WorkerId(2), 300);
    }
    assert_eq!(best(&engines.harness).len(), 1);
    assert_near(engines.sum, LIMIT, "with one worker after the loss of two");
}

#[test]
fn the_successor_of_a_lost_worker_gets_the_remaining_nodes() {
    let mut engines = Engines::new(Settings::default(), 1);
    engines.harness.go(nodes(LIMIT));
    assert_eq!(engines.harness.task_of(0).limits.nodes, Some(LIMIT));
    engines.work(WorkerId(0), 12_000);
    engines.lose(WorkerId(0));
    engines.harness.join(1);
    assert_eq!(engines.harness.task_of(1).limits.nodes, Some(LIMIT - 12_000));
    assert!(best(&engines.harness).is_empty());
    engines.work(WorkerId(1), LIMIT);
    assert_eq!((best(&engines.harness).len(), engines.sum), (1, LIMIT));
}

#[test]
fn the_answer_does_not_wait_for_a_successor_near_the_limit() {
    let mut engines = Engines::new(Settings::default(), 1);
    engines.harness.go(nodes(LIMIT));
    engines.work(WorkerId(0), LIMIT - LIMIT / 40);
    assert!(best(&engines.harness).is_empty(), "it is not done yet");
    engines.lose(WorkerId(0));
    assert_eq!(best(&engines.harness).len(), 1);
}

#[test]
fn tasks_without_a_limit_are_restarted_with_one() {
    let mut engines = Engines::new(Settings { ponder: true, ..Settings::default() }, 3);
    let clock = Clock { time: [Some(Duration::from_secs(60)); 2], ..Clock::default() };
    engines.answer(Go { clock, ..Go::default() }, &[500; 3]);
    assert!(engines.harness.running.values().any(|(_, task)| task.limits.nodes.is_none()), "the workers ponder");
    let made = engines.answer(nodes(LIMIT), &[500; 3]);
    assert_near(made, LIMIT, "after pondering");
    engines.harness.wait(Duration::from_millis(200));
    assert!(engines.harness.running.values().any(|(_, task)| task.limits.nodes.is_none()), "pondering has no limit");
}

#[test]
fn engines_that_end_early_do_not_block_the_answer() {
    let mut engines = Engines::new(Settings::default(), 2);
    engines.harness.go(nodes(LIMIT));
    for _ in 0..100 {
        for worker in 0..2 {
            if engines.harness.running.contains_key(&WorkerId(worker)) && best(&engines.harness).is_empty() {
                engines.work(WorkerId(worker), 10);
                if engines.harness.running.contains_key(&WorkerId(worker)) {
                    engines.made.remove(&WorkerId(worker));
                    engines.harness.end(WorkerId(worker));
                }
                engines.harness.end_cancelled();
            }
        }
        // A worker that ends early pauses before its next task.
        engines.harness.wait(Duration::from_secs(1));
    }
    assert_eq!(best(&engines.harness).len(), 1, "the answer comes although the limits are not used up");
}

#[test]
fn a_limit_of_no_nodes_is_treated_as_one() {
    let mut harness = Harness::<Chess>::new(Settings::default(), 1);
    harness.go(nodes(0));
    assert_eq!(harness.task_of(0).limits.nodes, Some(1));
}
