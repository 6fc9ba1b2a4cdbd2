//! Lists the members of a cluster, for a client that is neither a master nor a worker node.

use super::names::{Member, Subject};
use super::transport::{LinkEvent, LinkHandler, LinkSender, Transport};
use super::wire::{self, DiscoveryReply, DiscoveryRequest, DrainRequest};
use crossbeam_channel::{Sender, bounded};
use std::collections::BTreeSet;
use std::sync::{Arc, Mutex, PoisonError};
use std::time::{Duration, Instant};

/// Time allowed for the connection to be made.
const PATIENCE: Duration = Duration::from_secs(5);

/// Largest number of answers that are shown.
const MOST_REPLIES: usize = 100_000;

struct DiscoveryClient {
    question: (Subject, Vec<u8>),
    cards: Mutex<Vec<(Member, DiscoveryReply)>>,
    /// Other versions of the messages that were received.
    others: Mutex<BTreeSet<u8>>,
    /// The permission that the server denied.
    forbidden: Mutex<Option<String>>,
    /// Receives the result of connecting.
    stands: Sender<Result<(), String>>,
}

/// The members of a cluster that have answered.
#[derive(Debug)]
pub struct Discovered {
    /// With the members that have answered.
    pub replies: Vec<(Member, DiscoveryReply)>,
    /// A line about members that use another version of the messages.
    pub others: Option<String>,
}

/// Returns the members that answer within `time`.
pub fn discover(transport: &dyn Transport, time: Duration) -> Result<Discovered, String> {
    ask(transport, (Subject::Discovery, wire::encode(&DiscoveryRequest)), time)
}

/// Tells the machines of this name to end once their tasks have ended. Returns those that answer within `time`.
pub fn drain(transport: &dyn Transport, name: &str, time: Duration) -> Result<Discovered, String> {
    ask(transport, (Subject::Drain, wire::encode(&DrainRequest { name: name.to_owned() })), time)
}

fn ask(transport: &dyn Transport, question: (Subject, Vec<u8>), time: Duration) -> Result<Discovered, String> {
    let me = Member::draw(transport.user());
    let (stands, connected) = bounded(1);
    let client = Arc::new(DiscoveryClient {
        question,
        cards: Mutex::default(),
        others: Mutex::default(),
        forbidden: Mutex::default(),
        stands,
    });
    let mut link =
        transport.open(me, "hasami workers".to_owned(), vec![Subject::Member(me)], Arc::new(Arc::clone(&client)))?;
    connected.recv_timeout(PATIENCE).map_err(|_| late())??;
    std::thread::sleep(time);
    link.close();
    let forbidden = client.forbidden.lock().unwrap_or_else(PoisonError::into_inner).take();
    let mut cards = std::mem::take(&mut *client.cards.lock().unwrap_or_else(PoisonError::into_inner));
    if let Some(why) = forbidden.filter(|_| cards.is_empty()) {
        return Err(why);
    }
    cards.sort_by_key(|(_, card)| match card {
        DiscoveryReply::WorkerNode { name, .. } => (0, name.clone()),
        DiscoveryReply::Master { name, .. } => (1, name.clone()),
        DiscoveryReply::Lender { news, .. } => (2, news.clone()),
    });
    let others = std::mem::take(&mut *client.others.lock().unwrap_or_else(PoisonError::into_inner));
    let numbers = others.iter().map(u8::to_string).collect::<Vec<_>>().join(", ");
    let others = (!others.is_empty()).then(|| {
        format!(
            "expected answers of version {} of the messages, found some of {numbers}: update the older programs",
            wire::VERSION
        )
    });
    Ok(Discovered { replies: cards, others })
}

/// Checks that the server can be reached and accepts our login.
pub fn reach(transport: &dyn Transport) -> Result<(), String> {
    let (stands, connected) = bounded(1);
    let me = Member::draw(transport.user());
    let mut link = transport.open(me, "hasami".to_owned(), Vec::new(), Arc::new(ReachabilityCheck(stands)))?;
    let answer = connected.recv_timeout(PATIENCE);
    link.close();
    answer.map_err(|_| late())?
}

fn late() -> String {
    format!("expected a connection in {} s, found none", PATIENCE.as_secs())
}

/// Waits only for the result of connecting.
struct ReachabilityCheck(Sender<Result<(), String>>);

impl LinkHandler for ReachabilityCheck {
    fn on_event(&self, event: LinkEvent, _outbox: &LinkSender) {
        match event {
            LinkEvent::Up => _ = self.0.try_send(Ok(())),
            LinkEvent::Refused(why) | LinkEvent::LoginRefused { why, .. } => _ = self.0.try_send(Err(why)),
            _ => {}
        }
    }

    fn due(&self) -> Instant {
        Instant::now() + Duration::from_secs(3600)
    }
}

impl LinkHandler for Arc<DiscoveryClient> {
    fn on_event(&self, event: LinkEvent, outbox: &LinkSender) {
        match event {
            LinkEvent::Up => {
                outbox.send(self.question.0, self.question.1.clone());
                let _ = self.stands.try_send(Ok(()));
            }
            LinkEvent::Refused(why) | LinkEvent::LoginRefused { why, .. } => _ = self.stands.try_send(Err(why)),
            LinkEvent::Forbidden(why) => {
                *self.forbidden.lock().unwrap_or_else(PoisonError::into_inner) = Some(why);
            }
            LinkEvent::Message { from, bytes, .. } => match wire::decode(bytes) {
                Ok(card) => {
                    let mut cards = self.cards.lock().unwrap_or_else(PoisonError::into_inner);
                    if cards.len() < MOST_REPLIES {
                        cards.push((from, card));
                    }
                }
                Err(why) => {
                    log::debug!("cluster: {why}");
                    let other = wire::other_version(bytes);
                    self.others.lock().unwrap_or_else(PoisonError::into_inner).extend(other);
                }
            },
            LinkEvent::Down | LinkEvent::Due => {}
        }
    }

    fn due(&self) -> Instant {
        Instant::now() + Duration::from_secs(3600)
    }
}
