//! A master's side of the cluster: which slots it has, what each of them is to do, and what it is heard to do.
//!
//! Pure: messages and moments in, effects out. Nothing relies on a message that arrives: worker nodes say a few times a
//! second what each of their slots does, and an order that has not had its effect is given again. So loss, doubling and
//! reordering cost time and nothing else.

mod messages;
mod notices;
mod ratings;
mod told;

use self::notices::{MembershipNotices, RETURNED};
use super::channel::{Batch, ReliableChannel};
use super::names::{Lease, NetworkId, Owner, PoolName, Subject, WorkerNodeId};
use super::patience::Patience;
use super::quota::Quota;
use super::refusals::{Refusals, RefusedMessage};
use super::teams;
use super::tombstones::Tombstones;
use super::wire::{self, MasterBeat, MasterOrder, OrderKind, SlotRole, WireTask};
use hasami_api::{Goal, Report, Task};
use hasami_tree::event::{MachineRecord, Profile, TaskEnd, TaskId, Time, WorkerId};
use hasami_words::Message;
use std::collections::{BTreeMap, BTreeSet, VecDeque};
use std::time::Duration;

/// After so long without a word the other is gone, where a master wants nothing else and nothing was observed that says
/// otherwise ([`Patience`]). Each speaks [`BEATS`] times as often.
pub const SILENCE: Duration = Duration::from_millis(1_500);
pub const LONGEST_SILENCE: Duration = Duration::from_secs(60);
/// A master says so often in a pause of silence that it is there, and a worker node what it does.
pub const BEATS: u32 = 5;
/// Slots that go within this time go together.
const ONE_LOSS: Duration = Duration::from_millis(300);
/// An order without an effect is given again after so long.
const AGAIN: Duration = Duration::from_millis(250);
/// So many lost worker nodes are remembered for people, so many lost leases for what still comes of them.
const REMEMBERED: usize = 64;
const MOST_WORKER_NODES: usize = 16_384;
/// Slots that are there, and as many leases that were.
const MOST_WORKERS: usize = 65_536;
/// Who asks who is there is answered so often at once, and a second.
pub const ANSWERS: (u32, u32) = (20, 5);

/// Things to do, in this order.
#[derive(Clone, PartialEq, Debug)]
pub enum PoolEffect {
    Publish {
        to: Subject,
        bytes: Vec<u8>,
    },
    /// A slot asks for a number: [`NodePool::bind`].
    Apply {
        lease: Lease,
        name: String,
    },
    Joined {
        worker: WorkerId,
        profile: Profile,
    },
    Reports {
        worker: WorkerId,
        task: TaskId,
        reports: Vec<Report>,
    },
    Ended {
        worker: WorkerId,
        task: TaskId,
        end: TaskEnd,
    },
    /// A message of a slot that answers messages.
    Message {
        worker: WorkerId,
        message: Vec<u8>,
    },
    Lost {
        worker: WorkerId,
        why: String,
    },
    /// A worker node asks for a piece of the network's file: [`NodePool::send_piece`].
    PieceWanted {
        node: WorkerNodeId,
        lease: Lease,
        piece: u32,
    },
    /// One line for whoever sits at the GUI.
    Tell(Message),
}

/// A master's description of itself.
#[derive(Clone, PartialEq, Debug)]
pub struct MasterIdentity {
    pub owner: Owner,
    pub game: &'static str,
    pub name: String,
    pub weight: u16,
    pub wants: u32,
    pub role: SlotRole,
    /// Evaluates the positions of its leaves.
    pub network: Option<NetworkId>,
    /// Makes the numbers of its teams a secret between it and its worker nodes.
    pub secret: u64,
    /// After so long without a word the other is gone.
    pub silence: Duration,
    /// It asks the machines of these pools; none: those without a pool.
    pub pools: Vec<PoolName>,
}

