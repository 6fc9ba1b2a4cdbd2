//! Provides workers, which search leaves of the master tree: they receive [`Task`]s and send
//! [`hasami_tree::event::WorkerEvent`]s.
//!
//! - [`Worker`]: the handle of one worker; [`pool::WorkerPool`]: all workers of a manager
//! - [`thread`]: an engine of the program in a thread; `bus` carries table entries among the threads of a search group
//! - [`children`], [`child_client`]: other engines in child processes
//! - [`outside`]: workers on other machines, which the program provides; [`membership`]: how they are configured
//! - [`cells`]: the messages of a mate search among processes and machines
//! - [`driver`]: a manager with its workers and its alarm, without stdin and stdout
//!
//! This crate depends on the interface of the manager (`hasami_tree::manage`), but not on the manager. The searches and
//! solvers of a game are used only through `hasami_catalog::Catalog`.
//!
//! ```
//! use hasami_api::Line;
//! use hasami_protocol::{Command, Go, Output, Settings};
//! use hasami_workers::driver::Driver;
//! use std::time::{Duration, Instant};
//!
//! let mut driver = Driver::new(hasami_games::GAMES.first(), Settings { threads: 1, ..Settings::default() });
//! let mut answer = None;
//! let mut say = |said| {
//!     if let Output::Best(best) = said {
//!         answer = Some(best);
//!     }
//! };
//! driver.command(Command::Position(Line::default()), &mut say);
//! driver.command(Command::Go(Go { depth: Some(4), ..Go::default() }), &mut say);
//! while driver.is_searching() {
//!     driver.step(Instant::now() + Duration::from_millis(10), &mut say);
//! }
//! driver.end();
//! assert!(answer.is_some());
//! ```

mod bus;
pub mod cells;
pub mod child_client;
pub mod children;
pub mod driver;
pub mod events;
pub mod membership;
pub mod memory;
pub mod message;
pub mod outside;
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

/// How soon a worker will have forgotten the last game.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Renewal {
    /// The worker has already forgotten the last game.
    Done,
    /// The worker is part of this program, so [`WorkerNotice::Fresh`] or `Lost` is certain to follow, though it may
    /// take a long time.
    Promised,
    /// A child engine was asked to forget the last game, so [`WorkerNotice::Fresh`] or `Lost` is expected to follow.
    Asked,
}

/// The driver's handle for one worker. Only [`Worker::wait_gone`] blocks. A worker answers with
/// [`hasami_tree::event::WorkerEvent`]s, which its [`NoticeSender`] sends to the [`Inbox`].
///
/// Dropping a `Worker` ends the worker.
pub trait Worker: Send {
    /// Starts a task. The worker must have joined, and its last task must have ended.
    fn start(&mut self, id: TaskId, task: Task);

    /// Makes the worker end the task soon, if the task is still running.
    fn cancel(&mut self, id: TaskId);

    /// Notes that the next task belongs to another game.
    fn new_game(&mut self) -> Renewal;

    /// Kills the worker; the event `Lost` follows.
    fn kill(&mut self);

    /// Starts a lost worker again; the event `Joined` or `Lost` follows.
    fn revive(&mut self);

    /// Asks the worker to end, after which it sends no more events.
    fn quit(&mut self);

    /// Waits until the worker has ended completely, and kills it if it has not ended by `deadline`.
    fn wait_gone(&mut self, deadline: Instant);
}
