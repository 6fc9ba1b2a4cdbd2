//! The event loop of the simulated world, which runs in virtual time and replaces the driver of real workers.

use super::gui::{Gui, GuiAction, GuiMessage, Wait};
use super::judge::{Broken, JITTER, Judge, JudgeInput};
use super::{Behaviour, Scenario, SimEvent, VirtualWorker};
use hasami_protocol::{BestMove, Output, Settings};
use hasami_tree::EventQueue;
use hasami_tree::event::{Action, Time, WorkerId};
use hasami_tree::manage::Manage;
use rand::rngs::SmallRng;
use rand::{Rng, SeedableRng};
use std::collections::BTreeMap;
use std::time::Duration;

/// Creates the manager under test.
pub type Maker<'a> = &'a (dyn Fn(&Settings) -> Box<dyn Manage> + Sync);

/// After the last `stop`, the simulated world must come to rest within this time.
const REST: Duration = Duration::from_secs(15);
/// Average number of steps between two checks of the tree.
const LOOKS: u32 = 40;

/// How many steps, starts and answers a run had.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct Summary {
    /// Number of inputs that the manager received.
    pub steps: u64,
    pub starts: u64,
    pub answers: u64,
}

/// One run of a scenario.
pub struct World<'a> {
    scenario: &'a Scenario,
    manager: Box<dyn Manage>,
    judge: Judge,
    gui: Gui,
    workers: BTreeMap<WorkerId, VirtualWorker>,
    next_worker: u32,
    queue: EventQueue<SimEvent>,
    now: Time,
    alarm: u64,
    next_step: usize,
    waiting: Option<Duration>,
    rng: SmallRng,
    summary: Summary,
    trace: Option<Vec<String>>,
}

impl<'a> World<'a> {
    pub fn new(scenario: &'a Scenario, make: Maker) -> Self {
        let mut world = Self {
            manager: make(&scenario.settings),
            judge: Judge::new(scenario),
            gui: Gui::new(scenario.graph),
            workers: BTreeMap::new(),
            next_worker: 0,
            queue: EventQueue::default(),
            now: Time::ZERO,
            alarm: 0,
            next_step: 0,
            waiting: None,
            rng: SmallRng::seed_from_u64(!scenario.seed),
            summary: Summary::default(),
            trace: None,
            scenario,
        };
        for behaviour in &scenario.workers {
            world.add_worker(behaviour.clone());
        }
        world.plan_step();
        world
    }

    /// Switches on the trace, which records a line for every event and action.
    pub fn traced(mut self) -> Self {
        self.trace = Some(Vec::new());
        self
    }

    pub fn trace(&self) -> &[String] {
        self.trace.as_deref().unwrap_or_default()
    }

    /// Runs the whole script, sends `stop`, and lets virtual time pass until the world must be at rest.
    pub fn run(&mut self) -> Result<Summary, Broken> {
        while self.next_step <= self.scenario.script.len() {
            if !self.step()? {
                break;
            }
        }
        let end = self.now + REST;
        while self.queue.next_at().is_some_and(|at| at <= end) {
            self.step()?;
        }
        self.judge.at_rest(end)?;
        self.judge.tree(&self.manager.snapshot(end))?;
        Ok(self.summary)
    }

    /// Processes the next event. Returns false if the queue is empty.
    fn step(&mut self) -> Result<bool, Broken> {
        let Some((at, sim_event)) = self.queue.pop() else { return Ok(false) };
        self.now = at;
        match sim_event {
            SimEvent::Gui => self.gui_step()?,
            SimEvent::Alarm(serial) if serial == self.alarm => self.tell(JudgeInput::Alarm)?,
            SimEvent::Alarm(_) => {}
            SimEvent::Tick { worker, serial } => {
                if let Some(worker) = self.workers.get_mut(&worker) {
                    worker.tick(at, serial, &mut self.queue);
                }
            }
            SimEvent::Worker(event) => self.tell(JudgeInput::Worker(event))?,
        }
        Ok(true)
    }

