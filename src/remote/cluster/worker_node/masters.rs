//! The masters known to a worker node, and the division of slots among them.

use super::networks::NetworkState;
use super::slot::SlotService;
use super::{MOST_MASTERS, MOST_WEIGHT, NodeEffect, NodeSlot, OfferedSlot, WorkerNode};
use crate::cluster::names::{Lease, Member, NetworkId, Owner};
use crate::cluster::node_pool::BEATS;
use crate::cluster::shares::{self, MasterClaim};
use crate::cluster::wire::{self, MasterBeat, SlotRole};
use hasami_tree::event::{Time, WorkerId};
use hasami_workers::membership::{LONGEST_SILENCE, SILENCE};
use rand::Rng;
use std::hash::{DefaultHasher, Hash, Hasher};
use std::time::Duration;

pub struct KnownMaster {
    pub owner: Owner,
    pub game: String,
    pub name: String,
    pub weight: u16,
    pub wants: u32,
    pub role: SlotRole,
    pub network: Option<NetworkId>,
    /// If the master has sent nothing for this time, it counts as gone.
    pub silence: Duration,
    /// Serial number of the master's last heartbeat.
    pub serial: u64,
    pub heard: Time,
    pub next_beat: Time,
    /// See [`MasterClaim::luck`].
    pub luck: f64,
}

impl KnownMaster {
    /// A note about this master for the owner of the machine.
    fn note(&self, news: &str) -> String {
        format!("{} ({}) is {news}", self.name, self.game)
    }
}

impl WorkerNode {
    /// Handles a heartbeat. A heartbeat counts only if it is newer than all earlier ones, so replayed heartbeats keep
    /// no master alive.
    pub(super) fn master_beat(
        &mut self,
        now: Time,
        master: Member,
        beat: MasterBeat,
        out: &mut Vec<NodeEffect>,
    ) -> Result<(), String> {
        let MasterBeat { epoch, serial, game, name, weight, wants, role, network, silence_ms, leaves } = beat;
        let owner = Owner { master, epoch };
        let silence = Duration::from_millis(silence_ms.into()).clamp(SILENCE, LONGEST_SILENCE);
        let weight = weight.clamp(1, MOST_WEIGHT);
        let known = self.masters.get(&owner.master).map(|master| (master.owner.epoch, master.serial));
        let newest = known.or_else(|| self.tombstones.get(&owner.master));
        if newest.is_some_and(|newest| newest >= (owner.epoch, serial)) {
            return Ok(());
        }
        if leaves {
            self.lose_master(owner.master, "it has ended", out);
            // Earlier heartbeats may still arrive.
            self.tombstones.note(owner.master, (owner.epoch, serial));
            return Ok(());
        }
        if known.is_some_and(|(epoch, _)| epoch != owner.epoch) {
            self.lose_master(owner.master, "it has begun anew", out);
        }
        self.patience.hear(owner.master, now, silence, silence / BEATS);
        if let Some(master) = self.masters.get_mut(&owner.master) {
            (master.serial, master.heard) = (serial, now);
            (master.weight, master.wants, master.silence) = (weight, wants, silence);
            return Ok(());
        }
        if self.masters.len() >= MOST_MASTERS {
            let why = format!("expected at most {MOST_MASTERS} masters, found another one");
            return Err(why);
        }
        let luck = luck(self.id, master);
        let (game, name) = (wire::plain(&game), wire::plain(&name));
        let (heard, next_beat) = (now, now);
        let master =
            KnownMaster { owner, game, name, weight, wants, role, network, silence, serial, heard, next_beat, luck };
        self.masters.insert(owner.master, master);
        let before = out.len();
        self.deal(now, out);
        // A heartbeat is sent at once, since the master has to know before its first move ends whether it will get
        // workers.
        self.beat(now, out);
        let slots = self.services().filter(|service| service.owner == owner).count();
        if let Some(master) = self.masters.get(&owner.master).filter(|_| slots > 0) {
            let here = master.note(&format!("here: {slots} of {} slots", self.slots.len()));
            out.insert(before, NodeEffect::Note(here));
        }
        Ok(())
    }

