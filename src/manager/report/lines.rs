//! The MultiPV lines reported for the root, and which of them are still valid.

use hasami_api::{Bound, Report};
use std::cmp::Reverse;

/// The newest line of each move. Lines that are valid at the greatest depth come first, ordered by score. Moves that
/// the running iteration has not reached yet keep their lines from the previous iteration.
#[derive(Default)]
pub struct Lines(Vec<KnownLine>);

struct KnownLine {
    report: Report,
    /// True if the line is valid: no other move has taken its rank at the same depth, and it did not fail low.
    holds: bool,
}

impl KnownLine {
    /// The rank of the line. A line that failed low ranks lower, because a fail low says less than an exact score at
    /// the previous depth.
    fn rank(&self) -> impl Ord + use<> {
        let depth = if self.holds { self.report.depth } else { self.report.depth.saturating_sub(1) };
        Reverse((depth, self.holds, self.report.score))
    }
}

impl Lines {
    /// Records a line, and keeps at most `room` lines.
    pub fn note(&mut self, report: &Report, room: usize) {
        let is_upper = report.bound == Bound::Upper;
        let same = self.0.iter().find(|known| known.report.pv.first() == report.pv.first());
        // An upper bound is ignored: if all moves fail low, their bounds say nothing about the order of the moves.
        if same.is_some_and(|known| is_upper || known.report.depth > report.depth) {
            return;
        }
        self.0.retain(|known| known.report.pv.first() != report.pv.first());
        let place = |report: &Report| (report.depth, report.multipv);
        for known in self.0.iter_mut().filter(|known| !is_upper && place(&known.report) == place(report)) {
            known.holds = false;
        }
        self.0.push(KnownLine { report: report.clone(), holds: !is_upper });
        self.0.sort_by_key(KnownLine::rank);
        self.0.truncate(room);
    }

    pub fn iter(&self) -> impl Iterator<Item = &Report> {
        self.0.iter().map(|known| &known.report)
    }
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used)]
    use super::*;
    use hasami_api::Score;

    /// Records lines given as (depth, rank, move, score, bound). Returns the moves of the valid lines.
    fn shown(reports: &[(u16, u16, &str, i32, Bound)]) -> Vec<String> {
        let mut lines = Lines::default();
        for &(depth, multipv, m, cp, bound) in reports {
            let pv = vec![m.parse().unwrap()];
            lines.note(&Report { depth, multipv, pv, bound, ..Report::new(Score::cp(cp)) }, 6);
        }
        lines.iter().map(|report| format!("{} {}", report.pv[0], report.depth)).collect()
    }

    use Bound::{Exact, Lower, Upper};
    const FIFTH: [(u16, u16, &str, i32, Bound); 3] =
        [(5, 1, "e2e4", 50, Exact), (5, 2, "d2d4", 40, Exact), (5, 3, "g1f3", 30, Exact)];

    #[test]
    fn lines_of_a_finished_iteration_precede_older_ones() {
        let sixth = [(6, 1, "e2e4", 20, Exact), (6, 2, "c2c4", 10, Exact), (6, 3, "b2b3", -90, Exact)];
        let all = shown(&[&FIFTH[..], &sixth].concat());
        assert_eq!(all, ["e2e4 6", "c2c4 6", "b2b3 6", "d2d4 5", "g1f3 5"]);
    }

    #[test]
    fn a_running_iteration_keeps_the_lines_that_it_has_not_reached() {
        let all = shown(&[&FIFTH[..], &[(6, 1, "c2c4", 20, Exact)]].concat());
        assert_eq!(all, ["c2c4 6", "e2e4 5", "d2d4 5", "g1f3 5"]);
    }

    #[test]
    fn a_move_that_lost_its_rank_follows_those_of_the_previous_depth() {
        let lost = [(6, 1, "c2c4", 99, Lower), (6, 1, "e2e4", 98, Exact)];
        assert_eq!(shown(&[&FIFTH[..], &lost].concat()), ["e2e4 6", "d2d4 5", "g1f3 5", "c2c4 6"]);
    }

    #[test]
    fn moves_that_fail_low_do_not_take_a_rank() {
        let low = [(6, 3, "a2a3", 99, Upper), (6, 2, "d2d4", -10, Upper)];
        assert_eq!(shown(&[&FIFTH[..], &low].concat()), ["e2e4 5", "d2d4 5", "g1f3 5", "a2a3 6"]);
    }

    #[test]
    fn a_worker_that_starts_again_does_not_replace_deeper_lines() {
        let anew = [(1, 1, "e2e4", 10, Exact), (1, 2, "a2a3", 5, Exact)];
        assert_eq!(shown(&[&FIFTH[..], &anew].concat()), ["e2e4 5", "d2d4 5", "g1f3 5", "a2a3 1"]);
    }
}
