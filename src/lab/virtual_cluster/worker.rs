//! A cluster's orders to a virtual worker, and its messages.

use super::overlap::{Overlap, Repeated};
use hasami_api::{News, Task};
use hasami_tree::event::{Profile, TaskId, Time, WorkerEvent, WorkerId};
use std::sync::Arc;
use std::time::Duration;

/// A worker's message.
#[derive(Clone, PartialEq, Debug)]
pub enum Sent {
    /// To the manager.
    Event(WorkerEvent),
    /// To the other workers of a team.
    News(SharedNews),
}

/// News for all who search the same thing.
#[derive(Clone, PartialEq, Debug)]
pub struct SharedNews {
    pub from: WorkerId,
    pub team: u64,
    pub news: Arc<[News]>,
}

/// Messages of workers, each with its time.
pub type Post = Vec<(Time, Sent)>;

/// One virtual worker. It searches only when it is told up to when; `WorkerEvent::Lost` is its last word, and the
/// cluster's, too.
pub trait ClusterWorker {
    fn profile(&self) -> Profile;

    /// Begins a task; it may end at once.
    fn start(&mut self, now: Time, id: TaskId, task: Task, sent: &mut Post);

    /// Searches on until `time`.
    fn run_to(&mut self, time: Time, sent: &mut Post);

    /// Ends the task `id`, if it still runs: at once, or as soon as the worker has had time to answer.
    fn cancel(&mut self, now: Time, id: TaskId, sent: &mut Post);

    /// News that have reached the worker.
    fn hand(&self, letter: &SharedNews);

    /// The next task belongs to another game.
    fn new_game(&mut self);

    fn is_busy(&self) -> bool;

    /// Time without a task, up to `now`.
    fn idle(&self, now: Time) -> Duration;

    /// Nodes searched so far, as far as is known.
    fn nodes(&self) -> u64;

    /// From the next task on it is looked at what all workers search.
    fn watch(&mut self, overlap: &Arc<Overlap>) {
        let _ = overlap;
    }

    /// Nodes so far that another worker had searched before, as far as is known.
    fn repeated(&self) -> Repeated {
        Repeated::default()
    }
}
