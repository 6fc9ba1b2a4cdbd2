//! A claim about a position, with the strategy that proves it.

use crate::graph::{Edge, Graph, Head, MoveId, StrategyNodeId};
use crate::node::{AttackNode, DefenceNode, DefenderReply};
use hasami_api::MoveText;
use std::fmt;

/// A claim about a position. The attacker is the side to move.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Claim {
    /// The side to move has a mate by checks.
    Mate,
    /// The side to move has a mate, or a brinkmate of at most `plies` plies (an odd number).
    Brinkmate {
        /// Maximum length of the brinkmate, in plies.
        plies: u16,
    },
    /// The side to move has neither a mate nor a brinkmate of at most `within` plies.
    None {
        /// Maximum length of the excluded brinkmates, in plies; `None` means any length.
        within: Option<u16>,
    },
}

impl Claim {
    pub(crate) fn is_of_attacker(self) -> bool {
        !matches!(self, Self::None { .. })
    }

    /// Checks that the number of plies in the claim is valid.
    pub(crate) fn check(self) -> Result<(), String> {
        match self {
            Self::Brinkmate { plies } if plies % 2 == 0 => {
                Err(format!("expected a brinkmate of an odd number of plies, found {plies}"))
            }
            Self::None { within: Some(u16::MAX) } => {
                Err(format!("expected a limit of at most {} plies, found {}", u16::MAX - 1, u16::MAX))
            }
            _ => Ok(()),
        }
    }
}

impl fmt::Display for Claim {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Mate => f.write_str("a mate"),
            Self::Brinkmate { plies } => write!(f, "a brinkmate within {}", Plies(*plies)),
            Self::None { within: None } => f.write_str("no brinkmate"),
            Self::None { within: Some(0) } => f.write_str("no mate"),
            Self::None { within: Some(plies) } => write!(f, "no brinkmate within {}", Plies(*plies)),
        }
    }
}

/// Displays a number of plies with its unit.
pub(crate) struct Plies(pub u16);

impl fmt::Display for Plies {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{} {}", self.0, if self.0 == 1 { "ply" } else { "plies" })
    }
}

/// A position, a claim about it, and its proof.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Certificate {
    /// The position, as SFEN.
    pub start: String,
    /// The claim about the position.
    pub claim: Claim,
    /// The moves of the strategy, without duplicates.
    pub(crate) moves: Vec<MoveText>,
    /// The strategy of the side that the claim favours. The edges of an attacker's strategy always lead to earlier
    /// nodes, so that every line ends; the edges of a defender's strategy may form cycles.
    pub(crate) graph: Graph,
    /// The node that the strategy begins with.
    pub root: StrategyNodeId,
}

impl Certificate {
    /// Number of nodes in the strategy.
    pub fn nodes(&self) -> usize {
        self.graph.len()
    }

    /// Returns the nodes of the strategy. Nodes of the attacker lead only to earlier nodes, so the last node is the
    /// [`root`](Self::root).
    pub fn ids(&self) -> impl Iterator<Item = StrategyNodeId> + use<> {
        (0..self.nodes()).map_while(StrategyNodeId::new)
    }

    /// Returns a node of the attacker's strategy; `None` if the strategy is the defender's or `id` does not exist.
    pub fn attack_node(&self, id: StrategyNodeId) -> Option<AttackNode> {
        if !self.claim.is_of_attacker() || id.index() >= self.graph.len() {
            return None;
        }
        let Head { mv, pass } = self.graph.head(id);
        let answers = self.graph.ways(id).iter().map(|&(mv, way)| (self.mv(mv), way.to)).collect();
        Some(AttackNode { mv: self.mv(mv?), pass, answers, rest: self.graph.rest(id).map(|way| way.to) })
    }

    /// Returns a node of the defender's strategy; `None` if the strategy is the attacker's or `id` does not exist.
    pub fn defence_node(&self, id: StrategyNodeId) -> Option<DefenceNode> {
        let way = |Edge { reply, to }: Edge| {
            let reply = reply.map_or(DefenderReply::Pass, |mv| DefenderReply::Move(self.mv(mv)));
            (reply, to)
        };
        let is_node = !self.claim.is_of_attacker() && id.index() < self.graph.len();
        is_node.then(|| {
            let replies = self.graph.ways(id).iter().map(|&(mv, edge)| (self.mv(mv), way(edge))).collect();
            DefenceNode { replies, rest: self.graph.rest(id).map(way) }
        })
    }

    fn mv(&self, id: MoveId) -> MoveText {
        self.moves[usize::from(id.0)]
    }
}
