//! The worker node's side of the cluster: which slots serve which masters, and what the slots are doing.
//!
//! The worker node is a pure state machine that turns messages, events of local workers and times into effects. A
//! master that has been silent for longer than its limit (`patience.rs`) loses its slots, and its tasks are ended.

mod discovery_reply;
mod masters;
mod networks;
mod orders;
mod slot;

use self::masters::KnownMaster;
use self::networks::NodeNetworks;
use self::slot::{SlotService, UnconfirmedEnd};
use super::names::{Member, NetworkId, Subject};
use super::node_pool::ANSWERS;
use super::patience::{Patience, ROUND};
use super::quota::Quota;
use super::tombstones::Tombstones;
use super::wire::{self, NodeEvent, NodeMessage, SlotReport, SlotRole};
use hasami_api::{Line, Task};
use hasami_tree::event::{Profile, TaskEnd, TaskId, Time, WorkerEvent, WorkerId};
use rand::SeedableRng;
use rand::rngs::StdRng;
use std::collections::{BTreeMap, BTreeSet};
use std::time::Duration;

/// Interval at which the worker node checks for silent masters and divides the slots.
const LOOK: Duration = Duration::from_millis(100);
/// How long a slot starts no new worker after its worker crashed or was given back. The pause doubles with each crash
/// or return, up to `LONG_PAUSE`.
const PAUSE: Duration = Duration::from_secs(1);
const LONG_PAUSE: Duration = Duration::from_secs(60);
/// Time in use after which a worker counts as reliable, so that the earlier failures of its slot are forgotten.
const RELIABLE: Duration = Duration::from_secs(60);
/// Minimum duration of a task from which a worker's speed is measured.
const MEASURED: Duration = Duration::from_millis(200);
const MOST_MASTERS: usize = 256;
/// Maximum weight of a master; greater weights are reduced to this one.
const MOST_WEIGHT: u16 = 1_000;
/// The most message versions to report that differ from this program's.
const MOST_VERSIONS: usize = 4;

/// An effect of the state machine. Effects must be carried out in the order returned.
#[derive(Clone, PartialEq, Debug)]
pub enum NodeEffect {
    Publish {
        to: Subject,
        bytes: Vec<u8>,
    },
    /// Start an engine for this game in this slot, and report its event `Joined` or `Lost`.
    StartWorker {
        worker: WorkerId,
        slot: usize,
        owner: Member,
        game: String,
        role: SlotRole,
        network: Option<NetworkId>,
    },
    /// Look for this network on this machine, and pass the result to [`WorkerNode::network_found`].
    FindNetwork {
        id: NetworkId,
    },
    /// Check and store a network that was fetched, and pass the result to [`WorkerNode::network_found`].
    KeepNetwork {
        id: NetworkId,
        bytes: Vec<u8>,
    },
    /// End this worker at once, even during a task. Later events of the worker are ignored.
    EndWorker {
        worker: WorkerId,
    },
    Start {
        worker: WorkerId,
        id: TaskId,
        task: Task,
    },
    Cancel {
        worker: WorkerId,
        id: TaskId,
    },
    NewGame {
        worker: WorkerId,
    },
    /// A message for a worker that exchanges messages with its host.
    Message {
        worker: WorkerId,
        message: Vec<u8>,
    },
    /// This master is no longer served.
    EndService {
        owner: Member,
    },
    /// A line for the owner of the machine.
    Note(String),
}

/// A slot that the owner of the machine offers to masters.
#[derive(Clone, PartialEq, Debug)]
pub struct OfferedSlot {
    /// The name that users see: `thread`, or the name of an engine.
    pub engine: String,
    /// The games that the slot can play.
    pub games: Vec<&'static str>,
    /// Whether the slot can take every role; if not, the slot only searches leaves.
    pub has_roles: bool,
}

/// Checks a line of moves against the rules of a game.
pub type LineCheck = Box<dyn Fn(&str, &Line) -> Result<(), String> + Send>;

