//! Keeps track of a worker node's masters, and divides the slots among them.

use super::slot::SlotService;
use super::{MOST_MASTERS, MOST_WEIGHT, NodeEffect, NodeSlot, OfferedSlot, WorkerNode};
use crate::cluster::names::{Lease, Member};
use crate::cluster::shares::{self, MasterClaim};
use crate::cluster::wire::{self, MasterBeat, SlotRole};
use hasami_tree::event::{Time, WorkerId};
use hasami_words::text::counted;
use rand::Rng;
use std::hash::{DefaultHasher, Hash, Hasher};

pub struct KnownMaster {
    /// The master's first heartbeat, with its texts sanitised for display. Later heartbeats update the stored serial
    /// number, weight (within limits) and number of wanted slots.
    pub beat: MasterBeat,
    pub heard: Time,
    pub next_beat: Time,
    /// See [`MasterClaim::luck`].
    pub luck: f64,
}

impl KnownMaster {
    /// Returns a note about this master for the owner of the machine.
    fn note(&self, news: &str) -> String {
        format!("{} ({}) is {news}", self.beat.name, self.beat.game)
    }
}

impl WorkerNode {
    /// Handles a heartbeat. A heartbeat counts only if it is newer than all earlier ones, so replaying old heartbeats
    /// cannot keep a master alive.
    pub(super) fn master_beat(
        &mut self,
        now: Time,
        id: Member,
        beat: MasterBeat,
        out: &mut Vec<NodeEffect>,
    ) -> Result<(), String> {
        let known = self.masters.get(&id).map(|master| master.beat.serial);
        let newest = known.or_else(|| self.tombstones.get(&id));
        if newest.is_some_and(|newest| newest >= beat.serial) {
            return Ok(());
        }
        if beat.leaves {
            self.lose_master(id, "it has ended", out);
            // Earlier heartbeats that arrive late must not bring back a master that has left.
            self.tombstones.note(id, beat.serial);
            return Ok(());
        }
        self.patience.hear(id, now);
        let weight = beat.weight.clamp(1, MOST_WEIGHT);
        if let Some(master) = self.masters.get_mut(&id) {
            (master.beat.serial, master.heard) = (beat.serial, now);
            (master.beat.weight, master.beat.wants) = (weight, beat.wants);
            return Ok(());
        }
        if self.masters.len() >= MOST_MASTERS {
            return Err(format!("more than {MOST_MASTERS} masters"));
        }
        let (game, name) = (wire::plain(&beat.game), wire::plain(&beat.name));
        let beat = MasterBeat { game, name, weight, ..beat };
        self.masters.insert(id, KnownMaster { beat, heard: now, next_beat: now, luck: luck(self.id, id) });
        let before = out.len();
        self.deal(now, out);
        // A new master is sent a heartbeat at once: it must know before its first move ends whether it will get
        // workers.
        self.beat(now, out);
        let slots = self.services().filter(|service| service.owner == id).count();
        if let Some(master) = self.masters.get(&id).filter(|_| slots > 0) {
            let here = master.note(&format!("here: {slots} of {}", counted(self.slots.len(), "slot")));
            out.insert(before, NodeEffect::Note(here));
        }
        Ok(())
    }

    pub(super) fn lose_master(&mut self, id: Member, why: &str, out: &mut Vec<NodeEffect>) {
        let Some(master) = self.masters.remove(&id) else { return };
        self.tombstones.note(id, master.beat.serial);
        let mut slots = 0;
        for index in 0..self.slots.len() {
            let is_its = |service: &SlotService| service.owner == id;
            if self.slots[index].service.as_ref().is_some_and(is_its) {
                slots += 1;
                self.release(index, None, out);
            }
        }
        out.push(NodeEffect::EndService { owner: id });
        if slots > 0 {
            out.push(NodeEffect::Note(master.note(&format!("gone: {why}"))));
        }
    }

    /// Returns all masters, their claims, and the holder of each slot.
    fn table(&self, now: Time) -> (Vec<Member>, Vec<MasterClaim>, Vec<shares::SlotHolder>) {
        let claims: Vec<MasterClaim> = self.masters.values().map(|master| self.claim(master)).collect();
        let owners: Vec<Member> = self.masters.keys().copied().collect();
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

    fn claim(&self, master: &KnownMaster) -> MasterClaim {
        let beat = &master.beat;
        let can = |offer: &OfferedSlot| beat.role == SlotRole::Leaves || offer.has_roles;
        let plays = |slot: &NodeSlot| can(&slot.offer) && slot.offer.games.iter().any(|game| *game == beat.game);
        MasterClaim {
            weight: beat.weight,
            wants: beat.wants as usize,
            luck: master.luck,
            slots: self.slots.iter().map(plays).collect(),
        }
    }

    fn start_worker(&mut self, now: Time, index: usize, owner: Member, out: &mut Vec<NodeEffect>) {
        let Some(master) = self.masters.get(&owner) else { return };
        let (game, role) = (master.beat.game.clone(), master.beat.role);
        let lease = Lease(self.rng.random());
        let worker = WorkerId(self.next_worker);
        self.next_worker = self.next_worker.wrapping_add(1);
        let network = master.beat.network.filter(|_| role == SlotRole::Leaves && self.slots[index].offer.has_roles);
        let mut service = SlotService::new(owner, lease, worker, now);
        service.network = network;
        let state = network.map_or(Some(Ok(())), |id| self.network(id, out));
        service.waits_for = network.filter(|_| state != Some(Ok(())));
        self.slots[index].service = Some(service);
        match state {
            Some(Ok(())) => out.push(NodeEffect::StartWorker { worker, slot: index, owner, game, role, network }),
            Some(Err(why)) => {
                self.rest(now, index);
                self.release(index, Some(&why), out);
            }
            None => {}
        }
    }

    /// Starts the worker of a slot after its network has arrived.
    pub(super) fn start_with_network(&mut self, index: usize, out: &mut Vec<NodeEffect>) {
        let Some(service) = &mut self.slots[index].service else { return };
        let Some(master) = self.masters.get(&service.owner) else { return };
        service.waits_for = None;
        let (worker, owner, network) = (service.worker, service.owner, service.network);
        let (game, role) = (master.beat.game.clone(), master.beat.role);
        out.push(NodeEffect::StartWorker { worker, slot: index, owner, game, role, network });
    }
}

/// A number from 0 to 1 that depends only on the worker node and the master.
fn luck(node: Member, master: Member) -> f64 {
    let mut hasher = DefaultHasher::new();
    (node, master).hash(&mut hasher);
    hasher.finish() as f64 / u64::MAX as f64
}
