//! Strategies as graphs, in which a node may be used in several positions.

use std::num::NonZeroU32;

/// Identifies a node of a strategy in its builder or in its certificate.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub struct StrategyNodeId(NonZeroU32);

impl StrategyNodeId {
    /// Creates the identifier of a node by its index; `None` if the index is too large.
    pub(crate) fn new(index: usize) -> Option<Self> {
        u32::try_from(index).ok()?.checked_add(1).and_then(NonZeroU32::new).map(Self)
    }

    pub(crate) fn index(self) -> usize {
        self.0.get() as usize - 1
    }
}

/// Index into the table of moves.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub(crate) struct MoveId(pub u16);

/// The part of a node that does not depend on the opponent's moves.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, Default)]
pub(crate) struct Head {
    /// The attacker's move; `None` in a node of the defender.
    pub mv: Option<MoveId>,
    /// The node that proves the threatened mate, if `mv` is not a check.
    pub pass: Option<StrategyNodeId>,
}

/// An edge from a node to the next one. In the defender's strategy, `reply` is the defender's reply to an attack, or
/// `None` for a pass; in the attacker's strategy, `reply` is always `None`.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub(crate) struct Edge {
    pub reply: Option<MoveId>,
    pub to: StrategyNodeId,
}

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
struct StrategyNode {
    head: Head,
    rest: Option<Edge>,
    start: u32,
    len: u16,
}

/// A strategy as a list of nodes, with the edges of all nodes in one vector.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub(crate) struct Graph {
    nodes: Vec<StrategyNode>,
    ways: Vec<(MoveId, Edge)>,
}

impl Graph {
    /// Creates an empty graph with capacity for `nodes` nodes.
    pub fn with_capacity(nodes: usize) -> Self {
        Self { nodes: Vec::with_capacity(nodes), ways: Vec::new() }
    }

    pub fn len(&self) -> usize {
        self.nodes.len()
    }

    pub fn head(&self, id: StrategyNodeId) -> Head {
        self.nodes[id.index()].head
    }

    /// Returns the edge for all moves that are not among [`Self::ways`].
    pub fn rest(&self, id: StrategyNodeId) -> Option<Edge> {
        self.nodes[id.index()].rest
    }

    /// Returns the opponent's listed moves, sorted, each with the edge that is followed after it.
    pub fn ways(&self, id: StrategyNodeId) -> &[(MoveId, Edge)] {
        let StrategyNode { start, len, .. } = self.nodes[id.index()];
        &self.ways[start as usize..][..usize::from(len)]
    }

    /// Returns the edge followed after a move of the opponent; `None` is a move that is not in the table of moves.
    pub fn way(&self, id: StrategyNodeId, mv: Option<MoveId>) -> Option<Edge> {
        let ways = self.ways(id);
        let listed = mv.and_then(|mv| ways.binary_search_by_key(&mv, |&(mv, _)| mv).ok());
        listed.map(|at| ways[at].1).or_else(|| self.rest(id))
    }

    /// Returns the successors of a node.
    pub fn next(&self, id: StrategyNodeId) -> impl Iterator<Item = StrategyNodeId> + '_ {
        let ways = self.ways(id).iter().map(|&(_, way)| way);
        ways.chain(self.rest(id)).map(|way| way.to).chain(self.head(id).pass)
    }

    /// Appends a node; returns `None` if the graph is full. The moves of `ways` must be distinct and sorted.
    pub fn push(&mut self, head: Head, rest: Option<Edge>, ways: &[(MoveId, Edge)]) -> Option<StrategyNodeId> {
        let id = StrategyNodeId::new(self.nodes.len())?;
        let node = self.store(head, rest, ways)?;
        self.nodes.push(node);
        Some(id)
    }

    pub fn set(&mut self, id: StrategyNodeId, rest: Option<Edge>, ways: &[(MoveId, Edge)]) -> Option<()> {
        self.nodes[id.index()] = self.store(Head::default(), rest, ways)?;
        Some(())
    }

    fn store(&mut self, head: Head, rest: Option<Edge>, ways: &[(MoveId, Edge)]) -> Option<StrategyNode> {
        let start = u32::try_from(self.ways.len()).ok()?;
        let len = u16::try_from(ways.len()).ok()?;
        self.ways.extend_from_slice(ways);
        Some(StrategyNode { head, rest, start, len })
    }
}
