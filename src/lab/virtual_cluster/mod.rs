//! A virtual cluster: the real manager and real engines under a virtual clock.
//!
//! Each virtual worker searches an exact number of nodes per virtual second, and messages take a fixed time in each
//! direction. Any number of workers can therefore be measured on any machine under any load, and a run is exactly
//! reproducible. A worker may also be a child process with a share of CPU time; a run is then as reproducible as CPU
//! clocks are. The virtual clock does not advance while the GUI thinks, unless [`VirtualCluster::pass`] is called.
//!
//! The simulation is conservative: an action of one worker can influence another worker only after two messages, so all
//! workers may search two delays ahead of the last event independently of each other.

mod alone;
mod clock;
mod diary;
mod paced;
mod rationed;
mod trial;
mod worker;

pub use alone::SingleChild;
pub use clock::VirtualCluster;
pub use diary::Diary;
pub use paced::PacedWorker;
pub use rationed::RationedWorker;
pub use trial::{Trial, TrialOutcome};
pub use worker::{ClusterWorker, Post, Sent, SharedNews};

use hasami_workers::children::ChildSpec;
use std::ops::Sub;
use std::time::Duration;

/// A worker and its speed.
#[derive(Clone, PartialEq, Debug)]
pub enum VirtualMachine {
    /// An engine of this program; `speed` is its number of nodes per virtual second.
    Own { speed: u32 },
    /// A child process; `share` is its number of CPU seconds per virtual second.
    Child { spec: ChildSpec, share: f64 },
}

#[derive(Clone, PartialEq, Debug)]
pub struct ClusterPlan {
    pub workers: Vec<VirtualMachine>,
    /// Time that a message takes in either direction; at least [`ClusterPlan::LEAST_DELAY`].
    pub delay: Duration,
    /// Number of other machines whose slots the workers are, so that their values are checked; 0 for threads, which are
    /// trusted.
    pub machines: u32,
}

impl ClusterPlan {
    /// Shorter delays would make the simulation very slow.
    pub const LEAST_DELAY: Duration = Duration::from_micros(100);

    /// A cluster of workers of equal speed, with messages of equal delay.
    pub fn even(workers: usize, speed: u32, delay: Duration) -> Self {
        let workers = vec![VirtualMachine::Own { speed }; workers];
        Self { workers, delay: delay.max(Self::LEAST_DELAY), machines: 0 }
    }
}

/// The work of a cluster so far.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct ClusterTally {
    /// Number of nodes searched by all workers.
    pub nodes: u64,
    /// Virtual time in which workers had nothing to search, summed over all workers.
    pub idle: Duration,
    /// Number of reports and results that workers sent to the manager.
    pub messages: u64,
    /// Number of table entries and intentions that workers sent to each other.
    pub news: u64,
}

impl Sub for ClusterTally {
    type Output = Self;

    /// Returns the work done since `before`.
    fn sub(self, before: Self) -> Self {
        Self {
            nodes: self.nodes - before.nodes,
            idle: self.idle.saturating_sub(before.idle),
            messages: self.messages - before.messages,
            news: self.news - before.news,
        }
    }
}

#[cfg(test)]
mod tests;
