//! Lists the members of a cluster, for a client that is neither a master nor a worker node.

use super::names::{Member, Subject};
use super::transport::{LinkEvent, LinkHandler, LinkSender, Transport};
use super::wire::{self, DiscoveryReply, DiscoveryRequest};
use crossbeam_channel::{Sender, bounded};
use std::collections::BTreeSet;
use std::sync::{Arc, Mutex, PoisonError};
use std::time::{Duration, Instant};

/// Time allowed for connecting.
const TIMEOUT: Duration = Duration::from_secs(5);

/// Maximum number of answers to collect.
const MOST_REPLIES: usize = 100_000;

struct DiscoveryClient {
    /// The request to send; `None` to check only whether the server can be reached.
    question: Option<(Subject, Vec<u8>)>,
    answers: Mutex<DiscoveryReplies>,
    /// Receives the result of the attempt to connect.
    stands: Sender<Result<(), String>>,
}

#[derive(Default)]
struct DiscoveryReplies {
    cards: Vec<(Member, DiscoveryReply)>,
    /// The message versions that were received, except this program's own.
    others: BTreeSet<u8>,
    /// The permission that the server has denied.
    forbidden: Option<String>,
}

/// The answers to a request for the member list of a cluster.
#[derive(Debug)]
pub struct Discovered {
    /// The members that have answered, with their answers.
    pub replies: Vec<(Member, DiscoveryReply)>,
    /// A warning if some members use another version of the messages.
    pub others: Option<String>,
}

/// Returns the members that answer within `time`.
pub fn discover(transport: &dyn Transport, time: Duration) -> Result<Discovered, String> {
    ask(transport, Some((Subject::Discovery, wire::encode(&DiscoveryRequest))), time)
}

/// Checks that the server can be reached and accepts this program's login.
pub fn reach(transport: &dyn Transport) -> Result<(), String> {
    ask(transport, None, Duration::ZERO).map(drop)
}

fn ask(transport: &dyn Transport, question: Option<(Subject, Vec<u8>)>, time: Duration) -> Result<Discovered, String> {
    let me = Member::draw(transport.user());
    let (stands, connected) = bounded(1);
    let subjects = question.iter().map(|_| Subject::Member(me)).collect();
    let client = Arc::new(DiscoveryClient { question, answers: Mutex::default(), stands });
    let mut link = transport.open(me, "hasami workers".to_owned(), subjects, Arc::new(Arc::clone(&client)))?;
    let late = |_| format!("no connection in {} s", TIMEOUT.as_secs());
    connected.recv_timeout(TIMEOUT).map_err(late)??;
    std::thread::sleep(time);
    link.close();
    let DiscoveryReplies { mut cards, others, forbidden } =
        std::mem::take(&mut *client.answers.lock().unwrap_or_else(PoisonError::into_inner));
    if let Some(why) = forbidden.filter(|_| cards.is_empty()) {
        return Err(why);
    }
    cards.sort_by_key(|(_, card)| match card {
        DiscoveryReply::WorkerNode { name, .. } => (0, name.clone()),
        DiscoveryReply::Master { name, .. } => (1, name.clone()),
        DiscoveryReply::Lender { news } => (2, news.clone()),
    });
    let numbers = others.iter().map(u8::to_string).collect::<Vec<_>>().join(", ");
    let others = (!others.is_empty()).then(|| {
        format!(
            "some answers are messages of version {numbers}, not of version {}: update the older programs",
            wire::VERSION
        )
    });
    Ok(Discovered { replies: cards, others })
}

impl LinkHandler for Arc<DiscoveryClient> {
    fn on_event(&self, event: LinkEvent, outbox: &LinkSender) {
        let mut answers = self.answers.lock().unwrap_or_else(PoisonError::into_inner);
        match event {
            LinkEvent::Up => {
                self.question.iter().for_each(|(subject, bytes)| outbox.send(*subject, bytes.clone()));
                let _ = self.stands.try_send(Ok(()));
            }
            LinkEvent::Refused(why) | LinkEvent::LoginRefused { why, .. } => _ = self.stands.try_send(Err(why)),
            LinkEvent::Forbidden(why) => answers.forbidden = Some(why),
            LinkEvent::Message { from, bytes, .. } => match wire::decode(bytes) {
                Ok(card) if answers.cards.len() < MOST_REPLIES => answers.cards.push((from, card)),
                Ok(_) => {}
                Err(why) => {
                    log::debug!("cluster: {why}");
                    answers.others.extend(wire::other_version(bytes));
                }
            },
            LinkEvent::Down | LinkEvent::Due => {}
        }
    }

    fn due(&self) -> Instant {
        Instant::now() + Duration::from_secs(3600)
    }
}
