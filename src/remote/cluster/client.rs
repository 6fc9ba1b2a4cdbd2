//! Runs a node pool: opens its connection, and adds its slots to the worker pool as workers.

use super::membership;
use super::names::{Member, NetworkId, Subject};
use super::network_fetch::{MOST_BYTES, PIECE};
use super::node_pool::{MasterIdentity, NodePool, PoolEffect};
use super::teams::{ELSEWHERE, TeamId, Teams};
use super::transport::{Link, LinkEvent, LinkHandler, LinkSender, Transport};
use crossbeam_channel::{Receiver, Sender, unbounded};
use hasami_api::Task;
use hasami_nnue::{Network, built_in, built_in_file};
use hasami_tree::event::{Arrivals, TaskId, Time, WorkerId};
use hasami_words::files;
use hasami_words::text::At;
use hasami_workers::WorkerNotice;
use hasami_workers::outside::{Cluster, Joining, PoolFigures, SlotOffer};
use hasami_workers::{Bus, EventSender, NoticeSender, Renewal, Worker};
use std::borrow::Cow;
use std::collections::{BTreeMap, BTreeSet};
use std::path::Path;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::{Duration, Instant};

/// Time that worker nodes have to offer slots before the first search, counted from the moment of connection.
const FIRST_OFFERS: Duration = Duration::from_millis(700);
/// Time allowed for connecting.
const FIRST_ANSWER: Duration = Duration::from_secs(3);
/// Time to wait for the first worker node, and interval at which to check whether one has joined.
const SOMEBODY: Duration = Duration::from_secs(8);
const LOOK: Duration = Duration::from_millis(50);

/// The identity and the file of a master's evaluation network.
pub struct MasterNetwork {
    pub id: NetworkId,
    file: Cow<'static, [u8]>,
}

impl MasterNetwork {
    /// Reads the whole file of a network into memory, because the file may change while machines fetch the network. A
    /// network that is built into the program needs no file.
    pub fn open(network: &Network, path: Option<&Path>) -> Result<Self, String> {
        let is_built_in = built_in(network.game).sha256 == network.sha256;
        let file = match path {
            _ if is_built_in => Cow::Borrowed(built_in_file(network.game)),
            None => return Err("the network has no file".into()),
            Some(path) => {
                files::read(path, "network file", MOST_BYTES.into()).map_err(|why| why.at(path.display()))?.into()
            }
        };
        let bytes = network.bytes as u32;
        Ok(Self { id: NetworkId { sha256: network.sha256, bytes, fv_scale: network.fv_scale().unwrap_or(0) }, file })
    }

    /// Returns a piece of the network, or `None` if the network has no piece with this number.
    fn piece(&self, piece: u32) -> Option<&[u8]> {
        self.file.chunks(PIECE).nth(piece as usize)
    }
}

/// A worker pool's connection to a cluster. Dropping the client gives all its slots back to their worker nodes.
pub struct ClusterClient {
    shared: Arc<SharedClient>,
    link: Link,
}

struct SharedClient {
    state: Mutex<ClientState>,
    /// Commands from the driver, which are queued because the driver must not wait for the lock on `state`: on a busy
    /// machine, the thread that holds the lock may not run for some time.
    commands: (Sender<PoolCommand>, Receiver<PoolCommand>),
    is_settled: AtomicBool,
    /// Whether worker nodes are present or have announced themselves.
    is_expecting: AtomicBool,
    events: NoticeSender,
    bus: Bus,
    epoch: Instant,
    place: String,
}

struct ClientState {
    pool: NodePool,
    senders: BTreeMap<WorkerId, EventSender>,
    settling: Option<Time>,
    /// True if no worker node joined in time; the client then waits briefly for others after the first one joins.
    is_late: bool,
    was_cut: bool,
    teams: Teams,
    /// The teams with tasks on this master's slots.
    searching: BTreeSet<TeamId>,
    network: Option<MasterNetwork>,
}

