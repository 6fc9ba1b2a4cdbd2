//! Handles orders from masters to their slots.

use super::slot::{RunningTask, UnconfirmedEnd};
use super::{NodeEffect, NodeSlot, WorkerNode};
use crate::cluster::channel::{Batch, Packet};
use crate::cluster::names::Member;
use crate::cluster::wire::{self, MasterOrder, NodeEvent, OrderKind};
use hasami_api::Task;
use hasami_tree::event::{TaskEnd, TaskId, Time, WorkerId};

impl WorkerNode {
    pub(super) fn order(
        &mut self,
        now: Time,
        master: Member,
        order: MasterOrder,
        out: &mut Vec<NodeEffect>,
    ) -> Result<(), String> {
        let MasterOrder { lease, what } = order;
        let is_its = |slot: &NodeSlot| slot.service.as_ref().is_some_and(|s| s.lease == lease && s.owner == master);
        // An order with an old lease, or from another master, is ignored.
        let Some(index) = self.slots.iter().position(is_its) else { return Ok(()) };
        let Some(service) = &mut self.slots[index].service else { return Ok(()) };
        // Sending a network piece does not show that the master knows the slot, since pieces are sent on request.
        service.is_known |= !matches!(what, OrderKind::NetworkPiece { .. });
        match what {
            OrderKind::Heard { task } => {
                service.ended.take_if(|ended| ended.task == task);
            }
            OrderKind::Return => {
                self.rest(now, index);
                self.release(index, None, out);
            }
            // The slot need not pause, since it was lost only because the connection was cut.
            OrderKind::Forgotten => self.release(index, None, out),
            OrderKind::NetworkPiece { piece, bytes } => self.receive_piece(now, lease, (piece, &bytes), out)?,
            OrderKind::Packet(packet) => self.receive_packet(now, index, packet, out)?,
            OrderKind::Cancel { task } => self.cancel(index, task, out),
            OrderKind::Start { task, game, work } => self.start(now, index, (task, game), *work, out),
        }
        Ok(())
    }

    fn cancel(&mut self, index: usize, task: TaskId, out: &mut Vec<NodeEffect>) {
        let Some(service) = &mut self.slots[index].service else { return };
        match &mut service.task {
            Some(running) if running.id == task => {
                if !std::mem::replace(&mut running.cancelled, true) {
                    out.push(NodeEffect::Cancel { worker: service.worker, id: running.id });
                }
            }
            // The task's end has been sent but not confirmed, so it is sent again.
            None if service.ended.as_ref().is_some_and(|ended| ended.task == task) => self.tell_end(index, out),
            // The task was cancelled before it was started, or the master has forgotten that it ended. The answer is
            // sent only once, because the master repeats its order until it gets an answer, and because the end of a
            // later task may still be unconfirmed.
            None => {
                service.last = service.last.max(task);
                let (owner, lease) = (service.owner, service.lease);
                self.say(owner, NodeEvent::Ended { lease, task, reports: Vec::new(), end: None }, out);
            }
            Some(_) => {}
        }
    }

    /// Handles a packet. A master that sends invalid messages loses the slot.
    fn receive_packet(
        &mut self,
        now: Time,
        index: usize,
        packet: Packet,
        out: &mut Vec<NodeEffect>,
    ) -> Result<(), String> {
        let Some(service) = &mut self.slots[index].service else { return Ok(()) };
        let (owner, lease, worker) = (service.owner, service.lease, service.worker);
        let mut packets = Vec::new();
        match service.channel.get_or_insert_default().read(now, packet, &mut packets) {
            Ok(messages) => out.extend(messages.into_iter().map(|message| NodeEffect::Message { worker, message })),
            Err(why) => {
                self.release(index, Some(&why), out);
                return Err(why);
            }
        }
        packets.into_iter().for_each(|packet| self.say(owner, NodeEvent::Packet { lease, packet }, out));
        Ok(())
    }

    /// Sends a local worker's messages to its master.
    pub fn write(&mut self, now: Time, worker: WorkerId, batch: &Batch, out: &mut Vec<NodeEffect>) {
        let mut services = self.slots.iter_mut().filter_map(|slot| slot.service.as_mut());
        let Some(service) = services.find(|service| service.worker == worker) else { return };
        let (owner, lease, mut packets) = (service.owner, service.lease, Vec::new());
        service.channel.get_or_insert_default().write(now, batch, &mut packets);
        packets.into_iter().for_each(|packet| self.say(owner, NodeEvent::Packet { lease, packet }, out));
    }

    /// Sends unconfirmed packets again.
    pub(super) fn repeat_unconfirmed(&mut self, now: Time, out: &mut Vec<NodeEffect>) {
        let mut all = Vec::new();
        for service in self.slots.iter_mut().filter_map(|slot| slot.service.as_mut()) {
            let Some(channel) = &mut service.channel else { continue };
            let mut packets = Vec::new();
            channel.tick(now, &mut packets);
            all.extend(packets.into_iter().map(|packet| (service.owner, service.lease, packet)));
        }
        all.into_iter().for_each(|(owner, lease, packet)| self.say(owner, NodeEvent::Packet { lease, packet }, out));
    }

    fn start(&mut self, now: Time, index: usize, (id, game): (TaskId, u32), mut task: Task, out: &mut Vec<NodeEffect>) {
        let Some(service) = &mut self.slots[index].service else { return };
        // The order is ignored if the worker has not joined, if the order is late or a duplicate, or if the slot is
        // still working on its last task. The master repeats an order that has had no effect.
        if service.profile.is_none() || id <= service.last || service.task.is_some() {
            return;
        }
        task.multipv = task.multipv.min(wire::MOST_LINES);
        (service.last, service.ended) = (id, None);
        let name = self.masters.get(&service.owner).map(|master| master.beat.game.as_str()).unwrap_or_default();
        if let Err(why) = wire::check_task(&task).and_then(|()| (self.check)(name, &task.line)) {
            let end = TaskEnd::Failed(wire::plain(&why));
            service.ended = Some(UnconfirmedEnd { task: id, reports: Vec::new(), end });
            return self.tell_end(index, out);
        }
        if service.game.replace(game).is_some_and(|last| last != game) {
            out.push(NodeEffect::NewGame { worker: service.worker });
        }
        service.task = Some(RunningTask::new(id, now, task.team));
        out.push(NodeEffect::Start { worker: service.worker, id, task });
    }
}
