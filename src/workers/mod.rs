//! Workers: whoever searches a leaf of the master tree. They turn [`Task`]s into [`WorkerEvent`]s.

use crate::event::{TaskId, WorkerEvent};
use hasami_api::Task;

/// A handle by which the session drives one worker. No method blocks or answers; answers arrive as [`WorkerEvent`]s on
/// the channel that the worker was built with.
pub trait Worker: Send {
    /// Begins a task. Called only when the worker has joined and its last task has ended.
    fn start(&mut self, id: TaskId, task: Task);

    /// Ends the task soon if it still runs; a late cancel of an ended task does nothing.
    fn cancel(&mut self, id: TaskId);

    /// The next task belongs to another game.
    fn new_game(&mut self);

    /// Ends the worker by force: `Lost` follows.
    fn kill(&mut self);

    /// Starts a lost worker again: `Joined` or `Lost` follows.
    fn revive(&mut self);
}

/// Where workers send what they have to say.
pub type Events = crossbeam_channel::Sender<WorkerEvent>;
