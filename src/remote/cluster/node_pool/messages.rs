//! Handles messages from worker nodes to a master.
//!
//! A lease belongs to one worker node, so a message has no effect unless it names a lease of its sender. Only
//! heartbeats may list slots that the master does not know: the master then waits until those slots have started.

use super::{KnownNode, LeasedSlot, MOST_WORKER_NODES, MOST_WORKERS, NodePool, PoolEffect};
use crate::cluster::channel::Packet;
use crate::cluster::names::{Lease, Member, Subject};
use crate::cluster::wire::{self, MOST_SLOTS, MasterOrder, NodeEvent, NodeMessage, OrderKind, SlotReport};
use hasami_api::Report;
use hasami_tree::event::{Profile, TaskEnd, TaskId, Time};
use std::collections::BTreeSet;

/// Maximum number of slots to give back per heartbeat; further slots are given back at the next heartbeat.
const MOST_RETURNS: usize = 64;

/// The origin of a message: its worker node, its serial number, and its time of arrival.
#[derive(Clone, Copy)]
struct Origin {
    node: Member,
    serial: u64,
    now: Time,
}

impl NodePool {
    pub(super) fn word(
        &mut self,
        now: Time,
        node: Member,
        word: NodeMessage,
        out: &mut Vec<PoolEffect>,
    ) -> Result<(), String> {
        if self.me.beat.leaves {
            return Ok(());
        }
        let NodeMessage { serial, say } = word;
        let from = Origin { node, serial, now };
        match say {
            NodeEvent::Beat { slots, .. } if slots.len() > MOST_SLOTS => {
                let why = format!("expected at most {MOST_SLOTS} slots, found {}", slots.len());
                return Err(why);
            }
            NodeEvent::Beat { name, slots } => self.node_beat(from, &name, &slots, out),
            NodeEvent::Joined { lease, profile } => self.joined(from, lease, profile, out)?,
            NodeEvent::Left { lease, why } => {
                if self.renew(from, lease).is_some() {
                    self.drop_slot(lease, &wire::plain(&why), out);
                }
            }
            NodeEvent::Reports { lease, task, reports } => self.reports(from, (lease, task), reports, out),
            NodeEvent::NetworkWanted { lease, piece } if self.me.beat.network.is_some() => {
                out.push(PoolEffect::PieceWanted { node, lease, piece });
            }
            NodeEvent::NetworkWanted { .. } => {}
            NodeEvent::Packet { lease, packet } => self.receive_packet(from, lease, packet, out)?,
            NodeEvent::Ended { lease, task, reports, end } => self.ended(from, (lease, task), reports, end, out),
        }
        Ok(())
    }

    /// Notes that a leased slot of the sender is alive. Returns whether the message is the newest one about the slot,
    /// or `None` if the sender has not leased the slot to this master.
    fn renew(&mut self, from: Origin, lease: Lease) -> Option<bool> {
        let slot = self.slots.get_mut(&lease).filter(|slot| slot.node == from.node)?;
        let is_new = from.serial > slot.serial;
        if is_new {
            (slot.serial, slot.heard) = (from.serial, from.now);
            self.patience.hear(from.node, from.now);
        }
        Some(is_new)
    }

