//! A child process that gets a fixed share of CPU time: it is suspended whenever its CPU clock has caught up with the
//! virtual clock. An output line's virtual time is derived from the child's CPU clock at the moment when the line is
//! read.
//!
//! A process cannot be suspended with nanosecond precision. If the child has run too long, its next run is shortened by
//! the excess, so the error never exceeds the interval at which the CPU clock is read. While the child is idle (waiting
//! for a command or a timer), virtual time passes although its CPU clock stands still.

use super::worker::{ClusterWorker, Post, Sent, SharedNews};
use crossbeam_channel::{Receiver, RecvTimeoutError, unbounded};
use hasami_api::Task;
use hasami_child::{ChildProcess, ProcessControl, ProcessOutput};
use hasami_protocol::client::PlayedGame;
use hasami_tree::event::{Profile, TaskId, Time, WorkerEvent, WorkerId};
use hasami_workers::child_client::ChildClient;
use hasami_workers::children::ChildSpec;
use hasami_workers::{EventSender, Inbox};
use std::io;
use std::sync::Arc;
use std::time::{Duration, Instant};

/// Longest time between two readings of a CPU clock. Each thread of a child may overrun its slice by up to this time.
const LOOK: Duration = Duration::from_millis(1);

/// Time within which a child must become idle when it is not searching.
const SETTLING: Duration = Duration::from_secs(10);

/// Time to wait for the message that says why a child has ended.
const LAST_WORDS: Duration = Duration::from_secs(2);

/// A message from the thread that reads the child's output.
enum ChildOutput {
    /// A line of output, and the value of the CPU clock when the line was read.
    Line(Option<Duration>, String),
    Absent(String),
    Gone(String),
}

#[derive(Debug)]
struct RationedTask {
    since: Time,
    /// The value of the CPU clock when the task began.
    cpu: Duration,
    /// How long the child was idle during the task, in virtual time.
    waited: Duration,
    /// The node count of the task's last report.
    nodes: u64,
    /// The virtual time of the last message; later messages must not have an earlier time.
    last_message: Time,
}

pub struct RationedWorker {
    id: WorkerId,
    name: String,
    /// CPU seconds that the child gets per virtual second.
    share: f64,
    child: ChildProcess,
    reins: ProcessControl,
    heard: Receiver<ChildOutput>,
    client: ChildClient,
    inbox: Inbox,
    /// The `Instant` that represents virtual time zero, so that report rates are limited as in real time.
    epoch: Instant,
    profile: Option<Profile>,
    running: Option<RationedTask>,
    /// True if a new game must be announced after the current task. A new game cannot be announced during a task,
    /// because engines do not read input while they search.
    is_stale: bool,
    free_since: Time,
    idle: Duration,
    nodes: u64,
    /// The reason why the child is unusable, which is reported once.
    fault: Option<String>,
    is_lost: bool,
}

impl RationedWorker {
    /// Starts the process without waiting for it, so that several processes can start in parallel; [`Self::come_up`]
    /// waits.
    pub fn spawn(id: WorkerId, spec: ChildSpec, share: f64, game: PlayedGame) -> Self {
        let (name, launch) = (spec.name.clone(), spec.launch.clone());
        let inbox = Inbox::default();
        let mut client = ChildClient::new(Arc::new(spec), game, EventSender::new(id, &inbox.events()));
        let (mouth, heard) = unbounded();
        ProcessControl::stay_here();
        let reins = ProcessControl::default();
        let clock = reins.clone();
        let child = ChildProcess::spawn_controlled(&launch, Some(reins.clone()), move |said, _| {
            // If the worker has been dropped, its output is ignored.
            let _ = mouth.send(match said {
                ProcessOutput::Said(line) => ChildOutput::Line(clock.cpu().ok(), line.to_owned()),
                ProcessOutput::Absent(why) => ChildOutput::Absent(why.to_string()),
                ProcessOutput::Gone(why) => ChildOutput::Gone(why.to_string()),
            });
        });
        client.flush(child.writer());
        Self {
            id,
            name,
            share,
            child,
            reins,
            heard,
            client,
            inbox,
            epoch: Instant::now(),
            profile: None,
            running: None,
            is_stale: false,
            free_since: Time::ZERO,
            idle: Duration::ZERO,
            nodes: 0,
            fault: None,
            is_lost: false,
        }
    }

