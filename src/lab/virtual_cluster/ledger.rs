//! The use of the workers' time: how much of it was spent waiting, how much on lines that the game did not follow, and
//! why.
//!
//! Time spent on a task is counted for the line that the task searches. The time was useful if the node of that line
//! was ever on the tree's principal variation in one of our searches, or gave one of the root's moves its value when
//! the answer came. The time is open as long as that may still happen, and is judged when the line has left the tree.

use super::overlap::{Overlap, Repeated};
use super::worker::ClusterWorker;
use hasami_api::{Line, MoveText, Report, Start, Task};
use hasami_tree::event::Time;
use serde::{Deserialize, Serialize};
use std::collections::{BTreeMap, BTreeSet};
use std::ops::AddAssign;
use std::sync::Arc;
use std::time::Duration;

/// The time of all workers together, by what it was used for.
#[derive(Clone, Copy, PartialEq, Debug, Default, Serialize, Deserialize)]
pub struct Spent {
    /// Time in our searches before the first task of a worker.
    pub seating: f64,
    /// Time in our searches between two tasks of a worker and after its last one.
    pub between: f64,
    /// Time without a task while the opponent was thinking.
    pub waiting: f64,
    /// Time spent on lines that never counted before they left the tree.
    pub unused: f64,
    /// Time spent on "others" (all moves without nodes) that were never better than the moves with nodes.
    pub others: f64,
    /// Time spent on replies that were not played.
    pub missed: f64,
    /// Time spent on positions for which another worker had already found an answer.
    pub answered: f64,
    /// Time spent on positions that another worker had already searched as deeply, but with a window that left the
    /// question open.
    pub unanswered: f64,
    pub useful: f64,
    /// Time that has not been classified yet.
    pub open: f64,
}

impl AddAssign for Spent {
    fn add_assign(&mut self, more: Self) {
        self.seating += more.seating;
        self.between += more.between;
        self.waiting += more.waiting;
        self.unused += more.unused;
        self.others += more.others;
        self.missed += more.missed;
        self.answered += more.answered;
        self.unanswered += more.unanswered;
        self.useful += more.useful;
        self.open += more.open;
    }
}

/// The counts of a worker since its start.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct WorkerCount {
    pub nodes: u64,
    pub repeated: Repeated,
}

impl WorkerCount {
    pub fn of(worker: &dyn ClusterWorker) -> Self {
        Self { nodes: worker.nodes(), repeated: worker.repeated() }
    }
}

/// The record of one worker.
#[derive(Clone, Default)]
struct WorkerLedger {
    /// The time up to which the worker's time is recorded.
    since: Time,
    count: WorkerCount,
    task: Option<Key>,
    /// Has the worker had a task in this search?
    served: bool,
}

/// A key of the ledger: the line of a task, and when it was searched.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Debug)]
struct Key {
    moves: Vec<MoveText>,
    others: bool,
    /// Was the line searched while the opponent was thinking?
    pondered: bool,
}

/// The time spent on a line that has not been classified yet.
#[derive(Clone, Default)]
struct Share {
    time: Duration,
    answered: Duration,
    unanswered: Duration,
    /// Was the value of "others" ever better than that of all other moves?
    prevailed: bool,
    /// Numbers of nodes by first move, as last reported.
    efforts: BTreeMap<MoveText, u64>,
}

/// Records the use of the workers' time.
pub struct Ledger {
    desks: Vec<WorkerLedger>,
    start: Start,
    position: Vec<MoveText>,
    thinking: bool,
    shares: BTreeMap<Key, Share>,
    /// Lines that have given the root its value in this search.
    led: BTreeSet<Vec<MoveText>>,
    /// The lines that currently give the root's moves their values.
    sources: Vec<Vec<MoveText>>,
    /// Time that was classified since the last call of [`Self::take`]; `told` are the bytes of news by worker since
    /// then.
    judged: TimeUse,
    told: Vec<u64>,
    open_before: Duration,
    overlap: Arc<Overlap>,
}

