//! Limits the time that cells may take to show the steps of their results (docs/design/tatematsu1996.md).
//!
//! An honest cell answers every request, even if the answer is no longer needed. The time allowed for an answer is a
//! quarter of the time that the problem had taken when the request was sent, and at least a twentieth of the longest
//! time that a cell may be silent. A cell that misses three requests is dismissed, unless it answers one in time
//! meanwhile; a late answer cancels one missed request.

use std::collections::{BTreeMap, VecDeque};
use std::time::{Duration, Instant};

/// The time allowed for an answer is the time that the problem has taken, divided by this,
const PART: u32 = 4;
/// or, if that is longer, the longest permitted silence of a cell, divided by this.
const PART_OF_PATIENCE: u32 = 20;
/// A cell is dismissed after this many missed requests.
const MOST_MISSED: u32 = 3;

/// A request that a cell has not answered in time.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Missed {
    /// The number of the cell, as in [`StepsWatch::ask`].
    pub cell: u32,
    /// The reason to be reported: what was expected and what was found.
    pub why: String,
    /// Whether this is the first request that the cell has missed. Only the first missed request is reported.
    pub is_first: bool,
    /// Whether the cell is to be dismissed because of this request.
    pub is_last: bool,
}

/// Tracks the cells of one host. Cells are identified by numbers that stay valid over several problems.
pub struct StepsWatch {
    /// The time when the current problem began.
    begun: Instant,
    /// The minimum time allowed for an answer.
    least: Duration,
    cells: BTreeMap<u32, CellRecord>,
}

#[derive(Default)]
struct CellRecord {
    /// Requests that have not been answered, the oldest first.
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
    /// `patience` is the longest time that a cell may be silent.
    pub fn new(now: Instant, patience: Duration) -> Self {
        Self { begun: now, least: patience / PART_OF_PATIENCE, cells: BTreeMap::new() }
    }

    /// Notes that the next problem begins.
    pub fn begin(&mut self, now: Instant) {
        self.begun = now;
    }

    /// Records that the cell was asked for steps.
    pub fn ask(&mut self, cell: u32, problem: u32, now: Instant) {
        let time = (now.duration_since(self.begun) / PART).max(self.least);
        let request = Request { problem, time, until: now + time, is_late: false };
        self.cells.entry(cell).or_default().requests.push_back(request);
    }

    /// Records an answer. A cell answers its requests in order.
    pub fn answer(&mut self, cell: u32, problem: u32) {
        let Some(record) = self.cells.get_mut(&cell) else { return };
        let Some(place) = record.requests.iter().position(|request| request.problem == problem) else { return };
        match record.requests.remove(place) {
            // A late answer counts less than an answer in time.
            Some(request) if request.is_late => record.missed = record.missed.saturating_sub(1),
            _ => record.missed = 0,
        }
    }

    pub fn forget(&mut self, cell: u32) {
        self.cells.remove(&cell);
    }

    /// Returns a request whose time is over. Each request is returned only once.
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
    fn a_cell_has_a_quarter_of_the_time_and_at_least_half_a_second() {
        let start = Instant::now();
        let mut watch = StepsWatch::new(start, 10_000 * MS);
        watch.ask(7, 1, start + 10 * MS);
        assert_eq!(watch.missed(start + 509 * MS), None);
        let missed = watch.missed(start + 510 * MS).unwrap();
        assert_eq!(missed.why, "expected the steps of its result within 0.5 s, found none");
        assert_eq!((missed.cell, missed.is_first, missed.is_last), (7, true, false));
        assert_eq!(watch.missed(start + 1_000 * MS), None, "each is reported once");
        watch.ask(8, 1, start + 40_000 * MS);
        assert_eq!(watch.missed(start + 49_999 * MS), None);
        assert_eq!(watch.missed(start + 50_000 * MS).map(|missed| missed.cell), Some(8));
    }

    #[test]
    fn a_cell_that_never_answers_is_dismissed_after_three_requests() {
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
    fn late_answers_lower_the_count_and_answers_in_time_reset_it() {
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
    fn requests_to_a_lost_cell_are_forgotten() {
        let start = Instant::now();
        let mut watch = StepsWatch::new(start, 10_000 * MS);
        watch.ask(7, 1, start);
        watch.forget(7);
        assert_eq!(watch.missed(start + 9_000 * MS), None);
    }
}
