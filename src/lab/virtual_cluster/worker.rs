//! The interface between a virtual cluster and its workers.

use hasami_api::{News, Task};
use hasami_tree::event::{Profile, TaskId, Time, WorkerEvent, WorkerId};
use std::sync::Arc;
use std::time::Duration;

/// A message from a worker of a virtual cluster.
#[derive(Clone, PartialEq, Debug)]
pub enum Sent {
    /// An event for the manager.
    Event(WorkerEvent),
    /// News for the other workers of a search group.
    News(SharedNews),
}

/// News for all workers that search the same position.
#[derive(Clone, PartialEq, Debug)]
pub struct SharedNews {
    pub from: WorkerId,
    pub team: u64,
    pub news: Arc<[News]>,
}

/// Messages from workers, each with its virtual time.
pub type Post = Vec<(Time, Sent)>;

/// A worker of a virtual cluster. A virtual worker searches only during calls of `run_to`. After a worker has sent
/// `WorkerEvent::Lost`, the cluster is unusable.
pub trait ClusterWorker {
    fn profile(&self) -> Profile;

    /// Begins a task, which may end before this function returns.
    fn start(&mut self, now: Time, id: TaskId, task: Task, sent: &mut Post);

    /// Lets the worker search until the virtual time `time`.
    fn run_to(&mut self, time: Time, sent: &mut Post);

    /// Cancels the task `id` if it is still in progress. A cancelled task ends at once, or in a later `run_to` when the
    /// worker has had time to answer.
    fn cancel(&mut self, now: Time, id: TaskId, sent: &mut Post);

    /// Delivers news to the worker.
    fn hand(&self, shared_news: &SharedNews);

    /// Prepares the worker for a new game.
    fn new_game(&mut self);

    fn is_busy(&self) -> bool;

    /// Total time up to `now` during which the worker had no task.
    fn idle(&self, now: Time) -> Duration;

    /// Number of nodes that the worker is known to have searched.
    fn nodes(&self) -> u64;
}
