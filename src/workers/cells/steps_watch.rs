//! How long cells take to show the steps of their results (docs/design/tatematsu1996.md).
//!
//! Every request is answered by an honest cell, also one that is no longer wanted. It has a quarter of the time that the
//! problem had taken until then, and at least a twentieth of the longest silence. Who does not answer three requests in a
//! row is not wanted any more.

use std::collections::{BTreeMap, VecDeque};
use std::time::{Duration, Instant};

/// A request has the time of the problem divided by this,
const PART: u32 = 4;
/// and at least the longest silence divided by this.
const PART_OF_PATIENCE: u32 = 20;
/// Requests without an answer, of one cell.
const MOST_MISSED: u32 = 3;

/// A cell has not answered in time.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Missed {
    /// As in [`StepsWatch::ask`].
    pub cell: u32,
    /// What was expected and what was found.
    pub why: String,
    /// It is to be told: it was not before.
    pub is_first: bool,
    /// It has happened so often that nothing more is wanted of the cell.
    pub is_last: bool,
}

/// Of the cells of one host, by numbers that stand for longer than a problem.
pub struct StepsWatch {
    /// The problem's beginning.
    begun: Instant,
    /// The least time.
    least: Duration,
    cells: BTreeMap<u32, CellRecord>,
}

#[derive(Default)]
struct CellRecord {
    /// Requests that wait for an answer, the oldest first.
    requests: VecDeque<Request>,
    missed: u32,
    is_told: bool,
}

struct Request {
    problem: u32,
    time: Duration,
    until: Instant,
    is_late: bool,
}

impl StepsWatch {
    /// `patience`: the longest silence.
    pub fn new(now: Instant, patience: Duration) -> Self {
        Self { begun: now, least: patience / PART_OF_PATIENCE, cells: BTreeMap::new() }
    }

    /// The next problem.
    pub fn begin(&mut self, now: Instant) {
        self.begun = now;
    }

    /// The cell is asked for steps.
    pub fn ask(&mut self, cell: u32, problem: u32, now: Instant) {
        let time = (now.duration_since(self.begun) / PART).max(self.least);
        let request = Request { problem, time, until: now + time, is_late: false };
        self.cells.entry(cell).or_default().requests.push_back(request);
    }

    /// It has answered. Cells answer in order.
    pub fn answer(&mut self, cell: u32, problem: u32) {
        let Some(record) = self.cells.get_mut(&cell) else { return };
        let Some(place) = record.requests.iter().position(|request| request.problem == problem) else { return };
        match record.requests.remove(place) {
            // Better late than never.
            Some(request) if request.is_late => record.missed = record.missed.saturating_sub(1),
            _ => record.missed = 0,
        }
    }

    pub fn forget(&mut self, cell: u32) {
        self.cells.remove(&cell);
    }

    /// Whose time is over, once for each request.
    pub fn missed(&mut self, now: Instant) -> Option<Missed> {
        self.cells.iter_mut().find_map(|(&cell, record)| {
            let late = record.requests.iter_mut().find(|request| !request.is_late && now >= request.until)?;
            late.is_late = true;
            record.missed += 1;
            let (is_first, is_last) = (!record.is_told, record.missed == MOST_MISSED);
            record.is_told = true;
            let (time, times) = (late.time.as_secs_f64(), record.missed);
            let why = match times {
                1 => format!("expected the steps of its result within {time:.1} s, found none"),
                _ => {
                    format!("expected the steps of its results, the last within {time:.1} s, found none {times} times")
                }
            };
            Some(Missed { cell, why, is_first, is_last })
        })
    }
}

#[cfg(test)]
#[allow(clippy::unwrap_used)]
mod tests {
    use super::*;

    const MS: Duration = Duration::from_millis(1);

    #[test]
    fn a_cell_has_half_a_second_or_a_quarter_of_the_time() {
        let start = Instant::now();
        let mut watch = StepsWatch::new(start, 10_000 * MS);
        watch.ask(7, 1, start + 10 * MS);
        assert_eq!(watch.missed(start + 509 * MS), None);
        let missed = watch.missed(start + 510 * MS).unwrap();
        assert_eq!(missed.why, "expected the steps of its result within 0.5 s, found none");
        assert_eq!((missed.cell, missed.is_first, missed.is_last), (7, true, false));
        assert_eq!(watch.missed(start + 1_000 * MS), None, "said once");
        watch.ask(8, 1, start + 40_000 * MS);
        assert_eq!(watch.missed(start + 49_999 * MS), None);
        assert_eq!(watch.missed(start + 50_000 * MS).map(|missed| missed.cell), Some(8));
    }

    #[test]
    fn who_never_answers_is_set_aside_after_three_requests() {
        let start = Instant::now();
        let mut watch = StepsWatch::new(start, 10_000 * MS);
        let mut found = Vec::new();
        for problem in 1..=4 {
            let now = start + problem * 1_000 * MS;
            watch.begin(now);
            watch.ask(7, problem, now);
            watch.ask(8, problem, now);
            watch.answer(8, problem);
            found.extend(watch.missed(now + 600 * MS).map(|missed| (missed.cell, missed.is_first, missed.is_last)));
        }
        assert_eq!(found, [(7, true, false), (7, false, false), (7, false, true), (7, false, false)]);
    }

    #[test]
    fn late_answers_count_less_than_none_and_answers_in_time_make_good() {
        let start = Instant::now();
        let mut watch = StepsWatch::new(start, 10_000 * MS);
        for problem in 1..20 {
            let now = start + problem * 1_000 * MS;
            watch.begin(now);
            watch.ask(7, problem, now);
            let missed = watch.missed(now + 600 * MS).unwrap();
            assert!(!missed.is_last, "problem {problem}");
            watch.answer(7, problem);
        }
        for problem in 20..40 {
            let now = start + problem * 1_000 * MS;
            watch.begin(now);
            watch.ask(7, problem, now);
            if problem % 3 == 0 {
                watch.answer(7, problem);
            }
            assert!(watch.missed(now + 600 * MS).is_none_or(|missed| !missed.is_last), "problem {problem}");
        }
    }

    #[test]
    fn who_is_lost_is_not_missed() {
        let start = Instant::now();
        let mut watch = StepsWatch::new(start, 10_000 * MS);
        watch.ask(7, 1, start);
        watch.forget(7);
        assert_eq!(watch.missed(start + 9_000 * MS), None);
    }
}
