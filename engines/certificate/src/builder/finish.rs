//! Collects the nodes that a certificate needs, in the order in which the certificate file lists them.

use super::nodes::Nodes;
use crate::graph::{Edge, Graph, Head, MoveId, StrategyNodeId};
use hasami_api::MoveText;
use std::cmp::Reverse;

/// Marks a node that has not been reached from the root.
const NONE: u32 = u32::MAX;

impl Nodes {
    /// Returns the moves, the nodes reachable from the root, and the root. Each node comes after the nodes that it
    /// leads to, except in cycles.
    pub fn finish(&self, root: StrategyNodeId) -> Result<(Vec<MoveText>, Graph, StrategyNodeId), String> {
        if let Some(fault) = &self.fault {
            return Err(fault.clone());
        }
        if root.index() >= self.graph.len() {
            return Err("the root is not a node".to_owned());
        }
        let (order, names) = self.order(root);
        if order.iter().any(|id| self.open.contains(id)) {
            return Err("a reserved node was not set".to_owned());
        }
        let (moves, move_names) = self.moves_of(&order);
        let node = |id: StrategyNodeId| StrategyNodeId::new(names[id.index()] as usize).unwrap_or(id);
        let mv = |id: MoveId| MoveId(move_names[usize::from(id.0)]);
        let edge = |Edge { reply, to }: Edge| Edge { reply: reply.map(mv), to: node(to) };
        let mut graph = Graph::default();
        let mut ways = Vec::new();
        for &id in &order {
            ways.clear();
            ways.extend(self.graph.ways(id).iter().map(|&(on, way)| (mv(on), edge(way))));
            ways.sort_unstable();
            let Head { mv: played, pass } = self.graph.head(id);
            let head = Head { mv: played.map(mv), pass: pass.map(node) };
            let pushed = graph.push(head, self.graph.rest(id).map(edge), &ways);
            pushed.ok_or("more nodes than fit before")?;
        }
        Ok((moves, graph, node(root)))
    }

    /// Returns the reachable nodes, successors first, and the index of each node in the returned list.
    fn order(&self, root: StrategyNodeId) -> (Vec<StrategyNodeId>, Vec<u32>) {
        const SEEN: u32 = NONE - 1;
        let mut names = vec![NONE; self.graph.len()];
        let (mut order, mut stack) = (Vec::new(), vec![(root, false)]);
        while let Some((id, is_done)) = stack.pop() {
            if is_done {
                names[id.index()] = order.len() as u32;
                order.push(id);
            } else if names[id.index()] == NONE {
                names[id.index()] = SEEN;
                stack.push((id, true));
                stack.extend(self.graph.next(id).filter(|next| names[next.index()] == NONE).map(|next| (next, false)));
            }
        }
        (order, names)
    }

    /// Returns the moves of the nodes in `order`, the most frequent first, and each move's index in the returned list.
    fn moves_of(&self, order: &[StrategyNodeId]) -> (Vec<MoveText>, Vec<u16>) {
        let mut counts = vec![0u64; self.moves.len()];
        for &id in order {
            let ways = self.graph.ways(id).iter().flat_map(|&(on, way)| [Some(on), way.reply]);
            let others = [self.graph.head(id).mv, self.graph.rest(id).and_then(|way| way.reply)];
            ways.chain(others).flatten().for_each(|mv| counts[usize::from(mv.0)] += 1);
        }
        let mut used: Vec<u16> = (0..self.moves.len() as u16).filter(|&mv| counts[usize::from(mv)] > 0).collect();
        used.sort_by_key(|&mv| (Reverse(counts[usize::from(mv)]), self.moves[usize::from(mv)]));
        let mut names = vec![u16::MAX; self.moves.len()];
        for (place, &mv) in used.iter().enumerate() {
            names[usize::from(mv)] = place as u16;
        }
        (used.iter().map(|&mv| self.moves[usize::from(mv)]).collect(), names)
    }
}
