//! Runs a real engine in a thread of its own and limits how many nodes the engine may search.

use super::worker::{ClusterWorker, Post, Sent, SharedNews};
use crossbeam_channel::{Receiver, Sender, unbounded};
use hasami_api::{Exchange, News, Pace, Report, Searcher, Stop, Task};
use hasami_tree::event::{Profile, TaskEnd, TaskId, Time, WorkerEvent, WorkerId};
use std::io;
use std::sync::Arc;
use std::thread::Builder;
use std::time::Duration;

/// Stack size of the engine's thread in bytes, the same as for worker threads; most of the stack is never touched.
const STACK: usize = 64 << 20;

/// A message from the thread in which the engine runs.
enum ThreadMessage {
    /// The search is paused until it is granted more nodes.
    Paused,
    /// News for the other workers of the search group, sent after this number of nodes.
    News(u64, Arc<[News]>),
    Report(Report),
    Ended(TaskEnd),
}

enum PacedJob {
    Search(Task, Stop),
    NewGame,
}

/// The search thread's ends of the channels for node grants and messages.
struct Baton {
    grants: Receiver<u64>,
    said: Sender<ThreadMessage>,
}

/// The ends of the channels through which the search exchanges news with other workers.
struct PacedMailbox {
    arriving_news: Receiver<Arc<[News]>>,
    said: Sender<ThreadMessage>,
}

impl Exchange for PacedMailbox {
    fn tell(&self, nodes: u64, news: &[News]) {
        let _ = self.said.send(ThreadMessage::News(nodes, news.into()));
    }

    fn hear(&self, heard: &mut Vec<News>) {
        self.arriving_news.try_iter().for_each(|shared_news| heard.extend_from_slice(&shared_news));
    }
}

impl Pace for Baton {
    /// A closed channel means that the search has been stopped.
    fn more(&self, _nodes: u64) -> u64 {
        let _ = self.said.send(ThreadMessage::Paused);
        self.grants.recv().unwrap_or(u64::MAX)
    }
}

struct PacedTask {
    id: TaskId,
    stop: Stop,
    grants: Sender<u64>,
    arriving_news: Sender<Arc<[News]>>,
    team: u64,
    since: Time,
    /// Number of nodes that the search may visit in total; all of them count as searched until the search ends.
    granted: u64,
}

/// A worker whose engine searches only as many nodes as the virtual time allows.
pub struct PacedWorker {
    id: WorkerId,
    /// Speed in nodes per virtual second.
    speed: u32,
    jobs: Sender<PacedJob>,
    said: Receiver<ThreadMessage>,
    speech: Sender<ThreadMessage>,
    running: Option<PacedTask>,
    /// Virtual time at which the last task ended.
    free_since: Time,
    idle: Duration,
    nodes: u64,
}

impl PacedWorker {
    /// Creates a worker and a thread, in which `make` creates the engine.
    pub fn new(
        id: WorkerId,
        speed: u32,
        make: impl FnOnce() -> Box<dyn Searcher> + Send + 'static,
    ) -> io::Result<Self> {
        let (jobs, inbox) = unbounded();
        let (speech, said) = unbounded();
        let mouth = speech.clone();
        Builder::new().name(format!("virtual {}", id.0)).stack_size(STACK).spawn(move || {
            let mut engine = make();
            for job in inbox {
                match job {
                    PacedJob::NewGame => engine.new_game(),
                    PacedJob::Search(task, stop) => search(engine.as_mut(), &task, &stop, &mouth),
                }
            }
        })?;
        Ok(Self {
            id,
            speed: speed.max(1),
            jobs,
            said,
            speech,
            running: None,
            free_since: Time::ZERO,
            idle: Duration::ZERO,
            nodes: 0,
        })
    }

