//! A claim about a position, and the strategy that proves it.

use crate::fault::ClaimFault;
use crate::graph::{Attack, Defence, Graph, MoveId, StrategyNodeId};
use crate::node::{AttackNode, DefenceNode, DefenderReply};
use hasami_api::MoveText;
use std::fmt;

/// A claim about a position; the attacker is the side to move.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Claim {
    /// Checks alone mate.
    Mate,
    /// A brinkmate of at most so many plies (or a mate): an odd number.
    Brinkmate {
        /// The greatest length, in plies.
        plies: u16,
    },
    /// No mate, and no brinkmate at all or none of at most so many plies.
    None {
        /// The greatest length, in plies; `None`: of any length.
        within: Option<u16>,
    },
}

impl Claim {
    pub(crate) fn is_the_attackers(self) -> bool {
        !matches!(self, Self::None { .. })
    }

    /// Whether there is such a claim.
    pub(crate) fn check(self) -> Result<(), ClaimFault> {
        match self {
            Self::Brinkmate { plies } if plies % 2 == 0 => Err(ClaimFault::Even(plies)),
            Self::None { within: Some(u16::MAX) } => Err(ClaimFault::Beyond { most: u16::MAX - 1, found: u16::MAX }),
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

/// A number of them.
pub(crate) struct Plies(pub u16);

impl fmt::Display for Plies {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{} {}", self.0, if self.0 == 1 { "ply" } else { "plies" })
    }
}

/// The strategy of the side that is right. What the attacker's nodes lead to always comes before them, so that no line of
/// it is endless; the defender's may go in circles.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(crate) enum WinningStrategy {
    Attack(Graph<Attack, StrategyNodeId>),
    Defence(Graph<(), Defence>),
}

/// A position, a claim and its proof.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Certificate {
    pub(crate) start: String,
    pub(crate) claim: Claim,
    /// Each of them once.
    pub(crate) moves: Vec<MoveText>,
    pub(crate) strategy: WinningStrategy,
    pub(crate) root: StrategyNodeId,
}

impl Certificate {
    /// SFEN.
    pub fn start(&self) -> &str {
        &self.start
    }

    /// The claim.
    pub fn claim(&self) -> Claim {
        self.claim
    }

    /// How many nodes its strategy has.
    pub fn nodes(&self) -> usize {
        match &self.strategy {
            WinningStrategy::Attack(graph) => graph.len(),
            WinningStrategy::Defence(graph) => graph.len(),
        }
    }

    /// Its nodes. The attacker's lead to earlier ones; the last is the [`Self::root`].
    pub fn ids(&self) -> impl Iterator<Item = StrategyNodeId> + use<> {
        (0..self.nodes()).map_while(StrategyNodeId::new)
    }

    /// Where its strategy begins.
    pub fn root(&self) -> StrategyNodeId {
        self.root
    }

    /// A node of the attacker's strategy; `None` if it is not his or has no such node.
    pub fn attack_node(&self, id: StrategyNodeId) -> Option<AttackNode> {
        let WinningStrategy::Attack(graph) = &self.strategy else { return None };
        (id.index() < graph.len()).then(|| {
            let answers = graph.ways(id).iter().map(|&(mv, to)| (self.mv(mv), to)).collect();
            let Attack { mv, pass } = graph.head(id);
            AttackNode { mv: self.mv(mv), pass, answers, rest: graph.rest(id) }
        })
    }

    /// A node of the defender's strategy; `None` if it is not his or has no such node.
    pub fn defence_node(&self, id: StrategyNodeId) -> Option<DefenceNode> {
        let WinningStrategy::Defence(graph) = &self.strategy else { return None };
        let way = |Defence { reply, to }: Defence| {
            let reply = reply.map_or(DefenderReply::Pass, |mv| DefenderReply::Move(self.mv(mv)));
            (reply, to)
        };
        (id.index() < graph.len()).then(|| {
            let replies = graph.ways(id).iter().map(|&(mv, to)| (self.mv(mv), way(to))).collect();
            DefenceNode { replies, rest: graph.rest(id).map(way) }
        })
    }

    fn mv(&self, id: MoveId) -> MoveText {
        self.moves[usize::from(id.0)]
    }
}
