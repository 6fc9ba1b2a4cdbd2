//! Several workers on one node ([`crate::tree::rules::doubling`], [`crate::tree::rules::team`]): who joins whom, and who
//! is called away again.

use super::core::{Manager, Phase};
use super::member::Work;
use crate::event::{Time, WorkerId};
use crate::tree::rules::{doubling, team};
use crate::tree::{Frontier, NodeId};
use hasami_api::Game;
use std::collections::HashMap;
use std::time::Duration;

/// A worker is joined only after so long: most of those who are idle for a moment get a place of their own.
const PATIENCE: Duration = Duration::from_millis(50);

impl<G: Game> Manager<G> {
    /// Workers search together before the tree grows: where all of them understand each other. A tree that grows for some
    /// would send the others away from the best move.
    pub(super) fn in_teams(&self) -> bool {
        self.model.rules().team && self.crew.is_one_team()
    }

    /// The depth that a team is asked for: its members search the root alone, and none goes beyond. Whoever is ahead of the
    /// others knows but a bound of its depth most of the time, and the last word is to be exact.
    pub(super) fn team_depth(&self) -> Option<u16> {
        let Phase::Thinking(think) = &self.phase else { return None };
        think.go.depth.filter(|_| think.exact.is_none() && self.model.rules().team && self.crew.can_all_vary())
    }

    /// Lets free workers, for whom there is no place, join others.
    pub(super) fn join(&mut self, now: Time) {
        let teams = self.in_teams();
        let is_exact = matches!(&self.phase, Phase::Thinking(think) if think.exact.is_some() || think.done);
        if !self.is_searching() || is_exact || self.is_granted() || !(self.model.rules().doubling || teams) {
            return;
        }
        let idle = self.crew.idle_variants(now);
        if idle.is_empty() {
            return;
        }
        let mut counts: HashMap<NodeId, usize> = HashMap::new();
        for &node in self.crew.joined().values() {
            *counts.entry(node).or_default() += 1;
        }
        let (one_more, patience): (fn(f64, usize) -> f64, _) =
            if teams { (team::worth, Duration::ZERO) } else { (doubling::worth, PATIENCE) };
        let worth_of = |id: NodeId| (Frontier::worth_of_seat(&self.tree, self.model.as_ref(), id), id);
        let places: Vec<(f64, NodeId)> = self.joinable(now, patience, teams).into_iter().map(worth_of).collect();
        for worker in idle {
            let ranked = places.iter().map(|&(worth, id)| (one_more(worth, counts.get(&id).copied().unwrap_or(0)), id));
            let Some((best, node)) = ranked.max_by(|a, b| a.0.total_cmp(&b.0).then(b.1.cmp(&a.1))) else { return };
            let understands = self.crew.get(worker).is_some_and(|member| self.understands(&member.profile, node));
            if best > 0.0 && understands && !self.is_granted() {
                *counts.entry(node).or_default() += 1;
                self.start_work(now, worker, Work::Joint(node));
            }
        }
    }

    /// Nodes whose worker has searched for a while. Where several lines are asked for, they come from one worker, or from a
    /// team, which finds the same at the same depth.
    fn joinable(&self, now: Time, patience: Duration, teams: bool) -> Vec<NodeId> {
        let is_taken = |id: NodeId| !teams && id == self.focus() && self.settings.multi_pv > 1;
        let seated = self.tree.iter().filter(|(_, node)| node.is_open());
        let patient = seated.filter(|(_, node)| node.seat.is_some_and(|seat| seat.since + patience <= now));
        patient.map(|(id, _)| id).filter(|&id| !is_taken(id) && !self.tree.is_dead(id)).collect()
    }

    /// Sends somebody who has joined another to a place of its own.
    pub(super) fn recall(&mut self, now: Time, node: NodeId) -> bool {
        if self.in_teams() {
            return false;
        }
        let suits =
            |&worker: &WorkerId| self.crew.get(worker).is_some_and(|member| self.understands(&member.profile, node));
        let Some(worker) = self.crew.joined().keys().copied().find(suits) else { return false };
        self.move_worker(now, worker, node);
        true
    }

    /// Ends joint work at nodes whose part of the game has changed or is decided, or whose own worker has left.
    pub(super) fn part(&mut self, now: Time) {
        if !self.crew.has_joined() {
            return;
        }
        let stale: Vec<WorkerId> =
            self.crew.joined().keys().copied().filter(|&worker| self.joins(worker).is_err()).collect();
        for worker in stale {
            self.cancel(now, worker);
        }
    }

    /// Names what is wrong with a worker's joint work.
    pub(super) fn joins(&self, worker: WorkerId) -> Result<(), &'static str> {
        let job = self.crew.get(worker).and_then(|member| member.job()).filter(|job| job.cancelled.is_none());
        let job = job.ok_or("has no task")?;
        let Work::Joint(id) = job.work else { return Err("does other work") };
        let node = self.tree.get(id).ok_or("works at a node that does not stand")?;
        if !node.is_open() || self.tree.is_dead(id) {
            return Err("works at a decided node");
        }
        if node.children.len() != job.except.len() {
            return Err("searches another part of the game than its node has");
        }
        node.seat.map(|_| ()).ok_or("has joined nobody")
    }
}
