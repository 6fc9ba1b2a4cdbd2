//! Provides the queue of events from workers, in which the reports of one worker never take more than one entry.
//!
//! An engine may print ten thousand lines a second, so the reports of a worker are kept in a buffer, where newer
//! reports replace older ones. The event loop empties the buffer at once for the first report of a task, and then at
//! intervals that grow with the task's age from [`SHORTEST`] to [`LONGEST`]: the results of a young search lead to
//! tasks for other workers, while the results of an old search can wait. When a task ends, its buffered reports are
//! delivered before its end is announced, so the last report is never lost.

use super::outside::SlotOffer;
use crossbeam_channel::{Receiver, Sender, unbounded};
use hasami_api::{Bound, Report};
use hasami_tree::event::{Profile, TaskEnd, TaskId, WorkerEvent, WorkerId};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::{Duration, Instant};

/// The pause between two deliveries of one worker's reports is the time since the task's first delivery, divided by
/// [`SHARE`], but at least [`SHORTEST`] and at most [`LONGEST`]. With these constants, reports are delivered about 25
/// times in the first 80 ms, and then 100 times per second.
const SHORTEST: Duration = Duration::from_millis(1);
const LONGEST: Duration = Duration::from_millis(10);
const SHARE: u32 = 8;

/// A message from workers to the event loop, handled by [`Inbox::open`].
pub enum WorkerNotice {
    Event(WorkerEvent),
    /// A worker's buffer contains new reports.
    Reports(Arc<ReportBuffer>),
    /// A worker has forgotten the last game, which may take as long as clearing a large hash table.
    Fresh(WorkerId),
    /// A slot of the cluster is available.
    SlotOffer(SlotOffer),
    /// A worker of the cluster is lost, and its number will not be used again.
    Left(WorkerId),
    /// The machines that were already in the cluster have had time to offer their slots.
    Settled,
    /// A line to show to the user.
    Message(String),
}

/// The sending end of the notice queue, cloned for each worker.
#[derive(Clone)]
pub struct NoticeSender(Sender<WorkerNotice>);

impl NoticeSender {
    /// Sends a notice, or drops it if the queue is closed because the program is ending.
    pub fn send(&self, notice: WorkerNotice) {
        let _ = self.0.send(notice);
    }
}

/// The receiving end of the notice queue, owned by the event loop.
pub struct Inbox {
    sender: Sender<WorkerNotice>,
    receiver: Receiver<WorkerNotice>,
    waiting: Vec<Arc<ReportBuffer>>,
    due: Option<Instant>,
}

impl Default for Inbox {
    fn default() -> Self {
        let (sender, receiver) = unbounded();
        Self { sender, receiver, waiting: Vec::new(), due: None }
    }
}

impl Inbox {
    pub fn events(&self) -> NoticeSender {
        NoticeSender(self.sender.clone())
    }

    /// The receiver of notices, for use in `select!`.
    pub fn notices(&self) -> &Receiver<WorkerNotice> {
        &self.receiver
    }

    /// Returns when [`Self::flush`] must be called next.
    pub fn due(&self) -> Option<Instant> {
        self.due
    }

    /// Returns the events that a notice announces. Reports that come too soon after the last delivery are held back
    /// until [`Self::flush`].
    pub fn open(&mut self, notice: WorkerNotice, now: Instant) -> Vec<WorkerEvent> {
        let buffer = match notice {
            WorkerNotice::Event(event) => return vec![event],
            WorkerNotice::Fresh(_)
            | WorkerNotice::SlotOffer(_)
            | WorkerNotice::Left(_)
            | WorkerNotice::Settled
            | WorkerNotice::Message(_) => return Vec::new(),
            WorkerNotice::Reports(buffer) => buffer,
        };
        let Some(ripe) = buffer.ripe_after(now) else { return buffer.empty(now) };
        self.due = Some(self.due.map_or(ripe, |due| due.min(ripe)));
        self.waiting.push(buffer);
        Vec::new()
    }

    /// Returns the waiting reports of all workers, so that many workers cause only one wake-up.
    pub fn flush(&mut self, now: Instant) -> Vec<WorkerEvent> {
        self.due = None;
        self.waiting.drain(..).flat_map(|buffer| buffer.empty(now)).collect()
    }
}

