//! A worker as the manager sees it: its abilities, its task, and its faults.

use hasami_api::MoveText;
use hasami_tree::NodeId;
use hasami_tree::event::{Profile, TaskId, Time};
use hasami_tree::rules::mate_probes::SolverKind;
use std::time::Duration;

/// What kind of task a worker carries out.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum TaskKind {
    /// Search the moves assigned to a node, as the node's own worker.
    Node(NodeId),
    /// Search the same moves as the node's own worker, in another order.
    Joint(NodeId),
    /// Probe a leaf for a mate with this kind of solver.
    Probe(NodeId, SolverKind),
    /// Confirm the value with this number, which the manager withholds from the tree until another worker agrees.
    Confirm(u32),
    /// Search for a mate, as `go mate` requests.
    Mate,
}

impl TaskKind {
    /// The task's node, if the task belongs to the node's own worker.
    pub fn own_node(self) -> Option<NodeId> {
        if let Self::Node(node) = self { Some(node) } else { None }
    }

    /// The node that the task evaluates; `None` for a mate probe, a mate search or the check of a claim.
    pub fn node(self) -> Option<NodeId> {
        match self {
            Self::Node(node) | Self::Joint(node) => Some(node),
            Self::Probe(..) | Self::Confirm(_) | Self::Mate => None,
        }
    }

    /// The number of the withheld value that the task checks.
    pub fn claim(self) -> Option<u32> {
        if let Self::Confirm(claim) = self { Some(claim) } else { None }
    }
}

/// A running task.
#[derive(Clone, PartialEq, Debug)]
pub struct AssignedTask {
    pub id: TaskId,
    pub work: TaskKind,
    pub started: Time,
    /// Time at which the task was cancelled; reports that arrive later are dropped.
    pub cancelled: Option<Time>,
    pub nodes: u64,
    /// Number of positions found in endgame tables, as last reported.
    pub table_hits: u64,
    /// Depth in plies, as last reported.
    pub depth: u16,
    pub reports: u32,
    /// True if at least one report of the task was plausible.
    pub believed: bool,
    pub lies: u32,
    /// The node limit of the task.
    pub grant: Option<u64>,
    /// Deadline at which the task is stopped, if the worker might not end it in time on its own.
    pub until: Option<Time>,
    /// Moves that the worker is not to report, because they have their own nodes.
    pub except: Box<[MoveText]>,
}

impl AssignedTask {
    /// Number of nodes that the task may still search.
    pub fn unspent(&self) -> u64 {
        self.grant.map_or(0, |grant| grant.saturating_sub(self.nodes))
    }

    /// Returns whether the task ended because of its node limit, not because nothing was left to search. Half of the
    /// node limit is enough, because engines check their limits only from time to time.
    pub fn has_spent(&self) -> bool {
        self.nodes > 0 && self.grant.is_some_and(|grant| self.nodes >= grant / 2)
    }
}

#[derive(Clone, PartialEq, Debug)]
pub enum Availability {
    /// The worker has not joined yet, or is lost.
    Away,
    Idle,
    Busy(AssignedTask),
}

/// The faults of a worker, and when it may work again.
#[derive(Clone, Copy, PartialEq, Debug, Default)]
pub struct Faults {
    /// Number of failed tasks since the last successful one.
    pub failures: u32,
    /// Number of crashes since the worker last proved reliable (`limits::RELIABLE`).
    pub crashes: u32,
    /// Number of consecutive hasty tasks: those that the worker ended on its own after hardly any search.
    /// `hasty_searches` counts the searches in which the worker had a hasty task.
    pub hasty: u32,
    pub hasty_searches: u32,
    /// Start time of the last search in which this worker had a hasty task.
    pub hasty_in: Option<Time>,
    /// Number of tasks without a report since the worker's last report.
    pub silences: u32,
    /// Number of tasks that had to be stopped because the worker ignored its node limit.
    pub overruns: u32,
    /// Number of impossible reports.
    pub lies: u32,
    /// Time before which the worker gets no new task.
    pub rests_until: Time,
    /// Time at which the worker will be started again.
    pub revive_at: Option<Time>,
}

#[derive(Clone, PartialEq, Debug)]
pub struct RosterMember {
    pub profile: Profile,
    pub availability: Availability,
    /// The node that the worker searched last; its hash table still holds the positions around this node.
    pub last: Option<NodeId>,
    /// The record of faults; boxed, because most workers have no faults, and there may be ten thousand workers.
    record: Option<Box<Faults>>,
    /// Time that the worker has spent on tasks since it joined.
    pub worked: Duration,
    /// True if the worker is being killed: its reports are still valid, but it gets no more tasks.
    pub killed: bool,
    /// True if the worker is permanently excluded from work.
    pub retired: bool,
    /// Nodes per second, measured during its last long task.
    pub speed: f64,
    /// Depth in plies that the worker has reached in this search, counted from the requested position.
    pub reach: u16,
}

