//! Detects repeated work: positions that a worker searches although another one has already searched them as deeply.
//! The workers learn of each other's results late or never, but this observer sees all of them at once.

use hasami_api::{Bound, Visit, Watch};
use hasami_tree::event::{Time, WorkerId};
use std::collections::HashMap;
use std::ops::Add;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::Duration;

/// Numbers of nodes that were searched again.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct Repeated {
    /// Nodes for which the other worker's result would have been an answer.
    pub answered: u64,
    /// Nodes for which the other worker's result leaves the question open, because it searched with another window.
    pub unanswered: u64,
}

impl Add for Repeated {
    type Output = Self;

    fn add(self, more: Self) -> Self {
        Self { answered: self.answered + more.answered, unanswered: self.unanswered + more.unanswered }
    }
}

/// A worker's result for a position.
struct PositionFinding {
    worker: WorkerId,
    at: Time,
    depth: i32,
    value: i32,
    bound: Bound,
}

/// The results of all workers since the last move, by position.
#[derive(Default)]
pub struct Overlap(Mutex<HashMap<u64, Vec<PositionFinding>>>);

impl Overlap {
    pub fn forget(&self) {
        self.lock().clear();
    }

    /// Had another worker searched the position as deeply by then? If one had, returns whether its result answers this
    /// visit.
    fn is_answered(&self, worker: WorkerId, at: Time, visit: &Visit) -> Option<bool> {
        let found = self.lock();
        let others = found.get(&visit.key).into_iter().flatten();
        let as_deep = others.filter(|found| found.worker != worker && found.at <= at && found.depth >= visit.depth);
        as_deep.map(|found| found.answers(visit)).max()
    }

    fn note(&self, found: PositionFinding, key: u64) {
        let mut all = self.lock();
        let known = all.entry(key).or_default();
        match known.iter_mut().find(|old| old.worker == found.worker) {
            Some(old) if old.depth > found.depth => {}
            Some(old) => *old = found,
            None => known.push(found),
        }
    }

    fn lock(&self) -> MutexGuard<'_, HashMap<u64, Vec<PositionFinding>>> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl PositionFinding {
    fn answers(&self, visit: &Visit) -> bool {
        match self.bound {
            Bound::Exact => true,
            Bound::Lower => self.value >= visit.beta,
            Bound::Upper => self.value <= visit.alpha,
        }
    }
}

/// Observes one task of one worker.
pub struct Onlooker {
    overlap: Arc<Overlap>,
    worker: WorkerId,
    since: Time,
    /// Nodes per second of the worker.
    speed: f64,
    open: Mutex<OpenVisits>,
}

/// The visits in progress, the outermost first.
#[derive(Default)]
struct OpenVisits {
    visits: Vec<Visit>,
    /// The outermost visit that repeats another worker's: its index, the node count when it began, and whether the
    /// other worker's result answers it.
    repeat: Option<(usize, u64, bool)>,
    done: Repeated,
}

impl OpenVisits {
    fn end_repeat(&mut self, nodes: u64) {
        self.done = self.so_far(nodes);
        self.repeat = None;
    }

    fn so_far(&self, nodes: u64) -> Repeated {
        let mut sum = self.done;
        if let Some((_, began, answered)) = self.repeat {
            *(if answered { &mut sum.answered } else { &mut sum.unanswered }) += nodes.saturating_sub(began);
        }
        sum
    }
}

impl Onlooker {
    pub fn new(overlap: Arc<Overlap>, worker: WorkerId, since: Time, speed: u32) -> Self {
        Self { overlap, worker, since, speed: speed.into(), open: Mutex::default() }
    }

    /// Returns the repeated nodes up to this node count.
    pub fn repeated(&self, nodes: u64) -> Repeated {
        self.lock().so_far(nodes)
    }

    fn lock(&self) -> MutexGuard<'_, OpenVisits> {
        self.open.lock().unwrap_or_else(PoisonError::into_inner)
    }

    fn time_at(&self, nodes: u64) -> Time {
        self.since + Duration::from_secs_f64(nodes as f64 / self.speed)
    }
}

impl Watch for Onlooker {
    fn enter(&self, nodes: u64, visit: Visit) {
        let mut open = self.lock();
        if open.repeat.is_none() {
            let answered = self.overlap.is_answered(self.worker, self.time_at(nodes), &visit);
            open.repeat = answered.map(|answered| (open.visits.len(), nodes, answered));
        }
        open.visits.push(visit);
    }

    fn leave(&self, nodes: u64, value: Option<i32>) {
        let mut open = self.lock();
        let Some(visit) = open.visits.pop() else { return };
        if open.repeat.is_some_and(|(place, ..)| place == open.visits.len()) {
            open.end_repeat(nodes);
        }
        if let Some(value) = value {
            let bound = match value {
                value if value >= visit.beta => Bound::Lower,
                value if value <= visit.alpha => Bound::Upper,
                _ => Bound::Exact,
            };
            let (worker, at, depth) = (self.worker, self.time_at(nodes), visit.depth);
            self.overlap.note(PositionFinding { worker, at, depth, value, bound }, visit.key);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn visit(depth: i32, alpha: i32) -> Visit {
        Visit { key: 7, depth, alpha, beta: alpha + 1 }
    }

    /// Returns the repeated nodes of the second of two visits of ten nodes each, the first of which found `value`.
    fn second(first: Visit, value: i32, second: Visit, (start, worker): (u64, u32)) -> Repeated {
        let overlap = Arc::<Overlap>::default();
        let looker = |worker, ms| Onlooker::new(Arc::clone(&overlap), WorkerId(worker), Time::from_millis(ms), 1_000);
        let (a, b) = (looker(0, 0), looker(worker, start));
        a.enter(0, first);
        a.leave(10, Some(value));
        b.enter(0, second);
        b.enter(2, Visit { key: 9, ..second });
        b.leave(5, Some(0));
        assert_eq!(b.repeated(6).answered + b.repeated(6).unanswered, if b.lock().repeat.is_some() { 6 } else { 0 });
        b.leave(10, Some(0));
        b.repeated(10)
    }

    #[test]
    fn searches_as_deep_as_another_ones_are_repeats() {
        let again = |answered, unanswered| Repeated { answered, unanswered };
        assert_eq!(second(visit(5, 0), 3, visit(5, 0), (10, 1)), again(10, 0), "the first visit failed high");
        assert_eq!(second(visit(5, 0), 3, visit(4, 5), (10, 1)), again(0, 10), "the second visit asks for more");
        assert_eq!(second(visit(5, 0), -3, visit(5, -2), (10, 1)), again(10, 0), "the first visit failed low");
        assert_eq!(second(visit(5, 0), 3, visit(6, 0), (10, 1)), again(0, 0), "the second visit is deeper");
        assert_eq!(second(visit(5, 0), 3, visit(5, 0), (9, 1)), again(0, 0), "the first visit was not finished yet");
        assert_eq!(second(visit(5, 0), 3, visit(5, 0), (10, 0)), again(0, 0), "its own");
    }

    #[test]
    fn a_stopped_search_has_no_finding() {
        let overlap = Arc::<Overlap>::default();
        let lookers = [0, 1].map(|worker| Onlooker::new(Arc::clone(&overlap), WorkerId(worker), Time::ZERO, 1_000));
        lookers[0].enter(0, visit(5, 0));
        lookers[0].leave(10, None);
        lookers[1].enter(20, visit(5, 0));
        assert_eq!(lookers[1].repeated(30), Repeated::default());
    }
}
