//! The virtual clock processes commands, messages and alarms in order of their virtual times, and lets the workers
//! search in between.

use super::worker::{ClusterWorker, Post, Sent, SharedNews};
use super::{ClusterPlan, ClusterTally, PacedWorker, RationedWorker, VirtualMachine};
use hasami_api::Task;
use hasami_catalog::Catalog;
use hasami_protocol::{Command, Output, Settings};
use hasami_tree::EventQueue;
use hasami_tree::Snapshot;
use hasami_tree::event::{Action, MachineId, Profile, TaskId, Time, WorkerEvent, WorkerId};
use hasami_tree::manage::Manage;
use std::io;
use std::time::Duration;

/// An event for the manager.
enum Inbound {
    Worker(WorkerEvent),
    /// An alarm with its number; only the alarm that was set last has an effect.
    Alarm(u64),
}

/// An order to a worker.
enum Outbound {
    Start(WorkerId, TaskId, Task),
    Cancel(WorkerId, TaskId),
}

/// A cluster under a virtual clock; see the documentation of the parent module.
pub struct VirtualCluster {
    manager: Box<dyn Manage>,
    workers: Vec<Box<dyn ClusterWorker>>,
    plan: ClusterPlan,
    inbound: EventQueue<Inbound>,
    outbound: EventQueue<Outbound>,
    /// Messages between workers, which take two delays because they pass through the manager's machine.
    arriving_news: EventQueue<SharedNews>,
    /// The manager's clock.
    now: Time,
    /// The virtual time that all workers have reached.
    searched: Time,
    alarm: u64,
    tally: ClusterTally,
    answered: bool,
    /// Why a worker was lost, which makes the measurement useless.
    fault: Option<String>,
    /// The tree just before the last alarm was handled; `None` if `keeps_tree` is not set.
    tree: Option<Snapshot>,
    keeps_tree: bool,
}

impl VirtualCluster {
    /// Creates the manager and its workers, and waits until all workers have joined. Passes the manager's messages about
    /// the settings to `say`.
    pub fn new(
        catalog: &'static dyn Catalog,
        settings: &Settings,
        plan: ClusterPlan,
        say: &mut dyn FnMut(Output),
    ) -> io::Result<Self> {
        let mut cluster = Self {
            manager: catalog.manager(settings),
            workers: make_workers(catalog, settings, &plan)?,
            inbound: EventQueue::default(),
            outbound: EventQueue::default(),
            arriving_news: EventQueue::default(),
            now: Time::ZERO,
            searched: Time::ZERO,
            alarm: 0,
            tally: ClusterTally::default(),
            answered: true,
            fault: None,
            tree: None,
            keeps_tree: false,
            plan,
        };
        for number in 0..cluster.workers.len() {
            let worker = WorkerId(number as u32);
            let machine = number.checked_rem(cluster.plan.machines as usize).map(|machine| MachineId(machine as u64));
            let profile = Profile { machine, ..cluster.workers[number].profile() };
            cluster.tell(Inbound::Worker(WorkerEvent::Joined { worker, profile }), say);
        }
        Ok(cluster)
    }

    /// Passes a command to the manager at the current virtual time. A `go` must have a limit; the call then returns
    /// once the best move has been sent.
    pub fn command(&mut self, command: Command, say: &mut dyn FnMut(Output)) {
        let is_search = matches!(command, Command::Go(_));
        self.answered = !is_search;
        let actions = self.manager.on_command(self.now, command);
        self.carry_out(actions, say);
        while !self.answered && self.step(Time::MAX, say) {}
        // If no work is left but the manager has not answered, the virtual clock sends it `stop`, as a GUI would.
        if is_search && !self.answered && self.fault.is_none() {
            let actions = self.manager.on_command(self.now, Command::Stop);
            self.carry_out(actions, say);
        }
    }

    pub fn configure(&mut self, settings: &Settings, say: &mut dyn FnMut(Output)) {
        let actions = self.manager.on_settings(self.now, settings);
        self.carry_out(actions, say);
    }

    /// Advances the virtual clock by `time`, as if the opponent were thinking.
    pub fn pass(&mut self, time: Duration, say: &mut dyn FnMut(Output)) {
        let until = self.now + time;
        while self.step(until, say) {}
        self.now = until;
        // If no worker is busy, the elapsed time must count as idle before the next search begins.
        if self.searched + self.plan.delay <= until {
            self.search_to(until);
        }
    }

    /// Returns why the cluster is unusable, or `None` if it is usable. The loss of a worker makes the cluster unusable,
    /// because a measurement with fewer workers than planned would be meaningless.
    pub fn fault(&self) -> Option<&str> {
        self.fault.as_deref()
    }

    pub fn now(&self) -> Time {
        self.now
    }

    pub fn snapshot(&self) -> Snapshot {
        self.manager.snapshot(self.now)
    }

    /// Makes the cluster keep the tree at the end of each search for [`Self::last_tree`].
    pub fn keep_tree(&mut self) {
        self.keeps_tree = true;
    }

    /// The tree just before the last alarm, which usually ended the last search; `None` if trees are not kept.
    pub fn last_tree(&self) -> Option<&Snapshot> {
        self.tree.as_ref()
    }

    pub fn tally(&self) -> ClusterTally {
        ClusterTally {
            nodes: self.workers.iter().map(|worker| worker.nodes()).sum(),
            idle: self.workers.iter().map(|worker| worker.idle(self.searched)).sum(),
            ..self.tally
        }
    }

