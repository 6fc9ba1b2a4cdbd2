//! Connects to NATS. All asynchronous code of this module runs on a separate thread.

mod access;
mod certificates;
mod login;

pub use access::{Access, Unconnected};
pub use login::RefusedLogin;

use super::names::{Member, Subject, User};
use super::transport::{Link, LinkCommand, LinkEvent, LinkHandler, LinkSender, LinkState, OutgoingMessage, Transport};
use async_nats::{Client, ClientError, ConnectErrorKind, Event, Message as NatsMessage, ServerError, Subscriber};
use futures_util::StreamExt;
use futures_util::stream::{SelectAll, TakeUntil};
use std::collections::{BTreeMap, BTreeSet};
use std::pin::Pin;
use std::sync::Arc;
use std::thread::Builder;
use std::time::{Duration, Instant};
use tokio::runtime;
use tokio::sync::mpsc::{UnboundedReceiver, UnboundedSender, unbounded_channel};
use tokio::sync::oneshot;
use tokio::task::JoinHandle as Task;
use tokio::time::{sleep_until, timeout};

/// Maximum time to wait until the server has received the messages sent so far.
const FLUSH_TIMEOUT: Duration = Duration::from_millis(200);
/// Maximum number of denied permissions to report.
const MOST_FORBIDDEN: usize = 16;
/// Stack size of the connection's thread, in bytes.
const STACK: usize = 1 << 20;

impl Transport for Access {
    fn place(&self) -> String {
        self.to_string()
    }

    fn is_private(&self) -> bool {
        self.is_encrypted()
    }

    fn user(&self) -> User {
        self.named_user()
    }

    fn open(
        &self,
        me: Member,
        name: String,
        subjects: Vec<Subject>,
        handler: Arc<dyn LinkHandler>,
    ) -> Result<Link, String> {
        let (commands, orders) = unbounded_channel();
        let state = Arc::<LinkState>::default();
        // Commands to a closed connection are dropped.
        let outbox = LinkSender::new(me, Arc::clone(&state), move |command| _ = commands.send(command));
        let wrong = |error: std::io::Error| format!("cannot start a thread: {error}");
        let runtime = runtime::Builder::new_current_thread().enable_all().build().map_err(wrong)?;
        let connection =
            NatsConnection { access: self.clone(), name, subjects, handler, outbox: outbox.clone(), state };
        let thread = Builder::new().name("cluster".to_owned()).stack_size(STACK);
        let thread = thread.spawn(move || {
            runtime.block_on(connection.run(orders));
            // Unlike dropping the runtime, `shutdown_background` does not wait for a host name that is still being
            // resolved.
            runtime.shutdown_background();
        });
        Ok(Link::new(outbox, thread.map_err(wrong)?))
    }
}

/// A subject's message stream, which ends when the subject is unfollowed.
type Followed = Pin<Box<TakeUntil<Subscriber, oneshot::Receiver<()>>>>;

/// Streams of incoming messages on the subscribed subjects. The stream of an unfollowed subject ends by itself.
#[derive(Default)]
struct Subscriptions {
    incoming: SelectAll<Followed>,
    followed: BTreeMap<Subject, oneshot::Sender<()>>,
}

/// The state of the connection's thread.
struct NatsConnection {
    access: Access,
    name: String,
    subjects: Vec<Subject>,
    handler: Arc<dyn LinkHandler>,
    outbox: LinkSender,
    state: Arc<LinkState>,
}

impl NatsConnection {
    async fn run(self, mut orders: UnboundedReceiver<LinkCommand>) {
        let (events, mut heard) = unbounded_channel();
        let Some(client) = self.connect(&mut orders, events).await else { return };
        let mut subscriptions = Subscriptions::default();
        for &subject in &self.subjects {
            self.follow(&client, subject, &mut subscriptions).await;
        }
        // The server must process the subscriptions, and report those that it denies, before the handler is told that
        // the connection is up.
        let _ = timeout(FLUSH_TIMEOUT, client.flush()).await;
        let (mut forbidden, mut refused) = (BTreeSet::new(), RefusedLogin::default());
        while let Ok(event) = heard.try_recv() {
            if matches!(event, Event::ServerError(_)) {
                self.event(Some(event), &mut forbidden, &mut refused);
            }
        }
        self.state.set_up(true);
        self.tell(LinkEvent::Up);
        let (messages, outgoing) = unbounded_channel();
        let writer = tokio::spawn(write(client.clone(), outgoing, Arc::clone(&self.state)));
        loop {
            tokio::select! {
                biased;
                order = orders.recv() => match order {
                    Some(LinkCommand::Send(message)) => _ = messages.send(message),
                    Some(LinkCommand::Follow(subject)) => self.follow(&client, subject, &mut subscriptions).await,
                    Some(LinkCommand::Unfollow(subject)) => _ = subscriptions.followed.remove(&subject),
                    Some(LinkCommand::Wake) => self.tell(LinkEvent::Due),
                    Some(LinkCommand::Close) | None => break,
                },
                event = heard.recv() => self.event(event, &mut forbidden, &mut refused),
                message = subscriptions.incoming.next() => if let Some(message) = message { self.message(&message) },
                () = sleep_until(self.handler.due().into()) => self.tell(LinkEvent::Due),
            }
        }
        drop(messages);
        shut_down(client, writer).await;
    }