#[derive(Default)]
struct TimeUse {
    seating: Duration,
    between: Duration,
    waiting: Duration,
    unused: Duration,
    others: Duration,
    missed: Duration,
    answered: Duration,
    unanswered: Duration,
    useful: Duration,
}

impl Ledger {
    pub fn new(workers: usize, now: Time) -> Self {
        Self {
            desks: vec![WorkerLedger { since: now, ..WorkerLedger::default() }; workers],
            start: Start::default(),
            position: Vec::new(),
            thinking: false,
            shares: BTreeMap::new(),
            led: BTreeSet::new(),
            sources: Vec::new(),
            judged: TimeUse::default(),
            told: vec![0; workers],
            open_before: Duration::ZERO,
            overlap: Arc::default(),
        }
    }

    /// The record of what workers have found.
    pub fn overlap(&self) -> &Arc<Overlap> {
        &self.overlap
    }

    pub fn begin(&mut self, worker: usize, at: Time, task: &Task) {
        let count = self.desks[worker].count;
        self.pass(worker, at, count);
        let moves = task.line.moves.clone();
        let pondered = !self.thinking || !moves.starts_with(&self.position);
        self.desks[worker].task = Some(Key { moves, others: !task.except.is_empty(), pondered });
        self.desks[worker].served = true;
    }

    pub fn end(&mut self, worker: usize, at: Time, count: WorkerCount) {
        self.pass(worker, at, count);
        self.desks[worker].task = None;
    }

    /// Handles a worker's report about its task. `prevails` means that the reported value is the value of the node.
    pub fn report(&mut self, worker: usize, report: &Report, prevails: bool) {
        let Some(key) = &self.desks[worker].task else { return };
        let share = self.shares.entry(key.clone()).or_default();
        share.prevailed |= prevails;
        if !report.ranking.is_empty() {
            share.efforts = report.ranking.iter().map(|ranked| (ranked.text, ranked.nodes)).collect();
        }
    }

    pub fn tell(&mut self, worker: usize, bytes: usize) {
        self.told[worker] += bytes as u64;
    }

    /// Sets the lines that determine the value of the root (the first line) and of each of its moves.
    pub fn follow(&mut self, sources: Vec<Vec<MoveText>>) {
        if let Some(line) = sources.first().filter(|line| !self.led.contains(*line)) {
            self.led.insert(line.clone());
        }
        self.sources = sources;
    }

    /// Begins our search of this position.
    pub fn think(&mut self, line: &Line, now: Time, counts: impl Iterator<Item = WorkerCount>) {
        self.close(now, counts);
        if line.start != self.start {
            self.forget();
        }
        (self.start, self.position) = (line.start.clone(), line.moves.clone());
        self.thinking = true;
        self.led.clear();
        self.sources.clear();
        for desk in &mut self.desks {
            desk.served = desk.task.is_some();
            if let Some(key) = &mut desk.task {
                // Lines that are no longer in the tree are classified soon.
                key.pondered = !key.moves.starts_with(&self.position);
            }
        }
    }

    /// Ends our search, which has been answered.
    pub fn answer(&mut self, now: Time, counts: impl Iterator<Item = WorkerCount>) {
        self.close(now, counts);
        self.led.extend(std::mem::take(&mut self.sources));
        for (key, share) in std::mem::take(&mut self.shares) {
            if let Some(open) = self.judge(&key, share) {
                self.shares.insert(key, open);
            }
        }
        self.thinking = false;
        self.overlap.forget();
        self.desks.iter_mut().filter_map(|desk| desk.task.as_mut()).for_each(|key| key.pondered = true);
    }

    /// Begins another game: time that has not been classified was not useful.
    pub fn forget(&mut self) {
        for (key, share) in std::mem::take(&mut self.shares) {
            self.write_off(&key, &share);
        }
    }

