//! Simulates a manager that plays two moves: workers join, search, ponder during the opponent's turn, and search again.

use crate::synthetic::{Search, mix};
use hasami_api::{Goal, Line, MoveText, Start};
use hasami_chess::Chess;
use hasami_manager::Manager;
use hasami_protocol::{BestMove, Clock, Command, Go, Output, Settings};
use hasami_tree::EventQueue;
use hasami_tree::Transitions;
use hasami_tree::event::{Action, Profile, TaskEnd, TaskId, Time, WorkerEvent, WorkerId};
use hasami_tree::manage::Manage;
use peak_alloc::PeakAlloc;
use std::collections::HashMap;
use std::time::Duration;

/// Mean time between two reports of a worker.
const ITERATION: Duration = Duration::from_millis(100);
/// Time that a canceled task needs to end, which is twice the delay of a message.
const DELAY: Duration = Duration::from_millis(2);
const SEARCH: Duration = Duration::from_millis(1200);
const PONDER: Duration = Duration::from_millis(400);
/// Time on the clock, which is so long that only `stop` ends a search.
const HOUR: Duration = Duration::from_secs(3600);

/// The measurements of one run through all events.
#[derive(Default)]
pub struct Turn {
    /// For each event during the searches, its duration and the number of tasks that it started or canceled.
    pub events: Vec<(Duration, usize)>,
    /// The duration of each command that changed the root of the tree: `stop` (which makes the manager answer and
    /// ponder), and `go` after the opponent's reply.
    pub roots: Vec<Duration>,
    /// Number of tree nodes at the end of the second search.
    pub nodes: usize,
    /// Number of workers that were searching at the end of the second search.
    pub busy: usize,
    /// Memory of the manager at the end of the second search, in bytes.
    pub bytes: usize,
    /// Memory for the variations in the tree's nodes, in bytes; included in `bytes`.
    pub lines: usize,
}

enum Scheduled {
    Report(WorkerId, TaskId),
    End(WorkerId, TaskId),
    Alarm(u64),
}

struct Game<'a> {
    manager: Manager<Chess>,
    now: Time,
    queue: EventQueue<Scheduled>,
    running: HashMap<WorkerId, (TaskId, Search)>,
    alarm: u64,
    best: Option<(MoveText, Option<MoveText>)>,
    turn: Turn,
    heap: &'a PeakAlloc,
}

/// Plays all events once and measures their durations.
pub fn play(settings: &Settings, workers: u32, heap: &PeakAlloc) -> Turn {
    let mut game = Game {
        manager: Manager::new(settings.clone(), Transitions::default(), None),
        now: Duration::from_secs(1),
        queue: EventQueue::default(),
        running: HashMap::new(),
        alarm: 0,
        best: None,
        turn: Turn::default(),
        heap,
    };
    // The last worker is the mate solver, which searches leaves of the tree.
    for worker in (0..=workers).map(WorkerId) {
        let profile = if worker.0 < workers { Profile::thread(worker.0) } else { Profile::mate_solver() };
        let event = WorkerEvent::Joined { worker, profile };
        game.manager.on_worker_added(worker, &format!("thread {}", worker.0));
        game.event(|manager, now| manager.on_worker(now, event));
    }
    let mut line = Line { start: Start::default(), moves: Vec::new() };
    game.go(&line);
    // The measurement begins after all workers have joined, because joining takes little time.
    game.turn.roots.clear();
    game.turn.events.clear();
    game.run(SEARCH);
    game.stop();
    game.run(PONDER);
    let (best, reply) = game.best.expect("a search is answered");
    line.moves.extend([Some(best), reply].into_iter().flatten());
    game.go(&line);
    game.run(SEARCH);
    game.weigh()
}

