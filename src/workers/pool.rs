//! Holds all workers of the program, as the options configure them.

use super::children::ChildSpec;
use super::memory::Shares;
use super::outside::{Cluster, NEWS_BUDGET, SlotOffer};
use super::process::ProcessWorker;
use super::thread::{Maker, ThreadWorker, shared};
use super::{Bus, NoticeSender, Renewal, Worker};
use hasami_api::Task;
use hasami_catalog::Catalog;
use hasami_protocol::Settings;
use hasami_tree::event::{Profile, TaskId, WorkerId};
use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;
use std::time::Instant;

/// The workers of a program by id. Ids are assigned by [`WorkerPool::add`] and never reused.
pub struct WorkerPool {
    workers: BTreeMap<WorkerId, Box<dyn Worker>>,
    catalog: &'static dyn Catalog,
    /// The settings for the threads of this program.
    settings: Settings,
    memory: Shares,
    /// Creates the threads' engines, and holds the data that they share; `None` before the first thread is started.
    make: Option<Maker>,
    /// Whether results that threads find are also sent to workers of a cluster.
    tells_others: bool,
    /// Whether children or workers of a cluster are expected to search for moves.
    others_play: bool,
    events: NoticeSender,
    bus: Bus,
    /// The first id that has not been used.
    pub next_id: u32,
    /// The workers' names, as shown in messages.
    names: BTreeMap<WorkerId, String>,
    /// Workers that are child processes.
    children: BTreeSet<WorkerId>,
    /// Threads of this program that search for moves, each of which joins as soon as its memory is prepared.
    pub threads: Vec<WorkerId>,
    /// The thread that was added to search because there was no other worker.
    fallback: Option<WorkerId>,
    /// The mate solver, which never searches for moves; `isready` does not wait for it.
    pub solver: Option<WorkerId>,
    /// The connection to a cluster, whose workers come and go.
    pub cluster: Option<Box<dyn Cluster>>,
}

impl WorkerPool {
    /// Starts as many threads as the settings ask for, and the children that speak the protocol of the game (a children
    /// file may serve several games). Ids begin at `first_id`. At least one worker can search for moves, unless a
    /// cluster is used, whose workers are offered later as [`super::WorkerNotice::SlotOffer`].
    pub fn new(
        catalog: &'static dyn Catalog,
        settings: &Settings,
        memory: Shares,
        (children, cluster): (&[ChildSpec], Option<Box<dyn Cluster>>),
        (events, bus): (NoticeSender, Bus),
        first_id: u32,
    ) -> Self {
        let protocol = catalog.protocol();
        let plays = |child: &ChildSpec| child.speaks(protocol) && !child.mate;
        let mut pool = Self {
            workers: BTreeMap::new(),
            catalog,
            settings: settings.clone(),
            memory,
            make: None,
            tells_others: cluster.is_some(),
            others_play: cluster.is_some() || children.iter().any(plays),
            events,
            bus,
            next_id: first_id,
            names: BTreeMap::new(),
            threads: Vec::new(),
            children: BTreeSet::new(),
            fallback: None,
            solver: None,
            cluster,
        };
        for child in children.iter().filter(|child| child.speaks(protocol)) {
            pool.add_child(child.clone());
        }
        pool.add_threads();
        pool.add_mate_solver();
        pool
    }

    /// Adds new threads and a new solver, after the old ones have ended.
    pub fn add_own(&mut self, settings: &Settings, memory: Shares) {
        (self.settings, self.memory) = (settings.clone(), memory);
        self.add_threads();
        self.add_mate_solver();
    }

    /// Adds a new solver, after the old one has ended.
    pub fn add_solver(&mut self, settings: &Settings) {
        self.settings = settings.clone();
        self.add_mate_solver();
    }

    fn add_threads(&mut self) {
        for _ in 0..self.settings.threads.max(u32::from(!self.others_play)) {
            self.add_thread();
        }
    }

    /// Returns true if workers outside this program are present or may join.
    pub fn has_others(&self) -> bool {
        self.cluster.is_some() || !self.children.is_empty()
    }

    /// Ends some of this program's own workers, and returns when they have ended completely or `deadline` has passed.
    pub fn end(&mut self, workers: &[WorkerId], deadline: Instant) {
        let mut ended: Vec<_> = workers.iter().filter_map(|worker| self.workers.remove(worker)).collect();
        ended.iter_mut().for_each(|worker| worker.quit());
        ended.iter_mut().for_each(|worker| worker.wait_gone(deadline));
        let is_gone = |id: &WorkerId| workers.contains(id);
        self.names.retain(|id, _| !is_gone(id));
        self.threads.retain(|id| !is_gone(id));
        self.fallback = self.fallback.filter(|id| !is_gone(id));
        self.solver = self.solver.filter(|id| !is_gone(id));
        if self.threads.is_empty() {
            self.make = None;
        }
    }

    /// Accepts a worker of the cluster. [`super::WorkerNotice::Left`] follows if the worker is already gone.
    pub fn accept_offer(&mut self, offer: SlotOffer) -> WorkerId {
        let (id, name) = (WorkerId(self.next_id), offer.name.clone());
        // The worker's name is set before the worker can report that it has joined.
        let worker = (offer.accept)(id);
        self.add(name, |_| worker)
    }

