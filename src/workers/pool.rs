//! All workers of the program, as the options describe them.

use super::children::ChildSpec;
use super::cluster::{self, ClusterClient, MasterIdentity, MasterNetwork, PoolFigures, SlotOffer, Transport};
use super::memory::Shares;
use super::process::ProcessWorker;
use super::thread::{Maker, ThreadWorker, shared};
use super::{Bus, NoticeSender, Renewal, Worker};
use hasami_api::Task;
use hasami_catalog::Catalog;
use hasami_protocol::Settings;
use hasami_tree::event::{Arrivals, MachineId, MachineRecord, Profile, TaskId, WorkerId};
use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;
use std::time::Instant;

/// The workers by id. Ids are handed out by [`WorkerPool::add`] and never used twice.
pub struct WorkerPool {
    workers: BTreeMap<WorkerId, Box<dyn Worker>>,
    catalog: &'static dyn Catalog,
    /// Settings by which our own workers are built.
    settings: Settings,
    memory: Shares,
    /// Makes the engines of threads, and holds what they share; `None` before the first thread.
    make: Option<Maker>,
    /// Workers of a cluster are to hear what threads find.
    tells_others: bool,
    /// Somebody else is expected to play: children, or workers of a cluster.
    others_play: bool,
    events: NoticeSender,
    bus: Bus,
    next_id: u32,
    /// Their names in messages.
    names: BTreeMap<WorkerId, String>,
    /// Engines in processes of their own.
    children: BTreeSet<WorkerId>,
    /// Search for moves in the program itself.
    threads: Vec<WorkerId>,
    /// The one of them that has taken over while nobody was there.
    fallback: Option<WorkerId>,
    /// Searches no moves: nobody waits for it.
    solver: Option<WorkerId>,
    /// Lends workers, which come and go.
    cluster_client: Option<ClusterClient>,
}

impl WorkerPool {
    /// Starts as many threads as the settings say, and the children that speak the protocol of the game (a file may
    /// serve several games). Ids begin at `first_id`. There is always one who can play, unless others are
    /// `expected`: workers of a cluster.
    pub fn new(
        catalog: &'static dyn Catalog,
        settings: &Settings,
        memory: Shares,
        (children, expected): (&[ChildSpec], bool),
        events: NoticeSender,
        first_id: u32,
    ) -> Self {
        let protocol = catalog.dialect().protocol();
        let plays = |child: &ChildSpec| child.speaks(protocol) && !child.mate;
        let mut pool = Self {
            workers: BTreeMap::new(),
            catalog,
            settings: settings.clone(),
            memory,
            make: None,
            tells_others: expected,
            others_play: expected || children.iter().any(plays),
            events,
            bus: Bus::default(),
            next_id: first_id,
            names: BTreeMap::new(),
            threads: Vec::new(),
            children: BTreeSet::new(),
            fallback: None,
            solver: None,
            cluster_client: None,
        };
        for child in children.iter().filter(|child| child.speaks(protocol)) {
            pool.add_child(child.clone());
        }
        pool.add_threads();
        pool.add_mate_solver();
        pool
    }

    /// Threads and a solver in the place of those that were ended.
    pub fn add_own(&mut self, settings: &Settings, memory: Shares) {
        (self.settings, self.memory) = (settings.clone(), memory);
        self.add_threads();
        self.add_mate_solver();
    }

    /// A solver in the place of one that was ended.
    pub fn add_solver(&mut self, settings: &Settings) {
        self.settings = settings.clone();
        self.add_mate_solver();
    }

    fn add_threads(&mut self) {
        for _ in 0..self.settings.threads.max(u32::from(!self.others_play)) {
            self.add_thread();
        }
    }

    /// Workers of a cluster may come.
    pub fn is_in_cluster(&self) -> bool {
        self.cluster_client.is_some()
    }

    /// Others are here, or may come, than those in the program itself.
    pub fn has_others(&self) -> bool {
        self.cluster_client.is_some() || !self.children.is_empty()
    }

    /// Ends some of the workers in the program itself; returns when nothing of them is left or `deadline` is past.
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

    /// Workers of a cluster come from now on, as [`super::WorkerNotice::SlotOffer`].
    pub fn join_cluster(
        &mut self,
        transport: &dyn Transport,
        me: MasterIdentity,
        network: Option<MasterNetwork>,
    ) -> Result<(), String> {
        self.cluster_client =
            Some(ClusterClient::connect(transport, (me, network), self.events.clone(), self.bus.clone())?);
        Ok(())
    }

    /// Nobody is expected from the cluster at the moment.
    pub fn is_settled(&self) -> bool {
        self.cluster_client.as_ref().is_none_or(ClusterClient::is_settled)
    }