pub struct WorkerNode {
    id: Member,
    name: String,
    slots: Vec<NodeSlot>,
    masters: BTreeMap<Member, KnownMaster>,
    /// How long each master may be silent. Lost masters keep their limits, since they may return.
    patience: Patience<Member>,
    /// Serial number of the last heartbeat of each master that is gone.
    tombstones: Tombstones<Member, u64>,
    check: LineCheck,
    /// The random number generator for leases.
    rng: StdRng,
    serial: u64,
    next_worker: u32,
    next_look: Time,
    begun: Time,
    /// Limits the answers to requests for the member list.
    answers: Quota,
    /// Message versions other than this program's that masters have used.
    other_versions: BTreeSet<u8>,
    longest_pause: Duration,
    pub networks: NodeNetworks,
}

struct NodeSlot {
    offer: OfferedSlot,
    service: Option<SlotService>,
    /// No worker is started before this time, because the last worker died or was given back.
    rests_until: Time,
    pause: Duration,
    /// Speed in nodes per second.
    speed: Option<u64>,
}

impl WorkerNode {
    /// `seed` initialises the random number generator for leases.
    pub fn new(id: Member, name: String, offers: Vec<OfferedSlot>, check: LineCheck, seed: u64) -> Self {
        let slot = |offer| NodeSlot { offer, service: None, rests_until: Time::ZERO, pause: PAUSE, speed: None };
        Self {
            id,
            name: wire::plain(&name),
            slots: offers.into_iter().take(wire::MOST_SLOTS).map(slot).collect(),
            masters: BTreeMap::new(),
            patience: Patience::new(MOST_MASTERS),
            tombstones: Tombstones::new(MOST_MASTERS),
            check,
            rng: StdRng::seed_from_u64(seed),
            serial: 0,
            next_worker: 0,
            next_look: Time::ZERO,
            begun: Time::ZERO,
            answers: Quota::new(ANSWERS.0, ANSWERS.1),
            other_versions: BTreeSet::new(),
            longest_pause: Duration::MAX,
            networks: NodeNetworks::default(),
        }
    }

    /// For measurements, limits the pause between two reports on a task, no matter how long the task has been running.
    pub fn report_within(mut self, pause: Duration) -> Self {
        self.longest_pause = pause;
        self
    }

    /// The subjects whose messages this worker node receives.
    pub fn subjects(&self) -> Vec<Subject> {
        vec![Subject::Masters, Subject::Discovery, Subject::Member(self.id)]
    }

    pub fn id(&self) -> Member {
        self.id
    }

    /// The teams that search on this machine.
    pub fn teams(&self) -> BTreeSet<(Member, u64)> {
        let running = self.services().filter_map(|service| Some((service.owner, service.task.as_ref()?.team)));
        running.filter(|&(_, team)| team != 0).collect()
    }

    /// Number of present masters, and number of past masters that are remembered.
    pub fn size(&self) -> (usize, usize) {
        (self.masters.len(), self.tombstones.len())
    }

    /// Returns when [`Self::tick`] must be called next.
    pub fn due(&self) -> Time {
        let reports = self.services().filter_map(|service| service.task.as_ref()?.due(self.longest_pause));
        reports.chain([self.next_look]).min().unwrap_or(self.next_look)
    }

    fn services(&self) -> impl Iterator<Item = &SlotService> {
        self.slots.iter().filter_map(|slot| slot.service.as_ref())
    }

    /// Handles a message. Invalid messages are dropped.
    pub fn hear(&mut self, now: Time, (from, subject): (Member, Subject), bytes: &[u8], out: &mut Vec<NodeEffect>) {
        let heard = match subject {
            Subject::Masters => wire::decode(bytes).and_then(|beat| self.master_beat(now, from, beat, out)),
            Subject::Member(id) if id == self.id => {
                wire::decode(bytes).and_then(|order| self.order(now, from, order, out))
            }
            Subject::Discovery => self.answer(now, from, bytes, out),
            _ => Ok(()),
        };
        if let Err(why) = heard {
            if subject == Subject::Masters {
                self.note_version(bytes, out);
            }
            log::debug!("cluster: {why}");
        }
    }

    /// Reports messages with another version to the owner of the machine, once per version.
    fn note_version(&mut self, bytes: &[u8], out: &mut Vec<NodeEffect>) {
        let Some(version) = wire::other_version(bytes) else { return };
        if self.other_versions.len() < MOST_VERSIONS && self.other_versions.insert(version) {
            out.push(NodeEffect::Note(format!("a master sends messages of version {version}, this program those of version {}: update the older program", wire::VERSION)));
        }
    }