    /// Waits in real time until the child can take tasks, then suspends it.
    pub fn come_up(&mut self, limit: Duration) -> io::Result<()> {
        let deadline = Instant::now() + limit;
        while self.profile.is_none() && self.fault.is_none() {
            match self.heard.recv_deadline(deadline) {
                Ok(heard) => self.hear(heard, &mut Vec::new()),
                Err(_) => {
                    let (waited, within) = (self.client.waits_for(), limit.as_secs());
                    self.fail(&format!("no {waited} within {within} s"));
                }
            }
        }
        if self.fault.is_none() && self.reins.has_children()? {
            self.fail("the command only starts the engine, so its CPU clock cannot be read; name the engine itself");
        }
        if self.fault.is_none() {
            self.settle()?;
        }
        self.fault.clone().map_or(Ok(()), |why| Err(io::Error::other(why)))
    }

    /// How long the child was idle during the current task, in virtual time.
    pub fn waited(&self) -> Duration {
        self.running.as_ref().map_or(Duration::ZERO, |running| running.waited)
    }

    /// Runs the child until it is idle, without advancing virtual time.
    fn settle(&mut self) -> io::Result<()> {
        let deadline = Instant::now() + SETTLING;
        self.reins.release()?;
        while self.fault.is_none() {
            match self.heard.recv_timeout(LOOK) {
                Ok(heard) => self.hear(heard, &mut Vec::new()),
                Err(_) if self.reins.is_at_rest()? || Instant::now() >= deadline => break,
                Err(_) => {}
            }
        }
        self.reins.hold()
    }

    /// Records why the child is unusable, if no reason is known yet.
    fn fail(&mut self, why: &str) {
        self.fault.get_or_insert_with(|| format!("{}: {why}", self.name));
    }

    /// Handles an I/O error. The error often means that the process has ended, so this function waits for the message
    /// that says why.
    fn check<T: Default>(&mut self, result: io::Result<T>, sent: &mut Post) -> T {
        result.unwrap_or_else(|error| {
            let deadline = Instant::now() + LAST_WORDS;
            while self.fault.is_none() {
                match self.heard.recv_deadline(deadline) {
                    Ok(heard) => self.hear(heard, sent),
                    Err(_) => self.fail(&error.to_string()),
                }
            }
            T::default()
        })
    }

    fn hear(&mut self, heard: ChildOutput, sent: &mut Post) {
        match heard {
            ChildOutput::Line(cpu, line) => {
                self.client.hear(&line, self.child.writer());
                let at = self.running.as_mut().map_or(Time::ZERO, |running| {
                    let at = cpu.map_or(running.last_message, |cpu| running.time_at(cpu, self.share));
                    running.last_message = running.last_message.max(at);
                    running.last_message
                });
                self.deliver(at, sent);
            }
            ChildOutput::Absent(why) => self.fail(&why),
            ChildOutput::Gone(why) if self.profile.is_some() => {
                self.fail(&format!("the engine has quit: {why}"));
            }
            ChildOutput::Gone(why) => self.fail(&format!("no {}: {why}", self.client.waits_for())),
        }
    }

    /// Converts the child's output to events, and adds those that are due at the virtual time `at` to `sent`.
    fn deliver(&mut self, at: Time, sent: &mut Post) {
        let now = self.epoch + at;
        if self.inbox.due().is_some_and(|due| due <= now) {
            let events = self.inbox.flush(now);
            self.tell(at, events, sent);
        }
        while let Ok(notice) = self.inbox.notices().try_recv() {
            let events = self.inbox.open(notice, now);
            self.tell(at, events, sent);
        }
    }

    fn tell(&mut self, at: Time, events: Vec<WorkerEvent>, sent: &mut Post) {
        for event in events {
            match &event {
                WorkerEvent::Joined { profile, .. } => {
                    self.profile = Some(profile.clone());
                    continue;
                }
                WorkerEvent::Lost { why, .. } => return self.fail(&why.to_string()),
                WorkerEvent::Report { report, .. } => {
                    if let Some(running) = &mut self.running {
                        running.nodes = running.nodes.max(report.nodes);
                    }
                }
                WorkerEvent::Ended { .. } => {
                    self.nodes += self.running.take().map_or(0, |running| running.nodes);
                    self.free_since = at;
                }
            }
            sent.push((at, Sent::Event(event)));
        }
    }

