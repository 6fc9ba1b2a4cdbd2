//! Facts found by cells, which the host forwards to other cells.

use crate::interface::cell_message::Fact;

/// Maximum number of facts that a cell sends after a task.
const MOST_SENT: usize = 32;
/// Maximum number of facts that a host forwards at once.
const PASSED_ON: usize = 512;
/// Maximum number of facts that a host keeps per problem.
const KEPT: usize = 1 << 18;

/// Returns the facts to send: those that took the most nodes to find.
pub(crate) fn dearest(mut facts: Vec<Fact>) -> Vec<Fact> {
    facts.sort_unstable_by_key(|fact| (std::cmp::Reverse(fact.work), fact.key));
    facts.dedup_by_key(|fact| (fact.key, fact.hand.bits()));
    facts.truncate(MOST_SENT);
    facts
}

/// The facts that a host has received, and the number of facts sent to each cell.
#[derive(Default)]
pub(crate) struct Facts {
    /// Each fact, with the cell that found it.
    all: Vec<(usize, Fact)>,
    sent: Vec<usize>,
}

impl Facts {
    pub(crate) fn add(&mut self, cell: usize, facts: Vec<Fact>) {
        let room = KEPT.saturating_sub(self.all.len()).min(MOST_SENT);
        self.all.extend(facts.into_iter().take(room).map(|fact| (cell, fact)));
    }

    /// Removes all facts that a cell found, but keeps the record of facts already sent to other cells.
    pub(crate) fn forget(&mut self, cell: usize) {
        let remaining = |until: usize| self.all[..until].iter().filter(|(other, _)| *other != cell).count();
        self.sent = self.sent.iter().map(|&until| remaining(until)).collect();
        self.all.retain(|(other, _)| *other != cell);
    }

    pub(crate) fn iter(&self) -> impl Iterator<Item = &Fact> {
        self.all.iter().map(|(_, fact)| fact)
    }

    /// Returns the facts that other cells have found since the last call for `cell`.
    pub(crate) fn news_for(&mut self, cell: usize) -> Vec<Fact> {
        if self.sent.len() <= cell {
            self.sent.resize(cell + 1, 0);
        }
        let from = self.sent[cell].max(self.all.len().saturating_sub(PASSED_ON));
        self.sent[cell] = self.all.len();
        self.all[from..].iter().filter(|(other, _)| *other != cell).map(|&(_, fact)| fact).collect()
    }
}