    /// Performs the work that is due at `now`. If earlier messages have not been sent yet (`is_clear` is false),
    /// reports are held back and replaced by newer reports.
    pub fn tick(&mut self, now: Time, is_clear: bool, out: &mut Vec<NodeEffect>) {
        if is_clear {
            self.tell_reports(now, out);
        }
        if now < self.next_look {
            return;
        }
        self.next_look = now + LOOK;
        let is_silent =
            |(id, master): &(&Member, &KnownMaster)| now.saturating_sub(master.heard) >= self.patience.limit(**id);
        let silent: Vec<Member> = self.masters.iter().filter(is_silent).map(|(&id, _)| id).collect();
        for master in silent {
            self.lose_master(master, "not heard of any more", out);
        }
        self.deal(now, out);
        self.ask_for_pieces(now, out);
        self.repeat_unconfirmed(now, out);
        if is_clear {
            self.beat(now, out);
        }
    }

    /// Ends the worker node, and informs all masters.
    pub fn end(&mut self, out: &mut Vec<NodeEffect>) {
        for slot in 0..self.slots.len() {
            self.release(slot, Some("its hasami worker was stopped"), out);
        }
        self.masters.clear();
    }

    /// Handles an event of a local worker.
    pub fn worker(&mut self, now: Time, event: WorkerEvent, out: &mut Vec<NodeEffect>) {
        let id = event.worker();
        let is_its = |slot: &NodeSlot| slot.service.as_ref().is_some_and(|service| service.worker == id);
        let Some(index) = self.slots.iter().position(is_its) else { return };
        let slot = &mut self.slots[index];
        let Some(service) = &mut slot.service else { return };
        match event {
            WorkerEvent::Joined { profile, .. } => {
                service.profile = Some(profile);
                self.join(index, out);
            }
            WorkerEvent::Report { task, report, .. } => {
                if let Some(running) = service.task.as_mut().filter(|running| running.id == task) {
                    running.put(report);
                    let time = now.saturating_sub(running.since);
                    if time >= MEASURED && running.nodes > 0 {
                        slot.speed = Some((running.nodes as f64 / time.as_secs_f64()) as u64);
                    }
                }
            }
            WorkerEvent::Ended { task, end, .. } => self.end_task(index, task, end, out),
            WorkerEvent::Lost { why, .. } => {
                let (text, why) = (why.to_string(), why.clone());
                // The engine's text may be too long for a message.
                let shown = wire::plain(&text);
                let why = if shown == text { why } else { shown };
                out.push(NodeEffect::Note(format!("{} is lost: {why}", slot.offer.engine)));
                self.rest(now, index);
                self.release(index, Some(&text), out);
            }
        }
    }

    fn say(&mut self, owner: Member, say: NodeEvent, out: &mut Vec<NodeEffect>) {
        self.serial += 1;
        let word = NodeMessage { serial: self.serial, say };
        out.push(NodeEffect::Publish { to: Subject::Member(owner), bytes: wire::encode(&word) });
    }

    fn join(&mut self, index: usize, out: &mut Vec<NodeEffect>) {
        let Some(service) = &self.slots[index].service else { return };
        let Some(profile) = &service.profile else { return };
        let name = if self.slots.len() == 1 { self.name.clone() } else { format!("{}/{}", self.name, index + 1) };
        let say = NodeEvent::Joined { lease: service.lease, profile: Profile { name, ..profile.clone() } };
        let owner = service.owner;
        self.say(owner, say, out);
    }

    fn end_task(&mut self, index: usize, task: TaskId, end: TaskEnd, out: &mut Vec<NodeEffect>) {
        let slot = &mut self.slots[index];
        let Some(service) = &mut slot.service else { return };
        let Some(mut running) = service.task.take_if(|running| running.id == task) else { return };
        service.ended = Some(UnconfirmedEnd { task, reports: running.take(), end });
        self.tell_end(index, out);
    }

