//! Everything that can happen and everything that can be done. Read this first.
//!
//! The manager is a function from events to actions (decision 1 of the map): commands come from the GUI
//! ([`hasami_protocol::Command`]), [`WorkerEvent`]s from workers, alarms from the clock; [`Action`]s are carried out by
//! the session. Times are durations since the program started, so a simulator may run them at any speed.

use hasami_api::{Answer, Report, Task};
use hasami_protocol::Output;
use hasami_words::Message;
use std::fmt;
use std::time::Duration;

/// A moment: time since the program started.
pub type Time = Duration;

/// Names a worker for its whole life, deaths and revivals included.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub struct WorkerId(pub u32);

/// Names one task; never used twice, so that late answers can be dropped (decision 2).
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub struct TaskId(pub u64);

/// Who may still come from elsewhere, as far as is known.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub enum Arrivals {
    /// Whoever is there has come.
    #[default]
    Over,
    /// Others were asked, and have not had the time to answer.
    Unknown,
    /// Somebody has answered, and is on the way.
    Expected,
}

impl fmt::Display for WorkerId {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "worker {}", self.0)
    }
}

/// A worker's abilities and its stated speed.
#[derive(Clone, PartialEq, Debug)]
pub struct Profile {
    /// For logs and pictures: `thread 3`, `stockfish#2`.
    pub name: String,
    /// Understands [`Task::except`]. (Our own threads do; a UCI engine needs `only`.)
    pub can_except: bool,
    /// Understands [`Task::only`] (UCI `searchmoves`).
    pub can_only: bool,
    /// Understands [`Task::variant`]: two of these on one position do not do the same thing.
    pub can_vary: bool,
    /// Plays: can be given a leaf of the tree ([`hasami_api::Goal::Best`]).
    pub can_best: bool,
    /// Solves mates ([`hasami_api::Goal::Mate`]; one that does nothing else knows the other goals too).
    pub can_mate: bool,
    /// Speed relative to the others, 1.0 if unknown; the manager measures it as well.
    pub weight: f64,
    /// The machine of others that lends it; `None`: a thread of this program, or an engine that its user has named.
    pub machine: Option<MachineId>,
}

/// A machine of others (a worker node of a cluster), for as long as its program runs.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub struct MachineId(pub u64);

/// What became of the values that workers of a machine have told, where they were checked.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct MachineRecord {
    /// Values that another worker has confirmed.
    pub confirmed: u32,
    /// Values that another worker has contradicted.
    pub contradicted: u32,
    /// Mates for which no proof was found.
    pub unproved: u32,
    /// It was contradicted so often that it gets no more work.
    pub is_set_aside: bool,
}

impl Profile {
    /// What it says is believed without a check.
    pub fn is_trusted(&self) -> bool {
        self.machine.is_none()
    }

    /// A search of our own kind on this machine: its proofs are proofs.
    pub fn is_ours(&self) -> bool {
        self.can_vary && self.is_trusted()
    }

    /// A sequential engine on a thread of ours.
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

    /// A mate solver on a thread of ours.
    pub fn mate_solver() -> Self {
        Self { name: "mate solver".to_owned(), can_best: false, can_mate: true, ..Self::thread(0) }
    }
}

/// How a task ended.
#[derive(Clone, PartialEq, Debug)]
pub enum TaskEnd {
    /// The search ended by itself or after a cancel; its last [`Report`] holds the value.
    Answer(Answer),
    /// The worker could not do it; one line for the log.
    Failed(String),
}

/// Events of workers. Each [`Action::Start`] is followed by exactly one `Ended` for its task, or by one `Lost`.
#[derive(Clone, PartialEq, Debug)]
pub enum WorkerEvent {
    /// Can take tasks: for the first time or again after [`Action::Revive`].
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
    /// Died, was killed, or never came up; its task, if any, is ended with it.
    Lost {
        worker: WorkerId,
        why: Message,
        /// Starting it again would end the same way.
        for_good: bool,
    },
}

impl WorkerEvent {
    /// Who says it.
    pub fn worker(&self) -> WorkerId {
        match self {
            Self::Joined { worker, .. }
            | Self::Report { worker, .. }
            | Self::Ended { worker, .. }
            | Self::Lost { worker, .. } => *worker,
        }
    }
}

/// An action that the manager wants. Carried out in order.
#[derive(Clone, PartialEq, Debug)]
pub enum Action {
    /// The worker is free: begin this task.
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
    /// All workers forget the last game (only between games).
    NewGame,
    /// Deaf worker: end it by force; `Lost` follows.
    Kill {
        worker: WorkerId,
    },
    /// Start a lost worker again; `Joined` or `Lost` follows.
    Revive {
        worker: WorkerId,
    },
    /// All workers are gone: add an in-process worker; `Joined` follows.
    AddFallback,
    /// Call `on_alarm` at this time (replaces the last alarm; `None`: no alarm).
    Alarm(Option<Time>),
    Say(Output),
    /// The record of a machine has changed: for those who ask who is there.
    Rate {
        machine: MachineId,
        record: MachineRecord,
    },
    /// For the log on stderr, never for the GUI.
    Log(log::Level, String),
}
