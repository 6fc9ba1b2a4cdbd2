//! Findings that workers of others have told: whose they are, and how they are held back until somebody else has looked.

use super::arena::NodeId;
use super::backup::supersedes;
use super::master::{MasterTree, judge};
use super::node::{Finding, Settled};
use hasami_api::Game;

impl<G: Game> MasterTree<G> {
    /// The finding that stands at the node was told by a worker of this machine.
    pub fn attribute(&mut self, id: NodeId, machine: u64) {
        if let Some(own) = self.nodes.get_mut(id).and_then(|node| node.own.as_mut()) {
            own.machine = Some(machine);
        }
    }

    /// Another finding takes the place of the node's own, which is given back.
    pub fn exchange_finding(&mut self, id: NodeId, other: Option<Finding>) -> Option<Finding> {
        self.nodes.get(id)?;
        let node = self.node_mut(id);
        node.exhausted = false;
        let old = std::mem::replace(&mut node.own, other);
        self.back_up(id);
        old
    }

    /// A finding that was held back counts again, if it still says more than what stands, of the same moves.
    pub fn restore_finding(&mut self, id: NodeId, finding: Finding) {
        let Some(node) = self.nodes.get(id) else { return };
        let text = finding.pv.first().copied();
        let has_moved = text.is_some_and(|text| self.child_by_text(id, text).is_some()) && !self.is_whole(id);
        let is_less = node.finding().is_some_and(|own| !supersedes(&finding, own));
        if !has_moved && !is_less {
            self.exchange_finding(id, Some(finding));
        }
    }

    /// Nothing that this machine has told counts any more. The nodes that it told of.
    pub fn forget_machine(&mut self, machine: u64) -> Vec<NodeId> {
        let told = self.iter().filter(|(_, node)| node.own.as_ref().is_some_and(|own| own.machine == Some(machine)));
        let told: Vec<NodeId> = told.map(|(id, _)| id).collect();
        told.iter().for_each(|&id| self.drop_finding(id));
        told
    }

    /// What the rules say of the position after a move of a node.
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