/// The pause after a delivery of reports, given the time since the first delivery for the task.
fn pause(age: Duration) -> Duration {
    (age / SHARE).clamp(SHORTEST, LONGEST)
}

/// Adds a report and removes reports that become obsolete. A score that is only a bound does not replace the last exact
/// score, and the last report for each best move is kept, so that the final result does not depend on delivery times.
pub fn replace(reports: &mut Vec<Report>, report: Report) {
    let is_exact = report.bound == Bound::Exact;
    let is_of_other_move = |old: &Report| report.multipv == 1 && old.pv.first() != report.pv.first();
    reports.retain(|old| {
        let stays = old.bound == Bound::Exact && (!is_exact || is_of_other_move(old));
        old.multipv != report.multipv || stays
    });
    reports.push(report);
}

/// The newest reports of one worker.
pub struct ReportBuffer {
    worker: WorkerId,
    state: Mutex<BufferState>,
}

#[derive(Default)]
struct BufferState {
    /// Whether the worker's run has ended.
    closed: bool,
    /// Whether a notice about this buffer is in the queue.
    announced: bool,
    task: Option<TaskId>,
    reports: Vec<Report>,
    /// The times of the first and the last delivery of the task's reports.
    emptied: Option<(Instant, Instant)>,
}

impl BufferState {
    fn put(&mut self, task: TaskId, report: Report) {
        if self.task != Some(task) {
            self.task = Some(task);
            self.reports.clear();
            // A task's first report is delivered at once, since the task may have no time for a second one.
            self.emptied = None;
        }
        replace(&mut self.reports, report);
    }

    fn take(&mut self, worker: WorkerId) -> Vec<WorkerEvent> {
        let Some(task) = self.task else { return Vec::new() };
        self.reports.drain(..).map(|report| WorkerEvent::Report { worker, task, report }).collect()
    }
}

impl ReportBuffer {
    fn lock(&self) -> MutexGuard<'_, BufferState> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Returns when the buffer may be emptied again; `None` if it may be emptied now.
    fn ripe_after(&self, now: Instant) -> Option<Instant> {
        let (first, last) = self.lock().emptied?;
        Some(last + pause(last - first)).filter(|ripe| *ripe > now)
    }

    fn empty(&self, now: Instant) -> Vec<WorkerEvent> {
        let mut state = self.lock();
        state.announced = false;
        state.emptied = Some((state.emptied.map_or(now, |(first, _)| first), now));
        if state.closed { Vec::new() } else { state.take(self.worker) }
    }
}

/// Sends the events of one worker run. Events that a dead engine's threads send after `Lost` are dropped.
#[derive(Clone)]
pub struct EventSender {
    events: NoticeSender,
    buffer: Arc<ReportBuffer>,
}

impl EventSender {
    pub fn new(worker: WorkerId, events: &NoticeSender) -> Self {
        Self { events: events.clone(), buffer: Arc::new(ReportBuffer { worker, state: Mutex::default() }) }
    }

    pub fn joined(&self, profile: Profile) {
        if !self.buffer.lock().closed {
            self.send(WorkerNotice::Event(WorkerEvent::Joined { worker: self.buffer.worker, profile }));
        }
    }

    pub fn fresh(&self) {
        if !self.buffer.lock().closed {
            self.send(WorkerNotice::Fresh(self.buffer.worker));
        }
    }

    pub fn report(&self, task: TaskId, report: Report) {
        let mut state = self.buffer.lock();
        if state.closed {
            return;
        }
        state.put(task, report);
        if !state.announced {
            state.announced = true;
            self.send(WorkerNotice::Reports(Arc::clone(&self.buffer)));
        }
    }

    /// Ends a task after delivering its last reports.
    pub fn ended(&self, task: TaskId, end: TaskEnd) {
        let worker = self.buffer.worker;
        let mut state = self.buffer.lock();
        if state.closed {
            return;
        }
        if state.task == Some(task) {
            state.take(worker).into_iter().for_each(|event| self.send(WorkerNotice::Event(event)));
        }
        state.task = None;
        state.reports.clear();
        self.send(WorkerNotice::Event(WorkerEvent::Ended { worker, task, end }));
    }

