//! What a host searches itself, by a cell of its own.

use super::cell::MateCell;
use super::host::{Host, MOST_DOUBLINGS};
use crate::core::notation::texts;
use crate::interface::cell_link::HostLink;
use crate::interface::cell_message::{CellOrder, CellReply};
use hasami_api::{MateGame, Stop};
use std::collections::BTreeSet;

impl<G: MateGame> Host<'_, G> {
    /// A task at a time, as a cell would do it.
    pub(super) fn work_alone(&mut self) {
        let Some(leaf) = self.tree.choose() else { return };
        let node = self.tree.node(leaf);
        let size = self.plan.size << node.visits.min(MOST_DOUBLINGS);
        let moves = texts(self.problem, &self.tree.moves_to(leaf));
        let reply = self.by_itself(|cell, stop| cell.search(0, size, &moves, &mut Nobody, stop));
        if let CellReply::Done { found, .. } = reply {
            // Nobody else searches, so the leaf lies on the best line, of which nothing is taken away.
            let size = self.find_room_for(&found);
            // Its own words are right.
            let _ = self.join(leaf, found, size);
        }
    }

    /// The moves of these cells count no more.
    pub(super) fn uncount(&mut self, cells: &BTreeSet<usize>) {
        self.told -= cells.iter().map(|&cell| std::mem::take(&mut self.cells[cell].told)).sum::<u64>();
        self.stop.more(0);
        self.counted = 0;
        (self.counted, _) = (self.nodes_by_clock(), self.walker.pace_anew());
    }

    /// By a cell of its own.
    pub(super) fn by_itself<T>(&mut self, search: impl FnOnce(&mut MateCell<G>, &Stop) -> T) -> T {
        let mut cell = self.substitute.take().unwrap_or_else(|| {
            let mut cell = Box::new(MateCell::with_bytes(self.plan.cell_bytes));
            cell.begin(self.begin);
            cell
        });
        self.stop.more(self.nodes_by_clock());
        let before = cell.nodes;
        // The search tells the clock its nodes itself, from nothing.
        let found = search(&mut cell, self.stop);
        self.stop.more(0);
        self.told += cell.nodes - before;
        self.substitute = Some(cell);
        (self.counted, _) = (self.counted + self.nodes_by_clock(), self.walker.pace_anew());
        found
    }
}

/// Nobody writes to the host's own cell.
pub(super) struct Nobody;

impl HostLink for Nobody {
    fn take(&mut self) -> Option<CellOrder> {
        None
    }

    fn wait(&mut self) -> bool {
        false
    }

    fn send(&mut self, _reply: CellReply) {}
}