    /// Tries to connect until an attempt succeeds. Returns `None` if the connection is closed before an attempt
    /// succeeds.
    async fn connect(
        &self,
        orders: &mut UnboundedReceiver<LinkCommand>,
        events: UnboundedSender<Event>,
    ) -> Option<Client> {
        let mut refused = RefusedLogin::default();
        for tries in 1.. {
            let events = events.clone();
            match self.access.connect(&self.name, move |event| _ = events.send(event)).await {
                Ok(client) => return Some(client),
                Err(Unconnected { why, is_login: true }) => self.refuse_login(&mut refused, why),
                Err(Unconnected { why, .. }) if tries == 1 => self.tell(LinkEvent::Refused(why)),
                Err(_) => {}
            }
            let next = Instant::now() + access::pause(tries);
            loop {
                tokio::select! {
                    order = orders.recv() => if matches!(order, Some(LinkCommand::Close) | None) { return None },
                    () = sleep_until(next.into()) => break,
                    () = sleep_until(self.handler.due().into()) => self.tell(LinkEvent::Due),
                }
            }
        }
        None
    }

    async fn follow(&self, client: &Client, subject: Subject, subscriptions: &mut Subscriptions) {
        if subscriptions.followed.contains_key(&subject) {
            return;
        }
        match client.subscribe(subject.of_all()).await {
            Ok(subscriber) => {
                let (keep, gone) = oneshot::channel();
                subscriptions.followed.insert(subject, keep);
                subscriptions.incoming.push(Box::pin(subscriber.take_until(gone)));
            }
            Err(error) => log::warn!("cluster: cannot listen to {subject}: {error}"),
        }
    }

    fn tell(&self, event: LinkEvent) {
        self.handler.on_event(event, &self.outbox);
    }

    fn refuse_login(&self, refused: &mut RefusedLogin, why: String) {
        let (since, is_due) = refused.note(Instant::now());
        self.tell(LinkEvent::LoginRefused { why, since, is_due });
    }

    /// Reports a denied permission, unless the same text was reported before.
    fn forbid(&self, why: String, forbidden: &mut BTreeSet<String>) {
        if forbidden.len() < MOST_FORBIDDEN && !forbidden.contains(&why) {
            let found = hasami_words::text::one_line(why.trim_matches('\''));
            self.tell(LinkEvent::Forbidden(format!(
                "cannot use all the rights that docs/guide/cluster.md lists; {} answers: {found}",
                self.access
            )));
            forbidden.insert(why);
        }
    }

    fn event(&self, event: Option<Event>, forbidden: &mut BTreeSet<String>, refused: &mut RefusedLogin) {
        match event {
            Some(Event::ClientError(ClientError::Other(why))) if !self.state.is_up() && is_login(&why) => {
                self.refuse_login(refused, self.access.refused_login(&why));
            }
            // The server has refused a command from the client, but the connection is still up.
            Some(Event::ServerError(ServerError::Other(why))) if is_forbidden(&why) => {
                self.forbid(why, forbidden);
            }
            Some(Event::Connected) if !self.state.set_up(true) => {
                *refused = RefusedLogin::default();
                self.tell(LinkEvent::Up);
            }
            Some(Event::Disconnected) if self.state.set_up(false) => {
                self.tell(LinkEvent::Down);
            }
            Some(event @ Event::ServerError(_)) if self.state.is_up() => log::warn!("cluster: {event}"),
            // While the server is down, every failed attempt to connect causes an event, but the user already knows
            // that the connection is lost.
            Some(event) => log::debug!("cluster: {event}"),
            None => {}
        }
    }

    fn message(&self, message: &NatsMessage) {
        if let Some((from, subject)) = Subject::read(&message.subject) {
            self.tell(LinkEvent::Message { from, subject, bytes: &message.payload });
        }
    }
}

/// Returns true for the error texts with which the client library reports a refused login while it reconnects.
fn is_login(why: &str) -> bool {
    [ConnectErrorKind::AuthorizationViolation, ConnectErrorKind::Authentication]
        .iter()
        .any(|kind| kind.to_string() == why)
}

fn is_forbidden(why: &str) -> bool {
    why.to_ascii_lowercase().contains("permissions violation")
}

/// Hands messages to the client library, which may block if the network is slow.
async fn write(client: Client, mut messages: UnboundedReceiver<OutgoingMessage>, state: Arc<LinkState>) {
    while let Some(OutgoingMessage { from, to, bytes }) = messages.recv().await {
        if state.is_up()
            && let Err(error) = client.publish(to.of(from), bytes.into()).await
        {
            log::debug!("cluster: {to}: {error}");
        }
        state.sent();
    }
}

/// Sends the remaining messages within a limited time, if there is a connection.
async fn shut_down(client: Client, writer: Task<()>) {
    let end = async {
        let _ = writer.await;
        let _ = client.flush().await;
    };
    if client.connection_state() == async_nats::connection::State::Connected {
        let _ = timeout(FLUSH_TIMEOUT, end).await;
    }
}
