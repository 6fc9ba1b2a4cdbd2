//! Where the next worker should go: a queue of places by worth, brought up to date lazily.
//!
//! Adding the leaf with the largest realization probability, again and again, maximizes the sum of depth times
//! probability over the tree (seed 002, section 3, formula 1).

use super::arena::NodeId;
use super::master::Tree;
use super::models::{Model, Siblings};
use super::node::Node;
use super::rules::allocation::chance;
use super::rules::others::share;
use super::rules::{doubling, mates, temper};
use hasami_api::{Game, Score};
use std::cmp::Ordering;
use std::collections::{BinaryHeap, HashSet};

/// Depth that a finding must have before its moves get nodes.
const RIPE_DEPTH: u16 = 5;

/// Something that a worker could do.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Place {
    /// Search a node that stands and has no worker.
    Sit(NodeId),
    /// Search the next move of this node as a new leaf.
    Grow(NodeId),
}

#[derive(Debug)]
struct Entry {
    worth: f64,
    place: Place,
}

impl PartialEq for Entry {
    fn eq(&self, other: &Self) -> bool {
        self.cmp(other) == Ordering::Equal
    }
}

impl Eq for Entry {}

impl PartialOrd for Entry {
    fn partial_cmp(&self, other: &Self) -> Option<Ordering> {
        Some(self.cmp(other))
    }
}

impl Ord for Entry {
    fn cmp(&self, other: &Self) -> Ordering {
        let node = |entry: &Self| match entry.place {
            Place::Sit(id) | Place::Grow(id) => id,
        };
        self.worth.total_cmp(&other.worth).then_with(|| node(other).cmp(&node(self)))
    }
}

/// The queue of places.
#[derive(Default)]
pub struct Frontier {
    queue: BinaryHeap<Entry>,
    queued: HashSet<Place>,
}

impl Frontier {
    /// Looks at every node again.
    pub fn rebuild<G: Game>(&mut self, tree: &Tree<G>, model: &dyn Model) {
        self.queue.clear();
        self.queued.clear();
        for (id, _) in tree.iter() {
            self.consider(tree, model, id);
        }
    }

    /// Queues what a worker could do at a node that has changed.
    pub fn consider<G: Game>(&mut self, tree: &Tree<G>, model: &dyn Model, id: NodeId) {
        for place in [Place::Sit(id), Place::Grow(id)] {
            if self.queued.contains(&place) {
                continue;
            }
            if let Some(worth) = worth(tree, model, place) {
                self.queued.insert(place);
                self.queue.push(Entry { worth, place });
            }
        }
    }

    /// As [`Self::consider`], for a node that may have been removed.
    pub fn consider_if_stands<G: Game>(&mut self, tree: &Tree<G>, model: &dyn Model, id: NodeId) {
        if tree.get(id).is_some() {
            self.consider(tree, model, id);
        }
    }

    /// Takes the best place out of the queue.
    pub fn pop<G: Game>(&mut self, tree: &Tree<G>, model: &dyn Model) -> Option<Place> {
        while let Some(Entry { worth: queued, place }) = self.queue.pop() {
            self.queued.remove(&place);
            let Some(worth) = worth(tree, model, place) else { continue };
            let next = self.queue.peek().map_or(f64::NEG_INFINITY, |entry| entry.worth);
            if worth < queued && worth < next {
                self.queued.insert(place);
                self.queue.push(Entry { worth, place });
                continue;
            }
            return Some(place);
        }
        None
    }

    /// Worth of the best place, as far as the queue knows.
    pub fn best_worth(&self) -> f64 {
        self.queue.peek().map_or(0.0, |entry| entry.worth)
    }

    /// The occupied node of least worth, with its worth. A root without children is never left.
    pub fn worst_seat<G: Game>(tree: &Tree<G>, model: &dyn Model) -> Option<(NodeId, f64)> {
        let is_bare_root = |id: NodeId| id == tree.root() && tree.node(id).children.is_empty();
        let seats = tree.iter().filter(|&(id, node)| node.seat.is_some() && !is_bare_root(id));
        seats.map(|(id, _)| (id, seat_worth(tree, model, id))).min_by(|a, b| a.1.total_cmp(&b.1))
    }

    /// What one more worker is worth at an occupied node that some have joined already.
    pub fn joint_worth<G: Game>(tree: &Tree<G>, model: &dyn Model, id: NodeId, joined: usize) -> f64 {
        doubling::worth(seat_worth(tree, model, id), joined)
    }

    /// The leaf at which a look for a mate is worth most.
    pub fn mate_leaf<G: Game>(tree: &Tree<G>, model: &dyn Model) -> Option<NodeId> {
        let is_leaf =
            |node: &Node<G::Move>| node.is_open() && node.children.is_empty() && mates::nodes(node.looks).is_some();
        let leaves = tree.iter().filter(|&(id, node)| is_leaf(node) && !tree.is_dead(id));
        let worth = |(id, node): (NodeId, &Node<G::Move>)| (mates::worth(tree.probability(model, id), node.looks), id);
        leaves.map(worth).max_by(|a, b| a.0.total_cmp(&b.0).then(b.1.cmp(&a.1))).map(|(_, id)| id)
    }

