//! Nodes of strategies, with moves as text, as passed to builders and returned by certificates.

use crate::graph::StrategyNodeId;
use hasami_api::MoveText;

/// A move of the attacker and its continuation.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct AttackNode {
    /// The attacker's move.
    pub mv: MoveText,
    /// The node that proves the threatened mate by checks, if the move itself does not give check.
    pub pass: Option<StrategyNodeId>,
    /// The listed defences, each with the node with which the attacker continues. A defence is ignored in positions
    /// where it is illegal.
    pub answers: Vec<(MoveText, StrategyNodeId)>,
    /// The node with which the attacker continues after every defence that is not in `answers`.
    pub rest: Option<StrategyNodeId>,
}

impl AttackNode {
    /// Creates a node from the answers to all defences; the most frequent answer becomes `rest`. If there are no
    /// defences, the move mates.
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
    /// A pass, after a move that does not give check and threatens no mate. The node after the pass refutes all checks.
    Pass,
    /// A move.
    Move(MoveText),
}

/// The defender's replies to attacks, each with the node that follows.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct DefenceNode {
    /// The listed attacks, each with the defender's reply and the node after it. An attack is ignored in positions
    /// where it is illegal.
    pub replies: Vec<(MoveText, (DefenderReply, StrategyNodeId))>,
    /// The reply to every attack that is not in `replies`.
    pub rest: Option<(DefenderReply, StrategyNodeId)>,
}

impl DefenceNode {
    /// Creates a node from the replies to all attacks; the most frequent reply becomes `rest`.
    pub fn new(replies: impl IntoIterator<Item = (MoveText, (DefenderReply, StrategyNodeId))>) -> Self {
        let (replies, rest) = with_rest(replies.into_iter().collect());
        Self { replies, rest }
    }
}

/// Removes the most frequent edge from the list and returns it as the edge for all unlisted moves, so that more nodes
/// are equal.
fn with_rest<W: Copy + Ord>(mut ways: Vec<(MoveText, W)>) -> (Vec<(MoveText, W)>, Option<W>) {
    let mut sorted: Vec<W> = ways.iter().map(|&(_, way)| way).collect();
    sorted.sort_unstable();
    // Among equally frequent edges, the first one is chosen.
    let rest = sorted.chunk_by(|a, b| a == b).rev().max_by_key(|same| same.len()).map(|same| same[0]);
    ways.retain(|&(_, way)| Some(way) != rest);
    (ways, rest)
}
