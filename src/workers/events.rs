//! How workers are heard: an endless queue of events, in which the reports of one worker never take more than one place.
//!
//! An engine may print ten thousand lines a second. Its reports lie in a buffer of its own where the newest replaces the
//! older ones. The loop empties a buffer at once for the first report of a task and then after pauses that grow with the age of the task
//! from [`SHORTEST`] to [`LONGEST`]: what a young search finds gives the others their tasks, and an old one finds little that
//! cannot wait. What stands in the buffer when a task ends is delivered before its end, so the last word is never lost.

use super::cluster::SlotOffer;
use crossbeam_channel::{Receiver, Sender, unbounded};
use hasami_api::{Bound, Report};
use hasami_tree::event::{Profile, TaskEnd, TaskId, WorkerEvent, WorkerId};
use hasami_words::Message;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::{Duration, Instant};

/// The time between two deliveries of one worker's reports is a [`SHARE`]th of the time since the first of the task,
/// within these bounds: some 25 deliveries in the first 80 ms, and 100 a second afterwards.
const SHORTEST: Duration = Duration::from_millis(1);
const LONGEST: Duration = Duration::from_millis(10);
const SHARE: u32 = 8;

/// A message from workers to the loop; opened by [`Inbox::open`].
pub enum WorkerNotice {
    Event(WorkerEvent),
    /// There are reports in this buffer.
    Reports(Arc<ReportBuffer>),
    /// Has forgotten the last game, which may take as long as clearing a large table does.
    Fresh(WorkerId),
    /// A slot of the cluster wants to work.
    SlotOffer(SlotOffer),
    /// A lost worker of the cluster: nothing more will be heard under this number.
    Left(WorkerId),
    /// Why there is no worker of the cluster, where that has a reason.
    Vacancy(Option<Message>),
    /// Whoever was in the cluster at the beginning has come.
    Settled,
    /// One line for whoever sits at the GUI.
    Told(Message),
}

/// The sending end, one clone for each worker.
#[derive(Clone)]
pub struct NoticeSender(Sender<WorkerNotice>);

impl NoticeSender {
    /// A closed queue means that the program is ending: nobody is left to hear it.
    pub fn send(&self, notice: WorkerNotice) {
        let _ = self.0.send(notice);
    }
}

/// The receiving end, owned by the loop.
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

    /// For `select!`.
    pub fn notices(&self) -> &Receiver<WorkerNotice> {
        &self.receiver
    }

    /// When [`Self::flush`] wants to be called.
    pub fn due(&self) -> Option<Instant> {
        self.due
    }

    /// Takes one notice apart. Reports that come too soon after the last ones wait for [`Self::flush`].
    pub fn open(&mut self, notice: WorkerNotice, now: Instant) -> Vec<WorkerEvent> {
        let buffer = match notice {
            WorkerNotice::Event(event) => return vec![event],
            WorkerNotice::Fresh(_)
            | WorkerNotice::SlotOffer(_)
            | WorkerNotice::Left(_)
            | WorkerNotice::Vacancy(_)
            | WorkerNotice::Settled
            | WorkerNotice::Told(_) => return Vec::new(),
            WorkerNotice::Reports(buffer) => buffer,
        };
        let Some(ripe) = buffer.ripe_after(now) else { return buffer.empty(now) };
        self.due = Some(self.due.map_or(ripe, |due| due.min(ripe)));
        self.waiting.push(buffer);
        Vec::new()
    }

    /// The reports that have waited; all of them at once, so that many workers cost one wake-up.
    pub fn flush(&mut self, now: Instant) -> Vec<WorkerEvent> {
        self.due = None;
        self.waiting.drain(..).flat_map(|buffer| buffer.empty(now)).collect()
    }
}

/// How long the next delivery waits after one at this `age` of the task's first.
fn pause(age: Duration) -> Duration {
    (age / SHARE).clamp(SHORTEST, LONGEST)
}

/// A newer line replaces what it makes obsolete; a bound leaves the last exact value standing, and each best move its own:
/// what is known in the end does not depend on when somebody looked.
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
    /// The life to which this sender belongs is over.
    closed: bool,
    /// A notice of this buffer is on its way.
    announced: bool,
    task: Option<TaskId>,
    reports: Vec<Report>,
    /// When the first report of the task, and the last one, were delivered.
    emptied: Option<(Instant, Instant)>,
}

impl BufferState {
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

impl ReportBuffer {
    fn lock(&self) -> MutexGuard<'_, BufferState> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// When it may be emptied again; `None`: now.
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

/// The right to speak during one life of a worker: nothing that a dead engine's threads still find to say gets out
/// after its `Lost`.
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

    /// Ends a task, its last reports first.
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

    /// The last word of this life; `false` if it was over already.
    pub fn lost(&self, why: impl Into<Message>) -> bool {
        self.end(why.into(), false)
    }

    /// The same where another life would be no better.
    pub fn lost_for_good(&self, why: impl Into<Message>) -> bool {
        self.end(why.into(), true)
    }

    fn end(&self, why: Message, for_good: bool) -> bool {
        let mut state = self.buffer.lock();
        if state.closed {
            return false;
        }
        state.closed = true;
        self.send(WorkerNotice::Event(WorkerEvent::Lost { worker: self.buffer.worker, why, for_good }));
        true
    }

    /// Ends this life without a word.
    pub fn close(&self) {
        self.buffer.lock().closed = true;
    }

    /// Sent while the buffer is locked, so that the queue keeps the order of what was said.
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
    fn a_flood_takes_one_place_and_the_newest_wins() {
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
        assert_eq!(depths(&drain(&mut inbox, now + SHORTEST)), [1], "the first of a task is not held back");
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
        assert_eq!(inbox.due(), Some(now + SHORTEST), "another task begins anew");
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
    fn the_last_report_comes_before_the_end_and_nothing_after_lost() {
        let mut inbox = Inbox::default();
        let sender = EventSender::new(WorkerId(1), &inbox.events());
        let end = || TaskEnd::Answer(Answer::Best { best: None, ponder: None });
        sender.report(TaskId(1), report(3, Bound::Exact));
        sender.ended(TaskId(1), end());
        assert!(sender.lost("gone"));
        sender.report(TaskId(2), report(4, Bound::Exact));
        sender.ended(TaskId(2), end());
        assert!(!sender.lost("again"));

        let events = drain(&mut inbox, Instant::now());
        assert_eq!(depths(&events), [3]);
        assert!(matches!(events[1], WorkerEvent::Ended { task: TaskId(1), .. }));
        assert!(matches!(events[2], WorkerEvent::Lost { .. }));
        assert_eq!(events.len(), 3);
    }
}