/// See the module.
pub struct NodePool {
    me: MasterIdentity,
    /// Those with a slot.
    nodes: BTreeMap<WorkerNodeId, KnownNode>,
    /// How long each worker node may be silent; it may come back, so this is kept when it is lost.
    patience: Patience<WorkerNodeId>,
    /// Leases that were ours: nobody comes again under one of these.
    /// Whether it was given back.
    tombstones: Tombstones<Lease, bool>,
    slots: BTreeMap<Lease, LeasedSlot>,
    workers: BTreeMap<WorkerId, Lease>,
    /// For `DiscoveryReply::Master`.
    lost: VecDeque<(String, Time, String)>,
    /// Names and records of machines whose values were checked.
    ratings: BTreeMap<WorkerNodeId, (String, MachineRecord)>,
    notices: MembershipNotices,
    /// Worker nodes that have no slot for this master because others hold them, and when they said so.
    busy: BTreeMap<WorkerNodeId, Time>,
    /// Worker nodes whose first slots for this master are being started, and when they said so.
    coming: BTreeMap<WorkerNodeId, Time>,
    /// Time of the last message or moment.
    now: Time,
    /// Counts games: a slot that is given a task of another one than its last forgets that.
    game: u32,
    next_beat: Time,
    next_look: Time,
    is_over: bool,
    beats: u64,
    refusals: Refusals,
    /// Worker nodes that were lost, and reports that have come.
    losses: u64,
    reports: u64,
    /// Answers to who asks who is there.
    answers: Quota,
    /// That there is no room for more was told.
    is_full: bool,
    /// A task of a team has begun or ended since [`NodePool::new_teams`] was asked.
    has_new_teams: bool,
}

struct KnownNode {
    name: String,
    /// Slots that it lends to this master.
    slots: BTreeSet<Lease>,
    /// Slots that went one after another, and when the last of them did.
    gone: (usize, Time),
}

struct LeasedSlot {
    node: WorkerNodeId,
    profile: Profile,
    worker: Option<WorkerId>,
    task: Option<GivenTask>,
    /// Words of a worker node are counted: the newest one about this slot, and when that came.
    serial: u64,
    heard: Time,
    /// The channel of a slot that answers messages of cells.
    channel: Option<Box<ReliableChannel>>,
}

/// A task, from its start until its end was heard.
struct GivenTask {
    id: TaskId,
    goal: Goal,
    game: u32,
    /// For when it has to be given again; gone once the worker node is known to have it.
    work: Option<Box<WireTask>>,
    cancelled: bool,
    /// When the last order about it was given.
    ordered: Time,
    /// Serial number of the last report.
    serial: u64,
    /// As the worker pool knows it, and on the wire.
    team: Option<(u64, u64)>,
}

impl NodePool {
    pub fn new(me: MasterIdentity) -> Self {
        Self {
            me,
            nodes: BTreeMap::new(),
            patience: Patience::new(MOST_WORKER_NODES),
            tombstones: Tombstones::new(MOST_WORKERS),
            slots: BTreeMap::new(),
            workers: BTreeMap::new(),
            lost: VecDeque::new(),
            ratings: BTreeMap::new(),
            notices: MembershipNotices::default(),
            busy: BTreeMap::new(),
            coming: BTreeMap::new(),
            now: Time::ZERO,
            game: 1,
            next_beat: Time::ZERO,
            next_look: Time::ZERO,
            is_over: false,
            beats: 0,
            refusals: Refusals::default(),
            losses: 0,
            reports: 0,
            answers: Quota::new(ANSWERS.0, ANSWERS.1),
            is_full: false,
            has_new_teams: false,
        }
    }

    /// Where messages for this master come in.
    pub fn subjects(&self) -> Vec<Subject> {
        let master = self.me.owner.master;
        vec![Subject::Master(master), Subject::Discovery]
    }

    /// How many worker nodes and slots there are.
    pub fn size(&self) -> (usize, usize) {
        (self.nodes.len(), self.slots.len())
    }

