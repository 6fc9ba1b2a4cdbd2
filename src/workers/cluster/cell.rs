//! A seat that answers letters: a cell on a thread of its own, and its mailbox.

use super::stream;
use crossbeam_channel::{Receiver, RecvTimeoutError, Sender, unbounded};
use hasami_api::{Cell, Mailbox};
use std::thread::Builder;
use std::time::{Duration, Instant};

/// A search recurses some hundred plies deep.
const STACK: usize = 64 << 20;
/// A cell that waits looks so often whether it is still wanted.
const LOOK: Duration = Duration::from_millis(200);
/// What a cell at work has written waits so long for more: it has other tasks, and many are done at a glance.
const PAUSE: Duration = Duration::from_millis(1);

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
        make().serve(&mut Slit {
            inbox,
            first: None,
            is_over: false,
            post,
            written: String::new(),
            since: Instant::now(),
        });
        gone();
    });
    thread.map(|_| slot).map_err(|error| format!("expected a new thread, found: {error}"))
}

struct Slit {
    inbox: Receiver<String>,
    first: Option<String>,
    is_over: bool,
    post: Postman,
    /// Lines that go out together, and since when they wait.
    written: String,
    since: Instant,
}

impl Slit {
    fn flush(&mut self) {
        if !self.written.is_empty() {
            (self.post)(&std::mem::take(&mut self.written));
        }
    }

    fn is_due(&self) -> bool {
        !self.written.is_empty() && self.since.elapsed() >= PAUSE
    }
}

impl Mailbox for Slit {
    fn take(&mut self) -> Option<String> {
        if self.is_due() {
            self.flush();
        }
        self.first.take().or_else(|| self.inbox.try_recv().ok())
    }

    fn wait(&mut self) -> bool {
        self.flush();
        match self.inbox.recv_timeout(LOOK) {
            Ok(letter) => self.first = Some(letter),
            Err(RecvTimeoutError::Timeout) => {}
            Err(RecvTimeoutError::Disconnected) => self.is_over = true,
        }
        !self.is_over
    }

    fn send(&mut self, letter: &str) {
        if self.written.is_empty() {
            self.since = Instant::now();
        }
        stream::add_line(&mut self.written, letter);
        if self.written.len() >= stream::FULL {
            self.flush();
        }
    }
}
