//! Runs a sequential engine on a thread of this program as a worker.

use super::{Bus, EventSender, NoticeSender, Renewal, Worker};
use crossbeam_channel::{Receiver, Sender, bounded, unbounded};
use hasami_api::{Goal, Pace, Searcher, Stop, Task};
use hasami_tree::event::{Profile, TaskEnd, TaskId, WorkerId};
use std::any::Any;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::{Arc, Mutex, PoisonError};
use std::thread::Builder;
use std::time::{Duration, Instant};

/// Builds a worker's engine, on the worker's thread, since allocating a large table takes a while.
pub type Maker = Arc<dyn Fn() -> Box<dyn Searcher> + Send + Sync>;

/// Wraps a maker so that the thread of each worker can call it.
pub fn shared(maker: Box<dyn FnMut() -> Box<dyn Searcher> + Send>) -> Maker {
    let maker = Mutex::new(maker);
    Arc::new(move || (maker.lock().unwrap_or_else(PoisonError::into_inner))())
}

/// Stack size of a worker's thread, in bytes. A search recurses several hundred plies deep, with a move list of several
/// KiB in each frame.
const STACK: usize = 64 << 20;

/// Maximum time spent on preparing memory before the first search. Some clients wait only 10 s for `readyok`, even if
/// `Hash` is large. A search rarely needs the memory that cannot be prepared in time.
const PREPARATION: Duration = Duration::from_secs(2);

/// A worker that runs on a thread of this program.
pub struct ThreadWorker {
    id: WorkerId,
    profile: Profile,
    make: Maker,
    events: NoticeSender,
    bus: Bus,
    life: Option<ThreadLife>,
}

/// One run of a worker's thread, from its start to its end.
struct ThreadLife {
    jobs: Sender<ThreadJob>,
    sender: EventSender,
    current: Option<(TaskId, Stop)>,
    /// A channel that is disconnected when the thread has ended.
    gone: Receiver<()>,
}

enum ThreadJob {
    Search(TaskId, Box<Task>, Stop),
    NewGame,
}

impl ThreadWorker {
    /// Starts the worker's thread at once. The event `Joined` follows when the engine is built. `bus` connects the
    /// worker to the other workers of its pool.
    pub fn new(id: WorkerId, profile: Profile, make: Maker, events: NoticeSender, bus: Bus) -> Self {
        let mut worker = Self { id, profile, make, events, bus, life: None };
        worker.revive();
        worker
    }

    /// Stops the search and lets the thread end. Later events of the thread are dropped.
    fn leave(&mut self) -> Option<ThreadLife> {
        let life = self.life.take()?;
        if let Some((_, stop)) = &life.current {
            stop.stop();
        }
        Some(life)
    }
}

impl Worker for ThreadWorker {
    fn start(&mut self, id: TaskId, task: Task) {
        let Some(life) = &mut self.life else { return };
        let mut stop = if is_background(&task) { Stop::paced(Arc::new(Polite)) } else { Stop::new() };
        // The stored copy of `stop` does not hold the team membership, so that the membership ends with the search.
        life.current = Some((id, stop.clone()));
        if task.team != 0 {
            stop = stop.with_exchange(self.bus.join(task.team, id.0));
        }
        // If the thread is dead, it has already sent `Lost`, which ends the task too.
        let _ = life.jobs.send(ThreadJob::Search(id, Box::new(task), stop));
    }

    fn cancel(&mut self, id: TaskId) {
        if let Some(ThreadLife { current: Some((running, stop)), .. }) = &self.life
            && *running == id
        {
            stop.stop();
        }
    }

    fn new_game(&mut self) -> Renewal {
        let hears = self.life.as_ref().is_some_and(|life| life.jobs.send(ThreadJob::NewGame).is_ok());
        if hears { Renewal::Promised } else { Renewal::Done }
    }

    /// Abandons the thread, since a thread cannot be killed, and asks its search to stop.
    fn kill(&mut self) {
        // `Lost` is sent before the search is stopped, so that the end of the search is no longer reported.
        if let Some(life) = &self.life {
            life.sender.lost("abandoned: it did not answer");
        }
        self.leave();
    }

    fn revive(&mut self) {
        if let Some(old) = self.leave() {
            old.sender.close();
        }
        let sender = EventSender::new(self.id, &self.events);
        let (jobs, inbox) = unbounded();
        let (make, profile, speech) = (Arc::clone(&self.make), self.profile.clone(), sender.clone());
        let (alive, gone) = bounded::<()>(0);
        let thread = Builder::new().name(profile.name.clone()).stack_size(STACK).spawn(move || {
            run(&make, profile, &inbox, &speech);
            drop(alive);
        });
        match thread {
            Ok(_) => self.life = Some(ThreadLife { jobs, sender, current: None, gone }),
            Err(error) => {
                sender.lost(format!("cannot start a thread: {error}"));
            }
        }
    }

