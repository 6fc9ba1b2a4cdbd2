//! How long workers may be silent, deaf or late, and when the manager has to look at one again for that.

use super::member::AssignedTask;
use hasami_tree::event::Time;
use std::time::Duration;

/// How long a worker may take to end a cancelled task.
pub const GRACE: Duration = Duration::from_millis(2000);
/// How long a worker may search a node without a first report.
pub const SILENCE: Duration = Duration::from_millis(6000);
/// Who has worked so long since it came up has come up well: its earlier deaths are forgotten.
pub const RELIABLE: Duration = Duration::from_secs(60);
/// Who does not count its nodes gets so long for a task with a limit, and a second more for each [`SLOWEST`] nodes.
const PATIENCE: Duration = Duration::from_secs(10);
/// A tenth of the nodes a second that any engine makes which does not count them.
const SLOWEST: u64 = 100;

/// How long a task of so many nodes may take a worker that does not count them.
pub fn patience(grant: u64) -> Duration {
    PATIENCE + Duration::from_secs(grant / SLOWEST)
}

/// When the worker of a job is to be looked at: it may be silent, keep no limit, or not end.
pub fn deadlines(job: &AssignedTask) -> impl Iterator<Item = Time> {
    let silent = (job.work.node().is_some()).then_some(job.started + SILENCE);
    let late = job.grant.map(|grant| job.started + patience(grant));
    let deaf = job.cancelled.map(|at| at + GRACE);
    [silent, late, deaf, job.until].into_iter().flatten()
}
