//! A virtual cluster consists of the real manager and real engines under a virtual clock.
//!
//! Each virtual worker searches an exact number of nodes per virtual second, and messages take a fixed time in each
//! direction. The virtual clock allows any number of workers to be measured on any machine under any load, in exactly
//! reproducible runs. A worker may also be a child process with a share of CPU time; with child processes, runs are
//! only as reproducible as CPU clocks. The virtual clock does not advance while the GUI thinks, unless
//! [`VirtualCluster::pass`] is called.
//!
//! The simulation is conservative: a worker can influence another worker only through two messages, each with a delay,
//! so all workers may search independently until two delays after the last event.

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

/// A worker of a virtual cluster, and its speed.
#[derive(Clone, PartialEq, Debug)]
pub enum VirtualMachine {
    /// A built-in engine; `speed` is its number of nodes per virtual second.
    Own { speed: u32 },
    /// A child process; `share` is the number of CPU seconds that it gets per virtual second.
    Child { spec: ChildSpec, share: f64 },
}

#[derive(Clone, PartialEq, Debug)]
pub struct ClusterPlan {
    pub workers: Vec<VirtualMachine>,
    /// Time that a message between the manager and a worker takes; at least [`ClusterPlan::LEAST_DELAY`].
    pub delay: Duration,
    /// Number of simulated machines whose slots are the workers; the manager checks the values that slots report. With
    /// 0, the workers are threads, which the manager trusts.
    pub machines: u32,
}

impl ClusterPlan {
    /// The smallest allowed delay of a message. With a smaller delay, the simulation would be very slow.
    pub const LEAST_DELAY: Duration = Duration::from_micros(100);

    /// Plans a cluster whose workers all have the same speed.
    pub fn even(workers: usize, speed: u32, delay: Duration) -> Self {
        let workers = vec![VirtualMachine::Own { speed }; workers];
        Self { workers, delay: delay.max(Self::LEAST_DELAY), machines: 0 }
    }
}

/// Counts the work that a cluster has done.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct ClusterTally {
    /// Number of nodes searched by all workers.
    pub nodes: u64,
    /// Virtual time in which workers had no task, summed over all workers.
    pub idle: Duration,
    /// Number of reports and results that workers sent to the manager.
    pub messages: u64,
    /// Number of messages between workers, about table entries and about moves that they are searching.
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
