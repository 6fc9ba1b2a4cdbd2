//! Tables of transition probabilities, read from TOML.

use super::logit::Logit;
use hasami_words::text::toml_fault;
use serde::Deserialize;
use std::collections::BTreeMap;

/// Statistics on how often moves are played, by rank or gap, for the tree models.
#[derive(Clone, PartialEq, Debug)]
pub struct Transitions {
    /// Probability that the move of each rank is played, the best rank first; the sum is at most 1.
    pub rank: Vec<f64>,
    /// Bradley-Terry strengths of the gap classes: 0, 1-10, 11-20, ... centipawns, all larger gaps, and moves out of
    /// rank.
    pub gap: Vec<f64>,
    /// A learned conditional logit, which replaces ranks and gaps.
    pub logit: Option<Logit>,
}

/// The contents of a TOML file with tables of transition probabilities.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct ModelFile {
    rank: Vec<f64>,
    gap: Vec<f64>,
    weights: Option<BTreeMap<String, f64>>,
}

/// The tables of transition probabilities for one game.
#[derive(Clone, PartialEq, Debug, Default)]
pub struct Knowledge {
    /// Statistics that hold for any strong engine.
    pub any: Transitions,
    /// Statistics for Hasami's own engine.
    pub own: Transitions,
}

impl From<Transitions> for Knowledge {
    /// Uses one table for all engines.
    fn from(table: Transitions) -> Self {
        Self { any: table.clone(), own: table }
    }
}

impl Transitions {
    /// Parses `rank = [...]`, `gap = [...]`, and the optional section `[weights]`. The error is one line of text.
    pub fn parse(text: &str) -> Result<Self, String> {
        let table: ModelFile = toml::from_str(text).map_err(|error| {
            let (line, why) = toml_fault(text, &error);
            format!("line {line}: {why}")
        })?;
        let ModelFile { rank, gap, weights } = table;
        let is_share = |p: &f64| p.is_finite() && *p >= 0.0;
        if rank.is_empty() || !rank.iter().all(is_share) || rank.iter().sum::<f64>() > 1.0 + 1e-9 {
            return Err(format!("expected 1 or more rank probabilities that sum to at most 1, found {rank:?}"));
        }
        if gap.len() < 3 || !gap.iter().all(|g| g.is_finite() && *g > 0.0) {
            return Err(format!("expected 3 or more positive gap strengths, found {gap:?}"));
        }
        let logit = weights.as_ref().map(Logit::parse).transpose()?;
        Ok(Self { rank, gap, logit })
    }

    /// Probability that the move of this rank is played. The best move has rank 0.
    pub fn of_rank(&self, rank: usize) -> f64 {
        let last = self.rank.last().copied().unwrap_or(0.0);
        // Each rank beyond the end of the table has half the probability of the rank before it.
        let beyond = (rank + 1).saturating_sub(self.rank.len()).min(60) as i32;
        self.rank.get(rank).copied().unwrap_or_else(|| last * 0.5f64.powi(beyond))
    }

    /// Strength of a move `gap` centipawns behind the best one.
    pub fn of_gap(&self, gap: i32) -> f64 {
        let class = if gap <= 0 { 0 } else { (gap as usize - 1) / 10 + 1 };
        self.gap[class.min(self.gap.len() - 2)]
    }

    /// Strength of all moves out of rank taken together.
    pub fn out_of_rank(&self) -> f64 {
        self.gap[self.gap.len() - 1]
    }
}

impl Default for Transitions {
    /// Plausible values, for games without their own table.
    fn default() -> Self {
        Self::parse(include_str!("data/start.toml")).expect("a test reads the file that is built in")
    }
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used)]
    use super::*;

    #[test]
    fn the_built_in_table_is_sound() {
        let table = Transitions::default();
        assert!(table.of_rank(0) > table.of_rank(1));
        assert!(table.of_rank(40) > 0.0 && table.of_rank(40) < table.of_rank(9));
    }

    #[test]
    fn gap_classes_are_those_of_the_paper() {
        let table = Transitions { rank: vec![1.0], gap: (0..11).map(f64::from).collect(), logit: None };
        let class = |gap| table.of_gap(gap) as i32;
        assert_eq!([0, 1, 10, 11, 20, 71, 80, 81, 5000].map(class), [0, 1, 1, 2, 2, 8, 8, 9, 9]);
    }

    #[test]
    fn nonsense_is_refused() {
        for text in [
            "",
            "rank = []\ngap = []",
            "rank = [0.9, 0.9]\ngap = [1, 1, 1]",
            "rank = [1]\ngap = [1]",
            "rank = [1]\ngap = [1, 1, 1]\n[weights]\ngap = 1",
        ] {
            let error = Transitions::parse(text).unwrap_err();
            let says_why =
                error.contains("expected ") && error.contains(", found ") || error.contains("missing field ");
            assert!(!error.contains('\n') && says_why, "{text}: {error}");
        }
    }
}
