//! Strategies made node by node, from the last moves to the first.

mod finish;
mod nodes;

use crate::certificate::{Certificate, Claim, WinningStrategy};
use crate::graph::{Attack, Defence, StrategyNodeId};
use crate::node::{AttackNode, DefenceNode, DefenderReply};
use nodes::Nodes;

/// Makes the attacker's strategies.
#[derive(Default)]
pub struct AttackBuilder(Nodes<Attack, StrategyNodeId>);

impl AttackBuilder {
    /// Equal nodes are one.
    pub fn add(&mut self, node: &AttackNode) -> StrategyNodeId {
        let head = Attack { mv: self.0.mv(node.mv), pass: node.pass };
        let ways: Vec<_> = node.answers.iter().map(|&(mv, to)| (self.0.mv(mv), to)).collect();
        self.0.add(head, node.rest, ways)
    }

    /// How many nodes there are.
    pub fn len(&self) -> usize {
        self.0.len()
    }

    /// There is no node yet.
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// The certificate whose strategy begins with the node, without those that this does not need. Errors: a claim of the
    /// defender, a node that cannot be, a defence that is answered twice, more moves or nodes than there can be.
    pub fn finish(&self, start: &str, claim: Claim, root: StrategyNodeId) -> Result<Certificate, String> {
        claim.check().map_err(|fault| fault.to_string())?;
        if !claim.is_the_attackers() {
            return Err(format!("expected a claim of the attacker, found {claim}"));
        }
        let (moves, graph, root) = self.0.finish(root)?;
        Ok(Certificate { start: start.to_owned(), claim, moves, strategy: WinningStrategy::Attack(graph), root })
    }
}

/// Makes the defender's strategies.
#[derive(Default)]
pub struct DefenceBuilder(Nodes<(), Defence>);

impl DefenceBuilder {
    /// Equal nodes are one, but for those that were reserved.
    pub fn add(&mut self, node: &DefenceNode) -> StrategyNodeId {
        let (rest, ways) = self.parts(node);
        self.0.add((), rest, ways)
    }

    /// A node that others can lead to before it is known.
    pub fn reserve(&mut self) -> StrategyNodeId {
        self.0.reserve(())
    }

    /// Says what a reserved node is.
    pub fn set(&mut self, id: StrategyNodeId, node: &DefenceNode) {
        let (rest, ways) = self.parts(node);
        self.0.set(id, (), rest, ways);
    }

    fn parts(&mut self, node: &DefenceNode) -> (Option<Defence>, Vec<(crate::graph::MoveId, Defence)>) {
        let rest = node.rest.map(|way| self.way(way));
        let ways = node.replies.iter().map(|&(mv, way)| (self.0.mv(mv), self.way(way))).collect();
        (rest, ways)
    }

    fn way(&mut self, (reply, to): (DefenderReply, StrategyNodeId)) -> Defence {
        let reply = match reply {
            DefenderReply::Pass => None,
            DefenderReply::Move(mv) => Some(self.0.mv(mv)),
        };
        Defence { reply, to }
    }

    /// How many nodes there are.
    pub fn len(&self) -> usize {
        self.0.len()
    }

    /// There is no node yet.
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// As [`AttackBuilder::finish`]; another error: a node that was reserved and never set.
    pub fn finish(&self, start: &str, claim: Claim, root: StrategyNodeId) -> Result<Certificate, String> {
        claim.check().map_err(|fault| fault.to_string())?;
        if claim.is_the_attackers() {
            return Err(format!("expected a claim of the defender, found {claim}"));
        }
        let (moves, graph, root) = self.0.finish(root)?;
        Ok(Certificate { start: start.to_owned(), claim, moves, strategy: WinningStrategy::Defence(graph), root })
    }
}
