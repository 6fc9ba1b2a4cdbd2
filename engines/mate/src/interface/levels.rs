//! Results of a level-synchronous search beside its answer (docs/design/level-synchronous.md).

use hasami_api::MoveText;

/// The levels of a search, the lines among them, and the memory that they took.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct LevelReport {
    /// Counts of each level, the first one being the first check and the answer to it.
    pub counts: Vec<LevelCounts>,
    /// LevelReport that are complete.
    pub complete: usize,
    /// There was no memory for another one.
    pub is_full: bool,
    /// The most that the propositions took.
    pub bytes: usize,
    /// Lines of the shortest attacks against the longest defences, and the first ones of them.
    pub lines: u64,
    /// The first ones of these lines.
    pub told: Vec<Vec<MoveText>>,
}

/// The propositions of one level and what became of them. What is written and neither erased nor read otherwise is left.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct LevelCounts {
    /// Positions whose propositions were written.
    pub entries: u64,
    /// Propositions: a check and an answer to it.
    pub written: u64,
    /// As many would there be if positions that are equal were not one.
    pub as_lines: u64,
    /// Positions that they lead to.
    pub objects: u64,
    /// "Mates" and "failures" that appeared here.
    pub mates: u64,
    /// See `mates`.
    pub failures: u64,
    /// Erased: "mates" with others in their group, and groups with a "failure" beside others.
    pub by_rule_1: u64,
    /// See `by_rule_1`.
    pub by_rule_2: u64,
    /// Erased with what led to them.
    pub with_others: u64,
    /// Read as "mate" or "failure" when the level after it had decided (rule 3).
    pub read: u64,
}

impl LevelCounts {
    /// Neither erased by a rule nor with others.
    pub const fn left(&self) -> u64 {
        self.written.saturating_sub(self.by_rule_1 + self.by_rule_2 + self.with_others)
    }
}
