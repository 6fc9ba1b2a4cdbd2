//! Carries messages between masters and worker nodes, independent of the message broker.
//!
//! A [`LinkHandler`] handles incoming messages and timer events, and sends messages. A transport may lose, duplicate
//! and reorder messages, since masters and worker nodes depend on no single message. Outgoing messages are dropped
//! while there is no connection: old messages would be outdated once the connection is restored, and both sides repeat
//! the messages that are still valid.

use super::names::{Member, Subject, User};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};
use std::thread::JoinHandle;
use std::time::{Duration, Instant};

/// Access to a message broker. Each message has a subject and reaches every client that follows the subject, except the
/// sender of the message. The module `nats` implements this trait (feature `cluster`), and tests implement it in
/// memory.
pub trait Transport: Send + Sync {
    /// The broker's address as shown to users, without passwords.
    fn place(&self) -> String;

    /// Returns true if messages that leave this machine are encrypted.
    fn is_private(&self) -> bool;

    /// The user that the broker derives from this program's login.
    fn user(&self) -> User;

    /// Starts connecting and returns at once. `name` is shown to the operator of the broker. The connection receives
    /// the messages on `subjects`, and sends messages as the member `me`.
    fn open(
        &self,
        me: Member,
        name: String,
        subjects: Vec<Subject>,
        handler: Arc<dyn LinkHandler>,
    ) -> Result<Link, String>;
}

pub enum LinkEvent<'a> {
    /// The connection has been established, for the first time or again.
    Up,
    Down,
    /// An attempt to connect has failed, for the given reason. Another attempt follows.
    Refused(String),
    /// The broker refuses the login, and another attempt follows. The fields hold the reason, how long the broker has
    /// refused the login, and whether the refusal should be reported now.
    LoginRefused {
        why: String,
        since: Duration,
        is_due: bool,
    },
    /// The broker denies a required permission. The string lists the required rights and the broker's error.
    Forbidden(String),
    Message {
        from: Member,
        subject: Subject,
        bytes: &'a [u8],
    },
    /// The time returned by [`LinkHandler::due`] has come, or [`LinkSender::wake`] was called.
    Due,
}

pub struct OutgoingMessage {
    pub from: Member,
    pub to: Subject,
    pub bytes: Vec<u8>,
}

/// Handles the events of a connection. The methods are called on the connection's thread and must not block for long.
pub trait LinkHandler: Send + Sync + 'static {
    fn on_event(&self, event: LinkEvent, outbox: &LinkSender);

    /// Returns when the handler wants the next [`LinkEvent::Due`].
    fn due(&self) -> Instant;
}

pub enum LinkCommand {
    Send(OutgoingMessage),
    Follow(Subject),
    Unfollow(Subject),
    Wake,
    Close,
}

/// The sending end of a connection. Clones send on the same connection.
#[derive(Clone)]
pub struct LinkSender {
    me: Member,
    commands: Arc<dyn Fn(LinkCommand) + Send + Sync>,
    state: Arc<LinkState>,
}

/// State shared by a [`LinkSender`] and the connection's thread.
#[derive(Default)]
pub struct LinkState {
    is_up: AtomicBool,
    /// Number of messages that have not been sent yet.
    waiting: AtomicUsize,
}

impl LinkState {
    /// Sets whether the connection is up. Returns the previous state.
    pub fn set_up(&self, is_up: bool) -> bool {
        self.is_up.swap(is_up, Ordering::Relaxed)
    }

    pub fn is_up(&self) -> bool {
        self.is_up.load(Ordering::Relaxed)
    }

    /// Notes that a message was sent or dropped.
    pub fn sent(&self) {
        self.waiting.fetch_sub(1, Ordering::Relaxed);
    }
}

impl LinkSender {
    /// `commands` must hand a command to the connection's thread without blocking. Commands to a closed connection are
    /// ignored.
    pub fn new(me: Member, state: Arc<LinkState>, commands: impl Fn(LinkCommand) + Send + Sync + 'static) -> Self {
        Self { me, commands: Arc::new(commands), state }
    }

    /// Returns a sender on the same connection for another member of the same user.
    #[must_use]
    pub fn speaking_as(&self, me: Member) -> Self {
        Self { me, ..self.clone() }
    }

    pub fn send(&self, to: Subject, bytes: Vec<u8>) {
        if self.is_up() {
            self.state.waiting.fetch_add(1, Ordering::Relaxed);
            (self.commands)(LinkCommand::Send(OutgoingMessage { from: self.me, to, bytes }));
        }
    }

    /// Starts receiving the messages on `subject`.
    pub fn follow(&self, subject: Subject) {
        (self.commands)(LinkCommand::Follow(subject));
    }

    /// Stops receiving the messages on `subject`.
    pub fn unfollow(&self, subject: Subject) {
        (self.commands)(LinkCommand::Unfollow(subject));
    }

    /// Wakes the handler: [`LinkEvent::Due`] follows at once.
    pub fn wake(&self) {
        (self.commands)(LinkCommand::Wake);
    }

    pub fn is_up(&self) -> bool {
        self.state.is_up()
    }

    /// Number of messages that have not been sent yet.
    pub fn waiting(&self) -> usize {
        self.state.waiting.load(Ordering::Relaxed)
    }

    /// Returns true if all messages have been sent.
    pub fn is_clear(&self) -> bool {
        self.state.waiting.load(Ordering::Relaxed) == 0
    }

    pub(super) fn close(&self) {
        (self.commands)(LinkCommand::Close);
    }
}

/// A connection. Dropping the link sends the remaining messages and closes the connection.
pub struct Link {
    outbox: LinkSender,
    thread: Option<JoinHandle<()>>,
}

impl Link {
    /// `thread` must end after [`LinkCommand::Close`].
    pub fn new(outbox: LinkSender, thread: JoinHandle<()>) -> Self {
        Self { outbox, thread: Some(thread) }
    }

    pub fn outbox(&self) -> &LinkSender {
        &self.outbox
    }

    /// Sends the remaining messages and closes the connection.
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