    /// Executes the next action of the GUI, or sends `stop` after the last one.
    fn gui_step(&mut self) -> Result<(), Broken> {
        let what = self.scenario.script.get(self.next_step).map_or(&GuiAction::Stop, |step| &step.what);
        let order = self.gui.order(what);
        self.next_step += 1;
        self.tell(JudgeInput::Order(order))?;
        self.plan_step();
        Ok(())
    }

    fn plan_step(&mut self) {
        let wait = match self.scenario.script.get(self.next_step) {
            Some(step) => step.wait,
            None if self.next_step == self.scenario.script.len() => Wait::For(Duration::from_millis(500)),
            None => return,
        };
        match wait {
            Wait::Answered(pause) if self.judge.awaits_answer() => self.waiting = Some(pause),
            Wait::For(pause) | Wait::Answered(pause) => self.queue.push(self.now + pause, SimEvent::Gui),
        }
    }

    /// Passes an input to the manager. The judge then checks the manager's actions, and the world carries them out.
    fn tell(&mut self, input: JudgeInput) -> Result<(), Broken> {
        self.note(|| format!("{input:?}"));
        self.judge.before(self.now, &input)?;
        let actions = match &input {
            JudgeInput::Order(GuiMessage::Command(command)) => self.manager.on_command(self.now, command.clone()),
            JudgeInput::Order(GuiMessage::Settings(settings)) => self.manager.on_settings(self.now, settings),
            JudgeInput::Worker(event) => self.manager.on_worker(self.now, event.clone()),
            JudgeInput::Alarm => self.manager.on_alarm(self.now),
        };
        self.summary.steps += 1;
        let count = actions.len();
        for action in actions {
            self.note(|| format!("    {action:?}"));
            self.judge.action(self.now, &input, &action)?;
            self.carry_out(action);
        }
        self.judge.after(self.now, &input, count)?;
        if self.rng.random_ratio(1, LOOKS) {
            self.judge.tree(&self.manager.snapshot(self.now))?;
        }
        self.resume();
        Ok(())
    }

    fn resume(&mut self) {
        if let Some(pause) = self.waiting.filter(|_| !self.judge.awaits_answer()) {
            self.waiting = None;
            self.queue.push(self.now + pause, SimEvent::Gui);
        }
    }

    fn carry_out(&mut self, action: Action) {
        let (now, queue) = (self.now, &mut self.queue);
        match action {
            Action::Start { worker, id, task } => {
                self.summary.starts += 1;
                if let Some(worker) = self.workers.get_mut(&worker) {
                    worker.start(now, id, task, queue);
                }
            }
            Action::Cancel { worker, id } => {
                if let Some(worker) = self.workers.get_mut(&worker) {
                    worker.cancel(now, id, queue);
                }
            }
            Action::Kill { worker } => {
                if let Some(worker) = self.workers.get_mut(&worker) {
                    worker.kill(now, queue);
                }
            }
            Action::Revive { worker } => {
                if let Some(worker) = self.workers.get_mut(&worker) {
                    worker.spawn(now, queue);
                }
            }
            Action::AddFallback => self.add_worker(Behaviour { can_mate: true, ..Behaviour::healthy() }),
            Action::Alarm(at) => {
                self.alarm += 1;
                if let Some(at) = at {
                    let late = self.rng.random_range(Duration::ZERO..JITTER);
                    queue.push(at.max(now) + late, SimEvent::Alarm(self.alarm));
                }
            }
            Action::Say(Output::Best(best)) => {
                self.summary.answers += 1;
                self.gui.answer = match best {
                    BestMove::Move { best, ponder } => Some((best, ponder)),
                    _ => None,
                };
            }
            Action::NewGame | Action::Say(_) | Action::Log(..) => {}
        }
    }

    fn add_worker(&mut self, behaviour: Behaviour) {
        let id = WorkerId(self.next_worker);
        self.next_worker += 1;
        let mut worker = VirtualWorker::new(id, behaviour, self.scenario.seed);
        worker.spawn(self.now, &mut self.queue);
        self.workers.insert(id, worker);
    }

    fn note(&mut self, line: impl FnOnce() -> String) {
        let now = self.now;
        if let Some(trace) = &mut self.trace {
            trace.push(format!("{:>12.3} ms  {}", now.as_secs_f64() * 1e3, line()));
        }
    }
}
