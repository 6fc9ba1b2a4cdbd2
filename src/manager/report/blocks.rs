//! Complete sets of MultiPV lines: the requested number of exact lines of one depth, from one worker.

use hasami_api::{Bound, Report};
use hasami_tree::event::WorkerId;
use std::collections::BTreeMap;

/// Tracks the lines of each worker separately. Lines of different workers cannot be combined into one block, because
/// each worker omits only the moves that it has itself ranked higher.
#[derive(Default)]
pub struct Blocks {
    /// The lines of each worker's newest iteration, the best line first.
    begun: BTreeMap<WorkerId, Vec<Report>>,
    /// The deepest complete block, the best line first; empty before the first complete block. Among equally deep
    /// blocks, the newest is kept.
    pub whole: Vec<Report>,
}

impl Blocks {
    /// Records a line that belongs to a block of `size` lines.
    pub fn note(&mut self, worker: WorkerId, report: &Report, size: usize) {
        if report.bound != Bound::Exact {
            return;
        }
        let deepest = self.depth();
        let begun = self.begun.entry(worker).or_default();
        if report.multipv == 1 {
            begun.clear();
        }
        let is_next = usize::from(report.multipv) == begun.len() + 1;
        let fits = |known: &Report| known.depth == report.depth && known.pv.first() != report.pv.first();
        if !is_next || !begun.iter().all(fits) {
            return;
        }
        begun.push(report.clone());
        if begun.len() == size && deepest <= report.depth {
            self.whole = std::mem::take(begun);
        }
    }

    /// Removes the unfinished block of a worker that has left, but keeps the complete block.
    pub fn forget(&mut self, worker: WorkerId) {
        self.begun.remove(&worker);
    }

    pub fn depth(&self) -> u16 {
        self.whole.first().map_or(0, |report| report.depth)
    }
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used)]
    use super::*;
    use hasami_api::Score;

    /// Records lines given as (worker, depth, rank, move). Returns the moves of the complete block, which has two
    /// lines.
    fn whole(reports: &[(u32, u16, u16, &str)]) -> Vec<String> {
        let mut blocks = Blocks::default();
        for &(worker, depth, multipv, m) in reports {
            let report = Report { depth, multipv, pv: vec![m.parse().unwrap()], ..Report::new(Score::DRAW) };
            blocks.note(WorkerId(worker), &report, 2);
        }
        blocks.whole.iter().map(|report| format!("{} {}", report.pv[0], report.depth)).collect()
    }

    #[test]
    fn a_block_is_of_one_worker_and_of_one_depth() {
        assert!(whole(&[(0, 5, 1, "e2e4"), (1, 5, 2, "d2d4")]).is_empty());
        assert!(whole(&[(0, 5, 1, "e2e4"), (0, 6, 2, "d2d4")]).is_empty());
        assert!(whole(&[(0, 5, 1, "e2e4"), (0, 5, 2, "e2e4")]).is_empty());
        let both = [(0, 5, 1, "e2e4"), (1, 5, 1, "d2d4"), (0, 5, 2, "c2c4"), (1, 5, 2, "g1f3")];
        assert_eq!(whole(&both[..3]), ["e2e4 5", "c2c4 5"]);
        assert_eq!(whole(&both), ["d2d4 5", "g1f3 5"], "the newest among equals");
    }

    #[test]
    fn incomplete_and_shallower_blocks_do_not_replace_the_last_one() {
        let fifth = [(0, 5, 1, "e2e4"), (0, 5, 2, "c2c4")];
        assert_eq!(whole(&[&fifth[..], &[(0, 6, 1, "d2d4")]].concat()), ["e2e4 5", "c2c4 5"]);
        assert_eq!(whole(&[&fifth[..], &[(1, 4, 1, "d2d4"), (1, 4, 2, "e2e4")]].concat()), ["e2e4 5", "c2c4 5"]);
    }
}
