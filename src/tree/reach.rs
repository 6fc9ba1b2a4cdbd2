//! Realization probabilities: how likely the game is to reach each node. A walk up to the root computes the probability
//! of a single node; one walk down from the root computes those of all nodes.

use super::arena::NodeId;
use super::master::MasterTree;
use super::models::Model;
use hasami_api::Game;

impl<G: Game> MasterTree<G> {
    /// The product of the transition probabilities from the root to a node; `None` if the node or a node above it is
    /// settled.
    pub(super) fn realization_probability(&self, model: &Model, id: NodeId) -> Option<f64> {
        let mut probability = 1.0;
        let mut at = id;
        loop {
            let node = self.node(at);
            if node.settled.is_settled() {
                return None;
            }
            let Some(parent) = node.parent else { return Some(probability) };
            let index = self.node(parent).children.iter().position(|&child| child == at);
            probability *= index.and_then(|index| self.shares(model, parent).get(index)).copied().unwrap_or(0.0);
            at = parent;
        }
    }

    /// The realization probabilities of all nodes that are neither settled nor below a settled node. Parents precede
    /// their children.
    pub(super) fn realization_probabilities(&self, model: &Model) -> Vec<(NodeId, f64)> {
        let mut all = Vec::with_capacity(self.len());
        if !self.node(self.root).settled.is_settled() {
            all.push((self.root, 1.0));
        }
        let mut next = 0;
        while let Some(&(id, above)) = all.get(next) {
            next += 1;
            let node = self.node(id);
            if node.children.is_empty() {
                continue;
            }
            let shares = node.children.iter().zip(self.shares(model, id));
            let open = shares.filter(|&(&child, _)| !self.node(child).settled.is_settled());
            all.extend(open.map(|(&child, share)| (child, above * share)));
        }
        all
    }
}
