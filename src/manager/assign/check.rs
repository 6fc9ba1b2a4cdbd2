//! Checks that the tree and the roster are consistent with each other.

use super::super::roster::TaskKind;
use super::Assignment;
use hasami_api::Game;
use hasami_tree::event::WorkerId;

impl<G: Game> Assignment<G> {
    /// Returns the first invariant that the tree or the roster violates.
    pub fn check(&self) -> Result<(), String> {
        self.tree.check()?;
        for (worker, job) in self.roster.busy() {
            if job.cancelled.is_none()
                && let TaskKind::Node(id) = job.work
                && self.tree.get(id).and_then(|node| node.worker).is_none_or(|assigned| assigned.worker != worker.0)
            {
                return Err(format!("{worker} works at a node that has another worker, or none"));
            }
        }
        let granted: u64 = self.roster.busy().map(|(_, job)| job.unspent()).sum();
        if granted != self.roster.granted {
            return Err(format!("{} nodes are said to be granted, and {granted} are", self.roster.granted));
        }
        for (worker, _) in self.roster.joined.iter() {
            self.check_joint_work(worker).map_err(|why| format!("{worker} {why}"))?;
        }
        if !self.roster.is_counted() {
            return Err("the roster's abilities are not those of its members".into());
        }
        let assigned = self.tree.iter().filter_map(|(id, node)| node.worker.map(|assigned| (id, assigned)));
        for (id, assigned) in assigned {
            let job = self.roster.get(WorkerId(assigned.worker)).and_then(|member| member.job());
            if job.is_none_or(|job| job.work != TaskKind::Node(id) || job.cancelled.is_some()) {
                return Err(format!("worker {} has a node and does not work there", assigned.worker));
            }
        }
        Ok(())
    }
}