    /// Handles messages from the engine until the search pauses or ends, at the virtual time `now`.
    fn listen(&mut self, now: Time, sent: &mut Post) {
        let worker = self.id;
        let Some(running) = &mut self.running else { return };
        let (task, since, speed) = (running.id, running.since, f64::from(self.speed));
        let at = |nodes: u64| (since + Duration::from_secs_f64(nodes as f64 / speed)).min(now);
        let mut known = 0;
        loop {
            match self.said.recv() {
                Ok(ThreadMessage::Paused) => return,
                Ok(ThreadMessage::News(nodes, news)) => {
                    let shared_news = SharedNews { from: worker, team: running.team, news };
                    sent.push((at(nodes), Sent::News(shared_news)));
                }
                Ok(ThreadMessage::Report(report)) => {
                    known = report.nodes;
                    sent.push((at(known), Sent::Event(WorkerEvent::Report { worker, task, report })));
                }
                Ok(ThreadMessage::Ended(end)) => {
                    // If the search was not stopped, it ended right after its last report; if it was stopped, it ends
                    // at `now`.
                    let time = if running.stop.is_stopped() || known == 0 { now } else { at(known) };
                    self.free_since = time;
                    if time < now {
                        // Nodes that were granted but not visited do not count as searched.
                        self.nodes -= running.granted - known.min(running.granted);
                    }
                    sent.push((time, Sent::Event(WorkerEvent::Ended { worker, task, end })));
                    self.running = None;
                    return;
                }
                Err(_) => unreachable!("this worker holds a sender itself"),
            }
        }
    }
}

impl ClusterWorker for PacedWorker {
    fn profile(&self) -> Profile {
        Profile::thread(self.id.0 + 1)
    }

    fn nodes(&self) -> u64 {
        self.nodes
    }

    fn is_busy(&self) -> bool {
        self.running.is_some()
    }

    fn idle(&self, now: Time) -> Duration {
        self.idle + if self.running.is_none() { now.saturating_sub(self.free_since) } else { Duration::ZERO }
    }

    fn new_game(&mut self) {
        let _ = self.jobs.send(PacedJob::NewGame);
    }

    fn start(&mut self, now: Time, id: TaskId, task: Task, sent: &mut Post) {
        self.idle = self.idle(now);
        let (grants, received) = unbounded();
        let (arriving_news, mail) = unbounded();
        let team = task.team;
        let mut stop = Stop::paced(Arc::new(Baton { grants: received, said: self.speech.clone() }));
        if team != 0 {
            stop = stop.with_exchange(Arc::new(PacedMailbox { arriving_news: mail, said: self.speech.clone() }));
        }
        let _ = self.jobs.send(PacedJob::Search(task, stop.clone()));
        self.running = Some(PacedTask { id, stop, grants, arriving_news, team, since: now, granted: 0 });
        self.listen(now, sent);
    }

    fn hand(&self, shared_news: &SharedNews) {
        if let Some(running) = self.running.as_ref().filter(|running| running.team == shared_news.team)
            && shared_news.from != self.id
        {
            let _ = running.arriving_news.send(Arc::clone(&shared_news.news));
        }
    }

    fn run_to(&mut self, time: Time, sent: &mut Post) {
        let Some(running) = &mut self.running else { return };
        let nanos = time.saturating_sub(running.since).as_nanos();
        let due = (nanos * u128::from(self.speed) / 1_000_000_000) as u64;
        if due > running.granted {
            self.nodes += due - running.granted;
            running.granted = due;
            let _ = running.grants.send(due);
            self.listen(time, sent);
        }
    }

    fn cancel(&mut self, now: Time, id: TaskId, sent: &mut Post) {
        if let Some(running) = self.running.as_ref().filter(|running| running.id == id) {
            running.stop.stop();
            let _ = running.grants.send(u64::MAX);
            self.listen(now, sent);
        }
    }
}

impl Drop for PacedWorker {
    /// Stops the search at its next node. The engine's thread ends because its job queue is closed.
    fn drop(&mut self) {
        if let Some(running) = self.running.take() {
            running.stop.stop();
        }
    }
}

fn search(engine: &mut dyn Searcher, task: &Task, stop: &Stop, said: &Sender<ThreadMessage>) {
    let tell = &mut |report| {
        let _ = said.send(ThreadMessage::Report(report));
    };
    let end = match engine.search(task, stop, tell) {
        Ok(answer) => TaskEnd::Answer(answer),
        Err(error) => TaskEnd::Failed(error.to_string()),
    };
    let _ = said.send(ThreadMessage::Ended(end));
}