    /// The CPU time that the child may still use until the virtual time `time`; `None` if none is left or the task has
    /// ended.
    fn left(&self, time: Time) -> io::Result<Option<Duration>> {
        let Some(running) = self.running.as_ref().filter(|_| self.fault.is_none()) else { return Ok(None) };
        let reached = running.time_at(self.reins.cpu()?, self.share);
        let left = time.saturating_sub(reached).mul_f64(self.share);
        Ok(Some(left).filter(|left| !left.is_zero()))
    }

    /// Runs the child until its CPU clock has caught up with the virtual time `time`, or the task has ended.
    fn run(&mut self, time: Time, sent: &mut Post) -> io::Result<()> {
        if self.left(time)?.is_none() {
            return Ok(());
        }
        self.reins.release()?;
        while let Some(left) = self.left(time)? {
            match self.heard.recv_timeout(left.min(LOOK)) {
                Ok(heard) => self.hear(heard, sent),
                Err(RecvTimeoutError::Timeout) if self.reins.is_at_rest()? => self.wait_until(time)?,
                Err(_) => {}
            }
        }
        self.reins.hold()?;
        while let Ok(heard) = self.heard.try_recv() {
            self.hear(heard, sent);
        }
        Ok(())
    }

    /// Counts virtual time up to `time` as the child's idle time.
    fn wait_until(&mut self, time: Time) -> io::Result<()> {
        let cpu = self.reins.cpu()?;
        // The child does not count as idle before all its output has been handled.
        if self.heard.is_empty()
            && let Some(running) = &mut self.running
        {
            running.waited += time.saturating_sub(running.time_at(cpu, self.share));
        }
        Ok(())
    }

    /// If the child is unusable, reports its loss, but only once.
    fn give_up(&mut self, now: Time, sent: &mut Post) {
        if let Some(why) = self.fault.clone().filter(|_| !std::mem::replace(&mut self.is_lost, true)) {
            self.running = None;
            let event = WorkerEvent::Lost { worker: self.id, why, for_good: true };
            sent.push((now, Sent::Event(event)));
        }
    }
}

impl RationedTask {
    /// Converts a value of the child's CPU clock to virtual time.
    fn time_at(&self, cpu: Duration, share: f64) -> Time {
        self.since + self.waited + cpu.saturating_sub(self.cpu).div_f64(share)
    }
}

impl ClusterWorker for RationedWorker {
    fn profile(&self) -> Profile {
        self.profile.clone().unwrap_or_else(|| Profile::thread(self.id.0 + 1))
    }

    fn start(&mut self, now: Time, id: TaskId, task: Task, sent: &mut Post) {
        self.idle = self.idle(now);
        let cpu = self.reins.cpu();
        let cpu = self.check(cpu, sent);
        self.running = Some(RationedTask { since: now, cpu, waited: Duration::ZERO, nodes: 0, last_message: now });
        self.client.start(id, &task, self.child.writer());
        self.deliver(now, sent);
        self.give_up(now, sent);
    }

    fn run_to(&mut self, time: Time, sent: &mut Post) {
        if self.running.is_none() {
            return;
        }
        let done = self.run(time, sent);
        self.check(done, sent);
        // Delivers reports that were held back to limit their rate.
        self.deliver(time, sent);
        if self.running.is_none() && std::mem::take(&mut self.is_stale) {
            self.new_game();
        }
        self.give_up(time, sent);
    }

    /// Cancels the task, which ends once the child has had enough CPU time to answer `stop`.
    fn cancel(&mut self, _: Time, id: TaskId, _: &mut Post) {
        self.client.cancel(id, self.child.writer());
    }

    /// Child engines do not exchange news.
    fn hand(&self, _: &SharedNews) {}

    /// Preparing a new game takes no virtual time.
    fn new_game(&mut self) {
        if self.running.is_some() {
            self.is_stale = true;
            return;
        }
        self.client.new_game(self.child.writer());
        let settled = self.settle();
        self.check(settled, &mut Vec::new());
    }

    fn is_busy(&self) -> bool {
        self.running.is_some()
    }

    fn idle(&self, now: Time) -> Duration {
        self.idle + if self.running.is_none() { now.saturating_sub(self.free_since) } else { Duration::ZERO }
    }

    fn nodes(&self) -> u64 {
        self.nodes + self.running.as_ref().map_or(0, |running| running.nodes)
    }
}

impl Drop for RationedWorker {
    /// Kills the child, because a suspended process cannot read `quit`.
    fn drop(&mut self) {
        self.child.kill();
    }
}
