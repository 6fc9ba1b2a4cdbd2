//! Ends a search after the first complete iteration that reaches a number of nodes.

use hasami_api::{Bound, Pace, Report, Stop};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

/// A search that reaches this multiple of the soft limit is stopped even within an iteration, if it has a result.
const HARD_LIMIT: u64 = 8;

/// Beyond the hard limit, a search checks once per this many nodes whether its first iteration is complete.
const PORTION: u64 = 64;

/// Ends a search at the soft limit, but never within the first iteration, which provides the first score.
pub struct SoftLimit {
    nodes: u64,
    stop: Stop,
    has_found: Arc<AtomicBool>,
}

/// At the hard limit, decides whether the search must end.
struct HardLimit {
    nodes: u64,
    stop: Stop,
    has_found: Arc<AtomicBool>,
}

impl SoftLimit {
    pub fn new(nodes: u64) -> Self {
        Self { nodes, stop: Stop::new(), has_found: Arc::default() }
    }

    /// The stop signal, which the search must get.
    pub fn stop(&self) -> Stop {
        let (nodes, has_found) = (self.nodes.saturating_mul(HARD_LIMIT), Arc::clone(&self.has_found));
        self.stop.clone().with_pace(Arc::new(HardLimit { nodes, stop: self.stop.clone(), has_found }))
    }

    /// Returns whether the report comes from a complete iteration. If the iteration has reached the limit, ends the
    /// search.
    pub fn is_finding(&self, report: &Report) -> bool {
        // A report has depth 0 before the first node is searched, or if the game is over.
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