    fn quit(&mut self) {
        if let Some(ThreadLife { current: Some((_, stop)), .. }) = &self.life {
            stop.stop();
        }
    }

    /// Waits for the thread to end, but only until `deadline`: a search that ignores its stop flag still ends with the
    /// program.
    fn wait_gone(&mut self, deadline: Instant) {
        let Some(life) = self.leave() else { return };
        life.sender.close();
        drop(life.jobs);
        let _ = life.gone.recv_deadline(deadline);
    }
}

impl Drop for ThreadWorker {
    fn drop(&mut self) {
        if let Some(life) = self.leave() {
            life.sender.close();
        }
    }
}

/// The main function of a worker's thread: builds the engine, then executes jobs until all senders are dropped or the
/// engine panics.
fn run(make: &Maker, profile: Profile, jobs: &Receiver<ThreadJob>, sender: &EventSender) {
    let work = AssertUnwindSafe(|| {
        let mut engine = make();
        let begun = Instant::now();
        engine.prepare(&|| begun.elapsed() >= PREPARATION);
        sender.joined(profile);
        for job in jobs {
            match job {
                ThreadJob::NewGame => {
                    engine.new_game();
                    sender.fresh();
                }
                ThreadJob::Search(id, task, stop) => search(engine.as_mut(), id, &task, &stop, sender),
            }
        }
    });
    if let Err(panic) = catch_unwind(work) {
        sender.lost(format!("panicked: {}", panic_text(panic.as_ref())));
    }
}

fn search(engine: &mut dyn Searcher, id: TaskId, task: &Task, stop: &Stop, sender: &EventSender) {
    let end = match engine.search(task, stop, &mut |report| sender.report(id, report)) {
        Ok(answer) => TaskEnd::Answer(answer),
        Err(error) => TaskEnd::Failed(error.to_string()),
    };
    sender.ended(id, end);
}

fn panic_text(panic: &(dyn Any + Send)) -> &str {
    let text = panic.downcast_ref::<&str>().copied();
    text.or_else(|| panic.downcast_ref::<String>().map(String::as_str)).unwrap_or("without a message")
}

/// Number of nodes, about 0.2 ms of work, that the solver searches before it yields the processor again.
const PORTION: u64 = 32;

/// The pace of the solver's background mate searches, which yield the processor. If a mate search on the last free
/// processor did not yield, it would delay a `stop` until the end of its time slice, by about 3 ms.
struct Polite;

impl Pace for Polite {
    fn more(&self, nodes: u64) -> u64 {
        std::thread::yield_now();
        nodes + PORTION
    }
}

