//! Cells of a mate search that run outside of the host's process (docs/design/tatematsu1996.md). The messages of cells
//! have the same format ([`wire`]) on every transport.
//!
//! A transport implements [`CellTransport`] on the host's side and [`HostTransport`] on the cell's side. Slots of other
//! machines are the transport of the program (`hasami_remote`, `cluster::cell`). [`RemoteCells`] and [`RemoteHost`] turn
//! a transport into the links that the solver uses.

pub mod wire;

#[cfg(test)]
mod tests;

use hasami_mate::{CellEvent, CellLinks, CellOrder, CellReply, HostLink};

/// An event from a cell.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum CellInput {
    Message(Vec<u8>),
    /// The cell is gone, for this reason. No more events of the cell follow.
    Lost(String),
}

/// Carries messages between a host and its cells as bytes, in order and without gaps. The methods correspond to those
/// of [`CellLinks`].
pub trait CellTransport: Send {
    fn renew(&mut self) {}

    fn cells(&self) -> usize;

    /// Sends a message without blocking.
    fn send(&mut self, cell: usize, message: &[u8]);

    fn flush(&mut self) {}

    fn take(&mut self) -> Option<(usize, CellInput)>;

    fn wait(&mut self);

    fn dismiss(&mut self, cell: usize, why: &str);
}

/// Carries messages between a cell and its host. The methods correspond to those of [`HostLink`].
pub trait HostTransport {
    fn take(&mut self) -> Option<Vec<u8>>;

    fn wait(&mut self) -> bool;

    fn send(&mut self, message: &[u8]);

    fn note_progress(&mut self) {}
}

/// The cells of one host, connected by a transport.
pub struct RemoteCells<T>(pub T);

impl<T: CellTransport> CellLinks for RemoteCells<T> {
    fn renew(&mut self) {
        self.0.renew();
    }

    fn cells(&self) -> usize {
        self.0.cells()
    }

    fn send(&mut self, cell: usize, order: CellOrder) {
        self.0.send(cell, &wire::encode_order(&order));
    }

    fn flush(&mut self) {
        self.0.flush();
    }

    fn take(&mut self) -> Option<(usize, CellEvent)> {
        let (cell, input) = self.0.take()?;
        let event = match input {
            CellInput::Lost(why) => CellEvent::Lost(why),
            CellInput::Message(bytes) => {
                CellEvent::Message(wire::decode_reply(&bytes).unwrap_or_else(CellReply::Fault))
            }
        };
        Some((cell, event))
    }

    fn wait(&mut self) {
        self.0.wait();
    }

    fn dismiss(&mut self, cell: usize, why: &str) {
        self.0.dismiss(cell, why);
    }
}

/// The host of a cell, connected by a transport.
pub struct RemoteHost<'a, T>(pub &'a mut T);

impl<T: HostTransport> HostLink for RemoteHost<'_, T> {
    /// Returns the next order. Messages that cannot be decoded are reported to the host.
    fn take(&mut self) -> Option<CellOrder> {
        loop {
            match wire::decode_order(&self.0.take()?) {
                Ok(order) => return Some(order),
                Err(why) => self.send(CellReply::Fault(why)),
            }
        }
    }

    fn wait(&mut self) -> bool {
        self.0.wait()
    }

    fn send(&mut self, reply: CellReply) {
        self.0.send(&wire::encode_reply(&reply));
    }

    fn note_progress(&mut self) {
        self.0.note_progress();
    }
}
