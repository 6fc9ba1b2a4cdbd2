//! The links between a host and cells that share no memory, whatever carries their messages: threads, pipes, a network,
//! or a machine with a clock of its own.

use super::cell_message::{CellOrder, CellReply};

/// What a host hears of a cell.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum CellEvent {
    /// What cannot be read comes as a [`CellReply::Fault`].
    Message(CellReply),
    /// The cell is gone, and why. The last that is heard of it.
    Lost(String),
    /// The time is over in which it had to answer a [`CellOrder::Prove`]. Links need not tell this.
    Withheld,
}

/// The host's side.
pub trait CellLinks: Send {
    /// A problem begins. Who was lost before may be left out, and who has come since be taken in: cells are numbered anew.
    fn renew(&mut self) {}

    /// Cells since [`Self::renew`]; they have the numbers from 0.
    fn cells(&self) -> usize;

    /// Never blocks. A cell that is lost hears nothing; that it is lost is told to every problem. An order may wait for
    /// others until the host looks for messages itself.
    fn send(&mut self, cell: usize, order: CellOrder);

    /// Nothing more is to be said for now: no order waits any longer.
    fn flush(&mut self) {}

    /// The next that has come, without waiting.
    fn take(&mut self) -> Option<(usize, CellEvent)>;

    /// Waits until something may have come, or a moment has passed.
    fn wait(&mut self);

    /// A cell's message makes no sense: nothing more is wanted of it.
    fn dismiss(&mut self, cell: usize, why: &str);
}

/// A cell's side.
pub trait HostLink {
    /// The next order that has come, without waiting.
    fn take(&mut self) -> Option<CellOrder>;

    /// Waits until something may have come, or a moment has passed. `false`: nothing will come any more.
    fn wait(&mut self) -> bool;

    /// It may wait for others until the cell looks for orders itself.
    fn send(&mut self, reply: CellReply);

    /// The cell is at work and has nothing to say yet.
    fn note_progress(&mut self) {}
}

/// Who answers a host's orders, until nothing comes any more.
pub trait CellWorker: Send {
    /// Answers the orders of `mail` until its host is gone.
    fn serve(&mut self, mail: &mut dyn HostLink);
}