    /// Reports the end of a worker's run, unless it was already reported.
    pub fn lost(&self, why: impl Into<String>) {
        self.end(why.into(), false);
    }

    /// Reports the end of a worker's run, and that the worker would fail again if it were restarted.
    pub fn lost_for_good(&self, why: impl Into<String>) {
        self.end(why.into(), true);
    }

    fn end(&self, why: String, for_good: bool) {
        let mut state = self.buffer.lock();
        if !std::mem::replace(&mut state.closed, true) {
            self.send(WorkerNotice::Event(WorkerEvent::Lost { worker: self.buffer.worker, why, for_good }));
        }
    }

    /// Ends a worker's run without sending an event.
    pub fn close(&self) {
        self.buffer.lock().closed = true;
    }

    /// Sends a notice while the buffer is locked, so that the queue keeps the order of events.
    fn send(&self, notice: WorkerNotice) {
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
    fn a_flood_of_reports_takes_one_place_and_the_newest_is_delivered() {
        let mut inbox = Inbox::default();
        let sender = EventSender::new(WorkerId(1), &inbox.events());
        (1..=10_000).for_each(|depth| sender.report(TaskId(1), report(depth, Bound::Exact)));
        assert_eq!(inbox.notices().len(), 1);
        let now = Instant::now();
        assert_eq!(depths(&drain(&mut inbox, now)), [10_000]);

        sender.report(TaskId(1), report(7, Bound::Exact));
        assert!(drain(&mut inbox, now).is_empty(), "too soon after the last delivery");
        assert_eq!(inbox.due(), Some(now + SHORTEST));
        assert_eq!(depths(&inbox.flush(now + SHORTEST)), [7]);
        assert_eq!(inbox.due(), None);

        sender.report(TaskId(2), report(1, Bound::Exact));
        assert_eq!(depths(&drain(&mut inbox, now + SHORTEST)), [1], "the first report of a task is not delayed");
    }

    #[test]
    fn pauses_grow_with_the_age_of_a_task() {
        let mut inbox = Inbox::default();
        let sender = EventSender::new(WorkerId(1), &inbox.events());
        let start = Instant::now();
        let mut now = start;
        let mut pauses = Vec::new();
        while now - start < Duration::from_millis(200) {
            sender.report(TaskId(1), report(1, Bound::Exact));
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

        sender.report(TaskId(2), report(1, Bound::Exact));
        assert_eq!(drain(&mut inbox, now).len(), 1);
        sender.report(TaskId(2), report(2, Bound::Exact));
        assert!(drain(&mut inbox, now).is_empty());
        assert_eq!(inbox.due(), Some(now + SHORTEST), "pauses start anew with another task");
    }

    #[test]
    fn a_bound_does_not_hide_the_exact_value_before_it() {
        let mut inbox = Inbox::default();
        let sender = EventSender::new(WorkerId(1), &inbox.events());
        sender.report(TaskId(1), report(8, Bound::Exact));
        sender.report(TaskId(1), report(9, Bound::Upper));
        sender.report(TaskId(1), report(10, Bound::Lower));
        assert_eq!(depths(&drain(&mut inbox, Instant::now())), [8, 10]);
    }

    #[test]
    fn the_last_report_precedes_the_end_and_nothing_follows_lost() {
        let mut inbox = Inbox::default();
        let sender = EventSender::new(WorkerId(1), &inbox.events());
        let end = || TaskEnd::Answer(Answer::Best { best: None, ponder: None });
        sender.report(TaskId(1), report(3, Bound::Exact));
        sender.ended(TaskId(1), end());
        sender.lost("gone");
        sender.report(TaskId(2), report(4, Bound::Exact));
        sender.ended(TaskId(2), end());
        sender.lost("again");

        let events = drain(&mut inbox, Instant::now());
        assert_eq!(depths(&events), [3]);
        assert!(matches!(events[1], WorkerEvent::Ended { task: TaskId(1), .. }));
        assert!(matches!(events[2], WorkerEvent::Lost { .. }));
        assert_eq!(events.len(), 3);
    }
}
