//! Moves workers to better places within one search ([`crate::tree::rules::retract`]).

use super::core::Manager;
use crate::event::{Time, WorkerId};
use crate::tree::rules::retract;
use crate::tree::{Frontier, NodeId};
use hasami_api::Game;
use std::time::Duration;

/// Places are compared this often, at most.
const PERIOD: Duration = Duration::from_millis(150);

impl<G: Game> Manager<G> {
    /// Brings the queue of places up to date now and then, and frees the worker that is worth least where it sits if it
    /// is worth much more elsewhere. True: places were compared.
    pub(super) fn retract(&mut self, now: Time) -> bool {
        if now < self.next_retraction || !self.is_searching() {
            return false;
        }
        // Looking at every node costs time in proportion to the tree.
        self.next_retraction = now + PERIOD * (1 + self.tree.len() as u32 / 256);
        self.frontier.rebuild(&self.tree, self.model.as_ref());
        self.leave_worst(now);
        true
    }

    fn leave_worst(&mut self, now: Time) {
        if !self.model.rules().retract || self.crew.players() <= 1 {
            return;
        }
        let Some((leaf, here)) = Frontier::worst_seat(&self.tree, self.model.as_ref()) else { return };
        if retract::pays(here, self.frontier.best_worth()) && leaf != self.focus() {
            self.free_seat(now, leaf);
        }
    }

    pub(super) fn free_seat(&mut self, now: Time, leaf: NodeId) {
        if let Some(seat) = self.tree.node(leaf).seat {
            self.cancel(now, WorkerId(seat.worker));
        }
    }
}
