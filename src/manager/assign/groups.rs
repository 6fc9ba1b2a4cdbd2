//! Several workers on one node ([`crate::tree::rules::redundancy`], [`crate::tree::rules::groups`]): who joins whom, and who
//! is called away again.

use super::super::roster::{RosterMember, TaskKind};
use super::{Assignment, Demand};
use crate::event::Time;
use crate::protocol::{Settings, settings::Parallel};
use crate::tree::rules::{consultation, groups, redundancy};
use crate::tree::{Frontier, NodeId};
use hasami_api::Game;
use std::cmp::Ordering;
use std::collections::BinaryHeap;
use std::time::Duration;

/// A worker is joined only after so long: most of those who are idle for a moment get a place of their own.
const PATIENCE: Duration = Duration::from_millis(50);

/// Where a worker may join another one.
struct Room {
    /// Worth of one more worker there.
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

impl<G: Game> Assignment<G> {
    /// Workers search together before the tree grows: where all of them understand each other. A tree that grows for some
    /// would send the others away from the best move.
    pub fn in_groups(&self, settings: &Settings) -> bool {
        self.shares_positions(settings) && self.roster.is_one_group()
    }

    /// Whoever can search a position together with others does so.
    fn shares_positions(&self, settings: &Settings) -> bool {
        match settings.parallel {
            Parallel::Auto => self.model.rules().groups,
            Parallel::Shared => true,
            Parallel::Tree => false,
        }
    }

    /// How many groups search each node, every one for itself ([`consultation`]); 1: there is nobody to consult. Whoever shares a
    /// table with the others knows what they know.
    pub fn groups_of_node(&self, demand: Demand) -> usize {
        let settings = demand.settings;
        let groups = consultation::groups(self.roster.players(), self.model.rules().consultation);
        let is_asked_alike = settings.multi_pv <= 1 && !demand.is_exact() && self.group_depth(demand).is_none();
        let consult = groups > 1 && is_asked_alike && self.in_groups(settings);
        if consult && (!settings.shared_hash || self.roster.has_machines()) { groups } else { 1 }
    }

    /// The depth that a group is asked for: its members search the root alone, and none goes beyond. Whoever is further than the
    /// others knows but a bound of its depth most of the time, and the last word is to be exact.
    pub fn group_depth(&self, demand: Demand) -> Option<u16> {
        let request = demand.request.filter(|request| request.exact.is_none())?;
        request.go.depth.filter(|_| self.shares_positions(demand.settings) && self.roster.can_all_vary())
    }

    /// Lets free workers, for whom there is no place, join others.
    pub fn join_free_workers(&mut self, now: Time, demand: Demand) {
        let groups = self.in_groups(demand.settings);
        let is_free = demand.is_searching && !demand.is_exact() && !demand.is_done() && !self.is_granted(demand);
        if !is_free || !(self.model.rules().redundancy || groups) {
            return;
        }
        let mut next = self.roster.idle_variant(now, None);
        let number = self.groups_of_node(demand);
        if next.is_none() || groups && number == 1 && self.are_groups_full() {
            return;
        }
        let one_more = |worth, others| match groups {
            true => groups::worth(worth, others, number),
            false => redundancy::worth(worth, others),
        };
        let patience = if groups { Duration::ZERO } else { PATIENCE };
        let mut rooms: BinaryHeap<Room> = self.rooms((now, patience), one_more, groups, demand).into();
        while let Some((turn, worker)) = next
            && let Some(mut room) = rooms.peek_mut()
            && room.gain > 0.0
            && !self.is_granted(demand)
        {
            let understands = |member: &RosterMember| self.understands(&member.profile, room.node, demand);
            let is_welcome = !self.roster.has_given_up(worker, room.node);
            if is_welcome && self.roster.get(worker).is_some_and(understands) {
                room.joined += 1;
                room.gain = one_more(room.worth, room.joined);
                let group = self.roster.joined().smallest(room.node, number);
                self.start_work(now, worker, (TaskKind::Joint(room.node), group), demand);
            }
            next = self.roster.idle_variant(now, Some(turn));
        }
    }

    /// No group of those that have a worker of their own takes another one: the usual state of a large roster, most of which
    /// would look in vain at every event.
    fn are_groups_full(&self) -> bool {
        !self.tree.has_changed() && self.tree.occupied().len() == self.roster.joined().full()
    }

    /// Where there is room: nodes whose worker has searched for a while. Where several lines are asked for, they come from
    /// one worker, or from a group, which finds the same at the same depth.
    fn rooms(
        &self,
        (now, patience): (Time, Duration),
        one_more: impl Fn(f64, usize) -> f64,
        groups: bool,
        demand: Demand,
    ) -> Vec<Room> {
        let focus = demand.focus(&self.tree);
        let is_taken = |id: NodeId| !groups && id == focus && demand.settings.multi_pv > 1;
        let occupied = self.tree.occupied().iter().map(|&id| (id, self.tree.node(id)));
        let open = occupied.filter(|(_, node)| node.is_open());
        let patient = open.filter(|(_, node)| node.worker.is_some_and(|assigned| assigned.since + patience <= now));
        let free = patient
            .map(|(id, _)| (id, self.roster.joined().count(id)))
            .filter(|&(_, joined)| one_more(1.0, joined) > 0.0);
        let rooms = free.filter(|&(id, _)| !is_taken(id) && !self.tree.is_dead(id)).map(|(node, joined)| {
            let worth = Frontier::worth_of_helper(&self.tree, self.model.as_ref(), node);
            Room { gain: one_more(worth, joined), worth, joined, node }
        });
        rooms.collect()
    }
}
