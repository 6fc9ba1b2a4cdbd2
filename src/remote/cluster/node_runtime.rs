//! Runs a worker node: its connection, its engines, and its event loop.

use super::cell::{self, CellMailbox, CellSender};
use super::channel::Batch;
use super::names::{Member, NetworkId, Subject};
use super::network_store::NetworkStore;
use super::teams::{ELSEWHERE, TeamId, Teams};
use super::transport::{LinkEvent, LinkHandler, LinkSender, Transport};
use super::wire::SlotRole;
use super::worker_node::{NodeEffect, OfferedSlot, WorkerNode};
use crossbeam_channel::{Receiver, Sender, bounded, select};
use hasami_catalog::Catalog;
use hasami_protocol::Settings;
use hasami_tree::event::{Profile, Time, WorkerEvent, WorkerId};
use hasami_words::text::At;
use hasami_workers::children::ChildSpec;
use hasami_workers::process::ProcessWorker;
use hasami_workers::thread::{ThreadWorker, shared};
use hasami_workers::{Bus, Inbox, NoticeSender, Worker, WorkerNotice, trial};
use rand::Rng;
use std::collections::BTreeMap;
use std::path::PathBuf;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::{Duration, Instant};

/// Time allowed for engines to exit when the worker node ends.
const SHUTDOWN: Duration = Duration::from_millis(500);

/// The slots that the owner of a machine offers, and the conditions of their use.
pub struct NodeConfig {
    pub name: String,
    pub transport: Arc<dyn Transport>,
    /// Number of slots that run the program's own engine.
    pub threads: u32,
    /// Total memory of all threads, in MiB.
    pub hash_mb: u32,
    pub children: Vec<ChildSpec>,
    /// The folder for networks of masters; `None` to keep networks only in memory.
    pub networks: Option<PathBuf>,
    /// Whether networks that are missing on this machine are fetched from masters.
    pub fetches: bool,
    /// Time after which the worker node ends if the server keeps refusing the login.
    pub login_patience: Duration,
    /// The games that can be played by the threads, and by child engines that are not restricted to a protocol.
    pub games: Vec<&'static dyn Catalog>,
}

/// The reason a worker node ended by itself.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum NodeEnd {
    /// The worker node cannot do its work, for the given reason.
    Unable(String),
    /// The server has refused the worker node's login for longer than permitted.
    LoginRefused(String),
}

impl NodeEnd {
    pub fn login_refused(why: &str, since: Duration) -> Self {
        Self::LoginRefused(format!("{why}, for {} s", since.as_secs()))
    }
}

/// Receives messages for the owner of the machine, one line each.
pub type Note = Box<dyn Fn(&str) + Send + Sync>;

/// Starts each child engine once, for the first game that it can play. The error names the first child engine that
/// fails to identify itself in time.
pub fn try_children(config: &NodeConfig) -> Result<(), String> {
    for child in &config.children {
        let mut games = config.games.iter().map(|game| game.played());
        let Some(game) = games.find(|game| child.speaks(game.protocol)) else { continue };
        trial::start_once(child, game).map_err(|why| why.at(&child.name))?;
    }
    Ok(())
}