impl RosterMember {
    pub fn new(profile: Profile) -> Self {
        Self {
            profile,
            availability: Availability::Idle,
            last: None,
            record: None,
            worked: Duration::ZERO,
            killed: false,
            retired: false,
            speed: 0.0,
            reach: 0,
        }
    }

    pub fn record(&self) -> Faults {
        self.record.as_deref().copied().unwrap_or_default()
    }

    /// The worker's record of faults, which is created if necessary.
    pub fn record_mut(&mut self) -> &mut Faults {
        self.record.get_or_insert_default()
    }

    /// Lets `amends` clear faults in the worker's record, if it has one.
    pub fn forgive(&mut self, amends: impl FnOnce(&mut Faults)) {
        if let Some(record) = &mut self.record {
            amends(record);
        }
    }

    /// Adds the duration of a task to [`Self::worked`].
    pub fn has_worked(&mut self, time: Duration) {
        self.worked += time;
        if self.worked >= super::limits::RELIABLE {
            self.forgive(|record| record.crashes = 0);
        }
    }

    pub fn job(&self) -> Option<&AssignedTask> {
        if let Availability::Busy(job) = &self.availability { Some(job) } else { None }
    }

    pub fn job_mut(&mut self) -> Option<&mut AssignedTask> {
        if let Availability::Busy(job) = &mut self.availability { Some(job) } else { None }
    }

    /// Ends the worker's task and sets the new `availability`. Returns the task.
    pub fn take_job(&mut self, availability: Availability) -> Option<AssignedTask> {
        if let Availability::Busy(job) = std::mem::replace(&mut self.availability, availability) {
            Some(job)
        } else {
            None
        }
    }

    /// Returns whether the worker has searched a node for a long time without a report.
    pub fn is_silent(&self, now: Time) -> bool {
        self.job().is_some_and(|job| {
            let is_mute = job.cancelled.is_none() && job.work.node().is_some() && job.reports == 0;
            is_mute && job.started + super::limits::SILENCE <= now
        })
    }

    /// Returns whether the worker's task has exceeded its time limit.
    pub fn overstays(&self, now: Time) -> bool {
        self.job().filter(|job| job.cancelled.is_none()).and_then(|job| job.until).is_some_and(|until| until <= now)
    }

    /// The node of an overdue task, whose worker does not count its nodes and has had ample time to reach its node
    /// limit.
    pub fn is_overdue(&self, now: Time) -> Option<NodeId> {
        let job = self.job().filter(|job| job.cancelled.is_none() && job.nodes == 0)?;
        let is_late = job.grant.is_some_and(|grant| job.started + super::limits::task_time_limit(grant) <= now);
        job.work.node().filter(|_| is_late)
    }

    /// Returns whether the worker may begin a task at once.
    pub fn is_ready(&self, now: Time) -> bool {
        self.availability == Availability::Idle
            && !self.killed
            && !self.retired
            && self.record.as_ref().is_none_or(|record| record.rests_until <= now)
    }

    /// This worker's contribution to the roster's `abilities`.
    pub fn abilities(&self) -> Abilities {
        let plays = self.profile.can_best && self.availability != Availability::Away && !self.retired;
        let excludes = plays && (self.profile.can_except || self.profile.can_only);
        let varies = plays && self.profile.can_vary;
        Abilities { players: plays.into(), excluders: excludes.into(), variants: varies.into() }
    }

    /// The measured speed, or an estimate from the profile if nothing was measured.
    pub fn strength(&self) -> f64 {
        if self.speed > 0.0 { self.speed } else { self.profile.weight * 1e6 }
    }
}

/// Number of connected workers with each ability.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct Abilities {
    pub players: usize,
    /// Number of players that can exclude moves from a search.
    pub excluders: usize,
    /// Number of players that can join each other.
    pub variants: usize,
}

impl Abilities {
    pub fn plus(self, more: Self) -> Self {
        Self {
            players: self.players + more.players,
            excluders: self.excluders + more.excluders,
            variants: self.variants + more.variants,
        }
    }

    pub fn minus(self, less: Self) -> Self {
        Self {
            players: self.players - less.players,
            excluders: self.excluders - less.excluders,
            variants: self.variants - less.variants,
        }
    }
}
