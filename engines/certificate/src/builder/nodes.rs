//! Storage for nodes under construction, in which equal nodes are merged.

use crate::graph::{Edge, Graph, Head, MoveId, StrategyNodeId};
use hasami_api::MoveText;
use hashbrown::HashTable;
use std::collections::{HashMap, HashSet};
use std::hash::{BuildHasher, RandomState};

#[derive(Default)]
pub struct Nodes {
    pub(super) graph: Graph,
    pub(super) moves: Vec<MoveText>,
    ids: HashMap<MoveText, MoveId>,
    /// The nodes that were added, hashed by their content.
    known: HashTable<StrategyNodeId>,
    /// Nodes that were reserved and have not been set.
    pub(super) open: HashSet<StrategyNodeId>,
    state: RandomState,
    /// The first error.
    pub(super) fault: Option<String>,
}

impl Nodes {
    pub fn mv(&mut self, text: MoveText) -> MoveId {
        if let Some(&id) = self.ids.get(&text) {
            return id;
        }
        let id = match u16::try_from(self.moves.len()) {
            Ok(id) if id < u16::MAX => MoveId(id),
            _ => {
                self.fail(format!("more than {} moves", u16::MAX));
                return MoveId(0);
            }
        };
        self.moves.push(text);
        self.ids.insert(text, id);
        id
    }

    pub fn add(&mut self, head: Head, rest: Option<Edge>, mut ways: Vec<(MoveId, Edge)>) -> StrategyNodeId {
        self.arrange(&mut ways);
        self.check_names(head, rest, &ways);
        let Self { graph, known, state, .. } = self;
        let hash = state.hash_one((head, rest, &ways));
        let is_same = |&id: &StrategyNodeId| (graph.head(id), graph.rest(id), graph.ways(id)) == (head, rest, &ways);
        if let Some(&id) = known.find(hash, is_same) {
            return id;
        }
        let Some(id) = graph.push(head, rest, &ways) else { return self.too_many() };
        known.insert_unique(hash, id, |&id| state.hash_one((graph.head(id), graph.rest(id), graph.ways(id))));
        id
    }

    pub fn reserve(&mut self) -> StrategyNodeId {
        let Some(id) = self.graph.push(Head::default(), None, &[]) else { return self.too_many() };
        self.open.insert(id);
        id
    }

    pub fn set(&mut self, id: StrategyNodeId, rest: Option<Edge>, mut ways: Vec<(MoveId, Edge)>) {
        self.arrange(&mut ways);
        self.check_names(Head::default(), rest, &ways);
        if !self.open.remove(&id) {
            self.fail("the node was not reserved, or was set before".to_owned());
        } else if self.graph.set(id, rest, &ways).is_none() {
            self.too_many();
        }
    }

    /// Sorts the edges by their moves, which must be distinct.
    fn arrange(&mut self, ways: &mut Vec<(MoveId, Edge)>) {
        ways.sort_unstable();
        ways.dedup();
        if let Some(pair) = ways.windows(2).find(|pair| pair[0].0 == pair[1].0) {
            let mv = self.moves[usize::from(pair[0].0.0)];
            self.fail(format!("two ways on after '{mv}'"));
            ways.dedup_by_key(|&mut (mv, _)| mv);
        }
    }

    /// Checks that a node leads to existing nodes only, so that a strategy of the attacker contains no cycle.
    fn check_names(&mut self, head: Head, rest: Option<Edge>, ways: &[(MoveId, Edge)]) {
        let mut next = ways.iter().map(|&(_, way)| way).chain(rest).map(|way| way.to).chain(head.pass);
        if next.any(|id| id.index() >= self.graph.len()) {
            self.fail("a node leads to one that was not made before".to_owned());
        }
    }

    fn too_many(&mut self) -> StrategyNodeId {
        self.fail(format!("more than {} nodes and answers", u32::MAX));
        // Index 0 is always valid: the node either exists or can still be added.
        StrategyNodeId::new(0).unwrap_or_else(|| unreachable!("zero is an index"))
    }

    fn fail(&mut self, why: String) {
        self.fault.get_or_insert(why);
    }
}