/// Serves masters until `stop` receives a message or is disconnected.
pub fn serve(config: NodeConfig, stop: &Receiver<()>, note: Note) -> Result<(), NodeEnd> {
    let mut inbox = Inbox::default();
    let (transport, name) = (Arc::clone(&config.transport), config.name.clone());
    let (gives_up, ended) = bounded(1);
    let runtime = Arc::new(NodeRuntime::new(config, inbox.events(), note, gives_up));
    let (me, subjects) = runtime.identity();
    let link = transport.open(me, name, subjects, Arc::new(Arc::clone(&runtime)));
    let mut link = link.map_err(NodeEnd::Unable)?;
    let outbox = link.outbox().clone();
    let mut result = Ok(());
    loop {
        let due = inbox.due().into_iter().chain([runtime.next()]).min().unwrap_or_else(Instant::now);
        let timer = crossbeam_channel::at(due);
        let mut events = Vec::new();
        select! {
            recv(inbox.notices()) -> notice => match notice {
                Ok(notice) => events = inbox.open(notice, Instant::now()),
                Err(_) => break,
            },
            recv(stop) -> _ => break,
            recv(ended) -> end => {
                result = end.map_or(Ok(()), Err);
                break;
            }
            recv(timer) -> _ => {}
        }
        if inbox.due().is_some_and(|due| due <= Instant::now()) {
            events.extend(inbox.flush(Instant::now()));
        }
        runtime.act(&outbox, |node, now, effects| {
            events.into_iter().for_each(|event| node.worker(now, event, effects));
            node.tick(now, outbox.is_clear(), effects);
        });
    }
    runtime.act(&outbox, |node, _, effects| node.end(effects));
    link.close();
    runtime.dismiss();
    result
}

struct NodeRuntime {
    config: NodeConfig,
    state: Mutex<RuntimeState>,
    networks: NetworkStore,
    events: NoticeSender,
    epoch: Instant,
    note: Note,
    /// Receives the reason why the worker node cannot continue and has to end.
    gives_up: Sender<NodeEnd>,
}

struct RuntimeState {
    node: WorkerNode,
    workers: BTreeMap<WorkerId, Box<dyn Worker>>,
    cells: BTreeMap<WorkerId, CellSender>,
    /// For each master, the bus that carries news among the master's workers on this machine.
    buses: BTreeMap<Member, Bus>,
    teams: Teams,
}

impl NodeRuntime {
    fn new(config: NodeConfig, events: NoticeSender, note: Note, gives_up: Sender<NodeEnd>) -> Self {
        let games = &config.games;
        let names = games.iter().map(|game| game.name()).collect();
        let speaks = |child: &ChildSpec| {
            let speaks = |game: &&&'static dyn Catalog| child.speaks(game.protocol());
            games.iter().filter(speaks).map(|game| game.name()).collect()
        };
        let thread = OfferedSlot { engine: "thread".to_owned(), games: names, has_roles: true };
        let mut offers = vec![thread; config.threads as usize];
        let child =
            |child: &ChildSpec| OfferedSlot { engine: child.name.clone(), games: speaks(child), has_roles: false };
        offers.extend(config.children.iter().map(child));
        let known = games.clone();
        let check = move |name: &str, line: &hasami_api::Line| match known.iter().find(|game| game.name() == name) {
            Some(game) => Ok(game.check(line)?),
            None => Err(format!("{name} is not played here")),
        };
        let id = Member::draw(config.transport.user());
        let mut node = WorkerNode::new(id, config.name.clone(), offers, Box::new(check), rand::rng().random());
        node.networks.is_closed = !config.fetches;
        let (workers, cells, buses) = (BTreeMap::new(), BTreeMap::new(), BTreeMap::new());
        let state = Mutex::new(RuntimeState { node, workers, cells, buses, teams: Teams::default() });
        let networks = NetworkStore::new(config.networks.clone());
        Self { config, state, networks, events, epoch: Instant::now(), note, gives_up }
    }

    /// Memory of one thread, in MiB.
    fn hash_mb(&self) -> u32 {
        (self.config.hash_mb / self.config.threads.max(1)).max(1)
    }

    fn lock(&self) -> MutexGuard<'_, RuntimeState> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Returns the worker node's member and the subjects on which it receives messages.
    fn identity(&self) -> (Member, Vec<Subject>) {
        let state = self.lock();
        (state.node.id(), state.node.subjects())
    }

    /// Returns when the worker node must act next.
    fn next(&self) -> Instant {
        let state = self.lock();
        self.epoch + state.teams.due().into_iter().fold(state.node.due(), Time::min)
    }

