//! Searches that the host runs itself, in its own cell.

use super::cell::MateCell;
use super::host::{Host, MOST_DOUBLINGS};
use crate::core::notation::texts;
use crate::interface::cell_link::HostLink;
use crate::interface::cell_message::{CellOrder, CellReply};
use hasami_api::{MateGame, Stop};
use std::collections::BTreeSet;

impl<G: MateGame> Host<'_, G> {
    /// Searches one leaf in the host's own cell.
    pub(super) fn work_alone(&mut self) {
        let Some(leaf) = self.tree.choose() else { return };
        let node = self.tree.node(leaf);
        let size = self.plan.size << node.visits.min(MOST_DOUBLINGS);
        let moves = texts(self.problem, &self.tree.moves_to(leaf));
        let reply = self.by_itself(|cell, stop| cell.search(0, size, &moves, &mut Nobody, stop));
        if let CellReply::Done { found, .. } = reply {
            // Because no cell is searching another leaf, the leaf lies on the best line, which is never pruned.
            let size = self.find_room_for(&found);
            // `join` cannot fail, because the results of the host's own cell are well formed.
            let _ = self.join(leaf, found, size);
        }
    }

    /// Subtracts from the total the nodes that `cells` reported.
    pub(super) fn uncount(&mut self, cells: &BTreeSet<usize>) {
        self.reported -= cells.iter().map(|&cell| std::mem::take(&mut self.cells[cell].reported)).sum::<u64>();
        self.stop.more(0);
        self.counted = 0;
        (self.counted, _) = (self.nodes_by_clock(), self.walker.pace_anew());
    }

    /// Runs a search in the host's own cell.
    pub(super) fn by_itself<T>(&mut self, search: impl FnOnce(&mut MateCell<G>, &Stop) -> T) -> T {
        let mut cell = self.substitute.take().unwrap_or_else(|| {
            let mut cell = Box::new(MateCell::with_bytes(self.plan.cell_bytes));
            cell.begin(self.begin);
            cell
        });
        self.stop.more(self.nodes_by_clock());
        let before = cell.nodes;
        // The search reports its own nodes to the clock, starting at zero.
        let found = search(&mut cell, self.stop);
        self.stop.more(0);
        self.reported += cell.nodes - before;
        self.substitute = Some(cell);
        (self.counted, _) = (self.counted + self.nodes_by_clock(), self.walker.pace_anew());
        found
    }
}

/// The link of the host's own cell, which carries no messages.
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
