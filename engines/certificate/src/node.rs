//! Nodes of strategies as text: what a builder takes, and what a certificate tells.

use crate::graph::StrategyNodeId;
use hasami_api::MoveText;

/// The attacker's move and its continuation.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct AttackNode {
    /// The attack.
    pub mv: MoveText,
    /// A move that does not check: the mate by checks that it threatens, after a pass.
    pub pass: Option<StrategyNodeId>,
    /// After these defences. Those that are not legal in a position do not matter there.
    pub answers: Vec<(MoveText, StrategyNodeId)>,
    /// After all others.
    pub rest: Option<StrategyNodeId>,
}

impl AttackNode {
    /// With answers to all defences, of which the commonest becomes the rest. No defence is a mate.
    pub fn new(
        mv: MoveText,
        pass: Option<StrategyNodeId>,
        answers: impl IntoIterator<Item = (MoveText, StrategyNodeId)>,
    ) -> Self {
        let (answers, rest) = with_rest(answers.into_iter().collect());
        Self { mv, pass, answers, rest }
    }
}

/// A defender's choice after an attack.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub enum DefenderReply {
    /// The attack does not check and threatens no mate: the node after it refutes all checks.
    Pass,
    /// This move.
    Move(MoveText),
}

/// How the defender replies to each attack, and how he goes on.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct DefenceNode {
    /// To these attacks. Those that are not legal in a position do not matter there.
    pub replies: Vec<(MoveText, (DefenderReply, StrategyNodeId))>,
    /// To all others.
    pub rest: Option<(DefenderReply, StrategyNodeId)>,
}

impl DefenceNode {
    /// With replies to all attacks, of which the commonest becomes the rest.
    pub fn new(replies: impl IntoIterator<Item = (MoveText, (DefenderReply, StrategyNodeId))>) -> Self {
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
