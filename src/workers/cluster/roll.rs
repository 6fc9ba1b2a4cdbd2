//! Who is in a cluster: asked by a client that is neither master nor station.

use super::access::Access;
use super::link::{Happening, Link, Mail, Parcel, Party};
use super::names::Subject;
use super::wire::{self, Card, Roll};
use crossbeam_channel::{Sender, bounded};
use rand::Rng;
use std::sync::{Arc, Mutex, PoisonError};
use std::time::{Duration, Instant};

/// For the connection to stand.
const PATIENCE: Duration = Duration::from_secs(5);

struct Asker {
    me: Subject,
    cards: Mutex<Vec<Card>>,
    /// Hears whether the connection stands.
    stands: Sender<Result<(), String>>,
}

/// Those who answer in so much time.
pub fn call(access: Access, time: Duration) -> Result<Vec<Card>, String> {
    let me = Subject::Reply(rand::rng().random());
    let (stands, connected) = bounded(1);
    let asker = Arc::new(Asker { me, cards: Mutex::default(), stands });
    let mut link = Link::open(access, "hasami workers".to_owned(), vec![me], Arc::new(Arc::clone(&asker)))?;
    connected
        .recv_timeout(PATIENCE)
        .map_err(|_| format!("expected a connection in {} s, found none", PATIENCE.as_secs()))??;
    std::thread::sleep(time);
    link.close();
    let mut cards = std::mem::take(&mut *asker.cards.lock().unwrap_or_else(PoisonError::into_inner));
    cards.sort_by_key(|card| match card {
        Card::Station { name, .. } => (0, name.clone()),
        Card::Master { name, .. } => (1, name.clone()),
    });
    Ok(cards)
}

impl Party for Arc<Asker> {
    fn happens(&self, what: Happening, mail: &Mail) {
        match what {
            Happening::Up => {
                mail.send(Parcel { to: Subject::Roll, reply: Some(self.me), bytes: wire::encode(&Roll) });
                let _ = self.stands.try_send(Ok(()));
            }
            Happening::Refused(why) | Happening::Forbidden(why) => _ = self.stands.try_send(Err(why)),
            Happening::Message { bytes, .. } => match wire::decode(bytes) {
                Ok(card) => self.cards.lock().unwrap_or_else(PoisonError::into_inner).push(card),
                Err(why) => log::debug!("cluster: {why}"),
            },
            Happening::Down | Happening::Moment => {}
        }
    }

    fn due(&self) -> Instant {
        Instant::now() + Duration::from_secs(3600)
    }
}
