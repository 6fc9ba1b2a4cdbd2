//! A search's inputs from outside: its end, its portions, and the news of others; and its observers.

use crate::{Exchange, Watch};
use std::fmt;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

/// Lets a search go on in portions of nodes, so that somebody else's clock decides when it runs.
pub trait Pace: Send + Sync {
    /// The search has made `nodes` moves. Blocks until it may go on, and returns the count at which to call again; a
    /// count that is not greater than `nodes` is asked for again at once.
    fn more(&self, nodes: u64) -> u64;
}

/// Shared by whoever may end a search and the search itself; made anew for every task, so that no stop can hit the
/// next search (decision 2 of the map).
#[derive(Clone, Default)]
pub struct Stop {
    flag: Arc<AtomicBool>,
    pace: Option<Arc<dyn Pace>>,
    exchange: Option<Arc<dyn Exchange>>,
    watch: Option<Arc<dyn Watch>>,
}

impl Stop {
    /// A flag that nobody has set.
    pub fn new() -> Self {
        Self::default()
    }

    /// The search goes on only as `pace` lets it.
    pub fn paced(pace: Arc<dyn Pace>) -> Self {
        Self::default().with_pace(pace)
    }

    /// The same stop, for a search that goes on only as `pace` lets it.
    #[must_use]
    pub fn with_pace(mut self, pace: Arc<dyn Pace>) -> Self {
        self.pace = Some(pace);
        self
    }

    /// The search has others to talk to.
    #[must_use]
    pub fn with_exchange(mut self, exchange: Arc<dyn Exchange>) -> Self {
        self.exchange = Some(exchange);
        self
    }

    /// The exchange of table entries with the others of a search group, if there is one.
    pub fn exchange(&self) -> Option<&dyn Exchange> {
        self.exchange.as_deref()
    }

    /// Somebody looks on at the search.
    #[must_use]
    pub fn with_watch(mut self, watch: Arc<dyn Watch>) -> Self {
        self.watch = Some(watch);
        self
    }

    /// The onlooker, if there is one.
    pub fn watch(&self) -> Option<&dyn Watch> {
        self.watch.as_deref()
    }

    /// Asks the search to end. It ends within some thousand nodes.
    pub fn stop(&self) {
        self.flag.store(true, Ordering::Release);
    }

    /// The search has been asked to end.
    #[inline]
    pub fn is_stopped(&self) -> bool {
        self.flag.load(Ordering::Acquire)
    }

    /// The count of nodes at which to ask again; `u64::MAX` without a pace.
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
            .field("watched", &self.watch.is_some())
            .finish()
    }
}
