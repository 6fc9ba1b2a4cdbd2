//! Builds strategies node by node, from the last moves to the first.

mod finish;
mod nodes;

use crate::certificate::{Certificate, Claim};
use crate::graph::{Edge, Head, MoveId, StrategyNodeId};
use crate::node::{AttackNode, DefenceNode, DefenderReply};
use nodes::Nodes;

/// Builds strategies of the attacker.
#[derive(Default)]
pub struct AttackBuilder(Nodes);

impl AttackBuilder {
    /// Adds a node. Equal nodes are merged.
    pub fn add(&mut self, node: &AttackNode) -> StrategyNodeId {
        let head = Head { mv: Some(self.0.mv(node.mv)), pass: node.pass };
        let way = |to| Edge { reply: None, to };
        let ways: Vec<_> = node.answers.iter().map(|&(mv, to)| (self.0.mv(mv), way(to))).collect();
        self.0.add(head, node.rest.map(way), ways)
    }

    /// Creates the certificate whose strategy begins with the node `root`, leaving out nodes that cannot be reached
    /// from `root`. Fails if the claim favours the defender, a node is invalid, a defence has two answers, or there are
    /// too many moves or nodes.
    pub fn finish(&self, start: &str, claim: Claim, root: StrategyNodeId) -> Result<Certificate, String> {
        claim.check()?;
        if !claim.is_of_attacker() {
            return Err(format!("'{claim}' is not a claim of the attacker"));
        }
        let (moves, graph, root) = self.0.finish(root)?;
        Ok(Certificate { start: start.to_owned(), claim, moves, graph, root })
    }
}

/// Builds strategies of the defender.
#[derive(Default)]
pub struct DefenceBuilder(Nodes);

impl DefenceBuilder {
    /// Adds a node. Equal nodes are merged, except reserved ones.
    pub fn add(&mut self, node: &DefenceNode) -> StrategyNodeId {
        let (rest, ways) = self.parts(node);
        self.0.add(Head::default(), rest, ways)
    }

    /// Reserves a node, so that other nodes can lead to it before its content is known.
    pub fn reserve(&mut self) -> StrategyNodeId {
        self.0.reserve()
    }

    /// Sets the content of a reserved node.
    pub fn set(&mut self, id: StrategyNodeId, node: &DefenceNode) {
        let (rest, ways) = self.parts(node);
        self.0.set(id, rest, ways);
    }

    fn parts(&mut self, node: &DefenceNode) -> (Option<Edge>, Vec<(MoveId, Edge)>) {
        let rest = node.rest.map(|way| self.way(way));
        let ways = node.replies.iter().map(|&(mv, way)| (self.0.mv(mv), self.way(way))).collect();
        (rest, ways)
    }

    fn way(&mut self, (reply, to): (DefenderReply, StrategyNodeId)) -> Edge {
        let reply = match reply {
            DefenderReply::Pass => None,
            DefenderReply::Move(mv) => Some(self.0.mv(mv)),
        };
        Edge { reply, to }
    }

    /// Creates a certificate like [`AttackBuilder::finish`], but for claims that favour the defender. A reserved node
    /// that was never set is an error.
    pub fn finish(&self, start: &str, claim: Claim, root: StrategyNodeId) -> Result<Certificate, String> {
        claim.check()?;
        if claim.is_of_attacker() {
            return Err(format!("'{claim}' is not a claim of the defender"));
        }
        let (moves, graph, root) = self.0.finish(root)?;
        Ok(Certificate { start: start.to_owned(), claim, moves, graph, root })
    }
}
