//! The manager's findings about the reliability of machines' evaluations, for users who list the cluster.

use super::NodePool;
use crate::cluster::wire::MachineSummary;
use hasami_tree::event::{MachineId, MachineRecord};
use std::cmp::Reverse;

/// Largest number of machines in one answer. An answer has to fit into one message.
const MOST_TOLD: usize = 256;
/// Largest number of machines that are remembered, including those that have left.
const MOST_KEPT: usize = 16_384;

impl NodePool {
    /// Stores the record of a machine.
    pub fn rate(&mut self, machine: MachineId, record: MachineRecord) {
        if self.ratings.len() >= MOST_KEPT && !self.ratings.contains_key(&machine) {
            return;
        }
        let known = self.nodes.iter().find(|(_, node)| node.machine == machine);
        let known = known.map(|(member, node)| (member.to_string(), node.name.clone()));
        let before = self.ratings.get(&machine).map(|rated| (rated.id.clone(), rated.name.clone()));
        let (id, name) = known.or(before).unwrap_or_else(|| (String::new(), format!("{:016x}", machine.0)));
        let MachineRecord { confirmed, contradicted, unproved, is_set_aside, .. } = record;
        let summary = MachineSummary { id, name, confirmed, contradicted, unproved, is_set_aside };
        self.ratings.insert(machine, summary);
    }

    /// The records to be reported, the worst ones first.
    pub(super) fn told_ratings(&self) -> Vec<MachineSummary> {
        let mut all: Vec<_> = self.ratings.values().cloned().collect();
        all.sort_by_key(|rated| (Reverse((rated.is_set_aside, rated.contradicted)), rated.name.clone()));
        all.truncate(MOST_TOLD);
        all
    }
}
