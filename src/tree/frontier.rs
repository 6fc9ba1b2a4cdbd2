//! Decides where the next worker should go: a priority queue of work items, which is updated lazily.
//!
//! Repeatedly adding the leaf with the largest realization probability maximizes the sum of depth times probability
//! over the tree (Yokoyama et al. 2014, section 3, formula 1).

use super::arena::NodeId;
use super::master::MasterTree;
use super::models::{Model, Siblings};
use super::node::{Queued, TreeNode};
use super::rules::mate_probes::SolverKind;
use super::rules::remaining_moves::share_of_remaining;
use super::rules::{anticipation, expected_reply};
use hasami_api::{Game, Score};
use std::cmp::Ordering;
use std::collections::BinaryHeap;

/// A finding's moves get their own nodes once the finding has at least this depth in plies.
const RIPE_DEPTH: u16 = 5;

/// Priority of the root if several lines are requested, which exceeds all other priorities because the root's worker
/// provides the lines.
const LINES: f64 = 1e12;

/// A unit of work for a worker.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum WorkItem {
    /// Search an existing node that has no worker.
    Search(NodeId),
    /// Search the next move of this node as a new leaf.
    Expand(NodeId),
}

impl WorkItem {
    fn node(self) -> NodeId {
        let (Self::Search(id) | Self::Expand(id)) = self;
        id
    }
}

/// An item at a node, ordered by priority. If priorities are equal, the item with the smaller node id is greater.
#[derive(Debug)]
pub struct Ranked<T> {
    pub worth: f64,
    pub node: NodeId,
    pub item: T,
}

impl<T> PartialEq for Ranked<T> {
    fn eq(&self, other: &Self) -> bool {
        self.cmp(other) == Ordering::Equal
    }
}

impl<T> Eq for Ranked<T> {}

impl<T> PartialOrd for Ranked<T> {
    fn partial_cmp(&self, other: &Self) -> Option<Ordering> {
        Some(self.cmp(other))
    }
}

impl<T> Ord for Ranked<T> {
    fn cmp(&self, other: &Self) -> Ordering {
        self.worth.total_cmp(&other.worth).then_with(|| other.node.cmp(&self.node))
    }
}

/// The priority queue of the work items of one tree. Each node stores which of its items are in the queue.
#[derive(Default)]
pub struct Frontier {
    queue: BinaryHeap<Ranked<WorkItem>>,
}

impl Frontier {
    /// Rebuilds the queue from all nodes.
    pub fn rebuild<G: Game>(&mut self, tree: &MasterTree<G>, model: &Model) {
        let mut entries = std::mem::take(&mut self.queue).into_vec();
        entries.clear();
        tree.iter().for_each(|(_, node)| node.queued.set(Queued::default()));
        for (id, probability) in tree.realization_probabilities(model) {
            for place in [WorkItem::Search(id), WorkItem::Expand(id)] {
                if let Some(worth) = worth(tree, model, place, probability) {
                    note(tree, place, true);
                    entries.push(Ranked { worth, node: id, item: place });
                }
            }
        }
        self.queue = entries.into();
    }

    /// Queues those work items of a node that are not in the queue, unless the node was removed.
    pub fn queue_places<G: Game>(&mut self, tree: &MasterTree<G>, model: &Model, id: NodeId) {
        let Some(node) = tree.get(id) else { return };
        let queued = node.queued.get();
        let places = [(WorkItem::Search(id), queued.search), (WorkItem::Expand(id), queued.expand)]
            .map(|(place, is_queued)| (!is_queued).then_some(place));
        if places == [None; 2] || !is_searchable(node) {
            return;
        }
        let Some(probability) = tree.realization_probability(model, id) else { return };
        for place in places.into_iter().flatten() {
            if let Some(worth) = worth(tree, model, place, probability) {
                self.push(tree, worth, place);
            }
        }
    }

    fn push<G: Game>(&mut self, tree: &MasterTree<G>, worth: f64, place: WorkItem) {
        note(tree, place, true);
        self.queue.push(Ranked { worth, node: place.node(), item: place });
    }

