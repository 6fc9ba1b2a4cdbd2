//! Workers: whoever searches a leaf of the master tree. They turn [`Task`]s into [`hasami_tree::event::WorkerEvent`]s.

mod bus;
pub mod cells;
pub mod child_client;
pub mod children;
pub mod cluster;
pub mod driver;
mod events;
pub mod memory;
mod message;
mod polite;
pub mod pool;
pub mod process;
mod quirks;
pub mod thread;
pub mod trial;

pub use bus::Bus;
pub use events::{EventSender, Inbox, NoticeSender, WorkerNotice};

use hasami_api::Task;
use hasami_tree::event::TaskId;
use std::time::Instant;

/// How a worker forgets the last game.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Renewal {
    /// Nothing is to be waited for.
    Done,
    /// [`WorkerNotice::Fresh`] follows, or `Lost`, however long it takes: its memory is ours.
    Promised,
    /// The same is to be expected of an engine that was asked.
    Asked,
}

/// A handle by which the session drives one worker. No method but [`Worker::wait_gone`] blocks, none answers; answers
/// arrive as [`hasami_tree::event::WorkerEvent`]s in the [`Inbox`] whose [`NoticeSender`] the worker was built with.
///
/// Dropping the handle ends the worker.
pub trait Worker: Send {
    /// Begins a task. Called only when the worker has joined and its last task has ended.
    fn start(&mut self, id: TaskId, task: Task);

    /// Ends the task soon if it still runs; a late cancel of an ended task does nothing.
    fn cancel(&mut self, id: TaskId);

    /// The next task belongs to another game.
    fn new_game(&mut self) -> Renewal;

    /// Ends the worker by force: `Lost` follows.
    fn kill(&mut self);

    /// Starts a lost worker again: `Joined` or `Lost` follows.
    fn revive(&mut self);

    /// Asks the worker to end itself, as at the end of the program; nothing is heard of it any more.
    fn quit(&mut self);

    /// Waits until nothing of the worker is left; past `deadline` it is ended by force.
    fn wait_gone(&mut self, deadline: Instant);
}
