//! Assigns nodes to workers: free workers get the best work items in the queue.

use super::super::roster::{RosterMember, TaskKind};
use super::{Assignment, Demand};
use hasami_api::Game;
use hasami_tree::event::{Profile, Time, WorkerId};
use hasami_tree::rules::expansion_delay;
use hasami_tree::{NodeId, NodeWorker, WorkItem};

/// The most nodes that the tree may have: a base number, plus a number for each player. A tree of the largest size
/// grows again only after the root has moved.
const LARGEST_TREE: (usize, usize) = (256, 16);

impl<G: Game> Assignment<G> {
    /// Gives every free worker the best available work.
    pub fn assign_free_workers(&mut self, now: Time, demand: Demand) {
        self.wake_at = None;
        if !demand.is_searching || self.is_done(demand) || self.roster.waiting.is_empty() && !self.roster.has_joined() {
            return;
        }
        for (worker, node) in self.roster.arrivals(now) {
            self.start_arrival(now, worker, node, demand);
        }
        self.end_delays(now);
        if !self.frontier.is_empty() {
            self.fill_places(now, demand);
        }
        if self.roster.has_ready(now) {
            self.wake_at = self.delayed.first().map(|&(at, _)| at);
        }
    }

    fn fill_places(&mut self, now: Time, demand: Demand) {
        let mut unsuited = Vec::new();
        let recalls = self.roster.has_joined() && !self.in_groups(demand.settings);
        while (self.roster.has_ready(now) || recalls) && !self.is_granted(demand) {
            let Some(place) = self.frontier.pop(&self.tree, &self.model) else { break };
            match place {
                // A reserved node is left to the worker that was sent to it. If a worker never arrives at its node, the
                // next rebuild of the queue adds the node again.
                WorkItem::Search(node) if self.roster.reserved.contains(&node) => {}
                WorkItem::Search(node) => match self.choose(now, node, demand) {
                    Some(worker) => self.start(now, worker, node, demand),
                    None if self.call_helper_away(now, node, demand) => {}
                    None if !self.has_hope(node, demand) && self.tree.node(node).value.is_some() => {
                        self.tree.exhaust(node)
                    }
                    None => unsuited.push(node),
                },
                WorkItem::Expand(node) if self.fills_groups(now, demand) => unsuited.push(node),
                WorkItem::Expand(node) if self.is_delayed(now, node, demand) => {}
                WorkItem::Expand(node) => self.expand(now, node, demand),
            }
        }
        for node in unsuited {
            self.reopen(node);
        }
    }

    /// Returns true, and delays the node's expansion, if the node's worker has only just begun.
    fn is_delayed(&mut self, now: Time, node: NodeId, demand: Demand) -> bool {
        let delay = expansion_delay::delay(demand.clock_time(), self.model.rules().expansion_delay);
        let at = self.tree.node(node).worker.map(|assigned| assigned.since + delay).filter(|&at| at > now);
        self.delayed.extend(at.map(|at| (at, node)));
        at.is_some()
    }

    fn end_delays(&mut self, now: Time) {
        while let Some(&(_, node)) = self.delayed.first().filter(|&&(at, _)| at <= now) {
            self.delayed.pop_first();
            self.reopen(node);
        }
    }

    /// Lets free workers join groups before any leaf is added. Returns whether all workers are busy.
    fn fills_groups(&mut self, now: Time, demand: Demand) -> bool {
        if !self.in_groups(demand.settings) {
            return false;
        }
        self.join_free_workers(now, demand);
        !self.roster.has_ready(now)
    }

    fn is_done(&self, demand: Demand) -> bool {
        demand.is_done() || self.is_granted(demand)
    }

    /// Starts a worker at the node that it was sent to, or queues the node again if the worker cannot search it.
    fn start_arrival(&mut self, now: Time, worker: WorkerId, node: NodeId, demand: Demand) {
        let is_open = self.tree.get(node).is_some_and(|node| node.is_open() && node.worker.is_none());
        let is_free = is_open && !self.is_granted(demand) && !self.roster.has_given_up(worker, node);
        let understands = |member: &RosterMember| self.understands(&member.profile, node, demand);
        if is_free && self.roster.get(worker).is_some_and(understands) && !self.tree.is_dead(node) {
            self.start(now, worker, node, demand);
        } else if is_open {
            self.reopen(node);
        }
    }

