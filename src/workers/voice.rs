//! How workers are heard: an endless queue of events, in which the reports of one worker never take more than one place.
//!
//! An engine may print ten thousand lines a second. Its reports lie in a tray of its own where the newest replaces the
//! older ones. The loop empties a tray at once for the first report of a task and then after pauses that grow with the age of the task
//! from [`SHORTEST`] to [`LONGEST`]: what a young search finds seats the others, and an old one finds little that
//! cannot wait. What stands in the tray when a task ends is delivered before its end, so the last word is never lost.

use super::cluster::Applicant;
use crate::event::{End, Profile, TaskId, WorkerEvent, WorkerId};
use crossbeam_channel::{Receiver, Sender, unbounded};
use hasami_api::{Bound, Report};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::{Duration, Instant};

/// The time between two deliveries of one worker's reports is a [`SHARE`]th of the time since the first of the task,
/// within these bounds: some 25 deliveries in the first 80 ms, and 100 a second afterwards.
const SHORTEST: Duration = Duration::from_millis(1);
const LONGEST: Duration = Duration::from_millis(10);
const SHARE: u32 = 8;

/// What travels from workers to the loop; opened by [`Inbox::open`].
pub enum Notice {
    Event(WorkerEvent),
    /// There are reports in this tray.
    Reports(Arc<Tray>),
    /// Has forgotten the last game, which may take as long as clearing a large table does.
    Fresh(WorkerId),
    /// A seat of the cluster wants to work.
    Applicant(Applicant),
    /// A lost worker of the cluster: nothing more will be heard under this number.
    Left(WorkerId),
    /// Why there is no worker of the cluster, where that has a reason.
    Vacancy(Option<String>),
    /// Whoever was in the cluster at the beginning has come.
    Settled,
    /// One line for whoever sits at the GUI.
    Told(String),
}

/// The sending end, one clone for each worker.
#[derive(Clone)]
pub struct Events(Sender<Notice>);

impl Events {
    /// A closed queue means that the program is ending: nobody is left to hear it.
    pub fn send(&self, notice: Notice) {
        let _ = self.0.send(notice);
    }
}

/// The receiving end, owned by the loop.
pub struct Inbox {
    sender: Sender<Notice>,
    receiver: Receiver<Notice>,
    waiting: Vec<Arc<Tray>>,
    due: Option<Instant>,
}

impl Default for Inbox {
    fn default() -> Self {
        let (sender, receiver) = unbounded();
        Self { sender, receiver, waiting: Vec::new(), due: None }
    }
}

impl Inbox {
    pub fn events(&self) -> Events {
        Events(self.sender.clone())
    }

    /// For `select!`.
    pub fn notices(&self) -> &Receiver<Notice> {
        &self.receiver
    }

    /// When [`Self::flush`] wants to be called.
    pub fn due(&self) -> Option<Instant> {
        self.due
    }

    /// Takes one notice apart. Reports that come too soon after the last ones wait for [`Self::flush`].
    pub fn open(&mut self, notice: Notice, now: Instant) -> Vec<WorkerEvent> {
        let tray = match notice {
            Notice::Event(event) => return vec![event],
            Notice::Fresh(_)
            | Notice::Applicant(_)
            | Notice::Left(_)
            | Notice::Vacancy(_)
            | Notice::Settled
            | Notice::Told(_) => return Vec::new(),
            Notice::Reports(tray) => tray,
        };
        let Some(ripe) = tray.ripe_after(now) else { return tray.empty(now) };
        self.due = Some(self.due.map_or(ripe, |due| due.min(ripe)));
        self.waiting.push(tray);
        Vec::new()
    }

    /// The reports that have waited; all of them at once, so that many workers cost one wake-up.
    pub fn flush(&mut self, now: Instant) -> Vec<WorkerEvent> {
        self.due = None;
        self.waiting.drain(..).flat_map(|tray| tray.empty(now)).collect()
    }
}

/// How long the next delivery waits after one at this `age` of the task's first.
fn pause(age: Duration) -> Duration {
    (age / SHARE).clamp(SHORTEST, LONGEST)
}

/// A newer line replaces what it makes obsolete; a bound leaves the last exact value standing.
pub fn replace(reports: &mut Vec<Report>, report: Report) {
    let exact = report.bound == Bound::Exact;
    reports.retain(|old| old.multipv != report.multipv || (!exact && old.bound == Bound::Exact));
    reports.push(report);
}

