//! Releases workers whose work has become obsolete, because their node was removed or decided, or its remaining moves
//! have changed.

use super::super::roster::TaskKind;
use super::Assignment;
use hasami_api::Game;
use hasami_tree::NodeId;
use hasami_tree::event::{Time, WorkerId};
use std::collections::{BTreeSet, HashMap};

impl<G: Game> Assignment<G> {
    /// Frees workers whose node was removed, and records the new id of a worker's node after nodes were merged.
    pub fn release_removed(&mut self, now: Time) {
        let mut homeless = Vec::new();
        let mut at_work = 0;
        for (worker, job) in self.roster.busy() {
            let stands = match job.work {
                TaskKind::Joint(node) | TaskKind::Probe(node, _) => self.tree.get(node).is_some(),
                TaskKind::Node(node) => {
                    let assigned = self.tree.get(node).and_then(|node| node.worker);
                    at_work += usize::from(assigned.is_some_and(|assigned| assigned.worker == worker.0));
                    assigned.is_some()
                }
                TaskKind::Confirm(_) | TaskKind::Mate => true,
            };
            homeless.extend((!stands && job.cancelled.is_none()).then_some(worker));
        }
        // A worker's node id changes only when two nodes with the same position were merged, which is rare.
        let has_moved = at_work < self.tree.occupied().len();
        let moved = if has_moved { self.moved() } else { HashMap::new() };
        self.out.actions.reserve(homeless.len());
        for worker in homeless {
            match moved.get(&worker) {
                Some(&node) => self.roster.relocate(worker, node),
                None => self.cancel(now, worker),
            }
        }
    }

    /// The workers whose node now has a different id from the one in their task.
    fn moved(&self) -> HashMap<WorkerId, NodeId> {
        let work_of = |worker| self.roster.get(worker).and_then(|member| member.job()).map(|job| job.work);
        let occupied =
            self.tree.occupied().iter().filter_map(|&id| Some((WorkerId(self.tree.node(id).worker?.worker), id)));
        occupied.filter(|&(worker, id)| work_of(worker) != Some(TaskKind::Node(id))).collect()
    }

    /// Frees the workers that search decided nodes or nodes below them.
    pub fn release_settled(&mut self, now: Time) {
        for worker in self.tree.take_settled() {
            self.cancel(now, WorkerId(worker));
        }
        self.end_stale_joint_work(now);
    }

    /// Ends joint work at nodes that are decided, whose remaining moves have changed, or whose own worker has left.
    pub fn end_stale_joint_work(&mut self, now: Time) {
        let changed = self.tree.take_changed();
        if !self.roster.has_joined() {
            return;
        }
        let joined = changed.into_iter().flat_map(|node| self.roster.joined.at(node));
        let stale: BTreeSet<WorkerId> = joined.filter(|&worker| self.check_joint_work(worker).is_err()).collect();
        for worker in stale {
            self.cancel(now, worker);
        }
    }

    /// Checks that a worker's joint work is still useful; the error says why it is not.
    pub fn check_joint_work(&self, worker: WorkerId) -> Result<(), &'static str> {
        let job = self.roster.get(worker).and_then(|member| member.job()).filter(|job| job.cancelled.is_none());
        let job = job.ok_or("has no task")?;
        let TaskKind::Joint(id) = job.work else { return Err("does other work") };
        let node = self.tree.get(id).ok_or("works at a node that does not stand")?;
        if !node.is_open() || self.tree.is_dead(id) {
            return Err("works at a decided node");
        }
        if self.tree.left_out(id).len() != job.except.len() {
            return Err("searches another part of the game than its node has");
        }
        node.worker.map(|_| ()).ok_or("has joined nobody")
    }
}