    /// Removes and returns the item with the highest priority.
    pub fn pop<G: Game>(&mut self, tree: &MasterTree<G>, model: &Model) -> Option<WorkItem> {
        while let Some(Ranked { worth: queued, node: id, item: place }) = self.queue.pop() {
            note(tree, place, false);
            let probability = tree.get(id).and_then(|_| tree.realization_probability(model, id));
            let Some(worth) = probability.and_then(|p| worth(tree, model, place, p)) else { continue };
            let next = self.queue.peek().map_or(f64::NEG_INFINITY, |entry| entry.worth);
            if worth < queued && worth < next {
                self.push(tree, worth, place);
                continue;
            }
            return Some(place);
        }
        None
    }

    /// The highest priorities in the queue, in descending order. Priorities in the queue may be outdated.
    pub fn best_worths(&self, count: usize) -> Vec<f64> {
        let mut worths: Vec<f64> = self.queue.iter().map(|entry| entry.worth).collect();
        worths.sort_by(|a, b| b.total_cmp(a));
        worths.truncate(count);
        worths
    }

    /// Priority of an additional worker at an occupied node.
    pub fn worth_of_helper<G: Game>(tree: &MasterTree<G>, model: &Model, id: NodeId) -> f64 {
        tree.realization_probability(model, id).map_or(0.0, |p| worth_of_worker(tree, model, id, p))
    }

    /// The leaf with the highest priority for a mate probe, and that priority. Leaves in `taken` are left out.
    pub fn mate_leaf<G: Game>(
        tree: &MasterTree<G>,
        model: &Model,
        solver: SolverKind,
        taken: &[NodeId],
    ) -> Option<(f64, NodeId)> {
        let worth = |&(id, probability): &(NodeId, f64)| {
            let node = tree.node(id);
            let is_leaf = node.is_open() && node.children.is_empty() && node.probes.nodes(solver).is_some();
            let is_leaf = is_leaf && !taken.contains(&id);
            is_leaf.then(|| (node.probes.worth(solver, probability), id))
        };
        let leaves = tree.realization_probabilities(model);
        leaves.iter().filter_map(worth).max_by(|a, b| a.0.total_cmp(&b.0).then(b.1.cmp(&a.1)))
    }

    /// All nodes that have a worker, each with the priority of its worker, in ascending order of priority.
    pub fn occupied_by_worth<G: Game>(tree: &MasterTree<G>, model: &Model) -> Vec<(f64, NodeId)> {
        let all = tree.realization_probabilities(model).into_iter();
        let occupied = all.filter(|&(id, _)| tree.node(id).worker.is_some());
        let mut occupied: Vec<_> = occupied.map(|(id, p)| (worth_of_worker(tree, model, id, p), id)).collect();
        occupied.sort_by(|a, b| a.0.total_cmp(&b.0).then(a.1.cmp(&b.1)));
        occupied
    }

    pub fn is_empty(&self) -> bool {
        self.queue.is_empty()
    }
}

/// Records in the item's node, if it still exists, whether the item is in the queue.
fn note<G: Game>(tree: &MasterTree<G>, place: WorkItem, is_queued: bool) {
    if let Some(node) = tree.get(place.node()) {
        let mut queued = node.queued.get();
        match place {
            WorkItem::Search(_) => queued.search = is_queued,
            WorkItem::Expand(_) => queued.expand = is_queued,
        }
        node.queued.set(queued);
    }
}

/// Returns false if the node is settled, or if its twin is searched instead.
fn is_searchable<M: Copy>(node: &TreeNode<M>) -> bool {
    node.twin.is_none() && !node.settled.is_settled()
}

