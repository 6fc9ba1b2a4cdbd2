//! Describes a master to users and in metrics.

use super::{ANSWERS, NodePool, PoolEffect};
use crate::cluster::names::{Member, Subject};
use crate::cluster::wire::{self, DiscoveryReply, LostNodeSummary};
use hasami_tree::event::Time;
use hasami_workers::outside::PoolFigures;

impl NodePool {
    /// Metrics of the node pool, except those of its connection.
    pub fn figures(&self) -> PoolFigures {
        PoolFigures {
            machines: self.nodes.len() as u64,
            slots: self.slots.len() as u64,
            lost: self.losses,
            ..PoolFigures::default()
        }
    }

    /// Answers a request for the member list.
    pub(super) fn answer(
        &mut self,
        now: Time,
        asker: Member,
        bytes: &[u8],
        out: &mut Vec<PoolEffect>,
    ) -> Result<(), String> {
        wire::discovery_request(bytes)?;
        if !self.answers.take(now) {
            let why = format!("more than {} questions a second", ANSWERS.1);
            return Err(why);
        }
        let lost = self.lost.iter().map(|(name, at, why)| LostNodeSummary {
            name: name.clone(),
            seconds_ago: now.saturating_sub(*at).as_secs(),
            why: why.clone(),
        });
        let card = DiscoveryReply::Master {
            name: self.me.beat.name.clone(),
            version: env!("CARGO_PKG_VERSION").to_owned(),
            game: self.me.beat.game.clone(),
            slots: self.slots.len() as u32,
            lost: lost.collect(),
        };
        out.push(PoolEffect::Publish { to: Subject::Member(asker), bytes: wire::encode(&card) });
        Ok(())
    }
}