    /// All occupied nodes, least worth first.
    pub fn seats<G: Game>(tree: &Tree<G>, model: &dyn Model) -> Vec<NodeId> {
        let seated = tree.iter().filter(|(_, node)| node.seat.is_some());
        let mut seats: Vec<(f64, NodeId)> = seated.map(|(id, _)| (seat_worth(tree, model, id), id)).collect();
        seats.sort_by(|a, b| a.0.total_cmp(&b.0).then(a.1.cmp(&b.1)));
        seats.into_iter().map(|(_, id)| id).collect()
    }

    pub fn len(&self) -> usize {
        self.queue.len()
    }

    pub fn is_empty(&self) -> bool {
        self.queue.is_empty()
    }
}

/// What a worker at this place is worth; `None` if nothing can be done there.
fn worth<G: Game>(tree: &Tree<G>, model: &dyn Model, place: Place) -> Option<f64> {
    let (Place::Sit(id) | Place::Grow(id)) = place;
    let node = tree.get(id)?;
    if node.twin.is_some() || tree.is_dead(id) {
        return None;
    }
    if let Place::Sit(_) = place {
        let is_free = node.seat.is_none() && node.is_open();
        let is_wanted = is_free && (node.children.is_empty() || model.wants_others(&tree.siblings(id)));
        return is_wanted.then(|| seat_worth(tree, model, id));
    }
    let (score, depth) = tree.next_hint(id)?;
    if depth < RIPE_DEPTH {
        return None;
    }
    let mut siblings = tree.siblings(id);
    siblings.scores.push(score);
    siblings.others = siblings.others.filter(|_| score.is_none());
    siblings.has_others = usize::from(node.legal) > siblings.scores.len();
    let share = tree.tempered(model, id, model.shares(&siblings)).last().copied()?;
    Some(model.worth(tree.probability(model, id) * share, tree.chance(id), 0) * tree.favour(id))
}

/// What a worker is worth that sits at this node.
fn seat_worth<G: Game>(tree: &Tree<G>, model: &dyn Model, id: NodeId) -> f64 {
    let node = tree.node(id);
    if !node.children.is_empty() && !model.wants_others(&tree.siblings(id)) {
        return 0.0;
    }
    let others = share(1.0 - tree.shares(model, id).iter().sum::<f64>(), node.finding().is_some());
    let nodes = node.finding().filter(|own| !own.inherited).map_or(0, |own| own.nodes);
    let probability = tree.probability(model, id);
    // Where workers do not move about, every node that stands must have its own before the tree grows.
    let here = if model.follows() { probability * others } else { 1.0 + probability };
    model.worth(here, tree.chance(id), nodes) * tree.favour(id)
}

impl<G: Game> Tree<G> {
    /// What the model needs to know of a node's moves.
    pub fn siblings(&self, id: NodeId) -> Siblings {
        let node = self.node(id);
        let score = |&child: &NodeId| self.node(child).value.map(|value| value.score.for_parent());
        Siblings {
            scores: node.children.iter().map(score).collect(),
            others: node.finding().map(|own| own.score),
            has_others: node.has_others(),
        }
    }

    /// Realization probability: the product of the transition probabilities from the root.
    pub fn probability(&self, model: &dyn Model, id: NodeId) -> f64 {
        let mut product = 1.0;
        let mut at = id;
        while let Some(parent) = self.node(at).parent {
            let index = self.node(parent).children.iter().position(|&child| child == at);
            let share = index.and_then(|index| self.shares(model, parent).get(index)).copied().unwrap_or(0.0);
            product *= share;
            at = parent;
        }
        product
    }

    /// The transition probabilities of a node's children. A tree is read with one model all its life: they are computed
    /// once for as long as the values around the node stand.
    pub fn shares(&self, model: &dyn Model, id: NodeId) -> &[f64] {
        self.node(id).shares.get_or_init(|| self.tempered(model, id, model.shares(&self.siblings(id))).into())
    }

    /// What becomes of the shares of a node's moves where the opponent is about to choose ([`temper`]).
    fn tempered(&self, model: &dyn Model, id: NodeId, mut shares: Vec<f64>) -> Vec<f64> {
        if id != self.root {
            return shares;
        }
        if self.replies {
            temper::spread(&mut shares, model.rules().temper);
        }
        let expected = self.expected.and_then(|expected| self.node(id).children.iter().position(|&c| c == expected));
        if let Some(expected) = expected {
            temper::expect(&mut shares, expected);
        }
        shares
    }

    /// Factor on the worth of a place while workers gather below one move.
    fn favour(&self, id: NodeId) -> f64 {
        self.gathered.map_or(1.0, |(best, elsewhere)| if self.is_below(best, id) { 1.0 } else { elsewhere })
    }

    /// The chance that what is found at a node changes our next move, by how far the move towards it is behind the best
    /// one where we choose next: 1 for the best. That is the root, or each reply if the opponent chooses at the root.
    fn chance(&self, id: NodeId) -> f64 {
        let (mut first, mut second) = (None, None);
        let mut at = id;
        while let Some(parent) = self.node(at).parent {
            second = first.replace(at);
            at = parent;
        }
        let (choice, ours) = if self.replies { (first, second) } else { (Some(self.root), first) };
        let (Some(choice), Some(ours)) = (choice, ours) else { return 1.0 };
        let best = self.node(choice).value.map(|value| value.score);
        let here = self.node(ours).value.map(|value| value.score.for_parent());
        match (best, here) {
            (Some(best), Some(here)) => chance(best.raw().saturating_sub(here.raw())),
            _ => 1.0,
        }
    }

    /// Value (if known) and searched depth of the node's next candidate, without checking the move.
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
