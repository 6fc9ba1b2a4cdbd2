//! How likely each move of a node is to be played, and what follows from it for the tree's growth.

mod gap;
mod hasami;
mod rank;

pub use gap::Gap;
pub use hasami::Hasami;
pub use rank::Rank;

use super::rules::TreeRules;
use hasami_api::Score;

/// The moves of one node as a model sees them, from the point of view of the side to move at the node.
#[derive(Clone, PartialEq, Debug, Default)]
pub struct Siblings {
    /// Values of the moves with nodes, in the order of their nodes; `None` while unknown.
    pub scores: Vec<Option<Score>>,
    /// Value of all other moves together; `None` while unknown.
    pub others: Option<Score>,
    /// There are other moves.
    pub has_others: bool,
    /// Legal moves of the position.
    pub legal: u16,
    /// Plies that have been searched from the position.
    pub depth: u16,
    /// See [`crate::phase()`].
    pub phase: f64,
}

impl Siblings {
    /// Ranks by value, 0 for the best; unknown ones come last, in their order.
    pub fn ranks(&self) -> Vec<usize> {
        let value = |i: usize| self.scores[i].unwrap_or(Score::WORST);
        let ahead = |i: usize, j: usize| value(j) > value(i) || (value(j) == value(i) && j < i);
        (0..self.scores.len()).map(|i| (0..self.scores.len()).filter(|&j| ahead(i, j)).count()).collect()
    }
}

/// A model of transition probabilities and the growth rules that go with it.
pub trait Model: Send {
    /// The probability of each sibling to be played; what is missing from 1 belongs to the others.
    fn shares(&self, siblings: &Siblings) -> Vec<f64>;

    /// The rules of growth that go with it.
    fn rules(&self) -> &TreeRules {
        &TreeRules::PAPER
    }

    /// Workers move about within one search; otherwise every node keeps its worker as long as it stands.
    fn follows(&self) -> bool {
        self.rules().affinity
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn unknown_values_rank_last() {
        let scores = vec![None, Some(Score::cp(5)), Some(Score::cp(9)), None];
        let siblings = Siblings { scores, has_others: true, ..Siblings::default() };
        assert_eq!(siblings.ranks(), vec![2, 1, 0, 3]);
    }
}
