//! The worth of places by the way from the root to their node: one walk up for one node, one walk down for
//! all of them.

use super::arena::NodeId;
use super::master::MasterTree;
use super::models::Model;
use super::rules::allocation::chance;
use hasami_api::Game;

/// How a node stands in the tree.
#[derive(Clone, Copy, PartialEq, Debug)]
pub(super) struct Standing {
    /// Realization probability: the product of the transition probabilities from the root.
    pub probability: f64,
    /// The chance that what is found here changes our next move, by how far the move towards it is behind the best one
    /// where we choose next: 1 for the best. That is the root, or each reply if the opponent chooses at the root.
    pub chance: f64,
}

impl<G: Game> MasterTree<G> {
    /// How one node stands; `None` if it is settled or lies below a settled one.
    pub(super) fn standing(&self, model: &dyn Model, id: NodeId) -> Option<Standing> {
        let mut probability = 1.0;
        let (mut first, mut second) = (None, None);
        let mut at = id;
        loop {
            let node = self.node(at);
            if node.settled.is_settled() {
                return None;
            }
            let Some(parent) = node.parent else { break };
            let index = self.node(parent).children.iter().position(|&child| child == at);
            probability *= index.and_then(|index| self.shares(model, parent).get(index)).copied().unwrap_or(0.0);
            second = first.replace(at);
            at = parent;
        }
        let (choice, ours) = if self.replies { (first, second) } else { (Some(self.root), first) };
        let chance = choice.zip(ours).map_or(1.0, |(choice, ours)| self.chance(choice, ours));
        Some(Standing { probability, chance })
    }

    /// How all nodes stand that are not settled nor below a settled one, parents before their children.
    pub(super) fn standings(&self, model: &dyn Model) -> Vec<(NodeId, Standing)> {
        let choice = self.node(self.root).ply + u32::from(self.replies);
        let mut all = Vec::with_capacity(self.len());
        if !self.node(self.root).settled.is_settled() {
            all.push((self.root, Standing { probability: 1.0, chance: 1.0 }));
        }
        let mut next = 0;
        while let Some(&(id, above)) = all.get(next) {
            next += 1;
            let node = self.node(id);
            if node.children.is_empty() {
                continue;
            }
            for (&child, share) in node.children.iter().zip(self.shares(model, id)) {
                if self.node(child).settled.is_settled() {
                    continue;
                }
                let chance = if node.ply == choice { self.chance(id, child) } else { above.chance };
                all.push((child, Standing { probability: above.probability * share, chance }));
            }
        }
        all
    }

    /// The chance that the move to `child` overtakes the best one at `parent`.
    fn chance(&self, parent: NodeId, child: NodeId) -> f64 {
        let best = self.node(parent).value.map(|value| value.score);
        let here = self.node(child).value.map(|value| value.score.for_parent());
        match (best, here) {
            (Some(best), Some(here)) => chance(best.raw().saturating_sub(here.raw())),
            _ => 1.0,
        }
    }
}
