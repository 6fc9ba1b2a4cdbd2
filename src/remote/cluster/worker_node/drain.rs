//! Draining: the worker node accepts no more work, and ends when its tasks have ended, so that no tasks are abandoned.

use super::{NodeEffect, WorkerNode};
use crate::cluster::names::Member;
use crate::cluster::wire::{self, DrainRequest};
use hasami_tree::event::Time;
use std::time::Duration;

/// Draining waits at most this long for searches that take long, and for mate searches whose end is not known.
const LONGEST: Duration = Duration::from_secs(60);

impl WorkerNode {
    /// Handles a request to drain. Every user who may publish on this subject may end machines by their name.
    pub(super) fn hear_drain(
        &mut self,
        now: Time,
        asker: Member,
        bytes: &[u8],
        out: &mut Vec<NodeEffect>,
    ) -> Result<(), String> {
        let DrainRequest { name } = wire::decode(bytes)?;
        if name != self.name {
            return Ok(());
        }
        if self.drained_since.is_none() {
            self.drained_since = Some(now);
            out.push(NodeEffect::Note("is drained: takes nothing more, and ends when its tasks have".to_owned()));
        }
        self.answer(now, asker, &bytes[..1], out)
    }

    /// Releases slots that have nothing to do. Once draining has taken too long, releases all other slots as well.
    pub(super) fn drain(&mut self, now: Time, out: &mut Vec<NodeEffect>) {
        let Some(since) = self.drained_since else { return };
        let is_late = now.saturating_sub(since) >= LONGEST;
        for index in 0..self.slots.len() {
            let Some(service) = &self.slots[index].service else { continue };
            let is_idle = service.task.is_none() && service.ended.is_none() && service.channel.is_none();
            if is_idle || is_late {
                self.release(index, Some("its machine is drained"), out);
            }
        }
        if self.services().next().is_none() {
            out.push(NodeEffect::Drained);
        }
    }
}
