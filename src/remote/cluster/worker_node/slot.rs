//! Tracks a slot's work for one master: its worker, its task, and which results have been reported.

use crate::cluster::channel::ReliableChannel;
use crate::cluster::names::{Lease, Member, NetworkId};
use hasami_api::{Bound, MoveText, Report};
use hasami_tree::event::{Profile, TaskEnd, TaskId, Time, WorkerId};
use hasami_workers::events::replace;
use std::time::Duration;

/// Divisor for the pause before a report that finishes an iteration or announces a new best move: the pause is the time
/// between the first and the last report on the task, divided by `SHARE`, but at most `LONGEST`. The pause before any
/// other report is the undivided time, but at most `LONG`. Every pause is at least `SHORTEST`.
const SHARE: u32 = 3;
const SHORTEST: Duration = Duration::from_millis(5);
const LONGEST: Duration = Duration::from_millis(250);
const LONG: Duration = Duration::from_millis(500);
/// The most moves of a variation, and the most root moves with their effort, in full and in brief reports.
const FULL: (usize, usize) = (10, 4);
const BRIEF: (usize, usize) = (4, 0);
/// The most lines reported in one message, which fit even if each has `FULL` moves.
const MOST_LINES: usize = 200;

pub struct SlotService {
    pub owner: Member,
    pub lease: Lease,
    pub worker: WorkerId,
    pub since: Time,
    /// The network that evaluates positions.
    pub network: Option<NetworkId>,
    /// The network that has to arrive before the worker can start.
    pub waits_for: Option<NetworkId>,
    /// The worker's profile; `None` until the worker has joined.
    pub profile: Option<Profile>,
    /// Whether the master has confirmed the slot.
    pub is_known: bool,
    /// The number of the newest task that the slot was given.
    pub last: TaskId,
    pub game: Option<u32>,
    pub task: Option<RunningTask>,
    /// The end of the last task, until the master confirms it.
    pub ended: Option<UnconfirmedEnd>,
    /// The channel of a slot that exchanges messages with its host.
    pub channel: Option<Box<ReliableChannel>>,
}

pub struct RunningTask {
    pub id: TaskId,
    pub since: Time,
    pub cancelled: bool,
    /// Reports that have not been sent yet.
    pub fresh: Vec<Report>,
    /// The times when the first and the last report on the task were sent.
    pub reported: Option<(Time, Time)>,
    /// Depth and best move of the last finished iteration that was reported.
    known: (u16, Option<MoveText>),
    pub nodes: u64,
    /// The number that messages give the task's team; 0 if the task has no team.
    pub team: u64,
}

pub struct UnconfirmedEnd {
    pub task: TaskId,
    pub reports: Vec<Report>,
    pub end: TaskEnd,
}

impl SlotService {
    pub fn new(owner: Member, lease: Lease, worker: WorkerId, since: Time) -> Self {
        let (profile, game, task, ended) = (None, None, None, None);
        let (network, waits_for, is_known, channel) = (None, None, false, None);
        Self {
            owner,
            lease,
            worker,
            since,
            network,
            waits_for,
            profile,
            is_known,
            last: TaskId(0),
            game,
            task,
            ended,
            channel,
        }
    }
}

impl RunningTask {
    pub fn new(id: TaskId, since: Time, team: u64) -> Self {
        Self { id, since, cancelled: false, fresh: Vec::new(), reported: None, known: (0, None), nodes: 0, team }
    }

    /// Returns when the unsent reports are due; `None` if all reports have been sent.
    pub fn due(&self, longest: Duration) -> Option<Time> {
        if self.fresh.is_empty() {
            return None;
        }
        let Some((first, last)) = self.reported else { return Some(Time::ZERO) };
        let age = last - first;
        let is_news = self.fresh.iter().any(|report| self.is_news(report));
        let pause = if is_news { (age / SHARE).clamp(SHORTEST, LONGEST) } else { age.clamp(SHORTEST, LONG) };
        Some(last + pause.min(longest))
    }

    /// Returns true if a report finishes a deeper iteration or has another best move.
    fn is_news(&self, report: &Report) -> bool {
        let (depth, best) = self.known;
        report.bound == Bound::Exact
            && (report.depth > depth || report.multipv == 1 && report.pv.first() != best.as_ref())
    }

    pub fn put(&mut self, report: Report) {
        self.nodes = self.nodes.max(report.nodes);
        replace(&mut self.fresh, report);
        self.fresh.truncate(MOST_LINES);
    }

    /// Returns the reports to send. Full variations and the effort of root moves are sent only at a new depth.
    pub fn take(&mut self) -> Vec<Report> {
        let known = self.known.0;
        let is_exact = |report: &&Report| report.bound == Bound::Exact && report.multipv == 1;
        if let Some(report) = self.fresh.iter().rfind(is_exact) {
            self.known = (report.depth, report.pv.first().copied());
        }
        let shortened = |mut report: Report| {
            let (moves, ranks) = if report.depth > known { FULL } else { BRIEF };
            report.pv.truncate(moves);
            report.ranking.truncate(ranks);
            report
        };
        self.fresh.drain(..).map(shortened).collect()
    }
}
