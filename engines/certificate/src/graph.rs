//! Strategies as graphs of nodes. A node may serve several positions.

use std::hash::Hash;
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

/// An index into the table of moves.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub(crate) struct MoveId(pub u16);

/// The part of a node that does not describe its edges.
pub(crate) trait Head: Copy + Eq + Hash {
    /// Returns the node after a pass.
    fn pass(self) -> Option<StrategyNodeId>;

    /// Returns this value with its nodes and moves renumbered.
    fn renamed(self, node: impl Fn(StrategyNodeId) -> StrategyNodeId, mv: impl Fn(MoveId) -> MoveId) -> Self;

    fn mv(self) -> Option<MoveId>;
}

/// An edge from a node to the next one.
pub(crate) trait StrategyEdge: Copy + Ord + Hash {
    fn to(self) -> StrategyNodeId;

    fn renamed(self, node: impl Fn(StrategyNodeId) -> StrategyNodeId, mv: impl Fn(MoveId) -> MoveId) -> Self;

    fn mv(self) -> Option<MoveId>;
}

/// The attacker plays `mv`. If `mv` is not a check, the node `pass` proves the mate that the move threatens.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub(crate) struct Attack {
    pub mv: MoveId,
    pub pass: Option<StrategyNodeId>,
}

impl Head for Attack {
    fn pass(self) -> Option<StrategyNodeId> {
        self.pass
    }

    fn renamed(self, node: impl Fn(StrategyNodeId) -> StrategyNodeId, mv: impl Fn(MoveId) -> MoveId) -> Self {
        Self { mv: mv(self.mv), pass: self.pass.map(node) }
    }

    fn mv(self) -> Option<MoveId> {
        Some(self.mv)
    }
}

impl Head for () {
    fn pass(self) -> Option<StrategyNodeId> {
        None
    }

    fn renamed(self, _: impl Fn(StrategyNodeId) -> StrategyNodeId, _: impl Fn(MoveId) -> MoveId) -> Self {}

    fn mv(self) -> Option<MoveId> {
        None
    }
}

/// After a defence, the attacker continues at this node.
impl StrategyEdge for StrategyNodeId {
    fn to(self) -> StrategyNodeId {
        self
    }

    fn renamed(self, node: impl Fn(StrategyNodeId) -> StrategyNodeId, _: impl Fn(MoveId) -> MoveId) -> Self {
        node(self)
    }

    fn mv(self) -> Option<MoveId> {
        None
    }
}

/// After an attack, the defender replies with a move or a pass, and continues at a node.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub(crate) struct Defence {
    pub reply: Option<MoveId>,
    pub to: StrategyNodeId,
}

impl StrategyEdge for Defence {
    fn to(self) -> StrategyNodeId {
        self.to
    }

    fn renamed(self, node: impl Fn(StrategyNodeId) -> StrategyNodeId, mv: impl Fn(MoveId) -> MoveId) -> Self {
        Self { reply: self.reply.map(mv), to: node(self.to) }
    }

    fn mv(self) -> Option<MoveId> {
        self.reply
    }
}

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
struct StrategyNode<H, W> {
    head: H,
    rest: Option<W>,
    start: u32,
    len: u16,
}

/// A list of nodes, with the edges of all nodes in one list.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(crate) struct Graph<H, W> {
    nodes: Vec<StrategyNode<H, W>>,
    ways: Vec<(MoveId, W)>,
}

impl<H, W> Default for Graph<H, W> {
    fn default() -> Self {
        Self { nodes: Vec::new(), ways: Vec::new() }
    }
}

impl<H: Head, W: StrategyEdge> Graph<H, W> {
    /// Creates an empty graph with capacity for this many nodes.
    pub fn with_capacity(nodes: usize) -> Self {
        Self { nodes: Vec::with_capacity(nodes), ways: Vec::new() }
    }

    pub fn len(&self) -> usize {
        self.nodes.len()
    }

    pub fn head(&self, id: StrategyNodeId) -> H {
        self.nodes[id.index()].head
    }

    /// Returns the edge for all moves that are not among [`Self::ways`].
    pub fn rest(&self, id: StrategyNodeId) -> Option<W> {
        self.nodes[id.index()].rest
    }

    /// Returns the edges with the moves after which they are followed, sorted by move.
    pub fn ways(&self, id: StrategyNodeId) -> &[(MoveId, W)] {
        let StrategyNode { start, len, .. } = self.nodes[id.index()];
        &self.ways[start as usize..][..usize::from(len)]
    }

    /// Returns the edge after a move. `None` stands for a move that is not in the table of moves.
    pub fn way(&self, id: StrategyNodeId, mv: Option<MoveId>) -> Option<W> {
        let ways = self.ways(id);
        let listed = mv.and_then(|mv| ways.binary_search_by_key(&mv, |&(mv, _)| mv).ok());
        listed.map(|at| ways[at].1).or_else(|| self.rest(id))
    }

    /// Returns the nodes that the edges of a node lead to.
    pub fn next(&self, id: StrategyNodeId) -> impl Iterator<Item = StrategyNodeId> + '_ {
        let ways = self.ways(id).iter().map(|&(_, way)| way);
        ways.chain(self.rest(id)).map(StrategyEdge::to).chain(self.head(id).pass())
    }

    /// Appends a node; `None` if it does not fit. The edges must be sorted by their moves, which must be distinct.
    pub fn push(&mut self, head: H, rest: Option<W>, ways: &[(MoveId, W)]) -> Option<StrategyNodeId> {
        let id = StrategyNodeId::new(self.nodes.len())?;
        let node = self.store(head, rest, ways)?;
        self.nodes.push(node);
        Some(id)
    }

    pub fn set(&mut self, id: StrategyNodeId, head: H, rest: Option<W>, ways: &[(MoveId, W)]) -> Option<()> {
        self.nodes[id.index()] = self.store(head, rest, ways)?;
        Some(())
    }

    fn store(&mut self, head: H, rest: Option<W>, ways: &[(MoveId, W)]) -> Option<StrategyNode<H, W>> {
        let start = u32::try_from(self.ways.len()).ok()?;
        let len = u16::try_from(ways.len()).ok()?;
        self.ways.extend_from_slice(ways);
        Some(StrategyNode { head, rest, start, len })
    }
}
