//! A game on a graph with pieces in hand, for tests. In `21 0:32-1,2 1:22-3` the attacker begins with two pieces of
//! kind 0 and one of kind 1. Both hands together hold three pieces of kind 0 and two of kind 1 at node 0, and two of
//! each kind at node 1.
//!
//! A move to a node with one piece fewer drops that piece, and a move to a node with one more captures it, so a node
//! determines the pieces of both hands together, as a board does. A defender without a move is mated. Every move of the
//! attacker is a check, and the attacker moves at even plies.

use hasami_api::{Game, Hand, InvalidPosition, MateGame, MoveText, Moves, ParseMoveError, Side, Start, Verdict};
use std::sync::Arc;

#[derive(Clone, Default)]
pub(crate) struct Node {
    /// Number of pieces of each kind in both hands together.
    pub(crate) total: [i8; Hand::KINDS],
    pub(crate) targets: Vec<u32>,
}

/// The effect of a move on the hand of the player who makes it.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(crate) enum Step {
    Quiet,
    Drops(usize),
    Wins(usize),
}

/// Returns the step by which a move leads from one node to another, or `None` if there is no such move.
pub(crate) fn step(from: &Node, to: &Node) -> Option<Step> {
    let changes = |kind: &usize| from.total[*kind] != to.total[*kind];
    let mut changed = (0..Hand::KINDS).filter(changes);
    let Some(kind) = changed.next() else { return Some(Step::Quiet) };
    match (to.total[kind] - from.total[kind], changed.next()) {
        (1, None) => Some(Step::Wins(kind)),
        (-1, None) => Some(Step::Drops(kind)),
        _ => None,
    }
}

#[derive(Clone)]
pub(crate) struct HandGraph {
    pub(crate) nodes: Arc<Vec<Node>>,
    /// The node and the attacker's hand at each ply.
    pub(crate) path: Vec<(u32, Hand)>,
}

impl HandGraph {
    pub(crate) fn here(&self) -> (u32, Hand) {
        self.path[self.path.len() - 1]
    }

    fn node(&self) -> &Node {
        &self.nodes[self.here().0 as usize]
    }

    fn step(&self, m: u32) -> Step {
        step(self.node(), &self.nodes[m as usize]).expect("an edge between neighbours")
    }
}

/// Returns the defender's hand at a node, given the attacker's hand.
pub(crate) fn other_hand(node: &Node, hand: Hand) -> Hand {
    (0..Hand::KINDS).fold(Hand::EMPTY, |other, kind| other.with(kind, node.total[kind] as u32 - hand.count(kind)))
}

fn counts(text: &str) -> impl Iterator<Item = (usize, u8)> {
    text.bytes().map(|digit| digit - b'0').enumerate()
}

impl Game for HandGraph {
    type Move = u32;
    const NAME: &'static str = "hand_graph";

    fn new(start: &Start) -> Result<Self, InvalidPosition> {
        let text = start.text.as_deref().unwrap();
        let mut items = text.split_whitespace();
        let hand = counts(items.next().unwrap()).fold(Hand::EMPTY, |hand, (kind, count)| hand.with(kind, count.into()));
        let mut nodes = Vec::new();
        for item in items {
            let (number, rest) = item.split_once(':').unwrap();
            let (total, targets) = rest.split_once('-').unwrap();
            let mut node = Node::default();
            counts(total).for_each(|(kind, count)| node.total[kind] = count as i8);
            node.targets = targets.split(',').filter(|t| !t.is_empty()).map(|t| t.parse().unwrap()).collect();
            assert_eq!(number, nodes.len().to_string(), "the nodes are numbered in order");
            nodes.push(node);
        }
        Ok(Self { nodes: Arc::new(nodes), path: vec![(0, hand)] })
    }

    fn to_text(&self) -> String {
        format!("{:?}", self.here())
    }

    fn parse_move(&self, text: &str) -> Result<u32, ParseMoveError> {
        text.parse().map_err(|_| ParseMoveError::Notation(text.into()))
    }

    fn format_move(&self, m: u32) -> MoveText {
        m.to_string().parse().unwrap()
    }

    fn side(&self) -> Side {
        if self.path.len() % 2 == 1 { Side::First } else { Side::Second }
    }

    fn ply(&self) -> u32 {
        self.path.len() as u32 - 1
    }

    fn key(&self) -> u64 {
        crate::core::mix::mix(self.board_key() ^ u64::from(self.here().1.bits()))
    }

    fn in_check(&self) -> bool {
        self.side() == Side::Second
    }

    fn legal_moves(&self, out: &mut Moves<u32>) {
        let held = self.hand(self.side());
        let can = |&&m: &&u32| !matches!(self.step(m), Step::Drops(kind) if held.count(kind) == 0);
        out.extend(self.node().targets.iter().filter(can).copied());
    }

    fn make(&mut self, m: u32) {
        let hand = self.here().1;
        let hand = match (self.side(), self.step(m)) {
            (Side::First, Step::Drops(kind)) => hand.minus_one(kind),
            (Side::First, Step::Wins(kind)) => hand.plus_one(kind),
            _ => hand,
        };
        self.path.push((m, hand));
    }

    fn unmake(&mut self) {
        self.path.pop();
    }

    fn verdict(&self) -> Verdict {
        Verdict::Open
    }

    fn verdict_in_search(&self, _plies: usize) -> Verdict {
        Verdict::Open
    }

    fn verdict_without_moves(&self) -> Verdict {
        Verdict::Loss
    }
}

impl MateGame for HandGraph {
    fn checking_moves(&self, out: &mut Moves<u32>) {
        self.legal_moves(out);
    }

    fn board_key(&self) -> u64 {
        crate::core::mix::mix(u64::from(self.here().0) * 2 + self.side().index() as u64 + 1)
    }

    fn hand(&self, side: Side) -> Hand {
        match side {
            Side::First => self.here().1,
            Side::Second => other_hand(self.node(), self.here().1),
        }
    }

    /// All drops to even-numbered nodes share a square, and so do all drops to odd-numbered nodes.
    fn dropped(&self, m: u32) -> Option<(usize, u8)> {
        match self.step(m) {
            Step::Drops(kind) => Some((kind, m as u8 % 2)),
            _ => None,
        }
    }

    fn won(&self, m: u32) -> Option<usize> {
        match self.step(m) {
            Step::Wins(kind) => Some(kind),
            _ => None,
        }
    }

    fn could_block(&self) -> bool {
        self.node().targets.iter().any(|&m| matches!(self.step(m), Step::Drops(_)))
    }
}
