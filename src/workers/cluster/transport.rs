//! How messages travel between masters and worker nodes: what a connection does, whatever it is made of.
//!
//! A [`LinkHandler`] hears what comes in and when its time has come, and says what goes out. While there is no
//! connection, messages are dropped: by the time there is one again they would be old, and both sides repeat what still
//! holds. Nothing relies on a message that arrives, so a transport may lose, repeat and reorder messages.

use super::names::Subject;
use hasami_words::Message;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};
use std::thread::JoinHandle;
use std::time::{Duration, Instant};

/// A way to a broker of messages: each message has a subject, and whoever follows that subject gets it, except its
/// sender. Implemented by [`memory`](super::memory) for one process and, with the feature `cluster`, by `nats`.
pub trait Transport: Send + Sync {
    /// The broker as messages to users name it, without passwords.
    fn place(&self) -> String;

    /// Nobody can read messages on their way beyond this machine.
    fn is_private(&self) -> bool;

    /// Begins to connect and returns at once. The broker knows the client by `name`; messages of `subjects` come in.
    /// The error says what was expected and what was found.
    fn open(&self, name: String, subjects: Vec<Subject>, handler: Arc<dyn LinkHandler>) -> Result<Link, Message>;
}

/// Something that happens to a connection.
pub enum LinkEvent<'a> {
    /// It stands, for the first time or again.
    Up,
    Down,
    /// It could not be made: why. It is tried again.
    Refused(Message),
    /// The broker does not take the login: why, for how long it has not, and whether it is time to tell that. It is tried
    /// again.
    LoginRefused {
        why: Message,
        since: Duration,
        is_told: bool,
    },
    /// The broker allows less than what is needed: what was expected, what was found.
    Forbidden(Message),
    Message {
        subject: Subject,
        reply: Option<Subject>,
        bytes: &'a [u8],
    },
    /// The time that [`LinkHandler::due`] named has come, or [`LinkSender::wake`] was called.
    Due,
}

/// One message to go out.
pub struct OutgoingMessage {
    pub to: Subject,
    /// Where answers are to go.
    pub reply: Option<Subject>,
    pub bytes: Vec<u8>,
}

/// Whoever uses a connection. Called on the connection's thread; never blocks for long.
pub trait LinkHandler: Send + Sync + 'static {
    fn on_event(&self, event: LinkEvent, outbox: &LinkSender);

    /// When it wants the next [`LinkEvent::Due`].
    fn due(&self) -> Instant;
}

/// Orders to a connection.
pub enum LinkCommand {
    Send(OutgoingMessage),
    Follow(Subject),
    Unfollow(Subject),
    Wake,
    Close,
}

/// The way out of a connection; clones lead to the same one.
#[derive(Clone)]
pub struct LinkSender {
    commands: Arc<dyn Fn(LinkCommand) + Send + Sync>,
    state: Arc<LinkState>,
}

/// State shared by the two ends of a [`LinkSender`].
#[derive(Default)]
pub struct LinkState {
    is_up: AtomicBool,
    /// Messages that have not gone out yet.
    waiting: AtomicUsize,
}

impl LinkState {
    /// Gives the state before.
    pub fn set_up(&self, is_up: bool) -> bool {
        self.is_up.swap(is_up, Ordering::Relaxed)
    }

    pub fn is_up(&self) -> bool {
        self.is_up.load(Ordering::Relaxed)
    }

    /// A message has gone out, or was dropped.
    pub fn sent(&self) {
        self.waiting.fetch_sub(1, Ordering::Relaxed);
    }
}

impl LinkSender {
    /// `commands` hands a command to the connection's thread, without blocking; a closed connection ignores it.
    pub fn new(state: Arc<LinkState>, commands: impl Fn(LinkCommand) + Send + Sync + 'static) -> Self {
        Self { commands: Arc::new(commands), state }
    }

    pub fn send(&self, to: Subject, bytes: Vec<u8>) {
        self.send_message(OutgoingMessage { to, reply: None, bytes });
    }

    /// Asks for answers to `reply`.
    pub fn ask(&self, to: Subject, reply: Subject, bytes: Vec<u8>) {
        self.send_message(OutgoingMessage { to, reply: Some(reply), bytes });
    }

    fn send_message(&self, message: OutgoingMessage) {
        if self.is_up() {
            self.state.waiting.fetch_add(1, Ordering::Relaxed);
            (self.commands)(LinkCommand::Send(message));
        }
    }

    /// Messages of this subject come in, too.
    pub fn follow(&self, subject: Subject) {
        (self.commands)(LinkCommand::Follow(subject));
    }

    /// They do not any more.
    pub fn unfollow(&self, subject: Subject) {
        (self.commands)(LinkCommand::Unfollow(subject));
    }

    /// The handler has something to do: [`LinkEvent::Due`] follows at once.
    pub fn wake(&self) {
        (self.commands)(LinkCommand::Wake);
    }

    pub fn is_up(&self) -> bool {
        self.state.is_up()
    }

    /// Messages that have not gone out yet.
    pub fn waiting(&self) -> usize {
        self.state.waiting.load(Ordering::Relaxed)
    }

    /// All that was sent has gone out.
    pub fn is_clear(&self) -> bool {
        self.state.waiting.load(Ordering::Relaxed) == 0
    }

    pub(super) fn close(&self) {
        (self.commands)(LinkCommand::Close);
    }
}

/// A connection. Dropping it sends what is on its way, and ends it.
pub struct Link {
    outbox: LinkSender,
    thread: Option<JoinHandle<()>>,
}

impl Link {
    /// `thread` ends after [`LinkCommand::Close`].
    pub fn new(outbox: LinkSender, thread: JoinHandle<()>) -> Self {
        Self { outbox, thread: Some(thread) }
    }

    pub fn outbox(&self) -> &LinkSender {
        &self.outbox
    }

    /// Sends what is on its way, and ends.
    pub fn close(&mut self) {
        self.outbox.close();
        if let Some(thread) = self.thread.take() {
            let _ = thread.join();
        }
    }
}

impl Drop for Link {
    fn drop(&mut self) {
        self.close();
    }
}