    /// Executes `what` and carries out its effects.
    fn act(self: &Arc<Self>, outbox: &LinkSender, what: impl FnOnce(&mut WorkerNode, Time, &mut Vec<NodeEffect>)) {
        let (mut state, mut effects) = (self.lock(), Vec::new());
        let now = self.epoch.elapsed();
        what(&mut state.node, now, &mut effects);
        effects.into_iter().for_each(|effect| self.carry_out(&mut state, effect, outbox));
        state.post(now, outbox);
    }

    /// Handles news of a team from another machine.
    fn deliver(&self, team: (Member, u64), bytes: &[u8]) {
        if let Err(why) = self.lock().teams.deliver(team, bytes) {
            log::debug!("cluster: {why}");
        }
    }

    fn carry_out(self: &Arc<Self>, state: &mut RuntimeState, effect: NodeEffect, outbox: &LinkSender) {
        match effect {
            NodeEffect::Publish { to, bytes } => {
                outbox.send(to, bytes);
            }
            NodeEffect::StartWorker { worker, game, role: SlotRole::Cells, .. } => {
                if let Some(cell) = self.open_cell(worker, &game, outbox) {
                    state.cells.insert(worker, cell);
                }
            }
            NodeEffect::Message { worker, message } => {
                if let Some(cell) = state.cells.get(&worker) {
                    let _ = cell.send(message);
                }
            }
            NodeEffect::FindNetwork { id } => self.look_at_network(outbox, id, None),
            NodeEffect::KeepNetwork { id, bytes } => self.look_at_network(outbox, id, Some(bytes)),
            NodeEffect::StartWorker { worker, slot, owner, game, network, role: SlotRole::Leaves } => {
                let bus = state.buses.entry(owner).or_default();
                if let Some(started) = self.start_worker(worker, (slot, network), &game, bus.clone()) {
                    state.workers.insert(worker, started);
                }
            }
            NodeEffect::EndService { owner } => {
                state.buses.remove(&owner);
            }
            NodeEffect::EndWorker { worker } => {
                state.cells.remove(&worker);
                if let Some(mut ended) = state.workers.remove(&worker) {
                    ended.quit();
                }
            }
            NodeEffect::Start { worker, id, task } => {
                if let Some(worker) = state.workers.get_mut(&worker) {
                    worker.start(id, task);
                }
            }
            NodeEffect::Cancel { worker, id } => {
                if let Some(worker) = state.workers.get_mut(&worker) {
                    worker.cancel(id);
                }
            }
            NodeEffect::NewGame { worker } => {
                if let Some(worker) = state.workers.get_mut(&worker) {
                    worker.new_game();
                }
            }
            NodeEffect::Note(line) => (self.note)(&line),
        }
    }

    /// Reads a network from disk or from the received bytes on a separate thread, since reading takes longer than the
    /// interval between heartbeats.
    fn look_at_network(self: &Arc<Self>, outbox: &LinkSender, id: NetworkId, bytes: Option<Vec<u8>>) {
        let (runtime, outbox) = (Arc::clone(self), outbox.clone());
        std::thread::spawn(move || {
            let found = bytes
                .map_or_else(|| runtime.networks.find(id), |bytes| runtime.networks.keep(id, &bytes).map(|()| true));
            runtime.act(&outbox, |node, now, effects| node.network_found(now, id, found, effects));
        });
    }

    /// Starts a worker. Only engines that the owner has configured are ever started.
    fn start_worker(
        &self,
        worker: WorkerId,
        (slot, network): (usize, Option<NetworkId>),
        game: &str,
        bus: Bus,
    ) -> Option<Box<dyn Worker>> {
        let game = *self.config.games.iter().find(|known| known.name() == game)?;
        let events = self.events.clone();
        if let Some(child) = slot.checked_sub(self.config.threads as usize) {
            let child = self.config.children.get(child)?.clone();
            return Some(Box::new(ProcessWorker::new(worker, child, game.played(), events)));
        }
        let network = match network.map(|id| self.networks.load(&id)) {
            // The network's file was deleted after it was checked.
            Some(None) => {
                let why = "its network is gone".into();
                events.send(WorkerNotice::Event(WorkerEvent::Lost { worker, why, for_good: false }));
                return None;
            }
            found => found.flatten(),
        };
        // Threads share no hash table and exchange news as messages, since other members of their team may be on other
        // machines.
        let settings = Settings { hash_mb: self.hash_mb(), shared_hash: false, network, ..Settings::default() };
        let make = shared(game.engines(&settings));
        Some(Box::new(ThreadWorker::new(worker, Profile::thread(slot as u32 + 1), make, events, bus)))
    }