    /// Removes a worker that will not come back.
    pub fn forget(&mut self, worker: WorkerId) {
        self.workers.remove(&worker);
        self.names.remove(&worker);
    }

    fn add_child(&mut self, child: ChildSpec) {
        let (events, game) = (self.events.clone(), self.catalog.played());
        let name = child.name.clone();
        let id = self.add(name, |id| Box::new(ProcessWorker::new(id, child, game, events)));
        self.children.insert(id);
    }

    /// Adds a sequential engine on a new thread.
    pub fn add_thread(&mut self) -> WorkerId {
        let make = self.make.get_or_insert_with(|| {
            // Threads whose results are also sent to other machines exchange messages instead of sharing a table.
            let shared_hash = self.settings.shared_hash && !self.tells_others;
            let settings = Settings { hash_mb: self.memory.players, shared_hash, ..self.settings.clone() };
            shared(self.catalog.engines(&settings))
        });
        let (profile, make) = (Profile::thread(self.threads.len() as u32 + 1), Arc::clone(make));
        let (events, bus) = (self.events.clone(), self.bus.clone());
        let name = profile.name.clone();
        let thread = self.add(name, |id| Box::new(ThreadWorker::new(id, profile, make, events, bus)));
        self.threads.push(thread);
        thread
    }

    /// Adds a thread that searches until a worker of the cluster has joined.
    pub fn add_fallback(&mut self) -> WorkerId {
        let thread = self.add_thread();
        self.fallback = Some(thread);
        thread
    }

    /// Returns the fallback thread if `worker`, which has joined, belongs to the cluster. The caller must then end that
    /// thread, because the user wants the master's machine to be idle.
    pub fn retire_fallback(&mut self, worker: WorkerId) -> Option<WorkerId> {
        if self.cluster.is_none() || self.threads.contains(&worker) || self.solver == Some(worker) {
            return None;
        }
        let fallback = self.fallback.take()?;
        self.threads.retain(|&thread| thread != fallback);
        Some(fallback)
    }

    fn add_mate_solver(&mut self) {
        let (catalog, settings) = (self.catalog, Settings { hash_mb: self.memory.solver, ..self.settings.clone() });
        let (events, bus) = (self.events.clone(), self.bus.clone());
        let make: Maker = Arc::new(move || catalog.mate_solver(&settings));
        let profile = Profile::mate_solver();
        let name = profile.name.clone();
        self.solver = Some(self.add(name, |id| Box::new(ThreadWorker::new(id, profile, make, events, bus))));
    }

    fn add(&mut self, name: String, worker: impl FnOnce(WorkerId) -> Box<dyn Worker>) -> WorkerId {
        let id = WorkerId(self.next_id);
        self.next_id += 1;
        self.names.insert(id, name);
        self.workers.insert(id, worker(id));
        id
    }

    /// All workers that have been started, with the names that messages use.
    pub fn names(&self) -> impl Iterator<Item = (WorkerId, &str)> {
        self.names.iter().map(|(&id, name)| (id, name.as_str()))
    }

    /// The workers that search for moves.
    pub fn players(&self) -> impl Iterator<Item = WorkerId> + '_ {
        self.workers.keys().copied().filter(|&id| Some(id) != self.solver)
    }

    /// The name that messages use for a worker, if the worker is a child engine.
    pub fn child(&self, worker: WorkerId) -> Option<&str> {
        self.names.get(&worker).filter(|_| self.children.contains(&worker)).map(String::as_str)
    }

    pub fn contains(&self, worker: WorkerId) -> bool {
        self.workers.contains_key(&worker)
    }

    pub fn start(&mut self, worker: WorkerId, id: TaskId, mut task: Task) {
        // Limits the table entries that a search may send to other machines.
        if self.cluster.is_some() && task.news == 0 {
            task.news = NEWS_BUDGET;
        }
        self.tell(worker, |worker| worker.start(id, task));
    }

    /// Announces that the next tasks belong to another game, and returns how each worker forgets the last game.
    pub fn new_game(&mut self) -> Vec<(WorkerId, Renewal)> {
        if let Some(cluster) = &self.cluster {
            cluster.new_game();
        }
        self.workers.iter_mut().map(|(&id, worker)| (id, worker.new_game())).collect()
    }

    /// Announces a new game like [`Self::new_game`], but to the child processes only.
    pub fn new_game_of_children(&mut self) -> Vec<(WorkerId, Renewal)> {
        let children = self.children.iter();
        children.filter_map(|&id| Some((id, self.workers.get_mut(&id)?.new_game()))).collect()
    }

    /// Passes an order to a worker, unless the worker has been removed.
    pub fn tell(&mut self, worker: WorkerId, what: impl FnOnce(&mut dyn Worker)) {
        match self.workers.get_mut(&worker) {
            Some(worker) => what(worker.as_mut()),
            None => log::debug!("{worker} has left the pool"),
        }
    }

    /// Ends all workers, and returns when they have ended completely or `deadline` has passed.
    pub fn dismiss(mut self, deadline: Instant) {
        self.workers.values_mut().for_each(|worker| worker.quit());
        if let Some(mut cluster) = self.cluster.take() {
            cluster.end();
        }
        self.workers.values_mut().for_each(|worker| worker.wait_gone(deadline));
    }
}
