//! Tree models, which estimate how likely each move of a node is to be played.

mod gap;
mod hasami;

use super::Transitions;
use super::rules::TreeRules;
use hasami_api::Score;
use hasami_protocol::settings::TreeModel;

/// A node's moves, as input for a model. Values are for the side to move at the node.
#[derive(Clone, PartialEq, Debug, Default)]
pub struct Siblings {
    /// Values of the moves that have nodes, in the order of the nodes; `None` if unknown.
    pub scores: Vec<Option<Score>>,
    /// Value of the best move without a node; `None` if unknown.
    pub others: Option<Score>,
    /// True if there are moves without a node.
    pub has_others: bool,
    /// Number of legal moves in the position.
    pub legal: u16,
    /// Depth in plies to which the position was searched.
    pub depth: u16,
    /// The phase of the game; see [`crate::phase()`].
    pub phase: f64,
}

impl Siblings {
    /// The rank of each move by value, where the best move has rank 0. Moves without a value come last.
    pub fn ranks(&self) -> Vec<usize> {
        let value = |i: usize| self.scores[i].unwrap_or(Score::WORST);
        let ahead = |i: usize, j: usize| value(j) > value(i) || (value(j) == value(i) && j < i);
        (0..self.scores.len()).map(|i| (0..self.scores.len()).filter(|&j| ahead(i, j)).count()).collect()
    }
}

/// A model of transition probabilities, with its tables and its rules of growth.
pub struct Model {
    kind: TreeModel,
    table: Transitions,
    rules: TreeRules,
}

impl Model {
    /// Creates a model. `rules` applies only to the Hasami model; the models of the papers use [`TreeRules::PAPER`].
    pub fn new(kind: TreeModel, table: Transitions, rules: TreeRules) -> Self {
        let rules = if kind == TreeModel::Hasami { rules } else { TreeRules::PAPER };
        Self { kind, table, rules }
    }

    /// The probability that each sibling is played. The moves without a node share the remaining probability.
    pub fn shares(&self, siblings: &Siblings) -> Vec<f64> {
        match self.kind {
            TreeModel::Rank => by_rank(&self.table, siblings),
            TreeModel::Gap => gap::shares(&self.table, siblings),
            TreeModel::Hasami => hasami::shares(&self.table, siblings),
        }
    }

    pub fn rules(&self) -> &TreeRules {
        &self.rules
    }

    /// Returns whether a worker follows its best move to a new node; if not, every node keeps its worker as long as the
    /// node exists.
    pub fn follows(&self) -> bool {
        self.rules.affinity
    }
}

/// Transition probabilities by rank among the siblings, the same at all depths: the P-GPP model (Yokoyama et al. 2014,
/// section 3).
fn by_rank(table: &Transitions, siblings: &Siblings) -> Vec<f64> {
    siblings.ranks().into_iter().map(|rank| table.of_rank(rank)).collect()
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

    #[test]
    fn the_best_sibling_has_the_first_share() {
        let table = Transitions { rank: vec![0.5, 0.25], gap: vec![1.0; 11], logit: None };
        let scores = vec![Some(Score::cp(-10)), Some(Score::cp(30)), None];
        let siblings = Siblings { scores, has_others: true, ..Siblings::default() };
        assert_eq!(by_rank(&table, &siblings), vec![0.25, 0.5, 0.125]);
    }
}