/// A command to the connection's thread, which executes commands in the order given.
type PoolCommand = Box<dyn FnOnce(&mut NodePool, Time, &mut Vec<PoolEffect>) + Send>;

pub fn join(joining: Joining<'_>) -> Result<Box<dyn Cluster>, String> {
    let Joining { membership, catalog, network, file, events, bus } = joining;
    let network = network.map(|network| MasterNetwork::open(network, file)).transpose()?;
    let me = membership::identity(membership, catalog.name());
    let client = ClusterClient::connect(&*membership::transport(membership)?, (me, network), events, bus)?;
    Ok(Box::new(client))
}

impl ClusterClient {
    /// Starts connecting to the cluster. Slots are offered as [`WorkerNotice::SlotOffer`]. `bus` carries the news of
    /// the worker pool's teams.
    pub fn connect(
        transport: &dyn Transport,
        (mut me, network): (MasterIdentity, Option<MasterNetwork>),
        events: NoticeSender,
        bus: Bus,
    ) -> Result<Self, String> {
        let (place, name) = (transport.place(), me.beat.name.clone());
        if !transport.is_private() {
            log::warn!("cluster: the login at {place} can be read on its way; tls:// hides it");
        }
        let member = Member::draw(transport.user());
        me.beat.network = network.as_ref().map(|network| network.id);
        let pool = NodePool::new(MasterIdentity { member, ..me });
        let subjects = pool.subjects();
        let (senders, settling, teams) = (BTreeMap::new(), Some(FIRST_ANSWER), Teams::default());
        let (is_late, was_cut) = (false, false);
        let searching = BTreeSet::new();
        let state = ClientState { pool, senders, settling, is_late, was_cut, teams, searching, network };
        let (is_settled, is_expecting) = (AtomicBool::new(false), AtomicBool::new(false));
        let (state, commands, epoch) = (Mutex::new(state), unbounded(), Instant::now());
        let shared = Arc::new(SharedClient { state, commands, is_settled, is_expecting, events, bus, epoch, place });
        let link = transport.open(member, name, subjects, Arc::new(Arc::clone(&shared)))?;
        Ok(Self { shared, link })
    }
}

impl Cluster for ClusterClient {
    fn is_settled(&self) -> bool {
        self.shared.is_settled.load(Ordering::Relaxed)
    }

    fn figures(&self) -> Option<PoolFigures> {
        // Metrics are not available while the connection's thread holds the lock.
        let state = self.shared.state.try_lock().ok()?;
        let mut figures = state.pool.figures();
        let outbox = self.link.outbox();
        (figures.waiting, figures.is_connected) = (outbox.waiting() as u64, outbox.is_up());
        Some(figures)
    }

    fn arrivals(&self) -> Arrivals {
        match self.shared.is_expecting.load(Ordering::Relaxed) {
            true => Arrivals::Expected,
            false if !self.is_settled() => Arrivals::Unknown,
            false => Arrivals::Over,
        }
    }

    fn new_game(&self) {
        self.shared.command(self.link.outbox(), |pool, _, _| pool.new_game());
    }

    fn end(&mut self) {
        self.shared.act(self.link.outbox(), |state, _, effects| state.pool.end(effects));
        self.link.close();
    }
}

impl Drop for ClusterClient {
    fn drop(&mut self) {
        self.end();
    }
}

impl SharedClient {
    fn lock(&self) -> MutexGuard<'_, ClientState> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Queues a command for the connection's thread.
    fn command(
        &self,
        outbox: &LinkSender,
        command: impl FnOnce(&mut NodePool, Time, &mut Vec<PoolEffect>) + Send + 'static,
    ) {
        // `self` holds the receiver, so sending cannot fail.
        let _ = self.commands.0.send(Box::new(command));
        outbox.wake();
    }