    /// Reports the end of a task. The report is repeated until the master confirms it.
    fn tell_end(&mut self, index: usize, out: &mut Vec<NodeEffect>) {
        let Some(service) = &self.slots[index].service else { return };
        let Some(ended) = &service.ended else { return };
        let (reports, end) = (ended.reports.clone(), Some(ended.end.clone()));
        let (owner, say) = (service.owner, NodeEvent::Ended { lease: service.lease, task: ended.task, reports, end });
        self.say(owner, say, out);
    }

    fn tell_reports(&mut self, now: Time, out: &mut Vec<NodeEffect>) {
        let longest = self.longest_pause;
        for index in 0..self.slots.len() {
            let Some(service) = &mut self.slots[index].service else { continue };
            let Some(running) =
                service.task.as_mut().filter(|running| running.due(longest).is_some_and(|due| due <= now))
            else {
                continue;
            };
            let reports = running.take();
            running.reported = Some((running.reported.map_or(now, |(first, _)| first), now));
            let (owner, say) = (service.owner, NodeEvent::Reports { lease: service.lease, task: running.id, reports });
            self.say(owner, say, out);
        }
    }

    /// Sends each master the state of its slots, and repeats unconfirmed messages.
    fn beat(&mut self, now: Time, out: &mut Vec<NodeEffect>) {
        let due = self.masters.iter_mut().filter(|(_, master)| master.next_beat <= now);
        let due = due.map(|(&owner, master)| {
            master.next_beat = now + ROUND;
            owner
        });
        for owner in due.collect::<Vec<_>>() {
            let mut listed = Vec::new();
            for index in 0..self.slots.len() {
                let Some(service) = self.slots[index].service.as_ref().filter(|service| service.owner == owner) else {
                    continue;
                };
                // The list includes slots that have not joined yet, so that the master knows that they are being
                // started.
                let (lease, is_known) = (service.lease, service.is_known);
                let task = service.task.as_ref().map_or(TaskId(0), |running| running.id);
                listed.push(SlotReport { lease, task, is_known });
                if !is_known {
                    self.join(index, out);
                }
                self.tell_end(index, out);
            }
            if !listed.is_empty() {
                let name = self.name.clone();
                self.say(owner, NodeEvent::Beat { name, slots: listed }, out);
            }
        }
    }

    /// Pauses a slot.
    fn rest(&mut self, now: Time, index: usize) {
        let slot = &mut self.slots[index];
        if slot.service.as_ref().is_some_and(|service| now.saturating_sub(service.since) >= RELIABLE) {
            slot.pause = PAUSE;
        }
        slot.rests_until = now + slot.pause;
        slot.pause = (slot.pause * 2).min(LONG_PAUSE);
    }

    /// Ends the use of a slot by its master. Sends the master the reason `why`, if there is one.
    fn release(&mut self, index: usize, why: Option<&str>, out: &mut Vec<NodeEffect>) {
        let Some(service) = self.slots[index].service.take() else { return };
        out.push(NodeEffect::EndWorker { worker: service.worker });
        if let Some(why) = why {
            let say = NodeEvent::Left { lease: service.lease, why: wire::plain(why) };
            self.say(service.owner, say, out);
        }
    }
}

/// The state of a worker node's slots, for tests.
#[cfg(test)]
pub mod states {
    use super::*;
    use crate::cluster::names::Lease;

    #[derive(Clone, Copy, PartialEq, Eq, Debug)]
    pub struct SlotState {
        /// Whether the slot is pausing because its worker has died or was given back.
        pub rests: bool,
        pub worker: Option<WorkerId>,
        pub holder: Option<(Member, Lease)>,
        /// How long the current master has had the slot.
        pub age: Duration,
        pub task: Option<TaskId>,
    }

    impl WorkerNode {
        pub fn states(&self, now: Time) -> impl Iterator<Item = SlotState> {
            self.slots.iter().map(move |slot| SlotState {
                rests: slot.rests_until > now,
                worker: slot.service.as_ref().map(|service| service.worker),
                holder: slot.service.as_ref().map(|service| (service.owner, service.lease)),
                age: slot.service.as_ref().map_or(Duration::ZERO, |service| now.saturating_sub(service.since)),
                task: slot.service.as_ref().and_then(|service| service.task.as_ref()).map(|running| running.id),
            })
        }
    }
}
