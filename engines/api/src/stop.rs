//! Connects a running search to the rest of the program, which stops it, paces it and exchanges news with it.

use crate::Exchange;
use std::fmt;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

/// Lets a search run for a limited number of nodes at a time, so that a clock outside the search decides when it runs.
pub trait Pace: Send + Sync {
    /// The search calls this method when it has made `nodes` moves. Blocks until the search may continue, and returns
    /// the node count at which the search calls the method again. If the returned count is not greater than `nodes`,
    /// the search calls the method again at once.
    fn more(&self, nodes: u64) -> u64;
}

/// Lets other threads stop a search. Every task gets a new stop flag, so that a late request to stop cannot affect the
/// next search (decision 2 in `src/lib.rs`).
#[derive(Clone, Default)]
pub struct Stop {
    flag: Arc<AtomicBool>,
    pace: Option<Arc<dyn Pace>>,
    exchange: Option<Arc<dyn Exchange>>,
}

impl Stop {
    /// Creates a stop flag that is not set.
    pub fn new() -> Self {
        Self::default()
    }

    /// Creates a stop flag for a search that `pace` controls.
    pub fn paced(pace: Arc<dyn Pace>) -> Self {
        Self::default().with_pace(pace)
    }

    /// Lets `pace` control when the search may run.
    #[must_use]
    pub fn with_pace(mut self, pace: Arc<dyn Pace>) -> Self {
        self.pace = Some(pace);
        self
    }

    /// Connects the search to the other searches of its search group.
    #[must_use]
    pub fn with_exchange(mut self, exchange: Arc<dyn Exchange>) -> Self {
        self.exchange = Some(exchange);
        self
    }

    /// Returns the exchange of news within the search group, if the search belongs to a group.
    pub fn exchange(&self) -> Option<&dyn Exchange> {
        self.exchange.as_deref()
    }

    /// Tells the search to end, which it does within a few thousand nodes.
    pub fn stop(&self) {
        self.flag.store(true, Ordering::Release);
    }

    /// Has the search been told to end?
    #[inline]
    pub fn is_stopped(&self) -> bool {
        self.flag.load(Ordering::Acquire)
    }

    /// Waits as [`Pace::more`] does, and returns the node count at which to call this method again; `u64::MAX` without
    /// a pace.
    pub fn more(&self, nodes: u64) -> u64 {
        self.pace.as_ref().map_or(u64::MAX, |pace| pace.more(nodes))
    }
}

impl fmt::Debug for Stop {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Stop")
            .field("stopped", &self.is_stopped())
            .field("paced", &self.pace.is_some())
            .field("team", &self.exchange.is_some())
            .finish()
    }
}
