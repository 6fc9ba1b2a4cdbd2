//! Strategies made node by node, from the last moves to the first.

mod finish;
mod nodes;

use crate::certificate::{Certificate, Claim, Strategy};
use crate::graph::{Attack, Defence, NodeId};
use hasami_api::MoveText;
use nodes::Nodes;

/// What the attacker plays, and how he goes on.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct AttackNode {
    pub mv: MoveText,
    /// A move that does not check: the mate by checks that it threatens, after a pass.
    pub pass: Option<NodeId>,
    /// After these defences. Those that are not legal in a position do not matter there.
    pub answers: Vec<(MoveText, NodeId)>,
    /// After all others.
    pub rest: Option<NodeId>,
}

impl AttackNode {
    /// With answers to all defences, of which the commonest becomes the rest. No defence is a mate.
    pub fn new(mv: MoveText, pass: Option<NodeId>, answers: impl IntoIterator<Item = (MoveText, NodeId)>) -> Self {
        let (answers, rest) = with_rest(answers.into_iter().collect());
        Self { mv, pass, answers, rest }
    }
}

/// What a defender does after an attack.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub enum Reply {
    /// The attack does not check and threatens no mate: the node after it refutes all checks.
    Pass,
    Move(MoveText),
}

/// How the defender replies to each attack, and how he goes on.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct DefenceNode {
    /// To these attacks. Those that are not legal in a position do not matter there.
    pub replies: Vec<(MoveText, (Reply, NodeId))>,
    /// To all others.
    pub rest: Option<(Reply, NodeId)>,
}

impl DefenceNode {
    /// With replies to all attacks, of which the commonest becomes the rest.
    pub fn new(replies: impl IntoIterator<Item = (MoveText, (Reply, NodeId))>) -> Self {
        let (replies, rest) = with_rest(replies.into_iter().collect());
        Self { replies, rest }
    }
}

/// The commonest way becomes that of all moves that are not listed, so that more nodes are equal.
fn with_rest<W: Copy + Ord>(mut ways: Vec<(MoveText, W)>) -> (Vec<(MoveText, W)>, Option<W>) {
    let mut sorted: Vec<W> = ways.iter().map(|&(_, way)| way).collect();
    sorted.sort_unstable();
    // Of those that are as common, the first.
    let rest = sorted.chunk_by(|a, b| a == b).rev().max_by_key(|same| same.len()).map(|same| same[0]);
    ways.retain(|&(_, way)| Some(way) != rest);
    (ways, rest)
}

/// Makes the attacker's strategies.
#[derive(Default)]
pub struct AttackBuilder(Nodes<Attack, NodeId>);

impl AttackBuilder {
    /// Equal nodes are one.
    pub fn add(&mut self, node: &AttackNode) -> NodeId {
        let head = Attack { mv: self.0.mv(node.mv), pass: node.pass };
        let ways: Vec<_> = node.answers.iter().map(|&(mv, to)| (self.0.mv(mv), to)).collect();
        self.0.add(head, node.rest, ways)
    }

    /// How many nodes there are.
    pub fn len(&self) -> usize {
        self.0.len()
    }

    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// The certificate whose strategy begins with the node, without those that this does not need. Errors: a claim of the
    /// defender, a node that cannot be, a defence that is answered twice, more moves or nodes than there can be.
    pub fn finish(&self, start: &str, claim: Claim, root: NodeId) -> Result<Certificate, String> {
        claim.check()?;
        if !claim.is_the_attackers() {
            return Err(format!("expected a claim of the attacker, found {claim}"));
        }
        let (moves, graph, root) = self.0.finish(root)?;
        Ok(Certificate { start: start.to_owned(), claim, moves, strategy: Strategy::Attack(graph), root })
    }
}

/// Makes the defender's strategies.
#[derive(Default)]
pub struct DefenceBuilder(Nodes<(), Defence>);

impl DefenceBuilder {
    /// Equal nodes are one, but for those that were reserved.
    pub fn add(&mut self, node: &DefenceNode) -> NodeId {
        let (rest, ways) = self.parts(node);
        self.0.add((), rest, ways)
    }

    /// A node that others can lead to before it is known.
    pub fn reserve(&mut self) -> NodeId {
        self.0.reserve(())
    }

    /// Says what a reserved node is.
    pub fn set(&mut self, id: NodeId, node: &DefenceNode) {
        let (rest, ways) = self.parts(node);
        self.0.set(id, (), rest, ways);
    }

    fn parts(&mut self, node: &DefenceNode) -> (Option<Defence>, Vec<(crate::graph::MoveId, Defence)>) {
        let rest = node.rest.map(|way| self.way(way));
        let ways = node.replies.iter().map(|&(mv, way)| (self.0.mv(mv), self.way(way))).collect();
        (rest, ways)
    }

    fn way(&mut self, (reply, to): (Reply, NodeId)) -> Defence {
        let reply = match reply {
            Reply::Pass => None,
            Reply::Move(mv) => Some(self.0.mv(mv)),
        };
        Defence { reply, to }
    }

    /// How many nodes there are.
    pub fn len(&self) -> usize {
        self.0.len()
    }

    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// As [`AttackBuilder::finish`]; another error: a node that was reserved and never set.
    pub fn finish(&self, start: &str, claim: Claim, root: NodeId) -> Result<Certificate, String> {
        claim.check()?;
        if claim.is_the_attackers() {
            return Err(format!("expected a claim of the defender, found {claim}"));
        }
        let (moves, graph, root) = self.0.finish(root)?;
        Ok(Certificate { start: start.to_owned(), claim, moves, strategy: Strategy::Defence(graph), root })
    }
}
