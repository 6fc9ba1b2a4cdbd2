//! PE1's path, shared by all processors, and the nodes on the path at which other processors work.
//!
//! A node is identified by its depth and the hash of the moves that lead to it, so that two paths are compared by
//! comparing two hashes (Takano et al. 2004, section 5, compares lists of moves).

use crate::core::dfpn::Dfpn;
use crate::core::value::ProofNumbers;
use hasami_api::MateGame;

/// A node of PE1's path.
struct PathNode<M> {
    /// The move that leads to the node; `None` for the root.
    mv: Option<M>,
    /// Hash of the moves from the root to this node.
    name: u64,
    /// The global thresholds of this node.
    limits: (u32, u32),
    /// True while a processor other than PE1 works at this node.
    is_taken: bool,
    /// True if all children, except the one on PE1's path, have been searched up to the limits of this node.
    is_done: bool,
    /// Results for children of this node that PE1 has not received yet.
    found: Vec<(M, ProofNumbers)>,
}

/// An OR node of PE1's path at which another processor is to work.
pub(super) struct WorkPlace<M> {
    /// The moves from the root to the node.
    pub(super) way: Vec<M>,
    name: u64,
    pub(super) limits: (u32, u32),
}

/// Changes that PE1 receives before it chooses its next move.
pub(super) struct PathNews<M> {
    /// Depth of a node on the path that another processor has proved. PE1 stops searching below a proved node (Takano
    /// et al. 2004, section 6.4).
    pub(super) proved_at: Option<usize>,
    /// Results of other processors for the children of the last node of the path.
    pub(super) found: Vec<(M, ProofNumbers)>,
    /// True if the path has a new node at which another processor can work.
    pub(super) has_place: bool,
}

pub(super) struct FirstPath<M> {
    nodes: Vec<PathNode<M>>,
    /// Depth of the shallowest node on the path that another processor has proved.
    proved_at: Option<usize>,
}

impl<M> Default for FirstPath<M> {
    fn default() -> Self {
        Self { nodes: Vec::new(), proved_at: None }
    }
}

impl<M: Copy + Eq> FirstPath<M> {
    /// Updates the path after PE1 has moved down or up in the tree, and returns the changes.
    pub(super) fn follow<G: MateGame<Move = M>>(&mut self, search: &Dfpn<G>) -> PathNews<M> {
        let frames = &search.frames;
        self.nodes.truncate(frames.len());
        let mut is_new = false;
        for depth in self.nodes.len()..frames.len() {
            let mv = depth.checked_sub(1).map(|above| search.arena[frames[above].first + frames[above].chosen].mv);
            let (name, limits) = (frames[depth].child_path, frames[depth].inner);
            self.nodes.push(PathNode { mv, name, limits, is_taken: false, is_done: false, found: Vec::new() });
            is_new |= <Dfpn<G>>::attacks(depth);
        }
        // The limits of the root grow while PE1 is at the root.
        if self.nodes[0].limits != frames[0].inner {
            (self.nodes[0].limits, self.nodes[0].is_done) = (frames[0].inner, false);
            is_new = true;
        }
        let last = frames.len() - 1;
        // PE1 has noticed a proof once PE1's path ends at or above the proved node.
        self.proved_at = self.proved_at.filter(|&depth| depth < last);
        let found = std::mem::take(&mut self.nodes[last].found);
        PathNews { proved_at: self.proved_at, found, has_place: is_new }
    }

    /// Takes the shallowest OR node that is neither done nor taken (Takano et al. 2004, section 6.2).
    pub(super) fn take_place(&mut self) -> Option<WorkPlace<M>> {
        let is_free = |node: &PathNode<M>| !node.is_taken && !node.is_done;
        let depth = (0..self.nodes.len()).step_by(2).find(|&depth| is_free(&self.nodes[depth]))?;
        self.nodes[depth].is_taken = true;
        let way = self.nodes[..=depth].iter().filter_map(|node| node.mv).collect();
        let PathNode { name, limits, .. } = self.nodes[depth];
        Some(WorkPlace { way, name, limits })
    }

    fn node(&mut self, place: &WorkPlace<M>) -> Option<&mut PathNode<M>> {
        self.nodes.get_mut(place.way.len()).filter(|node| node.name == place.name)
    }

    /// Returns true if searching `child` is still useful. The search is useless if PE1 has left the node, has raised
    /// its limits, or searches the same child.
    pub(super) fn needs(&mut self, place: &WorkPlace<M>, child: M) -> bool {
        self.node(place).is_some_and(|node| node.limits == place.limits) && self.child(place) != Some(child)
    }

    /// Returns the child through which PE1's path continues.
    pub(super) fn child(&self, place: &WorkPlace<M>) -> Option<M> {
        self.nodes.get(place.way.len() + 1).and_then(|node| node.mv)
    }

