//! Facts found by cells, as they tell them and as a host passes them on.

use crate::interface::cell_message::Fact;

/// Facts that a cell tells after a task: those that cost most.
const TOLD: usize = 32;
/// Facts that a host passes on at once.
const PASSED_ON: usize = 512;
/// Facts that a host keeps of one problem.
const KEPT: usize = 1 << 18;

/// The dearest, which are worth telling.
pub(crate) fn dearest(mut facts: Vec<Fact>) -> Vec<Fact> {
    facts.sort_unstable_by_key(|fact| (std::cmp::Reverse(fact.work), fact.key));
    facts.dedup_by_key(|fact| (fact.key, fact.hand.bits()));
    facts.truncate(TOLD);
    facts
}

/// Facts that a host has been told, and how far each cell has been told of them.
#[derive(Default)]
pub(crate) struct Facts {
    /// With the cell that told it.
    all: Vec<(usize, Fact)>,
    told: Vec<usize>,
}

impl Facts {
    pub(crate) fn add(&mut self, cell: usize, facts: Vec<Fact>) {
        let room = KEPT.saturating_sub(self.all.len()).min(TOLD);
        self.all.extend(facts.into_iter().take(room).map(|fact| (cell, fact)));
    }

    /// All that this cell has told is forgotten; what the others have been told of stays told.
    pub(crate) fn forget(&mut self, cell: usize) {
        let told = |until: usize| self.all[..until].iter().filter(|(other, _)| *other != cell).count();
        self.told = self.told.iter().map(|&until| told(until)).collect();
        self.all.retain(|(other, _)| *other != cell);
    }

    pub(crate) fn iter(&self) -> impl Iterator<Item = &Fact> {
        self.all.iter().map(|(_, fact)| fact)
    }

    /// Facts that others have found since this was asked for this cell.
    pub(crate) fn news_for(&mut self, cell: usize) -> Vec<Fact> {
        if self.told.len() <= cell {
            self.told.resize(cell + 1, 0);
        }
        let from = self.told[cell].max(self.all.len().saturating_sub(PASSED_ON));
        self.told[cell] = self.all.len();
        self.all[from..].iter().filter(|(other, _)| *other != cell).map(|&(_, fact)| fact).collect()
    }
}
