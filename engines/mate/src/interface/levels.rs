//! Results of a level-synchronous search in addition to its answer (docs/design/level-synchronous.md).

use hasami_api::MoveText;

/// Statistics and optimal lines of a level-synchronous search.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct LevelReport {
    /// Counts for each level. The first level consists of the first check and the answer to it.
    pub counts: Vec<LevelCounts>,
    /// Number of levels of which all "mates" were found.
    pub complete: usize,
    /// True if the memory was too small for another level.
    pub is_full: bool,
    /// Largest total size of the propositions, in bytes.
    pub bytes: usize,
    /// Number of lines in which the attack is shortest and the defence is longest.
    pub lines: u64,
    /// The optimal lines, up to a maximum number of lines.
    pub optimal_lines: Vec<Vec<MoveText>>,
}

/// Counts of the propositions on one level.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct LevelCounts {
    /// Number of positions whose propositions were written.
    pub entries: u64,
    /// Number of propositions written, each a pair of a check and an answer to it.
    pub written: u64,
    /// Number of propositions that there would be if equal positions were not merged.
    pub as_lines: u64,
    /// Number of positions to which the propositions lead.
    pub objects: u64,
    /// Number of "mates" that appeared on this level.
    pub mates: u64,
    /// Number of "failures" that appeared on this level.
    pub failures: u64,
    /// Number of "mates" erased because their group had other pairs.
    pub by_rule_1: u64,
    /// Number of propositions erased in groups with a "failure" because their object had other groups.
    pub by_rule_2: u64,
    /// Number of propositions erased by neither rule, including those reached only through erased propositions.
    pub with_others: u64,
    /// Number of propositions read as "mate" or "failure" from the results of the next level (rule 3).
    pub read: u64,
}

impl LevelCounts {
    /// Number of propositions that were not erased.
    pub const fn left(&self) -> u64 {
        self.written.saturating_sub(self.by_rule_1 + self.by_rule_2 + self.with_others)
    }
}