    pub(super) fn lose_master(&mut self, id: Member, why: &str, out: &mut Vec<NodeEffect>) {
        let Some(master) = self.masters.remove(&id) else { return };
        self.tombstones.note(id, (master.owner.epoch, master.serial));
        let mut slots = 0;
        for index in 0..self.slots.len() {
            let is_its = |service: &SlotService| service.owner.master == id;
            if self.slots[index].service.as_ref().is_some_and(is_its) {
                slots += 1;
                self.release(index, None, out);
            }
        }
        out.push(NodeEffect::Farewell { owner: master.owner });
        if slots > 0 {
            out.push(NodeEffect::Note(master.note(&format!("gone: {why}"))));
        }
    }

    /// All masters, their claims, and the holder of each slot.
    fn table(&self, now: Time) -> (Vec<Owner>, Vec<MasterClaim>, Vec<shares::Held>) {
        let claims: Vec<MasterClaim> = self.masters.values().map(|master| self.claim(master)).collect();
        let owners: Vec<Owner> = self.masters.values().map(|master| master.owner).collect();
        let holder = |slot: &NodeSlot| {
            let service = slot.service.as_ref()?;
            owners.iter().position(|owner| *owner == service.owner)
        };
        let slots = self.slots.iter().map(|slot| (slot.rests_until <= now).then(|| holder(slot))).collect();
        (owners, claims, slots)
    }

    /// Divides the slots among the masters by weight.
    pub(super) fn deal(&mut self, now: Time, out: &mut Vec<NodeEffect>) {
        let (owners, claims, slots) = self.table(now);
        for (index, master) in shares::deal(&slots, &claims) {
            self.release(index, Some("given to another master"), out);
            self.start_worker(now, index, owners[master], out);
        }
    }

    /// Whether other masters hold all slots that this master could have.
    pub(super) fn has_others(&self, owner: &Owner) -> bool {
        let Some(master) = self.masters.get(&owner.master).filter(|master| master.wants > 0) else { return false };
        let claim = self.claim(master);
        let mut able = self.slots.iter().zip(claim.slots).filter(|&(_, can)| can).map(|(slot, _)| slot).peekable();
        able.peek().is_some() && able.all(|slot| slot.service.is_some())
    }

    fn claim(&self, master: &KnownMaster) -> MasterClaim {
        let can = |offer: &OfferedSlot| master.role == SlotRole::Leaves || offer.has_roles;
        let plays = |slot: &NodeSlot| can(&slot.offer) && slot.offer.games.iter().any(|game| *game == master.game);
        MasterClaim {
            weight: master.weight,
            wants: master.wants as usize,
            luck: master.luck,
            slots: self.slots.iter().map(plays).collect(),
        }
    }

    fn start_worker(&mut self, now: Time, index: usize, owner: Owner, out: &mut Vec<NodeEffect>) {
        let Some(master) = self.masters.get(&owner.master) else { return };
        let (game, role) = (master.game.clone(), master.role);
        let lease = Lease(self.rng.random());
        let worker = WorkerId(self.next_worker);
        self.next_worker = self.next_worker.wrapping_add(1);
        let network = master.network.filter(|_| role == SlotRole::Leaves && self.slots[index].offer.has_roles);
        let mut service = SlotService::new(owner, lease, worker, now);
        service.network = network;
        let state = network.map_or(NetworkState::Ready, |id| self.network(id, out));
        service.waits_for = network.filter(|_| !matches!(state, NetworkState::Ready));
        self.slots[index].service = Some(service);
        match state {
            NetworkState::Ready => {
                out.push(NodeEffect::StartWorker { worker, slot: index, owner, game, role, network })
            }
            NetworkState::Refused(why) => {
                self.rest(now, index);
                self.release(index, Some(&why), out);
            }
            NetworkState::Sought | NetworkState::Fetched => {}
        }
    }

    /// Starts the worker of a slot whose network has arrived.
    pub(super) fn start_with_network(&mut self, index: usize, out: &mut Vec<NodeEffect>) {
        let Some(service) = &mut self.slots[index].service else { return };
        let Some(master) = self.masters.get(&service.owner.master) else { return };
        service.waits_for = None;
        let (worker, owner, network) = (service.worker, service.owner, service.network);
        let (game, role) = (master.game.clone(), master.role);
        out.push(NodeEffect::StartWorker { worker, slot: index, owner, game, role, network });
    }
}

/// A number from 0 to 1 that depends only on the worker node and the master.
fn luck(node: Member, master: Member) -> f64 {
    let mut hasher = DefaultHasher::new();
    (node, master).hash(&mut hasher);
    hasher.finish() as f64 / u64::MAX as f64
}