    fn joined(
        &mut self,
        from: Origin,
        lease: Lease,
        profile: Profile,
        out: &mut Vec<PoolEffect>,
    ) -> Result<(), String> {
        if !(profile.weight.is_finite() && profile.weight > 0.0) {
            return Err(format!("expected a weight above 0, found {}", profile.weight));
        }
        if !self.slots.contains_key(&lease) {
            // The worker node may not know yet that this master has lost the slot.
            if self.tombstones.get(&lease).is_some() {
                self.tell(from.node, lease, self.order_for_unknown_slot(lease), out);
                return Ok(());
            }
            let slots = self.nodes.get(&from.node).map(|node| node.slots.len());
            let has_room = slots.is_some() || self.nodes.len() < MOST_WORKER_NODES;
            if !has_room || self.slots.len() >= MOST_WORKERS {
                let limit = format!("{MOST_WORKERS} workers on {MOST_WORKER_NODES} machines");
                if !std::mem::replace(&mut self.is_full, true) {
                    out.push(PoolEffect::Tell(format!(
                        "cluster: no more than {} workers on {} machines are taken, and there are more",
                        MOST_WORKERS, MOST_WORKER_NODES
                    )));
                }
                let why = format!("more than {limit}");
                return Err(why);
            }
            // A machine may not give this master more slots than the master wants from each machine.
            let most = MOST_SLOTS.min(self.me.beat.wants as usize);
            if slots >= Some(most) {
                let why = format!("more than {most} workers of a machine");
                return Err(why);
            }
            self.slot(from, lease, profile, out);
        }
        if self.renew(from, lease).is_some() {
            self.publish(lease, OrderKind::Heard { task: TaskId(0) }, out);
        }
        Ok(())
    }

    /// Returns the answer to a worker node that reports a slot which this master no longer has. A slot must pause if it
    /// was given back, but not if it was lost.
    fn order_for_unknown_slot(&self, lease: Lease) -> OrderKind {
        if self.tombstones.get(&lease) == Some(false) { OrderKind::Forgotten } else { OrderKind::Return }
    }

    fn slot(&mut self, from: Origin, lease: Lease, profile: Profile, out: &mut Vec<PoolEffect>) {
        let name = wire::plain(&profile.name);
        let place = name.split('/').next().unwrap_or_default().to_owned();
        let Origin { node, serial, now } = from;
        self.coming.remove(&node);
        if !self.nodes.contains_key(&node) {
            self.notices.came(now, &place);
            // A machine that has returned is no longer listed as lost.
            self.lost.retain(|(lost, ..)| *lost != place);
        } else {
            self.notices.grew(now);
        }
        let new = KnownNode { name: place, slots: BTreeSet::new(), gone: (0, now) };
        self.nodes.entry(node).or_insert(new).slots.insert(lease);
        let profile = Profile { name: name.clone(), machine: Some(node.machine()), ..profile };
        self.slots
            .insert(lease, LeasedSlot { node, profile, worker: None, task: None, serial, heard: now, channel: None });
        out.push(PoolEffect::Apply { lease, name });
    }

    /// Compares a worker node's report with what this master knows about the node's slots. A slot that is missing from
    /// the report is no longer leased to this master.
    fn node_beat(&mut self, from: Origin, name: &str, slots: &[SlotReport], out: &mut Vec<PoolEffect>) {
        let Origin { node, serial, now } = from;
        let is_expected = self.coming.len() < MOST_WORKER_NODES || self.coming.contains_key(&node);
        if !self.nodes.contains_key(&node) && !slots.is_empty() && is_expected {
            self.coming.insert(node, now);
        }
        let mut returned = 0;
        for seen in slots {
            match self.renew(from, seen.lease) {
                Some(is_new) if is_new => self.compare(node, *seen, out),
                Some(_) => {}
                // The worker node does not know that this master has given the slot back, or has lost the node. (If
                // this master has never heard of the slot, the worker node will repeat its `Joined` message.)
                None if returned < MOST_RETURNS && (seen.is_known || self.tombstones.get(&seen.lease).is_some()) => {
                    returned += 1;
                    self.tell(node, seen.lease, self.order_for_unknown_slot(seen.lease), out);
                }
                None => {}
            }
        }
        let Some(known) = self.nodes.get_mut(&node) else { return };
        let listed: BTreeSet<Lease> = slots.iter().map(|seen| seen.lease).collect();
        if known.slots.is_disjoint(&listed) {
            return;
        }
        known.name = wire::plain(name);
        let is_older = |lease: &Lease| self.slots.get(lease).is_some_and(|slot| slot.serial < serial);
        let missing: Vec<Lease> = known.slots.difference(&listed).copied().filter(is_older).collect();
        missing.into_iter().for_each(|lease| self.drop_slot(lease, "given to somebody else", out));
    }

