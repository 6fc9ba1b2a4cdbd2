//! A seat that answers letters: a cell on a thread of its own, and its mailbox.

use crossbeam_channel::{Receiver, RecvTimeoutError, Sender, unbounded};
use hasami_api::{Cell, Mailbox};
use std::thread::Builder;
use std::time::Duration;

/// A search recurses some hundred plies deep.
const STACK: usize = 64 << 20;
/// A cell that waits looks so often whether it is still wanted.
const LOOK: Duration = Duration::from_millis(200);

/// Where its letters come in. Dropping it ends the cell.
pub type Slot = Sender<String>;

/// What its own letters are handed to.
pub type Postman = Box<dyn Fn(&str) + Send>;

/// Makes a cell on a thread of its own; `gone` is called when it has ended.
pub fn open(
    name: String,
    make: impl FnOnce() -> Box<dyn Cell> + Send + 'static,
    post: Postman,
    gone: impl FnOnce() + Send + 'static,
) -> Result<Slot, String> {
    let (slot, inbox) = unbounded();
    let thread = Builder::new().name(name).stack_size(STACK).spawn(move || {
        make().serve(&mut Slit { inbox, first: None, is_over: false, post });
        gone();
    });
    thread.map(|_| slot).map_err(|error| format!("expected a new thread, found: {error}"))
}

struct Slit {
    inbox: Receiver<String>,
    first: Option<String>,
    is_over: bool,
    post: Postman,
}

impl Mailbox for Slit {
    fn take(&mut self) -> Option<String> {
        self.first.take().or_else(|| self.inbox.try_recv().ok())
    }

    fn wait(&mut self) -> bool {
        match self.inbox.recv_timeout(LOOK) {
            Ok(letter) => self.first = Some(letter),
            Err(RecvTimeoutError::Timeout) => {}
            Err(RecvTimeoutError::Disconnected) => self.is_over = true,
        }
        !self.is_over
    }

    fn send(&mut self, letter: &str) {
        (self.post)(letter);
    }
}
