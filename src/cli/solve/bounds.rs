//! The limits of the search for each problem.

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
    /// Returns the limits, written as options.
    pub fn words(&self) -> String {
        let time = self.time().map_or_else(String::new, |time| format!(" --time {}", time.as_secs_f64()));
        let nodes = self.nodes.map_or_else(String::new, |nodes| format!(" --nodes {nodes}"));
        time + &nodes
    }

    pub fn time(&self) -> Option<Duration> {
        self.time.or(self.nodes.is_none().then_some(Duration::from_secs(60)))
    }
}
