//! Statistics of the propositions written and erased, by level.

use crate::interface::levels::LevelCounts;

#[derive(Default)]
pub(super) struct CountsByLevel(Vec<LevelCounts>);

impl CountsByLevel {
    /// Returns the counts for a level; levels are numbered from 1.
    pub(super) fn at(&mut self, level: u16) -> &mut LevelCounts {
        let level = usize::from(level.max(1));
        if self.0.len() < level {
            self.0.resize(level, LevelCounts::default());
        }
        &mut self.0[level - 1]
    }

    /// Counts propositions written on a level for an object to which `lines` lines lead.
    pub(super) fn write(&mut self, level: u16, propositions: u64, lines: u64) {
        let counts = self.at(level);
        counts.written += propositions;
        counts.as_lines = counts.as_lines.saturating_add(propositions.saturating_mul(lines));
    }

    pub(super) fn all(&self) -> &[LevelCounts] {
        &self.0
    }
}
