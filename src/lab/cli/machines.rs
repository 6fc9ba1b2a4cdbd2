//! The arguments that describe a virtual cluster, shared by several subcommands.

use hasami_lab::virtual_cluster::ClusterPlan;
use hasami_protocol::Settings;
use hasami_terminal::values;
use std::time::Duration;

/// The workers of a virtual cluster, their speed, and the delay of their messages.
#[derive(clap::Args)]
pub struct Machines {
    /// Number of workers
    #[arg(long, value_name = "N", default_value_t = 8, value_parser = values::virtual_workers)]
    pub workers: u32,

    /// Nodes per virtual second of each worker
    #[arg(long, value_name = "NODES", default_value_t = 10_000, value_parser = values::speed)]
    pub speed: u32,

    /// Delay of a message in milliseconds, in either direction
    #[arg(long, value_name = "MS", default_value = "5", value_parser = values::milliseconds)]
    delay: Duration,

    /// Make the workers slots of N machines, whose values are checked; 0: threads, which are not checked
    #[arg(long, value_name = "N", default_value_t = 0)]
    pub machines: u32,
}

impl Machines {
    pub fn plan(&self) -> ClusterPlan {
        self.plan_of(self.workers)
    }

    /// Returns the cluster plan with `workers` workers instead of `--workers`.
    pub fn plan_of(&self, workers: u32) -> ClusterPlan {
        let plan = ClusterPlan::even(workers as usize, self.speed, self.delay);
        ClusterPlan { machines: self.machines, ..plan }
    }
}

/// The initial settings of every virtual cluster.
pub fn settings() -> Settings {
    // The cluster ponders, because the tree is designed for pondering. Workers of a real cluster share no memory.
    Settings { threads: 0, hash_mb: 16, shared_hash: false, ponder: true, ..Settings::default() }
}
