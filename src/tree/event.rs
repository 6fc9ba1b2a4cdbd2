//! The events that the search manager receives, and the actions that it requests.
//!
//! The manager is a function from events to actions: commands come from the GUI ([`hasami_protocol::Command`]),
//! [`WorkerEvent`]s from workers, and alarms from the clock. The driver (`workers/driver.rs`) carries out the
//! [`Action`]s. All times are durations since the program started, so that a simulator can let time pass at any speed.

use hasami_api::{Answer, Report, Task};
use hasami_protocol::Output;
use serde::{Deserialize, Serialize};
use std::fmt;
use std::time::Duration;

/// Time since the program started.
pub type Time = Duration;

/// Identifies a worker, even across restarts.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub struct WorkerId(pub u32);

/// Identifies a task. Ids are never reused, so that answers to earlier tasks can be dropped.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug, Serialize, Deserialize)]
pub struct TaskId(pub u64);

/// Whether more workers may still join from other machines.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub enum Arrivals {
    /// No further workers will join.
    #[default]
    Over,
    /// Other machines were asked for workers and may still answer.
    Unknown,
    /// Another machine has answered, and its workers will join soon.
    Expected,
}

impl fmt::Display for WorkerId {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "worker {}", self.0)
    }
}

/// A worker's abilities and stated speed.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
pub struct Profile {
    /// The worker's name in logs and pictures, such as `thread 3` or `stockfish#2`.
    pub name: String,
    /// True if the worker supports [`Task::except`], which Hasami's own threads do and UCI engines do not.
    pub can_except: bool,
    /// True if the worker supports [`Task::only`] (UCI `searchmoves`).
    pub can_only: bool,
    /// True if the worker supports [`Task::variant`], so that two workers with different variants do different work on
    /// one position.
    pub can_vary: bool,
    /// True if the worker can search a leaf of the tree for the best move ([`hasami_api::Goal::Best`]).
    pub can_best: bool,
    /// True if the worker solves mates ([`hasami_api::Goal::Mate`]). A worker that only solves mates supports all goals
    /// about mates.
    pub can_mate: bool,
    /// Stated speed relative to other workers, 1.0 if unknown.
    pub weight: f64,
    /// The remote machine that lends the worker; `None` for one of Hasami's own threads, or an engine that the user has
    /// named.
    #[serde(skip)]
    pub machine: Option<MachineId>,
}

/// Identifies a remote machine (a worker node of a cluster) while its program runs.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub struct MachineId(pub u64);

impl Profile {
    /// Returns whether the worker's reports are believed without a check.
    pub fn is_trusted(&self) -> bool {
        self.machine.is_none()
    }

    /// Returns whether the worker is one of Hasami's own threads on this machine, whose proofs are certain.
    pub fn is_ours(&self) -> bool {
        self.can_vary && self.is_trusted()
    }

    /// The profile of Hasami's sequential engine on one of its own threads.
    pub fn thread(number: u32) -> Self {
        Self {
            name: format!("thread {number}"),
            can_except: true,
            can_only: true,
            can_vary: true,
            can_best: true,
            can_mate: false,
            weight: 1.0,
            machine: None,
        }
    }

    /// The profile of Hasami's mate solver on one of its own threads.
    pub fn mate_solver() -> Self {
        Self { name: "mate solver".to_owned(), can_best: false, can_mate: true, ..Self::thread(0) }
    }
}

/// How a task ended.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
pub enum TaskEnd {
    /// The search ended on its own or was cancelled; the last [`Report`] holds the value.
    Answer(Answer),
    /// The worker could not do the task; the reason is one line for the log.
    Failed(String),
}

/// An event from a worker. Each [`Action::Start`] is followed by exactly one `Ended` for its task, or by one `Lost`.
#[derive(Clone, PartialEq, Debug)]
pub enum WorkerEvent {
    /// The worker is ready for tasks, for the first time or again after [`Action::Revive`].
    Joined {
        worker: WorkerId,
        profile: Profile,
    },
    Report {
        worker: WorkerId,
        task: TaskId,
        report: Report,
    },
    Ended {
        worker: WorkerId,
        task: TaskId,
        end: TaskEnd,
    },
    /// The worker died, was killed, or never started. The worker's task, if any, ends without an `Ended`.
    Lost {
        worker: WorkerId,
        why: String,
        /// True if another attempt to start the worker would fail in the same way.
        for_good: bool,
    },
}

impl WorkerEvent {
    /// The worker that the event is about.
    pub fn worker(&self) -> WorkerId {
        match self {
            Self::Joined { worker, .. }
            | Self::Report { worker, .. }
            | Self::Ended { worker, .. }
            | Self::Lost { worker, .. } => *worker,
        }
    }
}

/// An action that the manager requests. Actions are carried out in order.
#[derive(Clone, PartialEq, Debug)]
pub enum Action {
    /// Start this task on an idle worker.
    Start {
        worker: WorkerId,
        id: TaskId,
        task: Task,
    },
    /// End this task soon; its `Ended` still follows.
    Cancel {
        worker: WorkerId,
        id: TaskId,
    },
    /// Let all workers forget the last game; requested only between games.
    NewGame,
    /// Kill an unresponsive worker; `Lost` follows.
    Kill {
        worker: WorkerId,
    },
    /// Start a lost worker again; `Joined` or `Lost` follows.
    Revive {
        worker: WorkerId,
    },
    /// Add a worker on one of Hasami's own threads, because no other worker does anything useful; `Joined` follows.
    AddFallback,
    /// Call `on_alarm` at this time, or never if `None`. A new alarm replaces any earlier alarm.
    Alarm(Option<Time>),
    Say(Output),
    /// Write to the log on stderr, never to the GUI.
    Log(log::Level, String),
}