    /// Processes the next event, if it is known and not later than `until`. If the next event is not known yet, lets
    /// the workers search. Returns false if nothing is left to do.
    fn step(&mut self, until: Time, say: &mut dyn FnMut(Output)) -> bool {
        if self.fault.is_some() {
            return false;
        }
        let known = self.searched + self.plan.delay;
        let next = self.inbound.next_at();
        if let Some(at) = next.filter(|&at| at <= known) {
            if at > until {
                return false;
            }
            if let Some((at, event)) = self.inbound.pop() {
                self.now = self.now.max(at);
                self.tell(event, say);
            }
            return true;
        }
        if known > until {
            return false;
        }
        self.deliver();
        let busy = next.is_some() || self.outbound.next_at().is_some() || self.is_busy();
        if !busy {
            return false;
        }
        let reaction = next.map_or(known, |at| at.min(known)) + self.plan.delay;
        self.search_to(self.outbound.next_at().map_or(reaction, |at| at.min(reaction)));
        true
    }

    fn is_busy(&self) -> bool {
        self.workers.iter().any(|worker| worker.is_busy())
    }

    /// Delivers the orders and news that are due at the workers by the virtual time `searched`.
    fn deliver(&mut self) {
        let mut sent = Vec::new();
        while self.outbound.next_at().is_some_and(|at| at <= self.searched) {
            let Some((at, order)) = self.outbound.pop() else { break };
            match order {
                Outbound::Start(worker, id, task) => {
                    self.workers[worker.0 as usize].start(at, id, task, &mut sent);
                }
                Outbound::Cancel(worker, id) => self.workers[worker.0 as usize].cancel(at, id, &mut sent),
            }
        }
        while self.arriving_news.next_at().is_some_and(|at| at <= self.searched) {
            let Some((_, shared_news)) = self.arriving_news.pop() else { break };
            self.workers.iter().for_each(|worker| worker.hand(&shared_news));
        }
        self.post(sent);
    }

    fn search_to(&mut self, time: Time) {
        let mut sent = Vec::new();
        for worker in &mut self.workers {
            worker.run_to(time, &mut sent);
        }
        self.searched = time;
        self.post(sent);
    }

    /// Puts messages that workers have sent into the queues.
    fn post(&mut self, mut sent: Post) {
        sent.sort_by_key(|&(at, _)| at);
        for (at, sent) in sent {
            match sent {
                Sent::Event(WorkerEvent::Lost { why, .. }) => _ = self.fault.get_or_insert(why.to_string()),
                Sent::Event(event) => {
                    self.tally.messages += 1;
                    self.inbound.push(at + self.plan.delay, Inbound::Worker(event));
                }
                Sent::News(shared_news) => {
                    self.tally.news += shared_news.news.len() as u64;
                    self.arriving_news.push(at + 2 * self.plan.delay, shared_news);
                }
            }
        }
    }

    fn tell(&mut self, event: Inbound, say: &mut dyn FnMut(Output)) {
        let actions = match event {
            Inbound::Worker(event) => self.manager.on_worker(self.now, event),
            Inbound::Alarm(serial) if serial == self.alarm => {
                if self.keeps_tree {
                    self.tree = Some(self.manager.snapshot(self.now));
                }
                self.manager.on_alarm(self.now)
            }
            Inbound::Alarm(_) => return,
        };
        self.carry_out(actions, say);
    }

    fn carry_out(&mut self, actions: Vec<Action>, say: &mut dyn FnMut(Output)) {
        for action in actions {
            match action {
                Action::Start { worker, id, task } => self.send(Outbound::Start(worker, id, task)),
                Action::Cancel { worker, id } => self.send(Outbound::Cancel(worker, id)),
                Action::NewGame => self.workers.iter_mut().for_each(|worker| worker.new_game()),
                Action::Alarm(at) => {
                    self.alarm += 1;
                    if let Some(at) = at {
                        self.inbound.push(at.max(self.now), Inbound::Alarm(self.alarm));
                    }
                }
                Action::Say(output) => {
                    self.answered |= matches!(output, Output::Best(_) | Output::Checkmate(_) | Output::MateRefused);
                    say(output);
                }
                Action::Log(level, text) => log::log!(level, "{text}"),
                Action::Kill { worker } => {
                    let why = format!("{worker}: its task did not end after stop");
                    self.fault.get_or_insert(why.to_string());
                }
                // A lost worker is not replaced, because its loss makes the cluster unusable.
                Action::Revive { .. } | Action::AddFallback => {}
            }
        }
    }

    fn send(&mut self, order: Outbound) {
        self.outbound.push(self.now + self.plan.delay, order);
    }
}

/// Creates all workers and waits until they can take tasks. Child processes start in parallel.
fn make_workers(
    catalog: &dyn Catalog,
    settings: &Settings,
    plan: &ClusterPlan,
) -> io::Result<Vec<Box<dyn ClusterWorker>>> {
    let mut engines = catalog.engines(&catalog.with_network(settings));
    let mut children = Vec::new();
    for (number, machine) in plan.workers.iter().enumerate() {
        if let VirtualMachine::Child { spec, share } = machine {
            children.push(RationedWorker::spawn(WorkerId(number as u32), spec.clone(), *share, catalog.played()));
        }
    }
    let mut children = children.into_iter();
    let mut workers: Vec<Box<dyn ClusterWorker>> = Vec::new();
    for (number, machine) in plan.workers.iter().enumerate() {
        match machine {
            VirtualMachine::Own { speed } => {
                let engine = engines();
                workers.push(Box::new(PacedWorker::new(WorkerId(number as u32), *speed, move || engine)?));
            }
            VirtualMachine::Child { spec, .. } => {
                if let Some(mut child) = children.next() {
                    child.come_up(spec.start_time)?;
                    workers.push(Box::new(child));
                }
            }
        }
    }
    Ok(workers)
}
