//! Seats that answer letters: cells of a mate search, solvers of brinkmates. The host's side.

use super::access::Access;
use super::fleet::{Effect, Fleet, Identity};
use super::link::{Happening, Link, Mail, Parcel, Party};
use super::stream;
use crate::event::{Time, WorkerId};
use crossbeam_channel::{Receiver, RecvTimeoutError, Sender, unbounded};
use hasami_api::{Mail as News, Post};
use std::collections::VecDeque;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::{Duration, Instant};

/// Offers are waited for so long after connecting, and for a connection so long.
const OFFERS: Duration = Duration::from_millis(1_000);
const PATIENCE: Duration = Duration::from_secs(5);
/// A host looks so often what else there is to do.
const LOOK: Duration = Duration::from_millis(50);

/// The seats of one host, numbered from 0; each is one for [`Post`]. Those who come later are not taken.
pub struct Letters {
    office: Arc<Office>,
    link: Link,
    inbox: Receiver<(usize, News)>,
    ready: VecDeque<(usize, News)>,
    /// For each seat, lines that go out together.
    written: Vec<String>,
    names: Vec<String>,
    tell: Box<dyn Fn(&str) + Send>,
}

struct Office {
    state: Mutex<State>,
    epoch: Instant,
    out: Sender<(usize, News)>,
    /// The connection stands, or why not.
    stands: Sender<Result<(), String>>,
}

struct State {
    fleet: Fleet,
    /// By their numbers.
    names: Vec<String>,
    /// So many are taken.
    most: usize,
}

impl Letters {
    /// Connects, and takes at most so many of the seats that are offered; `tell` hears of each that is lost.
    pub fn open(access: Access, me: Identity, most: usize, tell: Box<dyn Fn(&str) + Send>) -> Result<Self, String> {
        let (place, name) = (access.to_string(), me.name.clone());
        let (out, inbox) = unbounded();
        let (stands, connected) = unbounded();
        let fleet = Fleet::new(me);
        let subjects = fleet.subjects();
        let state = Mutex::new(State { fleet, names: Vec::new(), most });
        let office = Arc::new(Office { state, epoch: Instant::now(), out, stands });
        let link = Link::open(access, name, subjects, Arc::new(Arc::clone(&office)))?;
        let late = |_| format!("expected a connection to {place} in {} s, found none", PATIENCE.as_secs());
        connected.recv_timeout(PATIENCE).map_err(late)??;
        std::thread::sleep(OFFERS);
        let mut state = office.lock();
        // Nobody else is taken from now on.
        state.most = state.names.len();
        let names = state.names.clone();
        drop(state);
        if names.is_empty() {
            return Err(format!("expected a machine of the cluster at {place} to offer a worker, found none"));
        }
        let written = vec![String::new(); names.len()];
        Ok(Self { office, link, inbox, ready: VecDeque::new(), written, names, tell })
    }

    /// How many seats were taken.
    pub fn count(&self) -> usize {
        self.names.len()
    }

    fn flush_one(&mut self, seat: usize) {
        let letters = self.written.get_mut(seat).map(std::mem::take).unwrap_or_default();
        if !letters.is_empty() {
            let worker = WorkerId(seat as u32);
            self.office.act(self.link.mail(), |state, now, effects| state.fleet.write(now, worker, &letters, effects));
        }
    }

    fn note(&mut self, news: (usize, News)) {
        if let (seat, News::Lost(why)) = &news {
            (self.tell)(&format!("{} is lost: {why}", self.names.get(*seat).map_or("a worker", String::as_str)));
        }
        self.ready.push_back(news);
    }
}

impl Drop for Letters {
    fn drop(&mut self) {
        self.flush();
        self.office.act(self.link.mail(), |state, _, effects| state.fleet.end(effects));
        self.link.close();
    }
}

impl Office {
    fn lock(&self) -> MutexGuard<'_, State> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }

    fn act(&self, mail: &Mail, what: impl FnOnce(&mut State, Time, &mut Vec<Effect>)) {
        let (mut state, mut effects) = (self.lock(), Vec::new());
        what(&mut state, self.epoch.elapsed(), &mut effects);
        let mut effects = VecDeque::from(effects);
        while let Some(effect) = effects.pop_front() {
            let mut more = Vec::new();
            self.carry_out(&mut state, effect, mail, &mut more);
            effects.extend(more);
        }
    }

    fn carry_out(&self, state: &mut State, effect: Effect, mail: &Mail, more: &mut Vec<Effect>) {
        let seat = |worker: WorkerId| worker.0 as usize;
        // Nobody reads any more when the host is gone.
        let told = match effect {
            Effect::Publish { to, bytes } => return mail.send(Parcel { to, reply: None, bytes }),
            Effect::Apply { lease, name } if state.names.len() < state.most => {
                let number = WorkerId(state.names.len() as u32);
                if state.fleet.bind(lease, number, more) {
                    state.names.push(name);
                }
                return;
            }
            Effect::Apply { lease, .. } => return state.fleet.refuse(lease, more),
            Effect::Letter { worker, letter } => (seat(worker), News::Letter(letter)),
            Effect::Lost { worker, why } => (seat(worker), News::Lost(why)),
            _ => return,
        };
        let _ = self.out.send(told);
    }
}

impl Party for Arc<Office> {
    fn happens(&self, what: Happening, mail: &Mail) {
        self.act(mail, |state, now, effects| match what {
            Happening::Up => {
                let _ = self.stands.send(Ok(()));
                state.fleet.hurry();
                state.fleet.tick(now, effects);
            }
            Happening::Refused(why) => _ = self.stands.send(Err(why)),
            Happening::Message { subject, reply, bytes } => state.fleet.hear(now, subject, reply, bytes, effects),
            Happening::Moment => state.fleet.tick(now, effects),
            Happening::Down => {}
        });
    }

    fn due(&self) -> Instant {
        self.epoch + self.lock().fleet.due()
    }
}

impl Post for Letters {
    fn cells(&self) -> usize {
        self.count()
    }

    fn send(&mut self, cell: usize, letter: &str) {
        let Some(written) = self.written.get_mut(cell) else { return };
        stream::add_line(written, letter);
        if written.len() >= stream::FULL {
            self.flush_one(cell);
        }
    }

    fn flush(&mut self) {
        (0..self.written.len()).for_each(|seat| self.flush_one(seat));
    }

    fn take(&mut self) -> Option<(usize, News)> {
        while let Ok(news) = self.inbox.try_recv() {
            self.note(news);
        }
        // Who has more to read may have more to say.
        if self.ready.is_empty() {
            self.flush();
        }
        self.ready.pop_front()
    }

    fn wait(&mut self) {
        self.flush();
        match self.inbox.recv_timeout(LOOK) {
            Ok(news) => self.note(news),
            Err(RecvTimeoutError::Timeout | RecvTimeoutError::Disconnected) => {}
        }
    }

    fn dismiss(&mut self, cell: usize, _why: &str) {
        self.flush_one(cell);
        let worker = WorkerId(cell as u32);
        let mail = self.link.mail().clone();
        self.office.act(&mail, |state, _, effects| state.fleet.give_up(worker, effects));
    }
}