/// The priority of a worker for this item; `None` if there is nothing to search.
fn worth<G: Game>(tree: &MasterTree<G>, model: &Model, place: WorkItem, probability: f64) -> Option<f64> {
    let id = place.node();
    let node = tree.node(id);
    if !is_searchable(node) {
        return None;
    }
    if let WorkItem::Search(_) = place {
        let is_free = node.worker.is_none() && node.is_open();
        return is_free.then(|| worth_of_worker(tree, model, id, probability));
    }
    let (score, depth) = tree.next_hint(id)?;
    if depth < RIPE_DEPTH {
        return None;
    }
    let mut siblings = tree.siblings(id);
    siblings.scores.push(score);
    siblings.others = siblings.others.filter(|_| score.is_none());
    siblings.has_others = usize::from(node.legal) > siblings.scores.len();
    let share = match tree.is_whole(id) {
        true => anticipation::share(score.is_some(), siblings.scores.len().saturating_sub(1)),
        false => tree.with_expected_reply(id, model.shares(&siblings)).last().copied()?,
    };
    Some(probability * share)
}

/// The priority of a worker at this node.
fn worth_of_worker<G: Game>(tree: &MasterTree<G>, model: &Model, id: NodeId, probability: f64) -> f64 {
    let node = tree.node(id);
    if tree.several && id == tree.root() {
        return LINES;
    }
    if tree.is_whole(id) {
        return probability;
    }
    let others = share_of_remaining(1.0 - tree.shares(model, id).iter().sum::<f64>(), node.finding().is_some());
    // Without affinity, workers stay at their nodes, and every node must get a worker before the tree grows.
    if tree.anticipates {
        anticipation::scouting(probability, others)
    } else if model.follows() {
        probability * others
    } else {
        1.0 + probability
    }
}

impl<G: Game> MasterTree<G> {
    /// Returns the moves of a node as input for the tree model.
    pub fn siblings(&self, id: NodeId) -> Siblings {
        let node = self.node(id);
        let score = |&child: &NodeId| self.node(child).value.map(|value| value.score.for_parent());
        Siblings {
            scores: node.children.iter().map(score).collect(),
            others: node.finding().map(|own| own.score),
            has_others: node.has_others(),
            legal: node.legal,
            depth: node.value.map_or(0, |value| value.depth),
            phase: node.phase(),
        }
    }

    /// The transition probabilities of a node's children, cached until a value at the node changes. The cache is valid
    /// because a tree is used with only one model.
    pub fn shares(&self, model: &Model, id: NodeId) -> &[f64] {
        self.node(id).shares.get_or_init(|| match self.shares_of_anticipated(id) {
            Some(shares) => shares.into(),
            None => self.with_expected_reply(id, model.shares(&self.siblings(id))).into(),
        })
    }

    /// The transition probabilities at a node whose worker searches all moves; `None` at other nodes.
    fn shares_of_anticipated(&self, id: NodeId) -> Option<Vec<f64>> {
        let node = self.node(id);
        let best = node.finding().filter(|_| self.is_whole(id))?.pv.first().copied();
        let is_best = |&child: &NodeId| self.node(child).text() == best;
        let others = node.children.iter().filter(|child| !is_best(child)).count();
        Some(node.children.iter().map(|child| anticipation::share(is_best(child), others)).collect())
    }

    /// At the root, raises the share of the reply that the GUI lets the engine ponder on.
    fn with_expected_reply(&self, id: NodeId, mut shares: Vec<f64>) -> Vec<f64> {
        let expected = self.expected.filter(|_| id == self.root);
        if let Some(index) = expected.and_then(|reply| self.node(id).children.iter().position(|&child| child == reply))
        {
            expected_reply::raise(&mut shares, index);
        }
        shares
    }

    /// Value (if known) and searched depth of the node's next expansion candidate, whose legality is not checked.
    fn next_hint(&self, id: NodeId) -> Option<(Option<Score>, u16)> {
        let node = self.node(id);
        let own = node.own.as_ref()?;
        let is_new = |text| !node.children.iter().any(|&child| self.node(child).text() == Some(text));
        if own.valid && own.pv.first().is_some_and(|&text| is_new(text)) {
            return Some((Some(own.score), own.depth));
        }
        own.ranking.iter().any(|ranked| is_new(ranked.text)).then_some((None, own.depth))
    }
}