/// The newest reports of one worker.
pub struct Tray {
    worker: WorkerId,
    desk: Mutex<Desk>,
}

#[derive(Default)]
struct Desk {
    /// The life to which this voice belongs is over.
    closed: bool,
    /// A notice of this tray is on its way.
    announced: bool,
    task: Option<TaskId>,
    reports: Vec<Report>,
    /// When the first report of the task, and the last one, were delivered.
    emptied: Option<(Instant, Instant)>,
}

impl Desk {
    fn put(&mut self, task: TaskId, report: Report) {
        if self.task != Some(task) {
            self.task = Some(task);
            self.reports.clear();
            // The first finding may be all that there is time for.
            self.emptied = None;
        }
        replace(&mut self.reports, report);
    }

    fn take(&mut self, worker: WorkerId) -> Vec<WorkerEvent> {
        let Some(task) = self.task else { return Vec::new() };
        self.reports.drain(..).map(|report| WorkerEvent::Report { worker, task, report }).collect()
    }
}

impl Tray {
    fn lock(&self) -> MutexGuard<'_, Desk> {
        self.desk.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// When it may be emptied again; `None`: now.
    fn ripe_after(&self, now: Instant) -> Option<Instant> {
        let (first, last) = self.lock().emptied?;
        Some(last + pause(last - first)).filter(|ripe| *ripe > now)
    }

    fn empty(&self, now: Instant) -> Vec<WorkerEvent> {
        let mut desk = self.lock();
        desk.announced = false;
        desk.emptied = Some((desk.emptied.map_or(now, |(first, _)| first), now));
        if desk.closed { Vec::new() } else { desk.take(self.worker) }
    }
}

/// The right to speak during one life of a worker: nothing that a dead engine's threads still find to say gets out
/// after its `Lost`.
#[derive(Clone)]
pub struct Voice {
    events: Events,
    tray: Arc<Tray>,
}

impl Voice {
    pub fn new(worker: WorkerId, events: &Events) -> Self {
        Self { events: events.clone(), tray: Arc::new(Tray { worker, desk: Mutex::default() }) }
    }

    pub fn joined(&self, profile: Profile) {
        if !self.tray.lock().closed {
            self.send(Notice::Event(WorkerEvent::Joined { worker: self.tray.worker, profile }));
        }
    }

    pub fn fresh(&self) {
        if !self.tray.lock().closed {
            self.send(Notice::Fresh(self.tray.worker));
        }
    }

    pub fn report(&self, task: TaskId, report: Report) {
        let mut desk = self.tray.lock();
        if desk.closed {
            return;
        }
        desk.put(task, report);
        if !desk.announced {
            desk.announced = true;
            self.send(Notice::Reports(Arc::clone(&self.tray)));
        }
    }

    /// Ends a task, its last reports first.
    pub fn ended(&self, task: TaskId, end: End) {
        let worker = self.tray.worker;
        let mut desk = self.tray.lock();
        if desk.closed {
            return;
        }
        if desk.task == Some(task) {
            desk.take(worker).into_iter().for_each(|event| self.send(Notice::Event(event)));
        }
        desk.task = None;
        desk.reports.clear();
        self.send(Notice::Event(WorkerEvent::Ended { worker, task, end }));
    }

    /// The last word of this life; `false` if it was over already.
    pub fn lost(&self, why: impl Into<String>) -> bool {
        self.end(why.into(), false)
    }

    /// The same where another life would be no better.
    pub fn lost_for_good(&self, why: impl Into<String>) -> bool {
        self.end(why.into(), true)
    }

    fn end(&self, why: String, for_good: bool) -> bool {
        let mut desk = self.tray.lock();
        if desk.closed {
            return false;
        }
        desk.closed = true;
        self.send(Notice::Event(WorkerEvent::Lost { worker: self.tray.worker, why, for_good }));
        true
    }

    /// Ends this life without a word.
    pub fn close(&self) {
        self.tray.lock().closed = true;
    }

