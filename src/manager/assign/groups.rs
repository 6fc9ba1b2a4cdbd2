//! Decides which nodes get additional workers ([`hasami_tree::rules::groups`]).

use super::super::roster::{RosterMember, TaskKind};
use super::{Assignment, Demand};
use hasami_api::Game;
use hasami_protocol::{Settings, settings::Parallel};
use hasami_tree::event::Time;
use hasami_tree::rules::groups;
use hasami_tree::{Frontier, Ranked};
use std::collections::BinaryHeap;

/// A node whose own worker may be joined by others, with the priority of adding one worker.
type Room = Ranked<RoomState>;

struct RoomState {
    /// Priority of the node's own worker.
    worth: f64,
    joined: usize,
}

impl<G: Game> Assignment<G> {
    /// Returns whether workers fill search groups before the tree grows, which requires that they can all join each
    /// other. A growing tree would draw workers away from the best move.
    pub fn in_groups(&self, settings: &Settings) -> bool {
        self.shares_positions(settings) && self.roster.is_one_group()
    }

    /// Returns whether workers that are able to search a position together may form groups.
    fn shares_positions(&self, settings: &Settings) -> bool {
        match settings.parallel {
            Parallel::Auto => self.model.rules().groups,
            Parallel::Shared => true,
            Parallel::Tree => false,
        }
    }

    /// The depth limit for the tasks of a search group. Without a depth limit, the fastest member would usually have
    /// only a bound at the final depth, where an exact result is needed.
    pub fn group_depth(&self, demand: Demand) -> Option<u16> {
        let request = demand.request.filter(|request| request.exact.is_none())?;
        request.go.depth.filter(|_| self.shares_positions(demand.settings) && self.roster.can_all_vary())
    }

    /// Lets free workers that have no other work join other workers.
    pub fn join_free_workers(&mut self, now: Time, demand: Demand) {
        let is_free = demand.is_searching && !demand.is_exact() && !demand.is_done() && !self.is_granted(demand);
        if !is_free || !self.in_groups(demand.settings) {
            return;
        }
        let mut next = self.roster.idle_variant(now, None);
        if next.is_none() || self.are_groups_full() {
            return;
        }
        let mut rooms: BinaryHeap<Room> = self.rooms(now).into();
        while let Some((turn, worker)) = next
            && let Some(mut room) = rooms.peek_mut()
            && room.worth > 0.0
            && !self.is_granted(demand)
        {
            let understands = |member: &RosterMember| self.understands(&member.profile, room.node, demand);
            let is_welcome = !self.roster.has_given_up(worker, room.node);
            if is_welcome && self.roster.get(worker).is_some_and(understands) {
                room.item.joined += 1;
                room.worth = groups::worth(room.item.worth, room.item.joined);
                self.start_work(now, worker, TaskKind::Joint(room.node), demand);
            }
            next = self.roster.idle_variant(now, Some(turn));
        }
    }

    /// Returns whether no group has room for another worker, so that events need not look for room.
    fn are_groups_full(&self) -> bool {
        !self.tree.has_changed() && self.tree.occupied().len() == self.roster.joined.full
    }

    /// The nodes whose own workers may be joined by others.
    fn rooms(&self, now: Time) -> Vec<Room> {
        let occupied = self.tree.occupied().iter().map(|&id| (id, self.tree.node(id)));
        let begun = occupied.filter(|(_, node)| node.is_open() && node.worker.is_some_and(|at| at.since <= now));
        let counted = begun.map(|(id, _)| (id, self.roster.joined.count(id)));
        let free = counted.filter(|&(id, joined)| joined < groups::MOST && !self.tree.is_dead(id));
        let rooms = free.map(|(node, joined)| {
            let worth = Frontier::worth_of_helper(&self.tree, &self.model, node);
            Room { worth: groups::worth(worth, joined), node, item: RoomState { worth, joined } }
        });
        rooms.collect()
    }
}