    /// Changes of the machines from now on are told.
    pub fn begin_notices(&mut self, now: Time) {
        self.notices.open(now, self.size());
    }

    /// How many worker nodes have nothing for this master because others hold their slots.
    pub fn busy(&self) -> usize {
        self.busy.len()
    }

    /// How many worker nodes have said that their first slot is on its way.
    pub fn coming(&self) -> usize {
        self.coming.len()
    }

    /// Who sits there, and the task that it was given and has not ended.
    pub fn at(&self, lease: Lease) -> Option<(WorkerId, Option<TaskId>)> {
        let slot = self.slots.get(&lease)?;
        Some((slot.worker?, slot.task.as_ref().map(|given| given.id)))
    }

    /// Messages that were refused.
    pub const fn refusals(&self) -> &Refusals {
        &self.refusals
    }

    /// When [`Self::tick`] wants to be called.
    pub fn due(&self) -> Time {
        self.next_beat.min(self.next_look)
    }

    /// The slot of a lease gets the number of a worker. `false`: it is gone already.
    pub fn bind(&mut self, lease: Lease, worker: WorkerId, out: &mut Vec<PoolEffect>) -> bool {
        let Some(slot) = self.slots.get_mut(&lease).filter(|slot| slot.worker.is_none()) else { return false };
        slot.worker = Some(worker);
        self.workers.insert(worker, lease);
        out.push(PoolEffect::Joined { worker, profile: slot.profile.clone() });
        true
    }

    pub fn start(&mut self, now: Time, worker: WorkerId, id: TaskId, task: &Task, out: &mut Vec<PoolEffect>) {
        let (game, secret) = (self.game, self.me.secret);
        let Some((lease, slot)) = self.slot_of(worker) else { return };
        let team = (task.team != 0).then(|| (task.team, teams::on_wire(task.team, secret)));
        let work = WireTask::from(task).in_team(team.map(|(_, team)| team));
        let (goal, work) = (task.goal, Some(Box::new(work)));
        slot.task = Some(GivenTask { id, goal, game, work, cancelled: false, ordered: now, serial: 0, team });
        self.has_new_teams |= team.is_some();
        self.order(now, lease, out);
    }

    pub fn cancel(&mut self, now: Time, worker: WorkerId, id: TaskId, out: &mut Vec<PoolEffect>) {
        let Some((lease, slot)) = self.slot_of(worker) else { return };
        let Some(given) = slot.task.as_mut().filter(|given| given.id == id && !given.cancelled) else { return };
        given.cancelled = true;
        self.order(now, lease, out);
    }

    /// Messages to a slot that answers messages.
    pub fn write(&mut self, now: Time, worker: WorkerId, batch: &Batch, out: &mut Vec<PoolEffect>) {
        let Some((lease, slot)) = self.slot_of(worker) else { return };
        let mut packets = Vec::new();
        slot.channel.get_or_insert_default().write(now, batch, &mut packets);
        packets.into_iter().for_each(|packet| self.publish(lease, OrderKind::Packet(packet), out));
    }

    /// The teams in which slots search, on the wire and as the worker pool knows them, if they may have changed.
    pub fn new_teams(&mut self) -> Option<BTreeMap<(Owner, u64), u64>> {
        if !std::mem::take(&mut self.has_new_teams) {
            return None;
        }
        let given = self.slots.values().filter_map(|slot| slot.task.as_ref()?.team);
        Some(given.map(|(team, wire)| ((self.me.owner, wire), team)).collect())
    }

    /// The next tasks belong to another game.
    pub fn new_game(&mut self) {
        self.game = self.game.wrapping_add(1);
    }

    /// The worker is not wanted any more: its slot goes back.
    pub fn give_up(&mut self, worker: WorkerId, out: &mut Vec<PoolEffect>) {
        let Some(lease) = self.workers.get(&worker).copied() else { return };
        self.publish(lease, OrderKind::Return, out);
        self.drop_slot(lease, RETURNED, out);
        self.tombstones.note(lease, true);
    }

