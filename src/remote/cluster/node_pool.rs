//! The master's side of the cluster: which slots the master has, which task each slot has, and what the slots report.
//!
//! The node pool is a pure state machine that turns messages and times into effects. Loss, duplication and reordering
//! of messages only cost time, because worker nodes report several times a second what each of their slots is doing,
//! and an order that has had no effect is sent again.

mod discovery_reply;
mod messages;
mod notices;

use self::notices::{MembershipNotices, RETURNED};
use super::channel::{Batch, ReliableChannel};
use super::names::{Lease, Member, Subject};
use super::patience::{Patience, ROUND, SILENCE};
use super::quota::Quota;
use super::teams::TeamId;
use super::tombstones::Tombstones;
use super::wire::{self, MasterBeat, OrderKind};
use hasami_api::{Goal, Report, Task};
use hasami_tree::event::{Profile, TaskEnd, TaskId, Time, WorkerId};
use hasami_words::text::counted;
use std::collections::{BTreeMap, BTreeSet, VecDeque};
use std::time::Duration;

/// Slots of one worker node that are lost within this interval are reported as one loss.
const ONE_LOSS: Duration = Duration::from_millis(300);
/// Time after which an order that had no effect is sent again.
const AGAIN: Duration = Duration::from_millis(250);
/// Maximum number of lost worker nodes to remember for display.
const REMEMBERED: usize = 64;
const MOST_WORKER_NODES: usize = 16_384;
/// The most slots that a master may have, and the most earlier leases to remember.
const MOST_WORKERS: usize = 65_536;
/// Limits on answers to requests for the member list: the size of a burst, and answers per second.
pub const ANSWERS: (u32, u32) = (20, 5);

/// An effect of the state machine. Effects must be carried out in the order returned.
#[derive(Clone, PartialEq, Debug)]
pub enum PoolEffect {
    Publish {
        to: Subject,
        bytes: Vec<u8>,
    },
    /// A slot is available and needs a number from [`NodePool::bind`].
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
    /// A message from a slot that exchanges messages with its host.
    Message {
        worker: WorkerId,
        message: Vec<u8>,
    },
    Lost {
        worker: WorkerId,
        why: String,
    },
    /// A worker node requests a piece of the network's file, which [`NodePool::send_piece`] sends.
    PieceWanted {
        node: Member,
        lease: Lease,
        piece: u32,
    },
    /// A line to show to the user.
    Tell(String),
}

/// Describes a master.
#[derive(Clone, PartialEq, Debug)]
pub struct MasterIdentity {
    pub member: Member,
    /// The last heartbeat sent; the next heartbeat is numbered one higher.
    pub beat: MasterBeat,
}

pub struct NodePool {
    me: MasterIdentity,
    /// Worker nodes that have given at least one slot to this master.
    nodes: BTreeMap<Member, KnownNode>,
    /// How long each worker node may be silent. Lost worker nodes keep their limits, since they may return.
    patience: Patience<Member>,
    /// Earlier leases, which are never reused, each with a flag that is set if the master gave the slot back.
    tombstones: Tombstones<Lease, bool>,
    slots: BTreeMap<Lease, LeasedSlot>,
    workers: BTreeMap<WorkerId, Lease>,
    /// Lost worker nodes, each with name, time and reason, for `DiscoveryReply::Master`.
    lost: VecDeque<(String, Time, String)>,
    notices: MembershipNotices,
    /// Worker nodes that are starting their first slots for this master, with the time of their last report.
    coming: BTreeMap<Member, Time>,
    /// Time of the last message or tick.
    now: Time,
    /// The current game's number. A slot starts a new game if its task's game differs from that of its last task.
    game: u32,
    next_beat: Time,
    next_look: Time,
    /// Number of worker nodes that were lost.
    losses: u64,
    /// Limits the answers to requests for the member list.
    answers: Quota,
    /// Whether the user has been told that there is no room for more slots.
    is_full: bool,
    /// Whether a task of a team has begun or ended since the last call of [`NodePool::new_teams`].
    has_new_teams: bool,
}

struct KnownNode {
    name: String,
    /// The slots that the worker node has given to this master.
    slots: BTreeSet<Lease>,
    /// Number of slots that were lost in quick succession, and the time of the last loss.
    gone: (usize, Time),
}

struct LeasedSlot {
    node: Member,
    profile: Profile,
    worker: Option<WorkerId>,
    task: Option<GivenTask>,
    /// The serial number of the worker node's newest message about this slot, and the time when it arrived.
    serial: u64,
    heard: Time,
    /// The channel of a slot that exchanges messages with its host.
    channel: Option<Box<ReliableChannel>>,
}

