//! The connection to NATS: the only asynchronous code of the program, on a thread of its own.
//!
//! A [`Party`] is told what comes in and when its moment has come, and says what is to go out. While there is no
//! connection what would go out is dropped: by the time there is one again it would be old, and both sides say anew
//! what still holds.

use super::access::{self, Access};
use super::names::Subject;
use async_nats::{Client, ConnectErrorKind, Event, Message, ServerError, Subscriber};
use futures_util::StreamExt;
use futures_util::stream::{SelectAll, TakeUntil};
use std::collections::{BTreeMap, BTreeSet};
use std::error::Error;
use std::pin::Pin;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};
use std::thread::{Builder, JoinHandle};
use std::time::{Duration, Instant};
use tokio::runtime;
use tokio::sync::mpsc::{UnboundedReceiver, UnboundedSender, unbounded_channel};
use tokio::sync::oneshot;
use tokio::task::JoinHandle as Task;
use tokio::time::{sleep_until, timeout};

/// For the last words of a program that ends.
const FAREWELL: Duration = Duration::from_millis(200);
/// So many things that a server forbids are told, each once.
const MOST_FORBIDDEN: usize = 16;
/// The client's tasks and a few messages need little.
const STACK: usize = 1 << 20;

/// What happens to a connection.
pub enum Happening<'a> {
    /// It stands, for the first time or again.
    Up,
    Down,
    /// It could not be made: why. It is tried again.
    Refused(String),
    /// The server allows less than what is needed: what was expected, what was found.
    Forbidden(String),
    Message {
        subject: Subject,
        reply: Option<Subject>,
        bytes: &'a [u8],
    },
    /// The moment that [`Party::due`] named.
    Moment,
}

/// One message to go out.
pub struct Parcel {
    pub to: Subject,
    /// Where answers are to go.
    pub reply: Option<Subject>,
    pub bytes: Vec<u8>,
}

/// Who uses a connection. Called on its thread; never blocks for long.
pub trait Party: Send + Sync + 'static {
    fn happens(&self, what: Happening, mail: &Mail);

    /// When it wants its next moment.
    fn due(&self) -> Instant;
}

enum Command {
    Send(Parcel),
    Follow(Subject),
    Unfollow(Subject),
    Wake,
    Close,
}

/// The way out; clones lead to the same connection.
#[derive(Clone)]
pub struct Mail {
    commands: UnboundedSender<Command>,
    state: Arc<State>,
}

#[derive(Default)]
struct State {
    is_up: AtomicBool,
    /// Parcels on their way to the client.
    waiting: AtomicUsize,
}

impl Mail {
    pub fn send(&self, parcel: Parcel) {
        if self.is_up() {
            self.state.waiting.fetch_add(1, Ordering::Relaxed);
            // A closed connection needs nothing any more.
            let _ = self.commands.send(Command::Send(parcel));
        }
    }

    /// Messages of this subject come in, too.
    pub fn follow(&self, subject: Subject) {
        let _ = self.commands.send(Command::Follow(subject));
    }

    /// They do not any more.
    pub fn unfollow(&self, subject: Subject) {
        let _ = self.commands.send(Command::Unfollow(subject));
    }

    /// The party has something to do: its moment comes at once.
    pub fn wake(&self) {
        let _ = self.commands.send(Command::Wake);
    }

    pub fn is_up(&self) -> bool {
        self.state.is_up.load(Ordering::Relaxed)
    }

    /// All that was sent has gone out.
    pub fn is_clear(&self) -> bool {
        self.state.waiting.load(Ordering::Relaxed) == 0
    }
}

/// A connection, which ends with it.
pub struct Link {
    mail: Mail,
    thread: Option<JoinHandle<()>>,
}

