//! Describes a worker node to users.

use super::{ANSWERS, NodeEffect, NodeSlot, WorkerNode};
use crate::cluster::names::{Member, Subject};
use crate::cluster::wire::{self, DiscoveryReply, SlotSummary};
use hasami_tree::event::Time;

impl WorkerNode {
    /// Answers a request for the member list.
    pub(super) fn answer(
        &mut self,
        now: Time,
        asker: Member,
        bytes: &[u8],
        out: &mut Vec<NodeEffect>,
    ) -> Result<(), String> {
        wire::discovery_request(bytes)?;
        if !self.answers.take(now) {
            let why = format!("more than {} questions a second", ANSWERS.1);
            return Err(why);
        }
        let card = |slot: &NodeSlot| {
            let service = slot.service.as_ref();
            let master = service.and_then(|service| self.masters.get(&service.owner));
            SlotSummary {
                engine: slot.offer.engine.clone(),
                speed: slot.speed,
                network: service.and_then(|service| service.network),
                owner: master.map(|master| (master.beat.name.clone(), master.beat.game.clone())),
                busy_ms: service
                    .and_then(|service| service.task.as_ref())
                    .map(|running| now.saturating_sub(running.since).as_millis() as u64),
            }
        };
        let card = DiscoveryReply::WorkerNode {
            name: self.name.clone(),
            version: env!("CARGO_PKG_VERSION").to_owned(),
            seconds: now.saturating_sub(self.begun).as_secs(),
            slots: self.slots.iter().map(card).collect(),
        };
        out.push(NodeEffect::Publish { to: Subject::Member(asker), bytes: wire::encode(&card) });
        Ok(())
    }
}