impl Game<'_> {
    fn go(&mut self, line: &Line) {
        let position = Command::Position(line.clone());
        let clock = Clock { time: [Some(HOUR); 2], ..Clock::default() };
        let go = Command::Go(Go { clock, ..Go::default() });
        let began = spent();
        let mut actions = self.manager.on_command(self.now, position);
        actions.extend(self.manager.on_command(self.now, go));
        self.turn.roots.push(spent() - began);
        self.carry_out(actions);
    }

    fn stop(&mut self) {
        let began = spent();
        let actions = self.manager.on_command(self.now, Command::Stop);
        self.turn.roots.push(spent() - began);
        self.carry_out(actions);
    }

    fn event(&mut self, happen: impl FnOnce(&mut Manager<Chess>, Time) -> Vec<Action>) {
        let began = spent();
        let actions = happen(&mut self.manager, self.now);
        let is_task = |action: &&Action| matches!(action, Action::Start { .. } | Action::Cancel { .. });
        self.turn.events.push((spent() - began, actions.iter().filter(is_task).count()));
        self.carry_out(actions);
    }

    fn run(&mut self, time: Duration) {
        let until = self.now + time;
        while self.queue.next_at().is_some_and(|at| at < until) {
            let (at, scheduled) = self.queue.pop().expect("the queue is not empty");
            self.now = at;
            match scheduled {
                Scheduled::Report(worker, task) => self.report(worker, task),
                Scheduled::End(worker, task) => self.end(worker, task),
                Scheduled::Alarm(number) if number == self.alarm => self.event(|manager, now| manager.on_alarm(now)),
                Scheduled::Alarm(_) => {}
            }
        }
        self.now = until;
    }

    fn report(&mut self, worker: WorkerId, task: TaskId) {
        let Some((_, search)) = self.running.get_mut(&worker).filter(|(id, _)| *id == task) else { return };
        let Some(report) = search.report() else { return };
        self.queue.push(self.now + pause(worker, task, report.depth), Scheduled::Report(worker, task));
        self.event(|manager, now| manager.on_worker(now, WorkerEvent::Report { worker, task, report }));
    }

    fn end(&mut self, worker: WorkerId, task: TaskId) {
        if self.running.get(&worker).is_none_or(|(id, _)| *id != task) {
            return;
        }
        let Some((_, search)) = self.running.remove(&worker) else { return };
        let end = TaskEnd::Answer(search.answer());
        self.event(|manager, now| manager.on_worker(now, WorkerEvent::Ended { worker, task, end }));
    }

    fn carry_out(&mut self, actions: Vec<Action>) {
        for action in actions {
            match action {
                Action::Start { worker, id, task } => {
                    let search = Search::begin(&task);
                    let pause = pause(worker, id, 0);
                    let scheduled = if task.goal == Goal::Best { Scheduled::Report } else { Scheduled::End };
                    self.queue.push(self.now + pause, scheduled(worker, id));
                    self.running.insert(worker, (id, search));
                }
                Action::Cancel { worker, id } => self.queue.push(self.now + DELAY, Scheduled::End(worker, id)),
                Action::Alarm(at) => {
                    self.alarm += 1;
                    at.into_iter().for_each(|at| self.queue.push(at.max(self.now), Scheduled::Alarm(self.alarm)));
                }
                Action::Say(Output::Best(BestMove::Move { best, ponder })) => self.best = Some((best, ponder)),
                _ => {}
            }
        }
    }

    /// Measures how much memory is freed when the manager is dropped.
    fn weigh(mut self) -> Turn {
        let tree = self.manager.tree();
        let findings = tree.iter().filter_map(|(_, node)| node.own.as_ref());
        self.turn.lines = findings.map(|own| own.moves() * size_of::<MoveText>()).sum();
        (self.turn.nodes, self.turn.busy) = (tree.len(), self.running.len());
        let Self { manager, turn, heap, .. } = self;
        let before = heap.current_usage();
        drop(manager);
        Turn { bytes: before - heap.current_usage(), ..turn }
    }
}

/// Computes the time between a worker's report of the depth `depth` and its next report.
fn pause(worker: WorkerId, task: TaskId, depth: u16) -> Duration {
    let draw = mix(u64::from(worker.0) << 40 ^ task.0 << 8 ^ u64::from(depth));
    ITERATION * 3 / 4 + (ITERATION / 2).mul_f64((draw % 1024) as f64 / 1024.0)
}

/// Returns the CPU time of this thread, which does not include the time of other programs.
#[cfg(unix)]
fn spent() -> Duration {
    use rustix::time::{ClockId, clock_gettime};
    let time = clock_gettime(ClockId::ThreadCPUTime);
    Duration::new(time.tv_sec as u64, time.tv_nsec as u32)
}

#[cfg(not(unix))]
fn spent() -> Duration {
    use std::{sync::OnceLock, time::Instant};
    static BEGAN: OnceLock<Instant> = OnceLock::new();
    BEGAN.get_or_init(Instant::now).elapsed()
}