    /// Executes the queued commands and then `what`, and carries out their effects.
    fn act<R>(
        self: &Arc<Self>,
        outbox: &LinkSender,
        what: impl FnOnce(&mut ClientState, Time, &mut Vec<PoolEffect>) -> R,
    ) -> R {
        let (mut state, mut effects) = (self.lock(), Vec::new());
        let now = self.epoch.elapsed();
        self.commands.1.try_iter().for_each(|command| command(&mut state.pool, now, &mut effects));
        let result = what(&mut state, now, &mut effects);
        effects.into_iter().for_each(|effect| self.carry_out(&mut state, effect, outbox));
        self.post(&mut state, now, outbox);
        let is_expecting = state.pool.size().1 > 0 || state.pool.coming() > 0;
        self.is_expecting.store(is_expecting, Ordering::Relaxed);
        result
    }

    /// Sends other machines the table entries that the pool's local workers have published for their teams.
    fn post(&self, state: &mut ClientState, now: Time, outbox: &LinkSender) {
        if let Some(teams) = state.pool.new_teams() {
            state.searching = teams;
        }
        state.teams.exchange(now, &state.searching, |(_, team)| self.bus.join(team, ELSEWHERE), outbox);
    }

    fn carry_out(self: &Arc<Self>, state: &mut ClientState, effect: PoolEffect, outbox: &LinkSender) {
        match effect {
            PoolEffect::Publish { to, bytes } => {
                outbox.send(to, bytes);
            }
            PoolEffect::Apply { lease, name } => {
                let (shared, outbox) = (Arc::clone(self), outbox.clone());
                let accept = Box::new(move |worker| -> Box<dyn Worker> {
                    let events = shared.events.clone();
                    shared.command(&outbox, move |pool, _, effects| {
                        if !pool.bind(lease, worker, effects) {
                            events.send(WorkerNotice::Left(worker));
                        }
                    });
                    Box::new(RemoteWorker { worker, shared, outbox })
                });
                let offer = SlotOffer { name, accept };
                self.events.send(WorkerNotice::SlotOffer(offer));
            }
            PoolEffect::Joined { worker, profile } => {
                let sender = EventSender::new(worker, &self.events);
                sender.joined(profile);
                state.senders.insert(worker, sender);
            }
            PoolEffect::Reports { worker, task, reports } => {
                if let Some(sender) = state.senders.get(&worker) {
                    reports.into_iter().for_each(|report| sender.report(task, report));
                }
            }
            PoolEffect::Ended { worker, task, end } => {
                if let Some(sender) = state.senders.get(&worker) {
                    sender.ended(task, end);
                }
            }
            PoolEffect::Lost { worker, why } => {
                if let Some(sender) = state.senders.remove(&worker) {
                    sender.lost(why);
                    self.events.send(WorkerNotice::Left(worker));
                }
            }
            PoolEffect::PieceWanted { node, lease, piece } => {
                let Some(bytes) = state.network.as_ref().and_then(|network| network.piece(piece)) else { return };
                let mut effects = Vec::new();
                state.pool.send_piece((node, lease), piece, bytes.to_vec(), &mut effects);
                effects.into_iter().for_each(|effect| self.carry_out(state, effect, outbox));
            }
            // Only the cells of a mate search send such messages, and this client uses no cells.
            PoolEffect::Message { .. } => {}
            PoolEffect::Tell(line) => self.events.send(WorkerNotice::Message(line)),
        }
    }

    /// Ends the wait for the first slot offers.
    fn settle(&self, state: &mut ClientState, now: Time) {
        if state.settling.take().is_some() {
            let (nodes, slots) = state.pool.size();
            state.pool.begin_notices(now);
            if slots > 0 {
                let size = super::node_pool::size_words(slots, nodes);
                self.events.send(WorkerNotice::Message(format!("cluster: {size}, by {}", self.place)));
            }
            self.is_settled.store(true, Ordering::Relaxed);
            self.events.send(WorkerNotice::Settled);
        }
    }

