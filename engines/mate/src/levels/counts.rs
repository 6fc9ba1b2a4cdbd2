//! How many propositions were written and what became of them, level by level.

use hasami_api::LevelCounts;

#[derive(Default)]
pub(super) struct Counts(Vec<LevelCounts>);

impl Counts {
    /// Of a level, from 1.
    pub(super) fn at(&mut self, level: u16) -> &mut LevelCounts {
        let level = usize::from(level.max(1));
        if self.0.len() < level {
            self.0.resize(level, LevelCounts::default());
        }
        &mut self.0[level - 1]
    }

    pub(super) fn all(&self) -> &[LevelCounts] {
        &self.0
    }
}
