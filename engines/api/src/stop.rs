//! A flag that ends one search.

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

/// Shared by whoever may end a search and the search itself; made anew for every task, so that no stop can hit the
/// next search (decision 2 of the map).
#[derive(Clone, Debug, Default)]
pub struct Stop(Arc<AtomicBool>);

impl Stop {
    pub fn new() -> Self {
        Self::default()
    }

    pub fn stop(&self) {
        self.0.store(true, Ordering::Release);
    }

    #[inline]
    pub fn is_stopped(&self) -> bool {
        self.0.load(Ordering::Acquire)
    }
}
