//! Ends searches at their deadline or at another thread's request.

use hasami_api::{Pace, Stop};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::Instant;

/// The clock is read once per this many nodes, which take about a tenth of a millisecond.
const EVERY: u64 = 64;

/// Lets a search read the clock itself; on a busy machine, a thread that sleeps until the deadline would wake up late.
struct Deadline<C> {
    /// The stop flag of the search, without the [`Pace`].
    stop: Stop,
    until: Instant,
    now: C,
}

impl<C: Fn() -> Instant + Send + Sync> Pace for Deadline<C> {
    fn more(&self, nodes: u64) -> u64 {
        if (self.now)() >= self.until {
            self.stop.stop();
            return u64::MAX;
        }
        nodes + EVERY
    }
}

/// Returns a stop flag, which the search itself sets when the clock `now` reaches `until`.
pub(super) fn stop_at(until: Instant, now: impl Fn() -> Instant + Send + Sync + 'static) -> Stop {
    let stop = Stop::new();
    stop.clone().with_pace(Arc::new(Deadline { stop, until, now }))
}

/// Ends the searches of a solver from another thread.
#[derive(Clone, Default)]
pub struct SolverStop(Arc<Mutex<CurrentSearch>>);

#[derive(Default)]
struct CurrentSearch {
    stop: Stop,
    until: Option<Instant>,
    /// Whether all searches must end.
    is_over: bool,
}

impl SolverStop {
    fn lock(&self) -> MutexGuard<'_, CurrentSearch> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Registers a search that must end at `until`.
    pub(super) fn begin(&self, stop: &Stop, until: Option<Instant>) {
        let mut search = self.lock();
        (search.stop, search.until) = (stop.clone(), until);
        if search.is_over {
            stop.stop();
        }
    }

    /// Ends the current search, and every later one as soon as it begins.
    pub fn end(&self) {
        let mut search = self.lock();
        search.is_over = true;
        search.stop.stop();
    }

    /// Ends the current search if it is past its deadline. A search that waits for other machines does not read the
    /// clock itself.
    pub(super) fn end_if_late(&self) {
        let search = self.lock();
        if search.until.is_some_and(|until| until <= Instant::now()) {
            search.stop.stop();
        }
    }
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used)]
    use super::*;
    use hasami_api::{Answer, Goal, Line, MateAnswer, Start, Task};
    use hasami_mate::Algorithm;
    use hasami_mate::SolverOptions;
    use std::sync::atomic::{AtomicU32, Ordering};
    use std::time::Duration;

    #[test]
    fn a_search_ends_when_the_clock_says_so() {
        // A simulated clock that advances by one millisecond at each read.
        let (begun, looks) = (Instant::now(), Arc::new(AtomicU32::new(0)));
        let ticks = Arc::clone(&looks);
        let now = move || begun + Duration::from_millis(ticks.fetch_add(1, Ordering::Relaxed).into());
        let stop = stop_at(begun + Duration::from_millis(50), now);
        let mut solver = hasami_games::find("shogi").unwrap().solver(Algorithm::default(), &SolverOptions::default());
        let text = Some("9/9/3k5/9/6B2/9/9/9/9 b 4G2S9P2rb2s4n4l9p 1".into());
        let line = Line { start: Start { text, ..Start::default() }, moves: Vec::new() };
        let mut nodes = 0;
        let task = Task { line, goal: Goal::Mate, ..Task::default() };
        let answer = solver.search(&task, &stop, &mut |report| nodes = report.nodes);
        assert_eq!(answer, Ok(Answer::Mate(MateAnswer::Unknown)));
        assert_eq!(looks.load(Ordering::Relaxed), 51, "no look after the end");
        let portions = 50 * EVERY;
        assert!((portions..portions + EVERY).contains(&nodes), "{nodes} nodes in {portions}");
    }

    #[test]
    fn a_search_that_does_not_ask_for_the_time_is_ended_from_outside() {
        let solver_stop = SolverStop::default();
        let (early, late, free) = (Stop::new(), Stop::new(), Stop::new());
        solver_stop.begin(&early, Some(Instant::now() + Duration::from_secs(600)));
        solver_stop.end_if_late();
        solver_stop.begin(&late, Some(Instant::now()));
        solver_stop.end_if_late();
        solver_stop.begin(&free, None);
        solver_stop.end_if_late();
        assert!(!early.is_stopped() && late.is_stopped() && !free.is_stopped());
    }

    #[test]
    fn the_end_is_for_this_search_and_for_all_that_follow() {
        let solver_stop = SolverStop::default();
        let (first, second) = (Stop::new(), Stop::new());
        solver_stop.begin(&first, None);
        solver_stop.clone().end();
        assert!(first.is_stopped());
        solver_stop.begin(&second, Some(Instant::now() + Duration::from_secs(600)));
        assert!(second.is_stopped());
    }
}
