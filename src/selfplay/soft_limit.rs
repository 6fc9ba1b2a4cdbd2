//! Ends a search after the first complete iteration that exceeds a number of nodes.

use hasami_api::{Bound, Pace, Report, Stop};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

/// Multiple of the soft limit at which a search that has a result is stopped even within an iteration.
const HARD_LIMIT: u64 = 8;

/// Number of nodes between two checks of whether the first iteration is complete.
const PORTION: u64 = 64;

/// Ends a search at the soft limit, but not within the first iteration, which yields the first score.
pub struct SoftLimit {
    nodes: u64,
    stop: Stop,
    has_found: Arc<AtomicBool>,
}

/// Decides at the hard limit whether the search must end.
struct HardLimit {
    nodes: u64,
    stop: Stop,
    has_found: Arc<AtomicBool>,
}

impl SoftLimit {
    pub fn new(nodes: u64) -> Self {
        Self { nodes, stop: Stop::new(), has_found: Arc::default() }
    }

    /// The stop signal to pass to the search.
    pub fn stop(&self) -> Stop {
        let (nodes, has_found) = (self.nodes.saturating_mul(HARD_LIMIT), Arc::clone(&self.has_found));
        self.stop.clone().with_pace(Arc::new(HardLimit { nodes, stop: self.stop.clone(), has_found }))
    }

    /// Returns whether the report describes a complete iteration. A complete iteration beyond the limit ends the
    /// search.
    pub fn is_finding(&self, report: &Report) -> bool {
        // Reports before the first node have depth 0, and so do reports on a game that is over.
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
