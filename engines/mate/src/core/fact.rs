//! Facts out of a table, and into one.

use super::table::MateTable;
use super::value::{ProofNumbers, UNCONDITIONAL};
use crate::interface::cell_message::Fact;

/// Expansions below it that make a fact worth telling.
const WORTH: u32 = 20;

impl Fact {
    /// A decided value that holds everywhere, and cost enough.
    pub(crate) fn of(key: u64, value: ProofNumbers, work: u32) -> Option<Self> {
        let is_general = value.is_proved() || value.is_disproved() && value.note == UNCONDITIONAL;
        let plies = value.is_proved().then_some(value.note.unsigned_abs());
        (is_general && work >= WORTH).then_some(Self { key, hand: value.hand, plies, work })
    }

    pub(crate) fn put_into(self, table: &MateTable) {
        let value = match self.plies {
            Some(plies) => ProofNumbers::proved(i16::try_from(plies).unwrap_or(i16::MAX), self.hand),
            None => ProofNumbers::disproved(UNCONDITIONAL, self.hand),
        };
        table.put(self.key, value, self.work);
    }
}
