//! P-GPP: transition probabilities by rank among the siblings, the same at all levels (Yokoyama et al. 2014, section
//! 3).

use super::{Model, Siblings};
use crate::Transitions;

pub struct Rank {
    table: Transitions,
}

impl Rank {
    pub fn new(table: Transitions) -> Self {
        Self { table }
    }
}

impl Model for Rank {
    fn shares(&self, siblings: &Siblings) -> Vec<f64> {
        siblings.ranks().into_iter().map(|rank| self.table.of_rank(rank)).collect()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use hasami_api::Score;

    #[test]
    fn the_best_sibling_has_the_first_share() {
        let table = Transitions { rank: vec![0.5, 0.25], gap: vec![1.0; 11], logit: None };
        let scores = vec![Some(Score::cp(-10)), Some(Score::cp(30)), None];
        let siblings = Siblings { scores, has_others: true, ..Siblings::default() };
        assert_eq!(Rank::new(table).shares(&siblings), vec![0.25, 0.5, 0.125]);
    }
}