/// Returns true if a task is a background mate search, rather than a search for which the GUI is waiting. A mate search
/// that is not limited to checks is part of an analysis and does not yield, since it would get no time if every
/// processor had a searching thread.
fn is_background(task: &Task) -> bool {
    task.goal == Goal::Mate && task.limits.nodes.is_some()
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used)]
    use super::*;
    use crate::{Inbox, WorkerNotice};
    use hasami_api::{Answer, Limits, Report, Score, TaskError};
    use hasami_tree::event::WorkerEvent;

    /// An engine that reports once and then searches until it is stopped. A task with depth 13 makes the engine panic.
    struct Patient;

    impl Searcher for Patient {
        fn search(&mut self, task: &Task, stop: &Stop, tell: &mut dyn FnMut(Report)) -> Result<Answer, TaskError> {
            assert_ne!(task.limits.depth, Some(13), "unlucky");
            tell(Report::new(Score::DRAW));
            while task.limits.depth.is_none() && !stop.is_stopped() {
                std::thread::yield_now();
            }
            Ok(Answer::Best { best: None, ponder: None })
        }

        fn new_game(&mut self) {}
    }

    fn worker(inbox: &Inbox) -> ThreadWorker {
        ThreadWorker::new(
            WorkerId(7),
            Profile::thread(1),
            Arc::new(|| Box::new(Patient)),
            inbox.events(),
            Bus::default(),
        )
    }

    fn next(inbox: &mut Inbox) -> WorkerEvent {
        loop {
            let notice = inbox.notices().recv_timeout(Duration::from_secs(10)).unwrap();
            let mut events = inbox.open(notice, Instant::now());
            events.extend(inbox.flush(Instant::now()));
            if let Some(event) = events.into_iter().next() {
                return event;
            }
        }
    }

    fn task(depth: Option<u16>) -> Task {
        let mut task = Task::default();
        task.limits.depth = depth;
        task
    }

    #[test]
    fn each_task_has_its_own_stop_and_ends_once() {
        let mut inbox = Inbox::default();
        let mut worker = worker(&inbox);
        assert!(matches!(next(&mut inbox), WorkerEvent::Joined { worker: WorkerId(7), .. }));
        for id in 1..=50 {
            worker.start(TaskId(id), task(None));
            worker.cancel(TaskId(id - 1));
            assert!(matches!(next(&mut inbox), WorkerEvent::Report { task, .. } if task == TaskId(id)));
            worker.cancel(TaskId(id));
            assert!(matches!(next(&mut inbox), WorkerEvent::Ended { task, .. } if task == TaskId(id)));
        }
    }

    /// An engine that waits for a message from the test before it prepares itself or clears its table.
    struct Slow(Receiver<()>);

    impl Searcher for Slow {
        fn search(&mut self, _: &Task, _: &Stop, _: &mut dyn FnMut(Report)) -> Result<Answer, TaskError> {
            Ok(Answer::Best { best: None, ponder: None })
        }

        fn prepare(&mut self, _: &dyn Fn() -> bool) {
            self.0.recv().unwrap();
        }

        fn new_game(&mut self) {
            self.0.recv().unwrap();
        }
    }

    #[test]
    fn it_joins_when_its_memory_is_prepared_and_reports_when_it_is_clear() {
        let inbox = Inbox::default();
        let (go, wait) = unbounded();
        let make: Maker = Arc::new(move || Box::new(Slow(wait.clone())));
        let mut worker = ThreadWorker::new(WorkerId(3), Profile::thread(1), make, inbox.events(), Bus::default());
        assert_eq!(worker.new_game(), Renewal::Promised);
        assert!(inbox.notices().is_empty());
        go.send(()).unwrap();
        let next = || inbox.notices().recv_timeout(Duration::from_secs(10)).unwrap();
        assert!(matches!(next(), WorkerNotice::Event(WorkerEvent::Joined { .. })));
        assert!(inbox.notices().is_empty());
        go.send(()).unwrap();
        assert!(matches!(next(), WorkerNotice::Fresh(WorkerId(3))));
    }

    #[test]
    fn a_panic_is_reported_as_lost_and_the_next_run_works() {
        let mut inbox = Inbox::default();
        let mut worker = worker(&inbox);
        assert!(matches!(next(&mut inbox), WorkerEvent::Joined { .. }));
        worker.start(TaskId(1), task(Some(13)));
        let WorkerEvent::Lost { why, .. } = next(&mut inbox) else { panic!("expected Lost") };
        assert!(why.to_string().contains("unlucky"), "{why}");
        worker.revive();
        assert!(matches!(next(&mut inbox), WorkerEvent::Joined { .. }));
        worker.start(TaskId(2), task(Some(1)));
        assert!(matches!(next(&mut inbox), WorkerEvent::Report { .. }));
        assert!(matches!(next(&mut inbox), WorkerEvent::Ended { task: TaskId(2), .. }));
    }

    #[test]
    fn a_killed_thread_is_lost_once() {
        let mut inbox = Inbox::default();
        let mut worker = worker(&inbox);
        assert!(matches!(next(&mut inbox), WorkerEvent::Joined { .. }));
        worker.start(TaskId(1), task(None));
        assert!(matches!(next(&mut inbox), WorkerEvent::Report { .. }));
        worker.kill();
        assert!(matches!(next(&mut inbox), WorkerEvent::Lost { .. }));
        worker.revive();
        assert!(matches!(next(&mut inbox), WorkerEvent::Joined { .. }));
        worker.wait_gone(Instant::now() + Duration::from_secs(10));
        assert!(inbox.notices().is_empty());
    }

    #[test]
    fn only_background_searches_for_mates_yield() {
        let limits = Limits { nodes: Some(1_000), ..Limits::default() };
        assert!(is_background(&Task { goal: Goal::Mate, limits, ..Task::default() }));
        assert!(!is_background(&Task { goal: Goal::Mate, ..Task::default() }), "the GUI waits for it");
        assert!(!is_background(&Task { goal: Goal::Best, limits, ..Task::default() }));
        assert!(
            !is_background(&Task { goal: Goal::MateByAnyMoves, limits, ..Task::default() }),
            "no clock runs in an analysis"
        );
        assert_eq!(Polite.more(1_000), 1_032);
    }
}