    fn choose(&self, now: Time, node: NodeId, demand: Demand) -> Option<WorkerId> {
        let parent = self.tree.node(node).parent;
        let by_speed = self.model.rules().speed;
        self.roster.pick(now, (node, parent), by_speed, |profile| self.understands(profile, node, demand))
    }

    /// Returns whether the worker can restrict its search as `node` requires: to certain moves, or to all moves except
    /// certain ones.
    pub fn understands(&self, profile: &Profile, node: NodeId, demand: Demand) -> bool {
        match demand.request {
            Some(request) if node == request.focus && !request.only.is_empty() => profile.can_only,
            // If no worker can exclude moves, workers search all moves of the node, and an answer that names a move
            // with its own node is refused.
            _ => {
                let excludes = profile.can_except || profile.can_only || self.roster.abilities.excluders == 0;
                excludes || self.tree.is_whole(node) || self.tree.node(node).children.is_empty()
            }
        }
    }

    /// Returns whether some worker could still search the node.
    pub fn has_hope(&self, node: NodeId, demand: Demand) -> bool {
        self.tree.get(node).is_some() && self.roster.has_hope(node, |profile| self.understands(profile, node, demand))
    }

    /// Adds a leaf below `node`. The worker of `node` either moves to the new leaf or stays at `node` to search the
    /// remaining moves.
    fn expand(&mut self, now: Time, node: NodeId, demand: Demand) {
        let is_full = self.tree.len() >= LARGEST_TREE.0 + LARGEST_TREE.1 * self.roster.players();
        if self.roster.players() <= 1 || demand.is_exact() || is_full || self.group_depth(demand).is_some() {
            return;
        }
        let Some(candidate) = self.tree.candidate(node) else { return };
        let child = self.tree.add_child(node, candidate.m);
        if let Some(assigned) = self.tree.node(node).worker.filter(|_| !self.tree.is_whole(node)) {
            let is_best = candidate.score.is_some();
            let follows = self.model.rules().affinity && is_best && self.tree.node(child).is_open();
            self.move_worker(now, WorkerId(assigned.worker), if follows { child } else { node });
        }
        self.release_settled(now);
        for id in [node, child] {
            self.reopen(id);
        }
    }

    /// Cancels a worker's task and sends the worker to another node.
    pub fn move_worker(&mut self, now: Time, worker: WorkerId, to: NodeId) {
        self.cancel(now, worker);
        self.roster.send_to(worker, Some(to));
    }

    /// Takes a worker away from joint work to search `node`.
    fn call_helper_away(&mut self, now: Time, node: NodeId, demand: Demand) -> bool {
        if self.in_groups(demand.settings) {
            return false;
        }
        let suits = |&worker: &WorkerId| {
            self.roster.get(worker).is_some_and(|member| self.understands(&member.profile, node, demand))
        };
        let Some(worker) = self.roster.joined.iter().map(|(worker, _)| worker).find(suits) else { return false };
        self.move_worker(now, worker, node);
        true
    }

    /// Starts a worker as the node's own worker.
    fn start(&mut self, now: Time, worker: WorkerId, node: NodeId, demand: Demand) {
        self.end_second_search(now, worker, node);
        self.start_work(now, worker, TaskKind::Node(node), demand);
        self.tree.set_worker(node, Some(NodeWorker { worker: worker.0, since: now }));
    }

    /// Cancels a search whose only purpose is to check a claim about the node, since the node's own worker will check
    /// the claim anyway. Workers of untrusted machines cannot confirm a claim.
    fn end_second_search(&mut self, now: Time, worker: WorkerId, node: NodeId) {
        let is_believed = self.roster.get(worker).is_some_and(|member| member.profile.machine.is_none());
        if !is_believed || self.roster.confirming.is_empty() {
            return;
        }
        if let Some(second) = self.roster.confirmer_of(&self.line_to(node)) {
            self.cancel(now, second);
        }
    }
}