/// A task that was given to a slot, and whose end has not been reported yet.
struct GivenTask {
    id: TaskId,
    goal: Goal,
    game: u32,
    /// The task itself, in case it must be sent again; `None` once the worker node is known to have the task.
    work: Option<Box<Task>>,
    cancelled: bool,
    /// The time when the last order about this task was sent.
    ordered: Time,
    /// Serial number of the last report on this task.
    serial: u64,
    /// The number of the task's team; 0 for a task without a team.
    team: u64,
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
            notices: MembershipNotices::default(),
            coming: BTreeMap::new(),
            now: Time::ZERO,
            game: 1,
            next_beat: Time::ZERO,
            next_look: Time::ZERO,
            losses: 0,
            answers: Quota::new(ANSWERS.0, ANSWERS.1),
            is_full: false,
            has_new_teams: false,
        }
    }

    /// The subjects whose messages this master receives.
    pub fn subjects(&self) -> Vec<Subject> {
        vec![Subject::Member(self.me.member), Subject::Discovery]
    }

    /// Number of worker nodes, and number of slots.
    pub fn size(&self) -> (usize, usize) {
        (self.nodes.len(), self.slots.len())
    }

    /// Starts reporting machines that join or leave.
    pub fn begin_notices(&mut self, now: Time) {
        self.notices.open(now, self.size());
    }

    /// Number of worker nodes that are still starting their first slot.
    pub fn coming(&self) -> usize {
        self.coming.len()
    }

    /// Returns when [`Self::tick`] must be called next.
    pub fn due(&self) -> Time {
        self.next_beat.min(self.next_look)
    }

    /// Assigns the number `worker` to the slot of a lease. Returns `false` if the slot is already gone.
    pub fn bind(&mut self, lease: Lease, worker: WorkerId, out: &mut Vec<PoolEffect>) -> bool {
        let Some(slot) = self.slots.get_mut(&lease).filter(|slot| slot.worker.is_none()) else { return false };
        slot.worker = Some(worker);
        self.workers.insert(worker, lease);
        out.push(PoolEffect::Joined { worker, profile: slot.profile.clone() });
        true
    }

    pub fn start(&mut self, now: Time, worker: WorkerId, id: TaskId, task: Task, out: &mut Vec<PoolEffect>) {
        let game = self.game;
        let Some((lease, slot)) = self.slot_of(worker) else { return };
        let (goal, team, work) = (task.goal, task.team, Some(Box::new(task)));
        slot.task = Some(GivenTask { id, goal, game, work, cancelled: false, ordered: now, serial: 0, team });
        self.has_new_teams |= team != 0;
        self.order(now, lease, out);
    }

    pub fn cancel(&mut self, now: Time, worker: WorkerId, id: TaskId, out: &mut Vec<PoolEffect>) {
        let Some((lease, slot)) = self.slot_of(worker) else { return };
        let Some(given) = slot.task.as_mut().filter(|given| given.id == id && !given.cancelled) else { return };
        given.cancelled = true;
        self.order(now, lease, out);
    }

    /// Sends messages to a slot that exchanges messages with its host.
    pub fn write(&mut self, now: Time, worker: WorkerId, batch: &Batch, out: &mut Vec<PoolEffect>) {
        let Some((lease, slot)) = self.slot_of(worker) else { return };
        let mut packets = Vec::new();
        slot.channel.get_or_insert_default().write(now, batch, &mut packets);
        packets.into_iter().for_each(|packet| self.publish(lease, OrderKind::Packet(packet), out));
    }

    /// The teams that have tasks on this master's slots. Returns `None` if the set of teams has not changed since the
    /// last call.
    pub fn new_teams(&mut self) -> Option<BTreeSet<TeamId>> {
        if !std::mem::take(&mut self.has_new_teams) {
            return None;
        }
        let given = self.slots.values().filter_map(|slot| Some(slot.task.as_ref()?.team));
        Some(given.filter(|&team| team != 0).map(|team| (self.me.member, team)).collect())
    }

    /// Notes that the next tasks belong to another game.
    pub fn new_game(&mut self) {
        self.game = self.game.wrapping_add(1);
    }

    /// Gives back the slot of a worker that is no longer needed.
    pub fn give_up(&mut self, worker: WorkerId, out: &mut Vec<PoolEffect>) {
        let Some(lease) = self.workers.get(&worker).copied() else { return };
        self.publish(lease, OrderKind::Return, out);
        self.drop_slot(lease, RETURNED, out);
        self.tombstones.note(lease, true);
    }

    /// Ends the master, and informs its worker nodes.
    pub fn end(&mut self, out: &mut Vec<PoolEffect>) {
        self.me.beat.leaves = true;
        self.beat(out);
    }

    pub fn tick(&mut self, now: Time, out: &mut Vec<PoolEffect>) {
        self.now = now;
        if now >= self.next_beat && !self.me.beat.leaves {
            self.next_beat = now + ROUND;
            self.beat(out);
        }
        if now >= self.next_look {
            self.next_look = now + AGAIN / 4;
            self.look(now, out);
        }
    }

    /// Notes that the connection is up again: the next tick announces the master to the worker nodes.
    pub fn hurry(&mut self) {
        self.next_beat = Time::ZERO;
    }

    /// Handles a message. Invalid messages are dropped.
    pub fn hear(&mut self, now: Time, (from, subject): (Member, Subject), bytes: &[u8], out: &mut Vec<PoolEffect>) {
        self.now = now;
        let heard = match subject {
            Subject::Discovery => self.answer(now, from, bytes, out),
            Subject::Member(id) if id == self.me.member => {
                wire::decode(bytes).and_then(|word| self.word(now, from, word, out))
            }
            _ => Ok(()),
        };
        if let Err(why) = heard {
            log::debug!("cluster: {why}");
        }
    }

    fn beat(&mut self, out: &mut Vec<PoolEffect>) {
        self.me.beat.serial += 1;
        let bytes = wire::encode(&self.me.beat);
        out.push(PoolEffect::Publish { to: Subject::Masters, bytes });
    }

    fn slot_of(&mut self, worker: WorkerId) -> Option<(Lease, &mut LeasedSlot)> {
        let lease = *self.workers.get(&worker)?;
        Some((lease, self.slots.get_mut(&lease)?))
    }

    /// Resends a slot's current order.
    fn order(&mut self, now: Time, lease: Lease, out: &mut Vec<PoolEffect>) {
        let Some(given) = self.slots.get_mut(&lease).and_then(|slot| slot.task.as_mut()) else { return };
        given.ordered = now;
        let task = given.id;
        let what = match &given.work {
            _ if given.cancelled => OrderKind::Cancel { task },
            Some(work) => OrderKind::Start { task, game: given.game, work: work.clone() },
            None => return,
        };
        self.publish(lease, what, out);
    }

    fn publish(&self, lease: Lease, what: OrderKind, out: &mut Vec<PoolEffect>) {
        let Some(slot) = self.slots.get(&lease) else { return };
        self.tell(slot.node, lease, what, out);
    }

    /// Checks for silent worker nodes and for orders that have had no effect.
    fn look(&mut self, now: Time, out: &mut Vec<PoolEffect>) {
        self.coming.retain(|_, heard| now.saturating_sub(*heard) < SILENCE);
        let mut silent: BTreeMap<Member, Vec<Lease>> = BTreeMap::new();
        for (&lease, slot) in &self.slots {
            if now.saturating_sub(slot.heard) >= self.patience.limit(slot.node) {
                silent.entry(slot.node).or_default().push(lease);
            }
        }
        for (node, leases) in silent {
            // The time is shown in seconds with one decimal place, which is omitted if it is zero.
            let seconds = (self.patience.limit(node).as_secs_f64() * 10.0).round() / 10.0;
            self.lose(now, node, leases, &format!("not heard of for {seconds} s"), out);
        }
        let is_due = |given: &GivenTask| (given.cancelled || given.work.is_some()) && given.ordered + AGAIN <= now;
        let due =
            |(&lease, slot): (&Lease, &LeasedSlot)| slot.task.as_ref().filter(|given| is_due(given)).map(|_| lease);
        let due: Vec<Lease> = self.slots.iter().filter_map(due).collect();
        due.into_iter().for_each(|lease| self.order(now, lease, out));
        self.repeat_unconfirmed(now, out);
        out.extend(self.notices.take(now, self.size()).map(PoolEffect::Tell));
    }

    /// Sends unconfirmed packets again.
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

    /// Drops the slots that are leased under `leases`. A worker node that has no slots left counts as lost.
    fn lose(&mut self, now: Time, id: Member, leases: Vec<Lease>, why: &str, out: &mut Vec<PoolEffect>) {
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
        self.has_new_teams |= slot.task.is_some_and(|given| given.team != 0);
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

/// Describes a number of slots and nodes, as in `3 workers on 2 machines`.
pub fn size_words(slots: usize, nodes: usize) -> String {
    format!("{} on {}", counted_workers(slots), counted(nodes, "machine"))
}

fn counted_workers(count: usize) -> String {
    counted(count, "worker").to_string()
}
