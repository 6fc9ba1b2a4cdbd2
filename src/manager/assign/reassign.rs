//! Moves workers to better nodes within one search ([`hasami_tree::rules::reassign`]).

use super::super::roster::RosterMember;
use super::{Assignment, Demand};
use hasami_api::Game;
use hasami_tree::event::{Time, WorkerId};
use hasami_tree::rules::reassign::{self, WorkerPerformance};
use hasami_tree::{Frontier, NodeId};
use std::cmp::Ordering::Equal;

impl<G: Game> Assignment<G> {
    /// Updates the queue from time to time, and frees the least useful workers if much better work is available.
    /// Returns whether nodes were compared.
    pub fn reassign_workers(&mut self, now: Time, demand: Demand) -> bool {
        if now < self.next_comparison || !demand.is_searching {
            return false;
        }
        // The interval between comparisons grows with the tree, because each comparison visits every node.
        self.next_comparison = now + reassign::period(demand.clock_time()) * (1 + self.tree.len() as u32 / 256);
        self.requeue();
        self.promote_strongest(now, demand);
        self.leave_worst_places(now, demand);
        true
    }

    /// If engines differ in strength, lets the strongest search the requested position, whose value decides the answer.
    /// The displaced worker takes over the strongest engine's former node.
    fn promote_strongest(&mut self, now: Time, demand: Demand) {
        let focus = self.tree.searched(demand.focus(&self.tree));
        let Some(holder) = self.tree.node(focus).worker else { return };
        let left = demand.request.and_then(|request| request.time_left(now));
        let is_early = reassign::is_in_time(now.saturating_sub(holder.since), left);
        if !self.tree.anticipates || demand.is_exact() || !is_early || self.in_groups(demand.settings) {
            return;
        }
        let performance = |worker| {
            self.roster.get(worker).map(|member| WorkerPerformance { speed: member.speed, reach: member.reach })
        };
        let Some(here) = performance(WorkerId(holder.worker)) else { return };
        let stronger = self.roster.busy().filter_map(|(worker, job)| {
            let node = job.work.own_node().filter(|&node| node != focus && job.cancelled.is_none())?;
            let found = performance(worker).filter(|found| reassign::outranks(*found, here))?;
            let understands = |member: &RosterMember| self.understands(&member.profile, focus, demand);
            self.roster.get(worker).is_some_and(understands).then_some((found, worker, node))
        });
        let best = stronger.max_by(|a, b| (a.0.reach, a.0.speed).partial_cmp(&(b.0.reach, b.0.speed)).unwrap_or(Equal));
        let Some((_, worker, node)) = best else { return };
        self.move_worker(now, WorkerId(holder.worker), node);
        self.move_worker(now, worker, focus);
    }

    fn leave_worst_places(&mut self, now: Time, demand: Demand) {
        if !self.tree.anticipates
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
        let occupied = Frontier::occupied_by_worth(&self.tree, &self.model);
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
