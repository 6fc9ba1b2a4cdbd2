//! Time limits for silent, unresponsive or late workers, and the times at which the manager checks them.

use super::member::AssignedTask;
use hasami_tree::event::Time;
use std::time::Duration;

/// A worker must end a cancelled task within this time.
pub const GRACE: Duration = Duration::from_millis(2000);
/// A worker that searches a node must make its first report within this time.
pub const SILENCE: Duration = Duration::from_millis(6000);
/// A worker that has worked for this long since it joined counts as reliable, and its earlier crashes are ignored.
pub const RELIABLE: Duration = Duration::from_secs(60);
/// A worker that does not count its nodes gets this much time for a task with a node limit, plus a second for every
/// [`SLOWEST`] nodes.
const LEAST_TASK_TIME: Duration = Duration::from_secs(10);
/// A tenth of the speed, in nodes per second, of the slowest engine that does not count its nodes.
const SLOWEST: u64 = 100;

/// The longest time that a task with this node limit may take for a worker that does not count its nodes.
pub fn task_time_limit(grant: u64) -> Duration {
    LEAST_TASK_TIME + Duration::from_secs(grant / SLOWEST)
}

/// Times at which the worker of a task has to be checked, in case it is silent, exceeds its limit, or does not stop.
pub fn deadlines(job: &AssignedTask) -> impl Iterator<Item = Time> {
    let silent = (job.work.node().is_some()).then_some(job.started + SILENCE);
    let late = job.grant.map(|grant| job.started + task_time_limit(grant));
    let deaf = job.cancelled.map(|at| at + GRACE);
    [silent, late, deaf, job.until].into_iter().flatten()
}
