//! One worker as the manager sees it: what it can do, what it does, and whether it is to be trusted.

use hasami_api::MoveText;
use hasami_tree::NodeId;
use hasami_tree::event::{Profile, TaskId, Time};
use hasami_tree::rules::mate_probes::SolverKind;
use std::time::Duration;

/// The question to a worker.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum TaskKind {
    /// The node's own part of the game.
    Node(NodeId),
    /// The same, in another order than the node's own worker.
    Joint(NodeId),
    /// A mate probe at a leaf, of this kind.
    Probe(NodeId, SolverKind),
    /// The search of another worker for a value that is held back, by its number.
    Confirm(u32),
    /// The mate search of `go mate`.
    Mate,
}

impl TaskKind {
    /// The node whose own worker does this.
    pub fn own_node(self) -> Option<NodeId> {
        if let Self::Node(node) = self { Some(node) } else { None }
    }

    /// The node whose value is searched.
    pub fn node(self) -> Option<NodeId> {
        match self {
            Self::Node(node) | Self::Joint(node) => Some(node),
            Self::Probe(..) | Self::Confirm(_) | Self::Mate => None,
        }
    }

    /// The number of what is held back.
    pub fn claim(self) -> Option<u32> {
        if let Self::Confirm(claim) = self { Some(claim) } else { None }
    }
}

/// A task on its way.
#[derive(Clone, PartialEq, Debug)]
pub struct AssignedTask {
    pub id: TaskId,
    pub work: TaskKind,
    pub started: Time,
    /// Set once the worker was told to end it: what it still says is dropped.
    pub cancelled: Option<Time>,
    pub nodes: u64,
    /// As last reported.
    pub table_hits: u64,
    /// As last reported.
    pub depth: u16,
    pub reports: u32,
    /// Some report of it could be true.
    pub believed: bool,
    pub lies: u32,
    /// Its limit of nodes.
    pub grant: Option<u64>,
    /// When it must have ended, if it knows no limit that we could count on.
    pub until: Option<Time>,
    /// Moves it may not name, because they have nodes of their own.
    pub except: Box<[MoveText]>,
}

impl AssignedTask {
    /// Nodes that it may still make.
    pub fn unspent(&self) -> u64 {
        self.grant.map_or(0, |grant| grant.saturating_sub(self.nodes))
    }

    /// Ended because of its limit of nodes, not because there was nothing more to find. Engines look at their limits
    /// now and then only.
    pub fn has_spent(&self) -> bool {
        self.nodes > 0 && self.grant.is_some_and(|grant| self.nodes >= grant / 2)
    }
}

#[derive(Clone, PartialEq, Debug)]
pub enum Availability {
    /// Not yet there, or lost.
    Away,
    Idle,
    Busy(AssignedTask),
}

/// The faults of a worker, and what follows from them.
#[derive(Clone, Copy, PartialEq, Debug, Default)]
pub struct Faults {
    /// Failed tasks since the last good one.
    pub failures: u32,
    /// Deaths since it last worked for long.
    pub deaths: u32,
    /// Tasks in a row that it ended by itself having hardly searched, and searches with such a task.
    pub hasty: u32,
    pub hasty_searches: u32,
    /// The last of these searches.
    pub hasty_in: Option<Time>,
    /// Tasks without a report since the last report.
    pub silences: u32,
    /// Tasks with a limit of nodes that it was told to end at last.
    pub overruns: u32,
    /// Reports that cannot be true.
    pub lies: u32,
    /// No new task before this time.
    pub rests_until: Time,
    /// Is to be started again at this time.
    pub revive_at: Option<Time>,
}

#[derive(Clone, PartialEq, Debug)]
pub struct RosterMember {
    pub profile: Profile,
    pub availability: Availability,
    /// Where it worked last: its table knows the positions around it.
    pub last: Option<NodeId>,
    /// Its failures. Most workers have none, and there may be ten thousand workers.
    record: Option<Box<Faults>>,
    /// Time at tasks since it came up.
    pub worked: Duration,
    /// Is being ended by force: what it still says is true, but it takes no more tasks.
    pub killed: bool,
    /// Set aside for good.
    pub retired: bool,
    /// Nodes a second, measured over its last long task.
    pub speed: f64,
    /// Plies below the asked position that it has reached in this search.
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

    /// To write something down.
    pub fn record_mut(&mut self) -> &mut Faults {
        self.record.get_or_insert_default()
    }

    /// To take something back, if anything was written down.
    pub fn forgive(&mut self, amends: impl FnOnce(&mut Faults)) {
        if let Some(record) = &mut self.record {
            amends(record);
        }
    }

    /// It was at a task for so long.
    pub fn has_worked(&mut self, time: Duration) {
        self.worked += time;
        if self.worked >= super::limits::RELIABLE {
            self.forgive(|record| record.deaths = 0);
        }
    }

    pub fn job(&self) -> Option<&AssignedTask> {
        if let Availability::Busy(job) = &self.availability { Some(job) } else { None }
    }

    pub fn job_mut(&mut self) -> Option<&mut AssignedTask> {
        if let Availability::Busy(job) = &mut self.availability { Some(job) } else { None }
    }

    /// The job that it had; what it does from now on is `availability`.
    pub fn take_job(&mut self, availability: Availability) -> Option<AssignedTask> {
        if let Availability::Busy(job) = std::mem::replace(&mut self.availability, availability) {
            Some(job)
        } else {
            None
        }
    }

    /// Has searched a node for long and not said a word.
    pub fn is_silent(&self, now: Time) -> bool {
        self.job().is_some_and(|job| {
            let is_mute = job.cancelled.is_none() && job.work.node().is_some() && job.reports == 0;
            is_mute && job.started + super::limits::SILENCE <= now
        })
    }

    /// Works for longer than it may.
    pub fn overstays(&self, now: Time) -> bool {
        self.job().filter(|job| job.cancelled.is_none()).and_then(|job| job.until).is_some_and(|until| until <= now)
    }

    /// The node at which it has spoken, but neither counted its nodes nor ended in a time that is enough for its limit.
    pub fn is_overdue(&self, now: Time) -> Option<NodeId> {
        let job = self.job().filter(|job| job.cancelled.is_none() && job.nodes == 0)?;
        let is_late = job.grant.is_some_and(|grant| job.started + super::limits::patience(grant) <= now);
        job.work.node().filter(|_| is_late)
    }

    /// May begin a task at once.
    pub fn is_ready(&self, now: Time) -> bool {
        self.availability == Availability::Idle
            && !self.killed
            && !self.retired
            && self.record.as_ref().is_none_or(|record| record.rests_until <= now)
    }

    /// What the member adds to the roster.
    pub fn abilities(&self) -> Abilities {
        let plays = self.profile.can_best && self.availability != Availability::Away && !self.retired;
        let excludes = plays && (self.profile.can_except || self.profile.can_only);
        let varies = plays && self.profile.can_vary;
        Abilities { players: plays.into(), excluders: excludes.into(), variants: varies.into() }
    }

    /// Measured speed where there is one, else what the profile claims.
    pub fn strength(&self) -> f64 {
        if self.speed > 0.0 { self.speed } else { self.profile.weight * 1e6 }
    }
}

/// How many members are there, by what they can do.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct Abilities {
    pub players: usize,
    /// Players that can leave moves out.
    pub excluders: usize,
    /// Players that can join one another.
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
