//! A slot's work for one master: its worker, its task, and what of that has been told.

use crate::cluster::channel::ReliableChannel;
use crate::cluster::names::{Lease, NetworkId, Owner};
use crate::cluster::wire::{WireEnd, WireReport};
use crate::events::replace;
use hasami_api::{Bound, MoveText, Report};
use hasami_tree::event::{Profile, TaskId, Time, WorkerId};
use std::time::Duration;

/// Between two reports of a task passes this share of its age, if the next one has finished an iteration or found another
/// move; else as much as its age. Within these bounds.
const SHARE: u32 = 3;
const SHORTEST: Duration = Duration::from_millis(5);
const LONGEST: Duration = Duration::from_millis(250);
const LONG: Duration = Duration::from_millis(500);
/// Lines of one message: with all their moves they fit into it.
const MOST_LINES: usize = 200;

/// A slot's work for one master.
pub struct SlotService {
    pub owner: Owner,
    pub lease: Lease,
    pub worker: WorkerId,
    pub since: Time,
    /// Evaluates its positions.
    pub network: Option<NetworkId>,
    /// It begins when this is here.
    pub waits_for: Option<NetworkId>,
    /// Once it is up.
    pub profile: Option<Profile>,
    /// The master knows of it.
    pub is_known: bool,
    /// The newest task that it has been given.
    pub last: u64,
    pub game: Option<u32>,
    pub task: Option<RunningTask>,
    /// The end of the last task, until the master has heard of it.
    pub ended: Option<UnconfirmedEnd>,
    /// The channel of one that answers messages of cells.
    pub channel: Option<Box<ReliableChannel>>,
}

pub struct RunningTask {
    pub id: TaskId,
    pub since: Time,
    pub cancelled: bool,
    /// Findings that have not been told.
    pub fresh: Vec<Report>,
    /// When the first report and the last one were told.
    pub told: Option<(Time, Time)>,
    /// Depth and move of the last finished iteration that was told.
    known: (u16, Option<MoveText>),
    pub nodes: u64,
    /// On the wire; 0: alone.
    pub team: u64,
}

pub struct UnconfirmedEnd {
    pub task: u64,
    pub reports: Vec<WireReport>,
    pub end: WireEnd,
}

impl SlotService {
    pub fn new(owner: Owner, lease: Lease, worker: WorkerId, since: Time) -> Self {
        let (profile, game, task, ended) = (None, None, None, None);
        let (network, waits_for, is_known, channel) = (None, None, false, None);
        Self { owner, lease, worker, since, network, waits_for, profile, is_known, last: 0, game, task, ended, channel }
    }
}

impl RunningTask {
    pub fn new(id: TaskId, since: Time, team: u64) -> Self {
        Self { id, since, cancelled: false, fresh: Vec::new(), told: None, known: (0, None), nodes: 0, team }
    }

    /// When what is fresh is to be told.
    pub fn due(&self, longest: Duration) -> Option<Time> {
        if self.fresh.is_empty() {
            return None;
        }
        let Some((first, last)) = self.told else { return Some(Time::ZERO) };
        let age = last - first;
        let is_news = self.fresh.iter().any(|report| self.is_news(report));
        let pause = if is_news { (age / SHARE).clamp(SHORTEST, LONGEST) } else { age.clamp(SHORTEST, LONG) };
        Some(last + pause.min(longest))
    }

    /// Says more than that the search goes on.
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

    /// The efforts of root moves and all of the line are told with a new depth only.
    pub fn take(&mut self) -> Vec<WireReport> {
        let known = self.known.0;
        let is_exact = |report: &&Report| report.bound == Bound::Exact && report.multipv == 1;
        if let Some(report) = self.fresh.iter().rfind(is_exact) {
            self.known = (report.depth, report.pv.first().copied());
        }
        let told = |report: Report| match report.depth > known {
            true => WireReport::from(&report),
            false => WireReport::brief(&report),
        };
        self.fresh.drain(..).map(told).collect()
    }
}
