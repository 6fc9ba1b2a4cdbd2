//! Limits for the search of each problem.

use hasami_terminal::values;
use std::time::Duration;

#[derive(clap::Args, Clone, Copy)]
pub struct LimitArgs {
    /// Time limit for each problem, in seconds [default: 60, or no limit with --nodes]
    #[arg(long, value_name = "SECONDS", value_parser = values::seconds, allow_negative_numbers = true)]
    time: Option<Duration>,

    /// Limit of nodes (moves made) for each problem
    #[arg(long, value_name = "N", value_parser = values::nodes, allow_negative_numbers = true)]
    pub nodes: Option<u64>,
}

impl LimitArgs {
    pub fn time(&self) -> Option<Duration> {
        self.time.or(self.nodes.is_none().then_some(Duration::from_secs(60)))
    }
}
