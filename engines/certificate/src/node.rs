//! The nodes of strategies, with moves as text, in the form in which builders accept and certificates return them.

use crate::graph::StrategyNodeId;
use hasami_api::MoveText;

/// A move of the attacker and its continuation.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct AttackNode {
    /// The attacker's move.
    pub mv: MoveText,
    /// If the move does not give check, the node that proves its threat: a mate by checks after the defender has
    /// passed.
    pub pass: Option<StrategyNodeId>,
    /// The node with which the attacker continues after each of these defences. Defences that are illegal in a position
    /// are ignored there.
    pub answers: Vec<(MoveText, StrategyNodeId)>,
    /// The node with which the attacker continues after all other defences.
    pub rest: Option<StrategyNodeId>,
}

impl AttackNode {
    /// Creates a node from the answers to all defences; the most frequent answer becomes `rest`. If there is no
    /// defence, the move mates.
    pub fn new(
        mv: MoveText,
        pass: Option<StrategyNodeId>,
        answers: impl IntoIterator<Item = (MoveText, StrategyNodeId)>,
    ) -> Self {
        let (answers, rest) = with_rest(answers.into_iter().collect());
        Self { mv, pass, answers, rest }
    }
}

/// The defender's reply to an attack.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub enum DefenderReply {
    /// A pass. The attack does not check and threatens no mate: the node after the pass refutes all checks.
    Pass,
    /// A move.
    Move(MoveText),
}

/// The defender's reply to each attack, and the node after it.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct DefenceNode {
    /// The replies to these attacks. Attacks that are illegal in a position are ignored there.
    pub replies: Vec<(MoveText, (DefenderReply, StrategyNodeId))>,
    /// The reply to all other attacks.
    pub rest: Option<(DefenderReply, StrategyNodeId)>,
}

impl DefenceNode {
    /// Creates a node from the replies to all attacks; the most frequent reply becomes `rest`.
    pub fn new(replies: impl IntoIterator<Item = (MoveText, (DefenderReply, StrategyNodeId))>) -> Self {
        let (replies, rest) = with_rest(replies.into_iter().collect());
        Self { replies, rest }
    }
}

/// Makes the most frequent edge the edge for all unlisted moves, so that more nodes are equal.
fn with_rest<W: Copy + Ord>(mut ways: Vec<(MoveText, W)>) -> (Vec<(MoveText, W)>, Option<W>) {
    let mut sorted: Vec<W> = ways.iter().map(|&(_, way)| way).collect();
    sorted.sort_unstable();
    // If several edges are equally frequent, the first of them is chosen.
    let rest = sorted.chunk_by(|a, b| a == b).rev().max_by_key(|same| same.len()).map(|same| same[0]);
    ways.retain(|&(_, way)| Some(way) != rest);
    (ways, rest)
}
