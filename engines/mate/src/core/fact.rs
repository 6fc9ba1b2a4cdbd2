//! Conversion between facts and table entries.

use super::table::{KnownMate, MateTable};
use super::value::{ProofNumbers, UNCONDITIONAL};
use crate::interface::cell_message::Fact;

/// Minimum number of expansions behind a fact that is sent to other cells.
const WORTH: u32 = 20;

/// The larger of the proof and disproof numbers of a hint; the smaller one is 1.
const DECIDED: u32 = 1_000;

impl Fact {
    /// Converts a decided value to a fact, if the value holds on every path and was expensive to compute.
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

    /// Stores the fact as the numbers of a nearly decided position, which only guide the search. An existing entry is
    /// kept.
    pub(crate) fn hint_to(self, table: &MateTable) {
        if table.get(self.key, self.hand) == KnownMate::Nothing {
            let (pn, dn) = if self.plies.is_some() { (1, DECIDED) } else { (DECIDED, 1) };
            table.put(self.key, ProofNumbers::open(pn, dn, self.hand), self.work);
        }
    }
}