    /// The master ends: the last that its worker nodes hear.
    pub fn end(&mut self, out: &mut Vec<PoolEffect>) {
        self.is_over = true;
        self.beat(out);
    }

    pub fn tick(&mut self, now: Time, out: &mut Vec<PoolEffect>) {
        self.now = now;
        if now >= self.next_beat && !self.is_over {
            self.next_beat = now + self.me.silence / BEATS;
            self.beat(out);
        }
        if now >= self.next_look {
            self.next_look = now + AGAIN / 4;
            self.look(now, out);
        }
    }

    /// The connection stands again: worker nodes are told at once.
    pub fn hurry(&mut self) {
        self.next_beat = Time::ZERO;
    }

    /// A message has come. What makes no sense is dropped.
    pub fn hear(
        &mut self,
        now: Time,
        subject: Subject,
        reply: Option<Subject>,
        bytes: &[u8],
        out: &mut Vec<PoolEffect>,
    ) {
        self.now = now;
        let heard = match subject {
            Subject::Discovery => self.answer(now, reply, bytes, out),
            Subject::Master(id) if id == self.me.owner.master => {
                wire::decode(bytes).map_err(Into::into).and_then(|word| self.word(now, word, out))
            }
            _ => Ok(()),
        };
        if let Err(refused) = heard {
            let RefusedMessage { reason, why } = refused.with_version(wire::other_version(bytes));
            self.refusals.add(reason);
            log::debug!("cluster: {why}");
        }
    }

    fn beat(&mut self, out: &mut Vec<PoolEffect>) {
        self.beats += 1;
        let MasterIdentity { owner, game, name, weight, wants, role, network, silence, pools, .. } = &self.me;
        let beat = MasterBeat {
            owner: *owner,
            serial: self.beats,
            game: (*game).to_owned(),
            name: name.clone(),
            weight: *weight,
            wants: *wants,
            role: *role,
            network: *network,
            silence_ms: silence.as_millis() as u32,
            leaves: self.is_over,
        };
        let bytes = wire::encode(&beat);
        let to_all = pools.is_empty().then_some(Subject::Masters);
        let asked = to_all.into_iter().chain(pools.iter().map(|&pool| Subject::Pool(pool)));
        out.extend(asked.map(|to| PoolEffect::Publish { to, bytes: bytes.clone() }));
    }

    fn slot_of(&mut self, worker: WorkerId) -> Option<(Lease, &mut LeasedSlot)> {
        let lease = *self.workers.get(&worker)?;
        Some((lease, self.slots.get_mut(&lease)?))
    }

    /// Says once more what the slot is to do.
    fn order(&mut self, now: Time, lease: Lease, out: &mut Vec<PoolEffect>) {
        let Some(given) = self.slots.get_mut(&lease).and_then(|slot| slot.task.as_mut()) else { return };
        given.ordered = now;
        let task = given.id.0;
        let what = match &given.work {
            _ if given.cancelled => OrderKind::Cancel { task },
            Some(work) => OrderKind::Start { task, game: given.game, work: (**work).clone() },
            None => return,
        };
        self.publish(lease, what, out);
    }

    fn publish(&self, lease: Lease, what: OrderKind, out: &mut Vec<PoolEffect>) {
        let Some(slot) = self.slots.get(&lease) else { return };
        let order = MasterOrder { owner: self.me.owner, lease, what };
        out.push(PoolEffect::Publish { to: Subject::WorkerNode(slot.node), bytes: wire::encode(&order) });
    }

