//! The interface between a virtual cluster and its workers.

use hasami_api::{News, Task};
use hasami_tree::event::{Profile, TaskId, Time, WorkerEvent, WorkerId};
use std::sync::Arc;
use std::time::Duration;

/// A message from a worker.
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

/// Messages from workers with their times.
pub type Post = Vec<(Time, Sent)>;

/// A virtual worker, which searches only when `run_to` is called, up to a given time. After a worker has sent
/// `WorkerEvent::Lost`, the cluster cannot be used any more.
pub trait ClusterWorker {
    fn profile(&self) -> Profile;

    /// Begins a task, which may end at once.
    fn start(&mut self, now: Time, id: TaskId, task: Task, sent: &mut Post);

    /// Continues to search until `time`.
    fn run_to(&mut self, time: Time, sent: &mut Post);

    /// Cancels the task `id` if the task is still in progress. The task ends at once, or when the worker has had time
    /// to answer.
    fn cancel(&mut self, now: Time, id: TaskId, sent: &mut Post);

    /// Delivers news to the worker.
    fn hand(&self, shared_news: &SharedNews);

    /// Prepares for another game, to which the next task belongs.
    fn new_game(&mut self);

    fn is_busy(&self) -> bool;

    /// Total time up to `now` in which the worker had no task.
    fn idle(&self, now: Time) -> Duration;

    /// Known number of nodes searched so far.
    fn nodes(&self) -> u64;
}
