//! Moves workers to better places within one search ([`crate::tree::rules::reassign`]).

use super::core::{Manager, Phase};
use crate::event::{Time, WorkerId};
use crate::tree::rules::reassign;
use crate::tree::{Frontier, NodeId};
use hasami_api::Game;
use std::time::Duration;

impl<G: Game> Manager<G> {
    /// Brings the queue of places up to date now and then, and frees the workers that are worth least where they sit if
    /// they are worth much more elsewhere. True: places were compared.
    pub(super) fn reassign(&mut self, now: Time) -> bool {
        if now < self.next_comparison || !self.is_searching() {
            return false;
        }
        // Looking at every node costs time in proportion to the tree.
        self.next_comparison = now + reassign::period(self.clock_time()) * (1 + self.tree.len() as u32 / 256);
        self.frontier.rebuild(&self.tree, self.model.as_ref());
        self.leave_worst(now);
        true
    }

    /// About how long this search takes by the clock; `None`: it has no say.
    pub(super) fn clock_time(&self) -> Option<Duration> {
        let Phase::Thinking(think) = &self.phase else { return None };
        think.plan.aim()
    }

    /// What is left of it.
    fn time_left(&self, now: Time) -> Option<Duration> {
        let Phase::Thinking(think) = &self.phase else { return None };
        Some(self.clock_time()?.saturating_sub(now.saturating_sub(think.clock_from?)))
    }

    fn leave_worst(&mut self, now: Time) {
        if !self.tree.is_ahead() || self.crew.players() <= 1 || self.crew.has_ready(now) || self.in_teams() {
            return;
        }
        let left = self.time_left(now);
        let movers = reassign::movers(self.crew.players());
        let places = self.frontier.best_worths(movers);
        let seats = Frontier::seats(&self.tree, self.model.as_ref());
        for ((here, leaf), there) in seats.into_iter().zip(places) {
            let stayed = self.tree.node(leaf).seat.map_or(Time::ZERO, |seat| now.saturating_sub(seat.since));
            if reassign::pays(here, there) && leaf != self.focus() && reassign::is_in_time(stayed, left) {
                self.free_seat(now, leaf);
            }
        }
    }

    fn free_seat(&mut self, now: Time, leaf: NodeId) {
        if let Some(seat) = self.tree.node(leaf).seat {
            self.cancel(now, WorkerId(seat.worker));
        }
    }
}