    /// Who is silent, and which orders have had no effect.
    fn look(&mut self, now: Time, out: &mut Vec<PoolEffect>) {
        let silence = self.me.silence;
        let limit = |node| self.patience.limit(node, silence);
        let is_silent = |slot: &LeasedSlot| now.saturating_sub(slot.heard) >= limit(slot.node);
        let silent: Vec<(Lease, WorkerNodeId)> =
            self.slots.iter().filter(|(_, slot)| is_silent(slot)).map(|(&lease, slot)| (lease, slot.node)).collect();
        let mut nodes: BTreeMap<WorkerNodeId, Vec<Lease>> = BTreeMap::new();
        silent.into_iter().for_each(|(lease, node)| nodes.entry(node).or_default().push(lease));
        for told in [&mut self.busy, &mut self.coming] {
            told.retain(|_, heard| now.saturating_sub(*heard) < silence);
        }
        for (node, leases) in nodes {
            // With one digit behind the point, where that is not a zero.
            let seconds = (self.patience.limit(node, silence).as_secs_f64() * 10.0).round() / 10.0;
            let why = format!("not heard of for {seconds} s");
            self.lose(now, node, leases, &why, out);
        }
        let is_due = |given: &GivenTask| (given.cancelled || given.work.is_some()) && given.ordered + AGAIN <= now;
        let due =
            |(&lease, slot): (&Lease, &LeasedSlot)| slot.task.as_ref().filter(|given| is_due(given)).map(|_| lease);
        let due: Vec<Lease> = self.slots.iter().filter_map(due).collect();
        due.into_iter().for_each(|lease| self.order(now, lease, out));
        self.repeat_unconfirmed(now, out);
        out.extend(self.notices.take(now, self.size()).map(PoolEffect::Tell));
    }

    /// Unconfirmed messages go out again.
    fn repeat_unconfirmed(&mut self, now: Time, out: &mut Vec<PoolEffect>) {
        let mut all = Vec::new();
        for (&lease, channel) in self.slots.iter_mut().filter_map(|(lease, slot)| Some((lease, slot.channel.as_mut()?)))
        {
            let mut packets = Vec::new();
            channel.tick(now, &mut packets);
            all.extend(packets.into_iter().map(|packet| (lease, packet)));
        }
        all.into_iter().for_each(|(lease, packet)| self.publish(lease, OrderKind::Packet(packet), out));
    }

    /// These slots of a worker node are gone; all of them: so is the worker node.
    fn lose(&mut self, now: Time, id: WorkerNodeId, leases: Vec<Lease>, why: &str, out: &mut Vec<PoolEffect>) {
        let Some(node) = self.nodes.get(&id) else { return };
        if leases.len() == node.slots.len() {
            self.losses += 1;
            self.lost.push_back((node.name.clone(), now, why.to_owned()));
            if self.lost.len() > REMEMBERED {
                self.lost.pop_front();
            }
        }
        leases.into_iter().for_each(|lease| self.drop_slot(lease, why, out));
    }

    fn drop_slot(&mut self, lease: Lease, why: &str, out: &mut Vec<PoolEffect>) {
        let Some(slot) = self.slots.remove(&lease) else { return };
        self.tombstones.note(lease, false);
        self.has_new_teams |= slot.task.is_some_and(|given| given.team.is_some());
        if let Some(node) = self.nodes.get_mut(&slot.node) {
            node.slots.remove(&lease);
            let (count, last) = node.gone;
            let is_one_loss = self.now.saturating_sub(last) <= ONE_LOSS;
            node.gone = (if is_one_loss { count + 1 } else { 1 }, self.now);
            if node.slots.is_empty()
                && let Some(KnownNode { name, gone: (count, _), .. }) = self.nodes.remove(&slot.node)
            {
                self.notices.lost(self.now, &name, count, why);
            }
        }
        if let Some(worker) = slot.worker {
            self.workers.remove(&worker);
            out.push(PoolEffect::Lost { worker, why: why.to_owned() });
        }
    }
}

/// `3 workers on 2 machines`.
pub fn size_words(slots: usize, nodes: usize) -> Message {
    let machines = Message::new("counted-machines").with("count", nodes);
    Message::new("workers-on-machines").with("workers", counted_workers(slots)).with("machines", machines)
}

fn counted_workers(count: usize) -> Message {
    Message::new("counted-workers").with("count", count)
}
