//! Several workers on one node ([`crate::tree::rules::doubling`], [`crate::tree::rules::team`]): who joins whom, and who
//! is called away again.

use super::core::{Manager, Phase};
use super::member::{Member, Work};
use crate::event::{Time, WorkerId};
use crate::protocol::settings::Parallel;
use crate::tree::rules::{doubling, team};
use crate::tree::{Frontier, NodeId};
use hasami_api::Game;
use std::cmp::Ordering;
use std::collections::{BTreeSet, BinaryHeap};
use std::time::Duration;

/// A worker is joined only after so long: most of those who are idle for a moment get a place of their own.
const PATIENCE: Duration = Duration::from_millis(50);

/// Where a worker may join another one.
struct Room {
    /// What one more worker is worth there.
    gain: f64,
    worth: f64,
    joined: usize,
    node: NodeId,
}

impl Ord for Room {
    fn cmp(&self, other: &Self) -> Ordering {
        self.gain.total_cmp(&other.gain).then(other.node.cmp(&self.node))
    }
}

impl PartialOrd for Room {
    fn partial_cmp(&self, other: &Self) -> Option<Ordering> {
        Some(self.cmp(other))
    }
}

impl PartialEq for Room {
    fn eq(&self, other: &Self) -> bool {
        self.cmp(other) == Ordering::Equal
    }
}

impl Eq for Room {}

impl<G: Game> Manager<G> {
    /// Workers search together before the tree grows: where all of them understand each other. A tree that grows for some
    /// would send the others away from the best move.
    pub(super) fn in_teams(&self) -> bool {
        self.shares_positions() && self.crew.is_one_team()
    }

    /// Whoever can search a position together with others does so.
    fn shares_positions(&self) -> bool {
        match self.settings.parallel {
            Parallel::Auto => self.model.rules().team,
            Parallel::Shared => true,
            Parallel::Tree => false,
        }
    }

    /// The depth that a team is asked for: its members search the root alone, and none goes beyond. Whoever is ahead of the
    /// others knows but a bound of its depth most of the time, and the last word is to be exact.
    pub(super) fn team_depth(&self) -> Option<u16> {
        let Phase::Thinking(think) = &self.phase else { return None };
        think.go.depth.filter(|_| think.exact.is_none() && self.shares_positions() && self.crew.can_all_vary())
    }

    /// Lets free workers, for whom there is no place, join others.
    pub(super) fn join(&mut self, now: Time) {
        let teams = self.in_teams();
        let is_exact = matches!(&self.phase, Phase::Thinking(think) if think.exact.is_some() || think.done);
        if !self.is_searching() || is_exact || self.is_granted() || !(self.model.rules().doubling || teams) {
            return;
        }
        let mut next = self.crew.idle_variant(now, None);
        if next.is_none() || teams && self.are_teams_full() {
            return;
        }
        let (one_more, patience): (fn(f64, usize) -> f64, _) =
            if teams { (team::worth, Duration::ZERO) } else { (doubling::worth, PATIENCE) };
        let mut rooms: BinaryHeap<Room> = self.rooms(now, patience, one_more, teams).into();
        while let Some((turn, worker)) = next
            && let Some(mut room) = rooms.peek_mut()
            && room.gain > 0.0
            && !self.is_granted()
        {
            let understands = |member: &Member| self.understands(&member.profile, room.node);
            if self.crew.get(worker).is_some_and(understands) {
                room.joined += 1;
                room.gain = one_more(room.worth, room.joined);
                self.start_work(now, worker, Work::Joint(room.node));
            }
            next = self.crew.idle_variant(now, Some(turn));
        }
    }

    /// No team of those that have a worker of their own takes another one: the usual state of a large crew, most of which
    /// would look in vain at every event.
    fn are_teams_full(&self) -> bool {
        !self.tree.has_changed() && self.tree.seated().len() == self.crew.joined().full()
    }

    /// Where there is room: nodes whose worker has searched for a while. Where several lines are asked for, they come from
    /// one worker, or from a team, which finds the same at the same depth.
    fn rooms(&self, now: Time, patience: Duration, one_more: fn(f64, usize) -> f64, teams: bool) -> Vec<Room> {
        let is_taken = |id: NodeId| !teams && id == self.focus() && self.settings.multi_pv > 1;
        let seats = self.tree.seated().iter().map(|&id| (id, self.tree.node(id)));
        let open = seats.filter(|(_, node)| node.is_open());
        let patient = open.filter(|(_, node)| node.seat.is_some_and(|seat| seat.since + patience <= now));
        let free = patient
            .map(|(id, _)| (id, self.crew.joined().count(id)))
            .filter(|&(_, joined)| one_more(1.0, joined) > 0.0);
        let rooms = free.filter(|&(id, _)| !is_taken(id) && !self.tree.is_dead(id)).map(|(node, joined)| {
            let worth = Frontier::worth_of_seat(&self.tree, self.model.as_ref(), node);
            Room { gain: one_more(worth, joined), worth, joined, node }
        });
        rooms.collect()
    }

    /// Sends somebody who has joined another to a place of its own.
    pub(super) fn recall(&mut self, now: Time, node: NodeId) -> bool {
        if self.in_teams() {
            return false;
        }
        let suits =
            |&worker: &WorkerId| self.crew.get(worker).is_some_and(|member| self.understands(&member.profile, node));
        let Some(worker) = self.crew.joined().iter().map(|(worker, _)| worker).find(suits) else { return false };
        self.move_worker(now, worker, node);
        true
    }

    /// Ends joint work at nodes whose part of the game has changed or is decided, or whose own worker has left.
    pub(super) fn part(&mut self, now: Time) {
        let changed = self.tree.take_changed();
        if !self.crew.has_joined() {
            return;
        }
        let joined = changed.into_iter().flat_map(|node| self.crew.joined().at(node));
        let stale: BTreeSet<WorkerId> = joined.filter(|&worker| self.joins(worker).is_err()).collect();
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
        if self.tree.left_out(id).len() != job.except.len() {
            return Err("searches another part of the game than its node has");
        }
        node.seat.map(|_| ()).ok_or("has joined nobody")
    }
}
