//! Cells of a mate search that run outside of the host's process (docs/design/tatematsu1996.md). The messages of cells
//! have the same format ([`wire`]) on every transport.
//!
//! A transport implements [`CellTransport`] on the host's side and [`HostTransport`] on the cell's side. Slots of other
//! machines are the transport of the program (`hasami_remote`, `cluster::cell`). [`RemoteCells`] and [`RemoteHost`] turn
//! a transport into the links that the solver uses.

mod steps_watch;
pub mod wire;

#[cfg(test)]
mod tests;

use hasami_mate::{CellEvent, CellLinks, CellOrder, CellReply, HostLink};
use std::time::{Duration, Instant};
use steps_watch::StepsWatch;

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

    /// A number that no other cell of the host is ever given, not even in another problem; `None` if the cell is lost.
    fn lasting_number(&self, cell: usize) -> Option<u32>;

    /// Warns the user that a cell misbehaves.
    fn warn(&mut self, cell: usize, why: &str);
}

/// Carries messages between a cell and its host. The methods correspond to those of [`HostLink`].
pub trait HostTransport {
    fn take(&mut self) -> Option<Vec<u8>>;

    fn wait(&mut self) -> bool;

    fn send(&mut self, message: &[u8]);

    fn note_progress(&mut self) {}
}

/// The cells of one host, connected by a transport.
pub struct RemoteCells<T> {
    transport: T,
    steps: StepsWatch,
}

impl<T: CellTransport> RemoteCells<T> {
    /// `patience` is the longest time that a cell may be silent.
    pub fn new(transport: T, patience: Duration) -> Self {
        Self { transport, steps: StepsWatch::new(Instant::now(), patience) }
    }

    /// Returns a cell that has not shown the steps of its results in time. Called when all input has been read.
    fn take_missed(&mut self, now: Instant) -> Option<(usize, CellEvent)> {
        let missed = self.steps.missed(now)?;
        let is_it = |&cell: &usize| self.transport.lasting_number(cell) == Some(missed.cell);
        let Some(cell) = (0..self.transport.cells()).find(is_it) else {
            self.steps.forget(missed.cell);
            return None;
        };
        if missed.is_last {
            self.transport.dismiss(cell, &missed.why);
        } else if missed.is_first {
            self.transport.warn(cell, &missed.why);
        }
        Some((cell, CellEvent::Withheld))
    }
}

impl<T: CellTransport> CellLinks for RemoteCells<T> {
    fn renew(&mut self) {
        self.transport.renew();
        self.steps.begin(Instant::now());
    }

    fn cells(&self) -> usize {
        self.transport.cells()
    }

    fn send(&mut self, cell: usize, order: CellOrder) {
        if let (&CellOrder::Prove { problem, .. }, Some(number)) = (&order, self.transport.lasting_number(cell)) {
            self.steps.ask(number, problem, Instant::now());
        }
        self.transport.send(cell, &wire::encode_order(&order));
    }

    fn flush(&mut self) {
        self.transport.flush();
    }

    fn take(&mut self) -> Option<(usize, CellEvent)> {
        let Some((cell, input)) = self.transport.take() else { return self.take_missed(Instant::now()) };
        let event = match input {
            CellInput::Lost(why) => CellEvent::Lost(why),
            CellInput::Message(bytes) => {
                CellEvent::Message(wire::decode_reply(&bytes).unwrap_or_else(CellReply::Fault))
            }
        };
        if let CellEvent::Message(CellReply::Proof { problem, .. }) = event
            && let Some(number) = self.transport.lasting_number(cell)
        {
            self.steps.answer(number, problem);
        }
        Some((cell, event))
    }

    fn wait(&mut self) {
        self.transport.wait();
    }

    fn dismiss(&mut self, cell: usize, why: &str) {
        self.transport.dismiss(cell, why);
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
