//! A transport within one process, so that tests of masters and worker nodes need no server.

use crate::cluster::names::{Member, Subject, User};
use crate::cluster::transport::{
    Link, LinkCommand, LinkEvent, LinkHandler, LinkSender, LinkState, OutgoingMessage, Transport,
};
use crossbeam_channel::{Receiver, Sender, at, select, unbounded};
use std::collections::{BTreeMap, BTreeSet};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::thread::Builder;

/// A message broker. Clones refer to the same broker.
#[derive(Clone, Default)]
pub struct MemoryBroker(Arc<Mutex<Clients>>);

#[derive(Default)]
struct Clients {
    next: u64,
    by_number: BTreeMap<u64, Subscriber>,
    is_down: bool,
}

struct Subscriber {
    subjects: BTreeSet<Subject>,
    incoming: Sender<Incoming>,
    state: Arc<LinkState>,
}

/// Events for a connection's thread.
enum Incoming {
    Command(LinkCommand),
    Message { from: Member, subject: Subject, bytes: Arc<[u8]> },
    IsUp(bool),
}

impl MemoryBroker {
    fn clients(&self) -> MutexGuard<'_, Clients> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Cuts or restores all connections. Messages in transit are lost.
    pub fn set_up(&self, is_up: bool) {
        let mut clients = self.clients();
        clients.is_down = !is_up;
        for client in clients.by_number.values().filter(|client| client.state.set_up(is_up) != is_up) {
            let _ = client.incoming.send(Incoming::IsUp(is_up));
        }
    }

    fn publish(&self, sender: u64, message: OutgoingMessage) {
        let clients = self.clients();
        if clients.is_down {
            return;
        }
        let OutgoingMessage { from, to: subject, bytes } = message;
        let bytes = Arc::<[u8]>::from(bytes);
        let others = clients.by_number.iter().filter(|&(&number, _)| number != sender).map(|(_, client)| client);
        for client in others.filter(|client| client.subjects.contains(&subject)) {
            let _ = client.incoming.send(Incoming::Message { from, subject, bytes: Arc::clone(&bytes) });
        }
    }
}

impl Transport for MemoryBroker {
    fn place(&self) -> String {
        "memory".to_owned()
    }

    fn is_private(&self) -> bool {
        true
    }

    fn user(&self) -> User {
        User::ANYBODY
    }

    fn open(
        &self,
        me: Member,
        name: String,
        subjects: Vec<Subject>,
        handler: Arc<dyn LinkHandler>,
    ) -> Result<Link, String> {
        let (incoming, inbox) = unbounded();
        let state = Arc::<LinkState>::default();
        let number = {
            let mut clients = self.clients();
            let number = clients.next;
            clients.next += 1;
            let is_up = !clients.is_down;
            state.set_up(is_up);
            let _ = incoming.send(Incoming::IsUp(is_up));
            let (incoming, state) = (incoming.clone(), Arc::clone(&state));
            clients.by_number.insert(number, Subscriber { subjects: subjects.into_iter().collect(), incoming, state });
            number
        };
        let outbox =
            LinkSender::new(me, Arc::clone(&state), move |command| _ = incoming.send(Incoming::Command(command)));
        let connection = MemoryConnection { broker: self.clone(), number, handler, outbox: outbox.clone(), state };
        let thread = Builder::new().name(name).spawn(move || connection.run(&inbox));
        let thread = thread.map_err(|error| format!("cannot start a thread: {error}"))?;
        Ok(Link::new(outbox, thread))
    }
}

/// The state of a client's thread.
struct MemoryConnection {
    broker: MemoryBroker,
    number: u64,
    handler: Arc<dyn LinkHandler>,
    outbox: LinkSender,
    state: Arc<LinkState>,
}

impl MemoryConnection {
    fn run(self, inbox: &Receiver<Incoming>) {
        loop {
            let timer = at(self.handler.due());
            select! {
                recv(inbox) -> incoming => match incoming {
                    Ok(Incoming::Command(LinkCommand::Close)) | Err(_) => break,
                    Ok(incoming) => self.take(incoming),
                },
                recv(timer) -> _ => self.handler.on_event(LinkEvent::Due, &self.outbox),
            }
        }
        self.broker.clients().by_number.remove(&self.number);
    }

    fn take(&self, incoming: Incoming) {
        match incoming {
            Incoming::Command(command) => self.obey(command),
            Incoming::Message { from, subject, bytes } => {
                self.handler.on_event(LinkEvent::Message { from, subject, bytes: &bytes }, &self.outbox);
            }
            Incoming::IsUp(true) => self.handler.on_event(LinkEvent::Up, &self.outbox),
            Incoming::IsUp(false) => self.handler.on_event(LinkEvent::Down, &self.outbox),
        }
    }

    fn obey(&self, command: LinkCommand) {
        let subjects = |change: &dyn Fn(&mut BTreeSet<Subject>)| {
            if let Some(client) = self.broker.clients().by_number.get_mut(&self.number) {
                change(&mut client.subjects);
            }
        };
        match command {
            LinkCommand::Send(message) => {
                self.broker.publish(self.number, message);
                self.state.sent();
            }
            LinkCommand::Follow(subject) => subjects(&|subjects| _ = subjects.insert(subject)),
            LinkCommand::Unfollow(subject) => subjects(&|subjects| _ = subjects.remove(&subject)),
            LinkCommand::Wake => self.handler.on_event(LinkEvent::Due, &self.outbox),
            LinkCommand::Close => {}
        }
    }
}
