//! Moves workers to better places within one search ([`crate::tree::rules::reassign`]).

use super::{Assignment, Demand};
use crate::event::{Time, WorkerId};
use crate::tree::rules::reassign;
use crate::tree::{Frontier, NodeId};
use hasami_api::Game;

impl<G: Game> Assignment<G> {
    /// Brings the queue of places up to date now and then, and frees the workers that are worth least where they are if
    /// they are worth much more elsewhere. True: places were compared.
    pub fn reassign_workers(&mut self, now: Time, demand: Demand) -> bool {
        if now < self.next_comparison || !demand.is_searching {
            return false;
        }
        // Looking at every node costs time in proportion to the tree.
        self.next_comparison = now + reassign::period(demand.clock_time()) * (1 + self.tree.len() as u32 / 256);
        self.requeue();
        self.leave_worst_places(now, demand);
        true
    }

    fn leave_worst_places(&mut self, now: Time, demand: Demand) {
        if !self.tree.is_anticipating()
            || self.roster.players() <= 1
            || self.roster.has_ready(now)
            || self.in_groups(demand.settings)
        {
            return;
        }
        let left = demand.request.and_then(|request| request.time_left(now));
        let focus = demand.focus(&self.tree);
        let movers = reassign::movers(self.roster.players());
        let places = self.frontier.best_worths(movers);
        let occupied = Frontier::occupied_by_worth(&self.tree, self.model.as_ref());
        for ((here, leaf), there) in occupied.into_iter().zip(places) {
            let stayed = self.tree.node(leaf).worker.map_or(Time::ZERO, |assigned| now.saturating_sub(assigned.since));
            if reassign::pays(here, there) && leaf != focus && reassign::is_in_time(stayed, left) {
                self.free_seat(now, leaf);
            }
        }
    }

    fn free_seat(&mut self, now: Time, leaf: NodeId) {
        if let Some(assigned) = self.tree.node(leaf).worker {
            self.cancel(now, WorkerId(assigned.worker));
        }
    }
}
