//! Runs a slot as a cell: a separate thread with a mailbox, which answers the messages of its host.

use super::channel::Batch;
use crossbeam_channel::{Receiver, RecvTimeoutError, Sender, unbounded};
use hasami_mate::{CellOrder, CellReply, HostLink};
use hasami_workers::cells::{decode_order, encode_reply};
use std::thread::Builder;
use std::time::{Duration, Instant};

/// Stack size of a cell's thread, in bytes, enough for searches whose recursion is several hundred plies deep.
const STACK: usize = 64 << 20;
/// Interval at which a waiting cell checks whether it is still needed.
const LOOK: Duration = Duration::from_millis(200);
/// How long a working cell holds back messages so that several can be sent together, since many of its tasks end almost
/// simultaneously.
const PAUSE: Duration = Duration::from_millis(1);

/// Sends messages from the host to a cell. Dropping a `CellSender` ends its cell.
pub type CellSender = Sender<Vec<u8>>;

/// Sends messages from a cell to its host.
pub type SendBatch = Box<dyn Fn(&Batch) + Send>;

/// Calls `serve` on a new thread until the sender of the cell's messages is dropped, and then calls `gone`.
pub fn open(
    name: String,
    serve: impl FnOnce(&mut CellMailbox) + Send + 'static,
    post: SendBatch,
    gone: impl FnOnce() + Send + 'static,
) -> Result<CellSender, String> {
    let (sender, inbox) = unbounded();
    let thread = Builder::new().name(name).stack_size(STACK).spawn(move || {
        let (written, since) = (Batch::default(), Instant::now());
        serve(&mut CellMailbox { inbox, first: None, is_over: false, post, written, since });
        gone();
    });
    thread.map(|_| sender).map_err(|error| format!("cannot start a thread: {error}"))
}

/// A cell's end of the connection to its host.
pub struct CellMailbox {
    inbox: Receiver<Vec<u8>>,
    first: Option<Vec<u8>>,
    is_over: bool,
    post: SendBatch,
    /// Messages for the next batch; `since` is the time when the first of them was added.
    written: Batch,
    since: Instant,
}

impl CellMailbox {
    fn flush(&mut self) {
        if !self.written.is_empty() {
            (self.post)(&std::mem::take(&mut self.written));
        }
    }

    fn is_due(&self) -> bool {
        !self.written.is_empty() && self.since.elapsed() >= PAUSE
    }
}

impl HostLink for CellMailbox {
    /// Returns the next order from the host. Messages that cannot be decoded are reported to the host.
    fn take(&mut self) -> Option<CellOrder> {
        loop {
            if self.is_due() {
                self.flush();
            }
            match decode_order(&self.first.take().or_else(|| self.inbox.try_recv().ok())?) {
                Ok(order) => return Some(order),
                Err(why) => self.send(CellReply::Fault(why)),
            }
        }
    }

    /// Waits up to `LOOK` for a message. Returns `false` if no more messages will arrive.
    fn wait(&mut self) -> bool {
        self.flush();
        match self.inbox.recv_timeout(LOOK) {
            Ok(message) => self.first = Some(message),
            Err(RecvTimeoutError::Timeout) => {}
            Err(RecvTimeoutError::Disconnected) => self.is_over = true,
        }
        !self.is_over
    }

    /// Adds a reply to the current batch, which is sent no later than the cell's next wait for messages.
    fn send(&mut self, reply: CellReply) {
        if self.written.is_empty() {
            self.since = Instant::now();
        }
        self.written.add(&encode_reply(&reply));
        if self.written.is_full() {
            self.flush();
        }
    }
}
