//! The end of a search after the first whole iteration beyond a number of nodes.

use hasami_api::{Bound, Pace, Report, Stop};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

/// A search that has found something never goes beyond so many times its soft limit.
const HARD_LIMIT: u64 = 8;

/// Nodes between two looks whether the first iteration is done.
const PORTION: u64 = 64;

/// Ends a search. Its first iteration is always finished: without it there is no score.
pub struct SoftLimit {
    nodes: u64,
    stop: Stop,
    has_found: Arc<AtomicBool>,
}

/// The search asks it at the hard limit.
struct HardLimit {
    nodes: u64,
    stop: Stop,
    has_found: Arc<AtomicBool>,
}

impl SoftLimit {
    pub fn new(nodes: u64) -> Self {
        Self { nodes, stop: Stop::new(), has_found: Arc::default() }
    }

    /// For the search.
    pub fn stop(&self) -> Stop {
        let (nodes, has_found) = (self.nodes.saturating_mul(HARD_LIMIT), Arc::clone(&self.has_found));
        self.stop.clone().with_pace(Arc::new(HardLimit { nodes, stop: self.stop.clone(), has_found }))
    }

    /// The report is of a whole iteration; one beyond the limit ends the search.
    pub fn is_finding(&self, report: &Report) -> bool {
        // What is said before anything was searched is of depth 0; so is the end of a game.
        let is_finding = report.bound == Bound::Exact && report.depth > 0;
        if is_finding {
            self.has_found.store(true, Ordering::Relaxed);
            if report.nodes >= self.nodes {
                self.stop.stop();
            }
        }
        is_finding
    }
}

impl Pace for HardLimit {
    fn more(&self, nodes: u64) -> u64 {
        if nodes < self.nodes {
            return self.nodes;
        }
        if self.has_found.load(Ordering::Relaxed) {
            self.stop.stop();
        }
        nodes + PORTION
    }
}