    /// After the wait for slot offers, decides whether to wait longer for the first worker node.
    fn look_for_first(&self, state: &mut ClientState, now: Time) {
        let is_nobody = state.pool.size().1 == 0;
        if is_nobody && now < SOMEBODY {
            (state.settling, state.is_late) = (Some(now + LOOK), true);
        } else if !is_nobody && std::mem::take(&mut state.is_late) {
            state.settling = Some(now + FIRST_OFFERS / 2);
        } else {
            self.settle(state, now);
        }
    }

    fn message(self: &Arc<Self>, event: LinkEvent, outbox: &LinkSender) {
        self.act(outbox, |state, now, effects| match event {
            LinkEvent::Up => {
                if state.settling.is_some() {
                    state.settling = Some(now + FIRST_OFFERS);
                }
                if std::mem::take(&mut state.was_cut) {
                    effects.push(PoolEffect::Tell(format!("cluster: {} is connected again", self.place)));
                }
                state.pool.hurry();
                state.pool.tick(now, effects);
            }
            LinkEvent::Down => {
                state.was_cut = true;
                effects.push(PoolEffect::Tell(format!("cluster: {} is cut off; trying again", self.place)));
            }
            LinkEvent::Refused(why) => {
                state.was_cut = true;
                // The failure to connect must be reported before the notice that the wait for workers has ended.
                self.events.send(WorkerNotice::Message(warning(format!("{why}; trying again"))));
                self.settle(state, now);
            }
            LinkEvent::LoginRefused { why, is_due, .. } => {
                state.was_cut = true;
                if is_due {
                    self.events.send(WorkerNotice::Message(warning(format!("{why}; trying again"))));
                }
                self.settle(state, now);
            }
            LinkEvent::Forbidden(why) => {
                self.events.send(WorkerNotice::Message(warning(why)));
                self.settle(state, now);
            }
            LinkEvent::Message { subject: Subject::News(master, team), bytes, .. } => {
                if let Err(why) = state.teams.deliver((master, team), bytes) {
                    log::debug!("cluster: {why}");
                }
            }
            LinkEvent::Message { from, subject, bytes } => state.pool.hear(now, (from, subject), bytes, effects),
            LinkEvent::Due => {
                state.pool.tick(now, effects);
                if state.settling.is_some_and(|at| at <= now) {
                    self.look_for_first(state, now);
                }
            }
        });
    }
}

/// Returns a warning about the option `Cluster`.
fn warning(why: String) -> String {
    format!("warning: {}", why.at("Cluster"))
}

impl LinkHandler for Arc<SharedClient> {
    fn on_event(&self, event: LinkEvent, outbox: &LinkSender) {
        self.message(event, outbox);
    }

    fn due(&self) -> Instant {
        let state = self.lock();
        let due = [state.settling, state.teams.due()].into_iter().flatten().fold(state.pool.due(), Time::min);
        self.epoch + due
    }
}

/// A slot of a worker node, used as a worker. A lost worker never comes back; its slot may return as a new worker.
struct RemoteWorker {
    worker: WorkerId,
    shared: Arc<SharedClient>,
    outbox: LinkSender,
}

impl Worker for RemoteWorker {
    fn start(&mut self, id: TaskId, task: Task) {
        let worker = self.worker;
        self.shared.command(&self.outbox, move |pool, now, effects| pool.start(now, worker, id, task, effects));
    }

    fn cancel(&mut self, id: TaskId) {
        let worker = self.worker;
        self.shared.command(&self.outbox, move |pool, now, effects| pool.cancel(now, worker, id, effects));
    }

    /// The node pool announces the new game with the next task ([`ClusterClient::new_game`]).
    fn new_game(&mut self) -> Renewal {
        Renewal::Done
    }

    fn kill(&mut self) {
        let worker = self.worker;
        self.shared.command(&self.outbox, move |pool, _, effects| pool.give_up(worker, effects));
    }

    fn revive(&mut self) {}

    fn quit(&mut self) {}

    fn wait_gone(&mut self, _deadline: Instant) {}
}