    /// Opens a cell, which answers messages on its own thread. A cell joins as soon as its thread runs.
    fn open_cell(self: &Arc<Self>, worker: WorkerId, game: &str, outbox: &LinkSender) -> Option<CellSender> {
        let game = *self.config.games.iter().find(|known| known.name() == game)?;
        let hash_mb = self.hash_mb() as usize;
        let serve = move |mailbox: &mut CellMailbox| game.cell(hash_mb).serve(mailbox);
        let (runtime, way) = (Arc::clone(self), outbox.clone());
        let post = move |batch: &Batch| {
            runtime.act(&way, |node, now, effects| node.write(now, worker, batch, effects));
        };
        let notices = self.events.clone();
        // A cell that ends without being asked to has panicked.
        let gone = move || {
            let why = "its search has ended".into();
            notices.send(WorkerNotice::Event(WorkerEvent::Lost { worker, why, for_good: false }));
        };
        let cell = cell::open(format!("cell {}", worker.0), serve, Box::new(post), gone);
        let event = match &cell {
            Ok(_) => WorkerEvent::Joined { worker, profile: Profile { can_best: false, ..Profile::thread(1) } },
            Err(why) => WorkerEvent::Lost { worker, why: why.into(), for_good: false },
        };
        self.events.send(WorkerNotice::Event(event));
        cell.ok()
    }

    /// Asks all engines to quit, and waits up to [`SHUTDOWN`] for them to exit.
    fn dismiss(&self) {
        let deadline = Instant::now() + SHUTDOWN;
        self.lock().cells.clear();
        let mut workers = std::mem::take(&mut self.lock().workers);
        workers.values_mut().for_each(|worker| worker.quit());
        workers.values_mut().for_each(|worker| worker.wait_gone(deadline));
    }
}

impl RuntimeState {
    /// Sends the table entries that the teams on this machine have published.
    fn post(&mut self, now: Time, outbox: &LinkSender) {
        let buses = &mut self.buses;
        let join = |(owner, team): TeamId| buses.entry(owner).or_default().join(team, ELSEWHERE);
        self.teams.exchange(now, &self.node.teams(), join, outbox);
    }
}

impl LinkHandler for Arc<NodeRuntime> {
    fn on_event(&self, event: LinkEvent, outbox: &LinkSender) {
        match event {
            LinkEvent::Up => (self.note)(&format!("connected to {}", self.config.transport.place())),
            LinkEvent::Down => (self.note)(&format!("cut off from {}; trying again", self.config.transport.place())),
            LinkEvent::Forbidden(why) => _ = self.gives_up.try_send(NodeEnd::Unable(why)),
            LinkEvent::LoginRefused { why, since, .. } if since >= self.config.login_patience => {
                let _ = self.gives_up.try_send(NodeEnd::login_refused(&why, since));
            }
            LinkEvent::LoginRefused { why, is_due, .. } => {
                if is_due {
                    (self.note)(&format!("{why}; trying again"));
                }
            }
            LinkEvent::Refused(why) => (self.note)(&format!("{why}; trying again")),
            LinkEvent::Message { subject: Subject::News(master, team), bytes, .. } => {
                self.deliver((master, team), bytes)
            }
            LinkEvent::Message { from, subject, bytes } => {
                self.act(outbox, |node, now, effects| node.hear(now, (from, subject), bytes, effects));
            }
            // This event is ignored, because the worker node's event loop has its own timer.
            LinkEvent::Due => {}
        }
    }

    fn due(&self) -> Instant {
        Instant::now() + Duration::from_secs(3600)
    }
}
