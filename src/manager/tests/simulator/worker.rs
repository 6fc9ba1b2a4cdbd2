//! A virtual worker, which carries out the manager's actions and puts its messages into the event queue.

use super::SimEvent;
use super::behaviour::Behaviour;
use super::search::{DEEPEST, Root, nodes_at};
use hasami_api::{Answer, Goal, MateAnswer, MoveText, RankedMove, Report, Score, Task};
use hasami_tree::EventQueue;
use hasami_tree::event::{MachineId, Profile, TaskEnd, TaskId, Time, WorkerEvent, WorkerId};
use rand::rngs::SmallRng;
use rand::{Rng, SeedableRng};
use std::time::Duration;

/// A worker process that exists only in virtual time.
#[derive(Debug)]
pub struct VirtualWorker {
    pub id: WorkerId,
    pub behaviour: Behaviour,
    rng: SmallRng,
    alive: bool,
    task: Option<VirtualTask>,
    /// Identifies the current task or state; ticks with another number are outdated.
    serial: u64,
    /// Arrival time of the last message. A worker's messages never overtake each other.
    last_message: Time,
    last_task: Option<TaskId>,
}

#[derive(Debug)]
struct VirtualTask {
    id: TaskId,
    task: Task,
    root: Option<Root>,
    depth: u16,
    begun: Time,
    deaf: bool,
    silent: bool,
    best: Vec<MoveText>,
}

impl VirtualWorker {
    pub fn new(id: WorkerId, behaviour: Behaviour, seed: u64) -> Self {
        Self {
            id,
            behaviour,
            rng: SmallRng::seed_from_u64(seed ^ u64::from(id.0) << 40),
            alive: false,
            task: None,
            serial: 0,
            last_message: Time::ZERO,
            last_task: None,
        }
    }

    /// Starts the worker, which then sends `Joined` or `Lost`.
    pub fn spawn(&mut self, now: Time, queue: &mut EventQueue<SimEvent>) {
        self.serial += 1;
        if self.happens(self.behaviour.stillborn) {
            return self.die(now + self.behaviour.join_after, "stillborn", queue);
        }
        self.alive = true;
        let joined = WorkerEvent::Joined { worker: self.id, profile: self.profile() };
        self.say(now + self.behaviour.join_after, joined, queue);
        if self.happens(self.behaviour.idle_crash) {
            let life = Duration::from_millis(self.rng.random_range(0..2_000));
            self.tick_at(now + self.behaviour.join_after + life, queue);
        }
    }

    pub fn start(&mut self, now: Time, id: TaskId, task: Task, queue: &mut EventQueue<SimEvent>) {
        if !self.alive {
            return;
        }
        self.serial += 1;
        let (deaf, silent) = (self.happens(self.behaviour.deaf), self.happens(self.behaviour.silent));
        let root = Root::new(&task).filter(Root::has_moves);
        let begun = now + self.delay();
        self.task = Some(VirtualTask { id, task, root, depth: 0, begun, deaf, silent, best: Vec::new() });
        let first = self.time_to(1);
        self.tick_at(begun + first, queue);
    }

    pub fn cancel(&mut self, now: Time, id: TaskId, queue: &mut EventQueue<SimEvent>) {
        let Some(running) = self.task.as_ref().filter(|running| running.id == id && !running.deaf) else { return };
        let mate = running.task.goal != Goal::Best;
        let slow = self.happens(self.behaviour.slow_stop);
        let pause = Duration::from_micros(if slow { self.rng.random_range(0..3_000_000) } else { 200 });
        let heard = now + self.delay() + pause;
        let answer = if mate { Answer::Mate(MateAnswer::Unknown) } else { self.answer() };
        self.end(heard, TaskEnd::Answer(answer), queue);
    }

    pub fn kill(&mut self, now: Time, queue: &mut EventQueue<SimEvent>) {
        if self.alive {
            let grace = Duration::from_millis(self.rng.random_range(0..300));
            self.die(now + grace, "killed", queue);
        }
    }