    /// Who may still come from the cluster.
    pub fn arrivals(&self) -> Arrivals {
        self.cluster_client.as_ref().map_or(Arrivals::Over, ClusterClient::arrivals)
    }

    pub fn cluster_figures(&self) -> Option<PoolFigures> {
        self.cluster_client.as_ref()?.figures()
    }

    /// Takes in a worker of the cluster. If it is gone already, [`super::WorkerNotice::Left`] follows.
    pub fn accept_offer(&mut self, offer: SlotOffer) -> WorkerId {
        let (id, name) = (WorkerId(self.next_id), offer.name.clone());
        // Known by its name before it says that it is there.
        let worker = offer.accept(id);
        self.add(name, |_| worker)
    }

    /// A worker will not come back.
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

    /// One more sequential engine in the program itself.
    pub fn add_thread(&mut self) -> WorkerId {
        let make = self.make.get_or_insert_with(|| {
            // What threads find is told in messages where others are to hear of it, too.
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

    /// A thread until somebody of the cluster is there.
    pub fn add_fallback(&mut self) -> WorkerId {
        let thread = self.add_thread();
        self.fallback = Some(thread);
        thread
    }

    /// Somebody has come. If the cluster has sent it, the machine of the master is to rest as its user has said: the fallback
    /// that goes.
    pub fn retire_fallback(&mut self, worker: WorkerId) -> Option<WorkerId> {
        if self.cluster_client.is_none() || self.threads.contains(&worker) || self.solver == Some(worker) {
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

    /// All who were started, by the names that messages give them.
    pub fn names(&self) -> impl Iterator<Item = (WorkerId, &str)> {
        self.names.iter().map(|(&id, name)| (id, name.as_str()))
    }

    /// The first id that nobody of this pool has had.
    pub fn next_id(&self) -> u32 {
        self.next_id
    }

    /// Those who search for moves.
    pub fn players(&self) -> impl Iterator<Item = WorkerId> + '_ {
        self.workers.keys().copied().filter(|&id| Some(id) != self.solver)
    }

    /// Those of them who are threads of ours: each joins as soon as its memory stands.
    pub fn threads(&self) -> &[WorkerId] {
        &self.threads
    }

    /// Who searches no moves.
    pub fn solver(&self) -> Option<WorkerId> {
        self.solver
    }

    /// Its name in messages, if it is a child engine.
    pub fn child(&self, worker: WorkerId) -> Option<&str> {
        self.names.get(&worker).filter(|_| self.children.contains(&worker)).map(String::as_str)
    }

    pub fn contains(&self, worker: WorkerId) -> bool {
        self.workers.contains_key(&worker)
    }

    pub fn start(&mut self, worker: WorkerId, id: TaskId, mut task: Task) {
        // News that cross machines are few.
        if self.cluster_client.is_some() && task.news == 0 {
            task.news = cluster::NEWS;
        }
        self.tell(worker, |worker| worker.start(id, task));
    }

    pub fn cancel(&mut self, worker: WorkerId, id: TaskId) {
        self.tell(worker, |worker| worker.cancel(id));
    }

    pub fn kill(&mut self, worker: WorkerId) {
        self.tell(worker, |worker| worker.kill());
    }

    pub fn revive(&mut self, worker: WorkerId) {
        self.tell(worker, |worker| worker.revive());
    }

    /// The record of a machine of the cluster has changed.
    pub fn rate(&self, machine: MachineId, record: MachineRecord) {
        if let Some(cluster_client) = &self.cluster_client {
            cluster_client.rate(machine, record);
        }
    }

    /// The next tasks belong to another game. Gives how each worker forgets the last one.
    pub fn new_game(&mut self) -> Vec<(WorkerId, Renewal)> {
        if let Some(cluster_client) = &self.cluster_client {
            cluster_client.new_game();
        }
        self.workers.iter_mut().map(|(&id, worker)| (id, worker.new_game())).collect()
    }

    /// The same for the child processes alone.
    pub fn new_game_of_children(&mut self) -> Vec<(WorkerId, Renewal)> {
        let children = self.children.iter();
        children.filter_map(|&id| Some((id, self.workers.get_mut(&id)?.new_game()))).collect()
    }

    fn tell(&mut self, worker: WorkerId, what: impl FnOnce(&mut dyn Worker)) {
        match self.workers.get_mut(&worker) {
            Some(worker) => what(worker.as_mut()),
            None => log::debug!("{worker} has left the pool"),
        }
    }

    /// Ends all workers; returns when nothing of them is left or `deadline` is past.
    pub fn dismiss(mut self, deadline: Instant) {
        self.workers.values_mut().for_each(|worker| worker.quit());
        if let Some(mut cluster_client) = self.cluster_client.take() {
            cluster_client.end();
        }
        self.workers.values_mut().for_each(|worker| worker.wait_gone(deadline));
    }
}
