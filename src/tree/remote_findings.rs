//! Handles findings by workers on other machines: records the machine of each finding, and lets findings be withheld
//! until another worker has confirmed them.

use super::arena::NodeId;
use super::backup::supersedes;
use super::master::{MasterTree, judge};
use super::node::{Finding, Settled};
use hasami_api::Game;

impl<G: Game> MasterTree<G> {
    /// Records that the finding of the node was reported by a worker on `machine`.
    pub fn attribute(&mut self, id: NodeId, machine: u64) {
        if let Some(own) = self.nodes.get_mut(id).and_then(|node| node.own.as_mut()) {
            own.machine = Some(machine);
        }
    }

    /// Replaces the node's finding with `other`, and returns the old finding.
    pub fn exchange_finding(&mut self, id: NodeId, other: Option<Finding>) -> Option<Finding> {
        self.nodes.get(id)?;
        let node = self.node_mut(id);
        node.exhausted = false;
        let old = std::mem::replace(&mut node.own, other);
        self.back_up(id);
        old
    }

    /// Restores a withheld finding, unless its first move has been given its own node or the current finding is better.
    pub fn restore_finding(&mut self, id: NodeId, finding: Finding) {
        let Some(node) = self.nodes.get(id) else { return };
        let text = finding.pv.first().copied();
        let has_moved = text.is_some_and(|text| self.child_by_text(id, text).is_some()) && !self.is_whole(id);
        let is_less = node.finding().is_some_and(|own| !supersedes(&finding, own));
        if !has_moved && !is_less {
            self.exchange_finding(id, Some(finding));
        }
    }

    /// Removes all findings that workers on `machine` have reported, and returns their nodes.
    pub fn forget_machine(&mut self, machine: u64) -> Vec<NodeId> {
        let nodes = self.iter().filter(|(_, node)| node.own.as_ref().is_some_and(|own| own.machine == Some(machine)));
        let nodes: Vec<NodeId> = nodes.map(|(id, _)| id).collect();
        nodes.iter().for_each(|&id| self.drop_finding(id));
        nodes
    }

    /// Returns how the rules settle the position after the move `m` at a node, if they do.
    pub fn verdict_after(&mut self, id: NodeId, m: G::Move) -> Settled {
        let plies = self.depth(id) + 1;
        self.at(id, |game| {
            game.make(m);
            let (_, settled) = judge(game, plies);
            game.unmake();
            settled
        })
    }
}