    /// Checks that a slot is working on the task that it was given.
    fn compare(&mut self, node: Member, seen: SlotReport, out: &mut Vec<PoolEffect>) {
        match self.slots.get_mut(&seen.lease).map(|slot| &mut slot.task) {
            Some(Some(given)) if given.id == seen.task => given.work = None,
            // The slot is working on a task that ended long ago.
            Some(None) if seen.task != TaskId(0) => {
                self.tell(node, seen.lease, OrderKind::Cancel { task: seen.task }, out)
            }
            _ => {}
        }
    }

    /// Sends a piece of the network's file to a slot that is waiting for the network.
    pub fn send_piece(&self, (node, lease): (Member, Lease), piece: u32, bytes: Vec<u8>, out: &mut Vec<PoolEffect>) {
        self.tell(node, lease, OrderKind::NetworkPiece { piece, bytes }, out);
    }

    /// Sends an order about a slot that this master may no longer have.
    pub(super) fn tell(&self, node: Member, lease: Lease, what: OrderKind, out: &mut Vec<PoolEffect>) {
        out.push(PoolEffect::Publish { to: Subject::Member(node), bytes: wire::encode(&MasterOrder { lease, what }) });
    }

    fn reports(
        &mut self,
        from: Origin,
        (lease, task): (Lease, TaskId),
        reports: Vec<Report>,
        out: &mut Vec<PoolEffect>,
    ) {
        if self.renew(from, lease).is_none() {
            return;
        }
        let Some(slot) = self.slots.get_mut(&lease) else { return };
        let (Some(worker), Some(given)) = (slot.worker, slot.task.as_mut().filter(|given| given.id == task)) else {
            return;
        };
        given.work = None;
        if from.serial > given.serial && !reports.is_empty() {
            given.serial = from.serial;
            out.push(PoolEffect::Reports { worker, task, reports });
        }
    }

    /// Handles a packet. A slot that sends invalid messages is given back.
    fn receive_packet(
        &mut self,
        from: Origin,
        lease: Lease,
        packet: Packet,
        out: &mut Vec<PoolEffect>,
    ) -> Result<(), String> {
        if self.renew(from, lease).is_none() {
            return Ok(());
        }
        let Some(slot) = self.slots.get_mut(&lease) else { return Ok(()) };
        let Some(worker) = slot.worker else { return Ok(()) };
        let mut packets = Vec::new();
        match slot.channel.get_or_insert_default().read(from.now, packet, &mut packets) {
            Ok(messages) => out.extend(messages.into_iter().map(|message| PoolEffect::Message { worker, message })),
            Err(why) => {
                self.tell(from.node, lease, OrderKind::Return, out);
                self.drop_slot(lease, &why, out);
                return Err(why);
            }
        }
        packets.into_iter().for_each(|packet| self.tell(from.node, lease, OrderKind::Packet(packet), out));
        Ok(())
    }

    /// Handles the end of a task. A task whose result is invalid counts as failed.
    fn ended(
        &mut self,
        from: Origin,
        (lease, task): (Lease, TaskId),
        reports: Vec<Report>,
        end: Option<TaskEnd>,
        out: &mut Vec<PoolEffect>,
    ) {
        if self.renew(from, lease).is_none() {
            return;
        }
        let Some(slot) = self.slots.get_mut(&lease) else { return };
        if let Some(worker) = slot.worker
            && let Some(given) = slot.task.take_if(|given| given.id == task)
        {
            if from.serial > given.serial && !reports.is_empty() {
                out.push(PoolEffect::Reports { worker, task, reports });
            }
            out.push(PoolEffect::Ended { worker, task, end: wire::task_end(end, given.goal) });
            self.has_new_teams |= given.team != 0;
        }
        self.publish(lease, OrderKind::Heard { task }, out);
    }
}