impl Link {
    /// Begins to connect, as a client of this name that hears these subjects.
    pub fn open(access: Access, name: String, subjects: Vec<Subject>, party: Arc<dyn Party>) -> Result<Self, String> {
        let (commands, orders) = unbounded_channel();
        let mail = Mail { commands, state: Arc::default() };
        let wrong = |error: std::io::Error| format!("expected a new thread, found: {error}");
        let runtime = runtime::Builder::new_current_thread().enable_all().build().map_err(wrong)?;
        let desk = Desk { access, name, subjects, party, mail: mail.clone() };
        let thread = Builder::new().name("cluster".to_owned()).stack_size(STACK);
        let thread = thread.spawn(move || {
            runtime.block_on(desk.run(orders));
            // A name that is being looked up would be waited for.
            runtime.shutdown_background();
        });
        Ok(Self { mail, thread: Some(thread.map_err(wrong)?) })
    }

    pub fn mail(&self) -> &Mail {
        &self.mail
    }

    /// Sends what is on its way, and ends.
    pub fn close(&mut self) {
        let _ = self.mail.commands.send(Command::Close);
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

/// Messages of one subject, until they are not wanted any more.
type Followed = Pin<Box<TakeUntil<Subscriber, oneshot::Receiver<()>>>>;

/// What comes in, by subjects; those that are not followed any more end by themselves.
#[derive(Default)]
struct Inbox {
    messages: SelectAll<Followed>,
    followed: BTreeMap<Subject, oneshot::Sender<()>>,
}

/// What the thread works with.
struct Desk {
    access: Access,
    name: String,
    subjects: Vec<Subject>,
    party: Arc<dyn Party>,
    mail: Mail,
}

impl Desk {
    async fn run(self, mut orders: UnboundedReceiver<Command>) {
        let (events, mut heard) = unbounded_channel();
        let Some(client) = self.connect(&mut orders, events).await else { return };
        let mut inbox = Inbox::default();
        for &subject in &self.subjects {
            self.follow(&client, subject, &mut inbox).await;
        }
        // The server knows what is to be heard before anybody is told that we are here, and has said what may not be.
        let _ = timeout(FAREWELL, client.flush()).await;
        let mut forbidden = BTreeSet::new();
        while let Ok(event) = heard.try_recv() {
            if matches!(event, Event::ServerError(_)) {
                self.event(Some(event), &mut forbidden);
            }
        }
        self.mail.state.is_up.store(true, Ordering::Relaxed);
        self.tell(Happening::Up);
        let (parcels, outgoing) = unbounded_channel();
        let writer = tokio::spawn(write(client.clone(), outgoing, Arc::clone(&self.mail.state)));
        loop {
            tokio::select! {
                biased;
                order = orders.recv() => match order {
                    Some(Command::Send(parcel)) => _ = parcels.send(parcel),
                    Some(Command::Follow(subject)) => self.follow(&client, subject, &mut inbox).await,
                    Some(Command::Unfollow(subject)) => _ = inbox.followed.remove(&subject),
                    Some(Command::Wake) => self.tell(Happening::Moment),
                    Some(Command::Close) | None => break,
                },
                event = heard.recv() => self.event(event, &mut forbidden),
                message = inbox.messages.next() => if let Some(message) = message { self.message(&message) },
                () = sleep_until(self.party.due().into()) => self.tell(Happening::Moment),
            }
        }
        drop(parcels);
        farewell(client, writer).await;
    }

    /// Tries until it succeeds; `None`: nobody wants it any more.
    async fn connect(&self, orders: &mut UnboundedReceiver<Command>, events: UnboundedSender<Event>) -> Option<Client> {
        for tries in 1.. {
            let why = match self.attempt(events.clone()).await {
                Ok(client) => return Some(client),
                Err(why) => why,
            };
            if tries == 1 {
                self.tell(Happening::Refused(why));
            }
            let next = Instant::now() + access::pause(tries);
            loop {
                tokio::select! {
                    order = orders.recv() => if matches!(order, Some(Command::Close) | None) { return None },
                    () = sleep_until(next.into()) => break,
                    () = sleep_until(self.party.due().into()) => self.tell(Happening::Moment),
                }
            }
        }
        None
    }

    async fn attempt(&self, events: UnboundedSender<Event>) -> Result<Client, String> {
        let options = self.access.options(&self.name).await?.event_callback(move |event| {
            let _ = events.send(event);
            async {}
        });
        let connected = options.connect(self.access.servers()).await;
        connected.map_err(|error| {
            let why = crate::text::one_line(&first_cause(&error).to_string());
            match error.kind() {
                // A server without TLS speaks first, and in the clear.
                kind if kind == ConnectErrorKind::Tls || why.contains("InvalidContentType") => {
                    format!(
                        "expected a NATS server with TLS and a trusted certificate at {}, found: {why}",
                        self.access
                    )
                }
                ConnectErrorKind::AuthorizationViolation | ConnectErrorKind::Authentication => {
                    format!("expected a NATS server at {}, found: {}", self.access, error.kind())
                }
                _ => format!("expected a NATS server at {}, found: {why}", self.access),
            }
        })
    }

    async fn follow(&self, client: &Client, subject: Subject, inbox: &mut Inbox) {
        if inbox.followed.contains_key(&subject) {
            return;
        }
        match client.subscribe(subject.to_string()).await {
            Ok(subscriber) => {
                let (keep, gone) = oneshot::channel();
                inbox.followed.insert(subject, keep);
                inbox.messages.push(Box::pin(subscriber.take_until(gone)));
            }
            Err(error) => log::warn!("cluster: expected to hear {subject}, found: {error}"),
        }
    }

    fn tell(&self, what: Happening) {
        self.party.happens(what, &self.mail);
    }

    /// Told once, however often it is tried.
    fn forbid(&self, why: String, forbidden: &mut BTreeSet<String>) {
        if forbidden.len() < MOST_FORBIDDEN && !forbidden.contains(&why) {
            let expected = "expected the rights that docs/guide/cluster.md lists";
            let found = crate::text::one_line(why.trim_matches('\''));
            self.tell(Happening::Forbidden(format!("{expected}, found, from {}: {found}", self.access)));
            forbidden.insert(why);
        }
    }

    fn event(&self, event: Option<Event>, forbidden: &mut BTreeSet<String>) {
        match event {
            // An order of the client is refused, not the client: the server goes on.
            Some(Event::ServerError(ServerError::Other(why))) if is_forbidden(&why) => {
                self.forbid(why, forbidden);
            }
            Some(Event::Connected) if !self.mail.state.is_up.swap(true, Ordering::Relaxed) => self.tell(Happening::Up),
            Some(Event::Disconnected) if self.mail.state.is_up.swap(false, Ordering::Relaxed) => {
                self.tell(Happening::Down);
            }
            Some(event @ Event::ServerError(_)) if self.mail.is_up() => log::warn!("cluster: {event}"),
            // Every try to connect again fails with one while the server is away: that it is away has been told.
            Some(event) => log::debug!("cluster: {event}"),
            None => {}
        }
    }

    fn message(&self, message: &Message) {
        let Some(subject) = Subject::read(&message.subject) else { return };
        let reply = message.reply.as_ref().and_then(|reply| Subject::read(reply));
        self.tell(Happening::Message { subject, reply, bytes: &message.payload });
    }
}

/// It tells more than what is above it.
fn first_cause(error: &dyn Error) -> &dyn Error {
    error.source().map_or(error, first_cause)
}

fn is_forbidden(why: &str) -> bool {
    why.to_ascii_lowercase().contains("permissions violation")
}

/// Hands parcels to the client, which may let us wait where the network is slow.
async fn write(client: Client, mut parcels: UnboundedReceiver<Parcel>, state: Arc<State>) {
    while let Some(Parcel { to, reply, bytes }) = parcels.recv().await {
        if state.is_up.load(Ordering::Relaxed) {
            let sent = match reply {
                Some(reply) => client.publish_with_reply(to.to_string(), reply.to_string(), bytes.into()).await,
                None => client.publish(to.to_string(), bytes.into()).await,
            };
            if let Err(error) = sent {
                log::debug!("cluster: {to}: {error}");
            }
        }
        state.waiting.fetch_sub(1, Ordering::Relaxed);
    }
}

/// The last words get their time, if there is a connection.
async fn farewell(client: Client, writer: Task<()>) {
    let end = async {
        let _ = writer.await;
        let _ = client.flush().await;
    };
    if client.connection_state() == async_nats::connection::State::Connected {
        let _ = timeout(FAREWELL, end).await;
    }
}