    /// Continues the worker's task after a wait. The tick is ignored if `serial` is outdated.
    pub fn tick(&mut self, now: Time, serial: u64, queue: &mut EventQueue<SimEvent>) {
        if serial != self.serial || !self.alive {
            return;
        }
        let Some(running) = &mut self.task else { return self.die(now, "died idle", queue) };
        running.depth += 1;
        let mate = running.task.goal != Goal::Best;
        if self.happens(self.behaviour.crash) {
            self.die(now, "crashed", queue);
        } else if self.happens(self.behaviour.fail) {
            self.end(now, TaskEnd::Failed("no such position".to_owned()), queue);
        } else if mate {
            self.solve(now, queue);
        } else {
            self.iterate(now, queue);
        }
    }

    fn iterate(&mut self, now: Time, queue: &mut EventQueue<SimEvent>) {
        let Some(running) = &mut self.task else { return };
        let (id, depth, multipv) = (running.id, running.depth, running.task.multipv);
        let mut reports = running.root.as_mut().map_or_else(Vec::new, |root| root.iteration(depth, multipv));
        let limits = running.task.limits;
        let silent = running.silent;
        self.clip(&mut reports, limits.nodes);
        for report in &mut reports {
            if self.happens(self.behaviour.lie) {
                self.distort(report);
            }
        }
        if self.happens(self.behaviour.praise)
            && let Some(worst) = self.worst_line(depth)
        {
            reports = vec![worst];
        }
        if let (Some(running), Some(first)) = (&mut self.task, reports.first()) {
            running.best = first.pv.clone();
        }
        let mated = reports.first().is_some_and(|report| report.score.is_decisive() && depth > 6);
        if !silent {
            let times = if self.happens(self.behaviour.flood) { 40 } else { 1 };
            for report in (0..times).flat_map(|_| reports.clone()) {
                self.say(now, WorkerEvent::Report { worker: self.id, task: id, report }, queue);
            }
        }
        self.stray(now, queue);
        let over = limits.depth.is_some_and(|limit| depth >= limit)
            || limits.nodes.is_some_and(|limit| nodes_at(depth) >= limit)
            || (mated && limits.mate.is_some());
        if reports.is_empty() || over || self.happens(self.behaviour.give_up) {
            let answer = self.answer();
            self.end(now, TaskEnd::Answer(answer), queue);
        } else if depth < DEEPEST {
            let due = self.time_to(depth + 1).max(now.saturating_sub(self.begun()));
            self.tick_at(self.begun() + due, queue);
        }
    }

    /// Returns a report that the worst move wins.
    fn worst_line(&mut self, depth: u16) -> Option<Report> {
        let score = if self.rng.random() { Score::cp(900) } else { Score::win_in(9) };
        let running = self.task.as_mut()?;
        let worst = running.root.as_mut()?.iteration(depth, u16::MAX).pop()?;
        let nodes = running.task.limits.nodes.unwrap_or(u64::MAX).min(worst.nodes.saturating_mul(10));
        let pv = worst.pv[..1].to_vec();
        Some(Report { score, depth: 99, seldepth: 99, multipv: 1, nodes, pv, ..worst })
    }

    fn begun(&self) -> Time {
        self.task.as_ref().map_or(Time::ZERO, |running| running.begun)
    }

    fn clip(&self, reports: &mut [Report], nodes: Option<u64>) {
        for report in reports {
            report.nodes = report.nodes.min(nodes.unwrap_or(u64::MAX));
        }
    }

    /// Continues a mate search, and answers it after a few iterations.
    fn solve(&mut self, now: Time, queue: &mut EventQueue<SimEvent>) {
        let Some(running) = &mut self.task else { return };
        if running.depth < 8 {
            let due = running.begun + self.time_to(self.task.as_ref().map_or(1, |running| running.depth + 1));
            return self.tick_at(due.max(now), queue);
        }
        let answer = match &mut running.root {
            None => MateAnswer::NoMate,
            Some(root) => root.mate(running.task.limits.mate),
        };
        let lie = self.happens(self.behaviour.lie);
        let answer = if lie { MateAnswer::Mate(vec![self.nonsense()]) } else { answer };
        self.end(now, TaskEnd::Answer(Answer::Mate(answer)), queue);
    }

    fn answer(&mut self) -> Answer {
        let best = self.task.as_ref().map_or(&[][..], |running| &running.best);
        let (best, ponder) = (best.first().copied(), best.get(1).copied());
        if self.happens(self.behaviour.lie) {
            let (best, ponder) = (Some(self.nonsense()).filter(|_| best.is_some()), Some(self.nonsense()));
            return Answer::Best { best, ponder };
        }
        Answer::Best { best, ponder }
    }