    /// Returns the milliseconds classified since the last call, and the bytes of news that each worker sent.
    pub fn take(&mut self) -> (Spent, Vec<u64>) {
        let open: Duration = self.shares.values().map(|share| share.time).sum();
        let judged = std::mem::take(&mut self.judged);
        let ms = |time: Duration| (time.as_secs_f64() * 1e6).round() / 1e3;
        let spent = Spent {
            seating: ms(judged.seating),
            between: ms(judged.between),
            waiting: ms(judged.waiting),
            unused: ms(judged.unused),
            others: ms(judged.others),
            missed: ms(judged.missed),
            answered: ms(judged.answered),
            unanswered: ms(judged.unanswered),
            useful: ms(judged.useful),
            open: ms(open) - ms(std::mem::replace(&mut self.open_before, open)),
        };
        (spent, self.told.iter_mut().map(std::mem::take).collect())
    }

    fn close(&mut self, now: Time, counts: impl Iterator<Item = WorkerCount>) {
        for (worker, count) in counts.enumerate() {
            self.pass(worker, now, count);
        }
    }

    /// Records a worker's time up to `at`.
    fn pass(&mut self, worker: usize, at: Time, count: WorkerCount) {
        let desk = &mut self.desks[worker];
        let time = at.saturating_sub(desk.since);
        desk.since = desk.since.max(at);
        let before = std::mem::replace(&mut desk.count, count);
        let Some(key) = &desk.task else {
            let idle = match (self.thinking, desk.served) {
                (false, _) => &mut self.judged.waiting,
                (true, false) => &mut self.judged.seating,
                (true, true) => &mut self.judged.between,
            };
            *idle += time;
            return;
        };
        let nodes = count.nodes.saturating_sub(before.nodes);
        let part = |now: u64, before: u64| time.mul_f64(ratio(now.saturating_sub(before), nodes));
        let answered = part(count.repeated.answered, before.repeated.answered);
        let unanswered = part(count.repeated.unanswered, before.repeated.unanswered).min(time - answered);
        if !self.shares.contains_key(key) {
            self.shares.insert(key.clone(), Share::default());
        }
        if let Some(share) = self.shares.get_mut(key) {
            share.time += time;
            share.answered += answered;
            share.unanswered += unanswered;
        }
    }

    /// Classifies a share of time after our search of `position`. Returns it if it stays open.
    fn judge(&mut self, key: &Key, share: Share) -> Option<Share> {
        let is_below = key.moves.starts_with(&self.position);
        if key.pondered && !is_below && self.position.starts_with(&key.moves) {
            // Several replies were searched by one task.
            let reply = self.position[key.moves.len()];
            let all = share.efforts.values().sum();
            let part = ratio(share.efforts.get(&reply).copied().unwrap_or(0), all);
            self.judged.missed += share.time.saturating_sub(share.time.mul_f64(part));
            self.credit(&share, part);
            return None;
        }
        let is_used = self.led.iter().any(|line| line.starts_with(&key.moves)) && (share.prevailed || !key.others);
        match (is_below, is_used) {
            (true, true) => self.credit(&share, 1.0),
            (true, false) => return Some(share),
            (false, _) => self.write_off(key, &share),
        }
        None
    }

    fn write_off(&mut self, key: &Key, share: &Share) {
        let cause = match (key.pondered, key.others && !share.prevailed) {
            (true, _) => &mut self.judged.missed,
            (false, true) => &mut self.judged.others,
            (false, false) => &mut self.judged.unused,
        };
        *cause += share.time;
    }

    /// Counts part of the time as useful, except for nodes that were searched twice.
    fn credit(&mut self, share: &Share, part: f64) {
        let [time, answered, unanswered] =
            [share.time, share.answered, share.unanswered].map(|time| time.mul_f64(part).min(share.time));
        self.judged.answered += answered;
        self.judged.unanswered += unanswered;
        self.judged.useful += time.saturating_sub(answered).saturating_sub(unanswered);
    }
}

fn ratio(part: u64, all: u64) -> f64 {
    if all == 0 { 0.0 } else { part.min(all) as f64 / all as f64 }
}

#[cfg(test)]
mod tests;
