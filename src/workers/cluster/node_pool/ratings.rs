//! What the manager has found out about the values of machines, for users who list the cluster.

use super::NodePool;
use crate::cluster::names::WorkerNodeId;
use crate::cluster::wire::MachineSummary;
use hasami_tree::event::{MachineId, MachineRecord};
use std::cmp::Reverse;

/// Largest number of machines in one answer, which has to fit into one message.
const MOST_TOLD: usize = 256;
/// Largest number of machines that are remembered, including those that have left.
const MOST_KEPT: usize = 16_384;

impl NodePool {
    /// Stores the record of a machine.
    pub fn rate(&mut self, machine: MachineId, record: MachineRecord) {
        let node = WorkerNodeId(machine.0);
        let known = self.nodes.get(&node).map(|node| node.name.clone());
        if self.ratings.len() < MOST_KEPT || self.ratings.contains_key(&node) {
            let rated = self.ratings.entry(node).or_insert_with(|| (node.to_string(), record));
            *rated = (known.unwrap_or_else(|| std::mem::take(&mut rated.0)), record);
        }
    }

    /// The records to be reported, the worst ones first.
    pub(super) fn told_ratings(&self) -> Vec<MachineSummary> {
        let mut all: Vec<_> = self.ratings.iter().collect();
        all.sort_by_key(|(_, (name, record))| (Reverse((record.is_set_aside, record.contradicted)), name.clone()));
        let told = all.into_iter().take(MOST_TOLD).map(|(&node, (name, record))| MachineSummary {
            node,
            name: name.clone(),
            confirmed: record.confirmed,
            contradicted: record.contradicted,
            unproved: record.unproved,
            is_set_aside: record.is_set_aside,
        });
        told.collect()
    }
}
