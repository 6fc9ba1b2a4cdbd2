//! Links between a host and cells that share no memory, independent of how messages are transported: threads, a
//! network, or a virtual clock.

use super::cell_message::{CellOrder, CellReply};

/// An event at a host's end of the link to a cell.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum CellEvent {
    /// A message from the cell. An unreadable message arrives as a [`CellReply::Fault`].
    Message(CellReply),
    /// The loss of the cell, with the reason. No further event from this cell follows.
    Lost(String),
}

/// The host's side of the links to its cells.
pub trait CellLinks: Send {
    /// Begins a problem. Lost cells may be left out and new cells added, and all cells are renumbered.
    fn renew(&mut self) {}

    /// Returns the number of cells since the last call of [`Self::renew`]. Cells are numbered from 0.
    fn cells(&self) -> usize;

    /// Sends an order without blocking. Orders to a lost cell are discarded, and the loss is reported once more for
    /// every problem to which the cell still belongs. An order may be delayed until the host next reads messages.
    fn send(&mut self, cell: usize, order: CellOrder);

    /// Sends all delayed orders. The host calls this function when it has no further orders for now.
    fn flush(&mut self) {}

    /// Returns the next event without waiting.
    fn take(&mut self) -> Option<(usize, CellEvent)>;

    /// Waits briefly for an event.
    fn wait(&mut self);

    /// Dismisses a cell because of an invalid message or a false claim.
    fn dismiss(&mut self, cell: usize, why: &str);
}

/// A cell's side of the link to its host.
pub trait HostLink {
    /// Returns the next order without waiting.
    fn take(&mut self) -> Option<CellOrder>;

    /// Waits briefly for an order. Returns false if no more orders will arrive.
    fn wait(&mut self) -> bool;

    /// Sends a reply, which may be delayed until the cell next reads orders.
    fn send(&mut self, reply: CellReply);

    /// Signals that the cell is working but has nothing to report yet.
    fn note_progress(&mut self) {}
}

/// A cell that carries out the orders of a host until no more orders arrive.
pub trait CellWorker: Send {
    /// Carries out the orders from `mail` until the host disconnects.
    fn serve(&mut self, mail: &mut dyn HostLink);
}