    /// Sent while the desk is locked, so that the queue keeps the order of what was said.
    fn send(&self, notice: Notice) {
        self.events.send(notice);
    }
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used)]
    use super::*;
    use hasami_api::{Answer, Score};

    fn report(depth: u16, bound: Bound) -> Report {
        Report { depth, bound, ..Report::new(Score::DRAW) }
    }

    fn depths(events: &[WorkerEvent]) -> Vec<u16> {
        let depth = |event: &WorkerEvent| match event {
            WorkerEvent::Report { report, .. } => Some(report.depth),
            _ => None,
        };
        events.iter().filter_map(depth).collect()
    }

    fn drain(inbox: &mut Inbox, now: Instant) -> Vec<WorkerEvent> {
        let notices: Vec<_> = inbox.notices().try_iter().collect();
        notices.into_iter().flat_map(|notice| inbox.open(notice, now)).collect()
    }

    #[test]
    fn a_flood_takes_one_place_and_the_newest_wins() {
        let mut inbox = Inbox::default();
        let voice = Voice::new(WorkerId(1), &inbox.events());
        (1..=10_000).for_each(|depth| voice.report(TaskId(1), report(depth, Bound::Exact)));
        assert_eq!(inbox.notices().len(), 1);
        let now = Instant::now();
        assert_eq!(depths(&drain(&mut inbox, now)), [10_000]);

        voice.report(TaskId(1), report(7, Bound::Exact));
        assert!(drain(&mut inbox, now).is_empty(), "too soon after the last delivery");
        assert_eq!(inbox.due(), Some(now + SHORTEST));
        assert_eq!(depths(&inbox.flush(now + SHORTEST)), [7]);
        assert_eq!(inbox.due(), None);

        voice.report(TaskId(2), report(1, Bound::Exact));
        assert_eq!(depths(&drain(&mut inbox, now + SHORTEST)), [1], "the first of a task is not held back");
    }

    #[test]
    fn pauses_grow_with_the_age_of_a_task() {
        let mut inbox = Inbox::default();
        let voice = Voice::new(WorkerId(1), &inbox.events());
        let start = Instant::now();
        let mut now = start;
        let mut pauses = Vec::new();
        while now - start < Duration::from_millis(200) {
            voice.report(TaskId(1), report(1, Bound::Exact));
            if drain(&mut inbox, now).is_empty() {
                let due = inbox.due().unwrap();
                pauses.push(due - now);
                now = due;
                assert_eq!(inbox.flush(now).len(), 1);
            }
        }
        assert_eq!(pauses[0], SHORTEST);
        assert_eq!(*pauses.last().unwrap(), LONGEST);
        assert!(pauses.is_sorted(), "{pauses:?}");
        assert!((20..50).contains(&pauses.len()), "{}", pauses.len());

        voice.report(TaskId(2), report(1, Bound::Exact));
        assert_eq!(drain(&mut inbox, now).len(), 1);
        voice.report(TaskId(2), report(2, Bound::Exact));
        assert!(drain(&mut inbox, now).is_empty());
        assert_eq!(inbox.due(), Some(now + SHORTEST), "another task begins anew");
    }

    #[test]
    fn a_bound_does_not_hide_the_exact_value_before_it() {
        let mut inbox = Inbox::default();
        let voice = Voice::new(WorkerId(1), &inbox.events());
        voice.report(TaskId(1), report(8, Bound::Exact));
        voice.report(TaskId(1), report(9, Bound::Upper));
        voice.report(TaskId(1), report(10, Bound::Lower));
        assert_eq!(depths(&drain(&mut inbox, Instant::now())), [8, 10]);
    }

    #[test]
    fn the_last_report_comes_before_the_end_and_nothing_after_lost() {
        let mut inbox = Inbox::default();
        let voice = Voice::new(WorkerId(1), &inbox.events());
        let end = || End::Answer(Answer::Best { best: None, ponder: None });
        voice.report(TaskId(1), report(3, Bound::Exact));
        voice.ended(TaskId(1), end());
        assert!(voice.lost("gone"));
        voice.report(TaskId(2), report(4, Bound::Exact));
        voice.ended(TaskId(2), end());
        assert!(!voice.lost("again"));

        let events = drain(&mut inbox, Instant::now());
        assert_eq!(depths(&events), [3]);
        assert!(matches!(events[1], WorkerEvent::Ended { task: TaskId(1), .. }));
        assert!(matches!(events[2], WorkerEvent::Lost { .. }));
        assert_eq!(events.len(), 3);
    }
}