    /// Records the result of searching a child, so that PE1 receives it later.
    pub(super) fn tell(&mut self, place: &WorkPlace<M>, child: M, value: ProofNumbers) {
        let depth = place.way.len();
        let Some(node) = self.node(place) else { return };
        node.found.push((child, value));
        if value.is_proved() {
            self.proved_at = Some(self.proved_at.map_or(depth, |first| first.min(depth)));
        }
    }

    /// Ends a processor's work at a node; other processors can take the node unless all its children are done.
    pub(super) fn leave_place(&mut self, place: &WorkPlace<M>, is_done: bool) {
        if let Some(node) = self.node(place) {
            node.is_taken = false;
            // If the root's limits have grown, a search with the old limits has not finished the root.
            node.is_done = is_done && node.limits == place.limits;
        }
    }
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used)]
    use super::*;
    use hasami_api::Hand;

    const PROOF: ProofNumbers = ProofNumbers::proved(3, Hand::EMPTY);
    const OPEN: ProofNumbers = ProofNumbers::open(9, 9, Hand::EMPTY);

    fn node(mv: Option<u32>, name: u64) -> PathNode<u32> {
        PathNode { mv, name, limits: (7, 7), is_taken: false, is_done: false, found: Vec::new() }
    }

    /// Returns PE1's path after the moves 1 to 6.
    fn path() -> FirstPath<u32> {
        let nodes = (0..7).map(|depth| node((depth > 0).then_some(depth), 100 + u64::from(depth))).collect();
        FirstPath { nodes, ..FirstPath::default() }
    }

    /// Moves PE1 back to `depth` and makes `mv` at that depth.
    fn turn(path: &mut FirstPath<u32>, depth: usize, mv: u32) {
        path.nodes.truncate(depth + 1);
        path.nodes.push(node(Some(mv), 200 + u64::from(mv)));
    }

    #[test]
    fn a_processor_goes_to_the_shallowest_free_or_node() {
        let mut path = path();
        let ways: Vec<Vec<u32>> = (0..4).map(|_| path.take_place().unwrap().way).collect();
        assert_eq!(ways, [vec![], vec![1, 2], vec![1, 2, 3, 4], vec![1, 2, 3, 4, 5, 6]]);
        assert!(path.take_place().is_none(), "no processor goes to an AND node or to a place that is taken");
    }

    /// Reproduces Figure 5 of Takano et al. 2004.
    #[test]
    fn a_place_that_is_searched_to_the_end_is_not_taken_again() {
        let mut path = path();
        let places: Vec<WorkPlace<u32>> = (0..3).map(|_| path.take_place().unwrap()).collect();
        path.leave_place(&places[0], true);
        path.leave_place(&places[1], false);
        assert_eq!(path.take_place().unwrap().way, [1, 2], "a place with work left can be taken again");
        assert_eq!(path.take_place().unwrap().way, [1, 2, 3, 4, 5, 6]);
        assert!(path.take_place().is_none());
    }

    /// Reproduces Figure 7 (a) of Takano et al. 2004.
    #[test]
    fn a_processor_stops_where_pe1_searches_the_same_child_or_has_left() {
        let mut path = path();
        let _root = path.take_place().unwrap();
        let place = path.take_place().unwrap();
        assert!(path.needs(&place, 9) && !path.needs(&place, 3), "PE1 searches move 3");
        turn(&mut path, 2, 9);
        assert!(path.needs(&place, 3) && !path.needs(&place, 9), "PE1 searches move 9, at the large end");
        turn(&mut path, 0, 8);
        assert!(!path.needs(&place, 3) && !path.needs(&place, 9), "PE1 has left the place");
        path.leave_place(&place, false);
        path.tell(&place, 9, PROOF);
        assert_eq!(path.proved_at, None, "results of another path are ignored");
    }

    #[test]
    fn larger_global_thresholds_reopen_the_root() {
        let mut path = path();
        let place = path.take_place().unwrap();
        assert!(path.needs(&place, 9));
        path.nodes[0].limits = (7, 12);
        assert!(!path.needs(&place, 9));
        path.leave_place(&place, true);
        assert_eq!(path.take_place().unwrap().limits, (7, 12));
    }

    /// Reproduces Figure 7 (b) of Takano et al. 2004.
    #[test]
    fn pe1_learns_of_the_shallowest_proof_on_its_path() {
        let mut path = path();
        let places: Vec<WorkPlace<u32>> = (0..3).map(|_| path.take_place().unwrap()).collect();
        path.tell(&places[1], 9, OPEN);
        assert_eq!(path.proved_at, None);
        path.tell(&places[1], 8, PROOF);
        path.tell(&places[2], 9, PROOF);
        assert_eq!(path.proved_at, Some(2));
        assert_eq!(path.nodes[2].found, [(9, OPEN), (8, PROOF)]);
    }
}
