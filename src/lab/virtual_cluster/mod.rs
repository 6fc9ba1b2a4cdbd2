//! A virtual cluster: the real manager and real engines under a virtual clock.
//!
//! Each virtual worker may search exactly so many nodes a virtual second; messages take a fixed time each way, and may
//! take a little more (drawn from a seed). So any number of workers is measured on any machine, at any load, and a run
//! repeats to the bit. A worker may also be a child process with a share of CPU time; then a run repeats as well as CPU
//! clocks do. The clock stands while the GUI thinks; [`VirtualCluster::pass`] lets it run on.
//!
//! The simulation is conservative: what a worker does now can change what another one does only after two messages,
//! so all of them may be searched two delays ahead of the last event without a look at the others.

mod alone;
mod clock;
mod diary;
mod ledger;
mod overlap;
mod paced;
mod rationed;
mod trial;
mod worker;

pub use alone::SingleChild;
pub use clock::VirtualCluster;
pub use diary::Diary;
pub use ledger::Spent;
pub use paced::PacedWorker;
pub use rationed::RationedWorker;
pub use trial::{Trial, TrialOutcome};
pub use worker::{ClusterWorker, Post, Sent, SharedNews};

use hasami_workers::children::ChildSpec;
use std::ops::Sub;
use std::time::Duration;

/// One worker, and what it may use in a virtual second.
#[derive(Clone, PartialEq, Debug)]
pub enum VirtualMachine {
    /// An engine of ours: so many nodes.
    Own { speed: u32 },
    /// A child: so many seconds of CPU time.
    Child { spec: ChildSpec, share: f64 },
}

/// Parts of the cluster.
#[derive(Clone, PartialEq, Debug)]
pub struct ClusterPlan {
    pub workers: Vec<VirtualMachine>,
    /// How long a message takes, either way; at least [`ClusterPlan::LEAST_DELAY`].
    pub delay: Duration,
    /// How much longer it may take at most.
    pub jitter: Duration,
    pub seed: u64,
    /// The workers are slots of so many machines of others, whose values are checked; 0: threads, which are believed.
    pub machines: u32,
}

impl ClusterPlan {
    /// Below this the simulation would creep.
    pub const LEAST_DELAY: Duration = Duration::from_micros(100);

    /// Workers of equal speed and messages of equal delay.
    pub fn even(workers: usize, speed: u32, delay: Duration) -> Self {
        let workers = vec![VirtualMachine::Own { speed }; workers];
        Self { workers, delay: delay.max(Self::LEAST_DELAY), jitter: Duration::ZERO, seed: 1, machines: 0 }
    }
}

/// Work of a cluster so far.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct ClusterTally {
    /// Nodes searched by all workers.
    pub nodes: u64,
    /// Virtual time in which workers had nothing to search, summed over them.
    pub idle: Duration,
    /// Tasks given out.
    pub starts: u64,
    /// Reports and ends that workers sent.
    pub messages: u64,
    /// Findings and intentions that workers told one another.
    pub news: u64,
}

impl Sub for ClusterTally {
    type Output = Self;

    /// The work since `before`.
    fn sub(self, before: Self) -> Self {
        Self {
            nodes: self.nodes - before.nodes,
            idle: self.idle.saturating_sub(before.idle),
            starts: self.starts - before.starts,
            messages: self.messages - before.messages,
            news: self.news - before.news,
        }
    }
}

#[cfg(test)]
mod tests;