    /// Falsifies one part of the report, drawn at random.
    fn distort(&mut self, report: &mut Report) {
        let nonsense = self.nonsense();
        match self.rng.random_range(0..11) {
            0 => report.pv.clear(),
            1 => report.pv.insert(0, nonsense),
            2 => report.pv.push(nonsense),
            3 => report.score = Score::win_in(self.rng.random_range(0..9)),
            4 => report.score = Score::loss_in(self.rng.random_range(0..9)),
            5 => report.score = Score::from_raw([i32::MAX, i32::MIN, 32_001, -32_001][self.rng.random_range(0..4)]),
            6 => report.depth = u16::MAX,
            7 => report.nodes = u64::MAX,
            8 => report.multipv = [0, 9, u16::MAX][self.rng.random_range(0..3)],
            9 => report.pv = report.pv.repeat(3),
            _ => report.ranking.insert(0, RankedMove { text: nonsense, nodes: u64::MAX }),
        }
    }

    fn nonsense(&mut self) -> MoveText {
        let text = ["e2e4", "a0", "b1", "0000", "(none)", "resign", "win"][self.rng.random_range(0..7)];
        text.parse().expect("short ASCII words")
    }

    /// Sends a message about a task that has ended or never existed.
    fn stray(&mut self, now: Time, queue: &mut EventQueue<SimEvent>) {
        if !self.happens(self.behaviour.stray) {
            return;
        }
        let unknown = TaskId(self.rng.random_range(u64::MAX / 2..u64::MAX));
        let task = self.last_task.filter(|_| self.rng.random_ratio(3, 4)).unwrap_or(unknown);
        let worker = self.id;
        let event = if self.rng.random() {
            WorkerEvent::Ended { worker, task, end: TaskEnd::Answer(Answer::Best { best: None, ponder: None }) }
        } else {
            WorkerEvent::Report { worker, task, report: Report::new(Score::win_in(1)) }
        };
        self.say(now, event, queue);
    }

    fn end(&mut self, at: Time, end: TaskEnd, queue: &mut EventQueue<SimEvent>) {
        self.serial += 1;
        let Some(running) = self.task.take() else { return };
        let event = WorkerEvent::Ended { worker: self.id, task: running.id, end };
        self.last_task = Some(running.id);
        self.say(at, event.clone(), queue);
        if self.happens(self.behaviour.stray) {
            self.say(at, event, queue);
        }
    }

    fn die(&mut self, at: Time, why: &str, queue: &mut EventQueue<SimEvent>) {
        self.serial += 1;
        self.alive = false;
        self.task = None;
        self.say(at, WorkerEvent::Lost { worker: self.id, why: why.into(), for_good: false }, queue);
    }

    fn say(&mut self, at: Time, event: WorkerEvent, queue: &mut EventQueue<SimEvent>) {
        self.last_message = self.last_message.max(at + self.delay());
        queue.push(self.last_message, SimEvent::Worker(event));
    }

    fn tick_at(&mut self, at: Time, queue: &mut EventQueue<SimEvent>) {
        queue.push(at, SimEvent::Tick { worker: self.id, serial: self.serial });
    }

    /// How long a search takes to complete the iteration `depth`.
    fn time_to(&self, depth: u16) -> Duration {
        Duration::from_secs_f64(nodes_at(depth) as f64 / self.behaviour.speed)
    }

    fn delay(&mut self) -> Duration {
        self.rng.random_range(self.behaviour.latency.0..=self.behaviour.latency.1)
    }

    fn happens(&mut self, permille: u32) -> bool {
        permille > 0 && self.rng.random_range(0..1000) < permille
    }

    fn profile(&self) -> Profile {
        let Behaviour { can_except, can_only, can_best, can_mate, machine, .. } = self.behaviour;
        let machine = machine.map(MachineId);
        let name = format!("virtual {}", self.id.0);
        // Workers that can exclude moves simulate Hasami's own threads, which support variants too.
        Profile { name, can_except, can_only, can_vary: can_except, can_best, can_mate, weight: 1.0, machine }
    }
}
