//! Seats that answer letters: cells of a mate search, solvers of brinkmates. The host's side.

use super::fleet::{Effect, Fleet, Identity};
use super::seats::Seats;
use super::stream;
use super::transport::{Link, LinkEvent, LinkHandler, Outbox, Transport};
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

/// The seats of one host, numbered from 0; each is one for [`Post`]. Those who come later have a part in the next problem.
pub struct Letters {
    office: Arc<Office>,
    link: Link,
    inbox: Receiver<Heard>,
    seats: Seats,
    ready: VecDeque<(WorkerId, News)>,
    /// For each seat, lines that go out together.
    written: Vec<String>,
    tell: Box<dyn Fn(&str) + Send>,
}

/// What the thread of the connection has to tell.
enum Heard {
    Came(WorkerId, String),
    News(WorkerId, News),
}

struct Office {
    state: Mutex<State>,
    epoch: Instant,
    out: Sender<Heard>,
    /// The connection stands, or why not.
    stands: Sender<Result<(), String>>,
}

struct State {
    fleet: Fleet,
    /// So many have come so far: nobody has the number of another.
    came: u32,
}

impl Letters {
    /// Connects, and takes the seats that are offered; `tell` hears of each that is lost.
    pub fn open(transport: &dyn Transport, me: Identity, tell: Box<dyn Fn(&str) + Send>) -> Result<Self, String> {
        let (place, name) = (transport.place(), me.name.clone());
        let (out, inbox) = unbounded();
        let (stands, connected) = unbounded();
        let fleet = Fleet::new(me);
        let subjects = fleet.subjects();
        let state = Mutex::new(State { fleet, came: 0 });
        let office = Arc::new(Office { state, epoch: Instant::now(), out, stands });
        let link = transport.open(name, subjects, Arc::new(Arc::clone(&office)))?;
        let late = |_| format!("expected a connection to {place} in {} s, found none", PATIENCE.as_secs());
        connected.recv_timeout(PATIENCE).map_err(late)??;
        std::thread::sleep(OFFERS);
        let (seats, ready, written) = (Seats::default(), VecDeque::new(), Vec::new());
        let mut letters = Self { office, link, inbox, seats, ready, written, tell };
        letters.renew();
        if letters.count() == 0 {
            // What the server does not allow may be heard of later than that the connection stands.
            connected.try_iter().last().unwrap_or(Ok(()))?;
            return Err(format!("expected a machine of the cluster at {place} to offer a worker, found none"));
        }
        Ok(letters)
    }

    /// How many seats have a number.
    pub fn count(&self) -> usize {
        self.seats.len()
    }

    /// Who has come gets a number beside those of the others; the first of these.
    pub fn extend(&mut self) -> usize {
        self.hear_all();
        let first = self.seats.extend();
        self.written.resize(self.count(), String::new());
        first
    }

    fn flush_one(&mut self, seat: usize) {
        let letters = self.written.get_mut(seat).map(std::mem::take).unwrap_or_default();
        if let Some(worker) = self.seats.at(seat).filter(|_| !letters.is_empty()) {
            self.office
                .act(self.link.outbox(), |state, now, effects| state.fleet.write(now, worker, &letters, effects));
        }
    }

    fn hear_all(&mut self) {
        while let Ok(heard) = self.inbox.try_recv() {
            self.note(heard);
        }
    }

    fn note(&mut self, heard: Heard) {
        match heard {
            Heard::Came(worker, name) => self.seats.came(worker, name),
            Heard::News(worker, news) => self.ready.push_back((worker, news)),
        }
    }

    /// News with the number of who tells them, if it has one.
    fn open_one(&mut self, worker: WorkerId, news: News) -> Option<(usize, News)> {
        let News::Lost(why) = &news else { return Some((self.seats.number(worker)?, news)) };
        let (name, number) = self.seats.left(worker)?;
        (self.tell)(&format!("{name} is lost: {why}"));
        if self.seats.is_empty() {
            (self.tell)("no worker of the cluster is left; this machine goes on alone");
        }
        Some((number?, news))
    }
}

impl Drop for Letters {
    fn drop(&mut self) {
        self.flush();
        self.office.act(self.link.outbox(), |state, _, effects| state.fleet.end(effects));
        self.link.close();
    }
}

impl Office {
    fn lock(&self) -> MutexGuard<'_, State> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }

    fn act(&self, outbox: &Outbox, what: impl FnOnce(&mut State, Time, &mut Vec<Effect>)) {
        let (mut state, mut effects) = (self.lock(), Vec::new());
        what(&mut state, self.epoch.elapsed(), &mut effects);
        let mut effects = VecDeque::from(effects);
        while let Some(effect) = effects.pop_front() {
            let mut more = Vec::new();
            self.carry_out(&mut state, effect, outbox, &mut more);
            effects.extend(more);
        }
    }

    fn carry_out(&self, state: &mut State, effect: Effect, outbox: &Outbox, more: &mut Vec<Effect>) {
        let told = match effect {
            Effect::Publish { to, bytes } => return outbox.send(to, bytes),
            Effect::Apply { lease, name } => {
                let worker = WorkerId(state.came);
                state.came = state.came.wrapping_add(1);
                if !state.fleet.bind(lease, worker, more) {
                    return;
                }
                Heard::Came(worker, name)
            }
            Effect::Letter { worker, letter } => Heard::News(worker, News::Letter(letter)),
            Effect::Lost { worker, why } => Heard::News(worker, News::Lost(why)),
            _ => return,
        };
        // Nobody reads any more when the host is gone.
        let _ = self.out.send(told);
    }
}

impl LinkHandler for Arc<Office> {
    fn on_event(&self, event: LinkEvent, outbox: &Outbox) {
        self.act(outbox, |state, now, effects| match event {
            LinkEvent::Up => {
                let _ = self.stands.send(Ok(()));
                state.fleet.hurry();
                state.fleet.tick(now, effects);
            }
            LinkEvent::Refused(why) | LinkEvent::Forbidden(why) => _ = self.stands.send(Err(why)),
            LinkEvent::Message { subject, reply, bytes } => state.fleet.hear(now, subject, reply, bytes, effects),
            LinkEvent::Due => state.fleet.tick(now, effects),
            LinkEvent::Down => {}
        });
    }

    fn due(&self) -> Instant {
        self.epoch + self.lock().fleet.due()
    }
}

impl Post for Letters {
    /// What comes yet of an earlier problem has its number in it.
    fn renew(&mut self) {
        self.hear_all();
        // Who has come and is gone again gets no number.
        for (worker, news) in std::mem::take(&mut self.ready) {
            match news {
                News::Lost(_) => _ = self.open_one(worker, news),
                News::Letter(_) => self.ready.push_back((worker, news)),
            }
        }
        self.seats.renew();
        self.written = vec![String::new(); self.count()];
    }

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
        self.hear_all();
        // Who has more to read may have more to say.
        if self.ready.is_empty() {
            self.flush();
        }
        while let Some((worker, news)) = self.ready.pop_front() {
            let opened = self.open_one(worker, news);
            if opened.is_some() {
                return opened;
            }
        }
        None
    }

    fn wait(&mut self) {
        self.flush();
        match self.inbox.recv_timeout(LOOK) {
            Ok(heard) => self.note(heard),
            Err(RecvTimeoutError::Timeout | RecvTimeoutError::Disconnected) => {}
        }
    }

    fn dismiss(&mut self, cell: usize, _why: &str) {
        self.flush_one(cell);
        let Some(worker) = self.seats.at(cell) else { return };
        let outbox = self.link.outbox().clone();
        self.office.act(&outbox, |state, _, effects| state.fleet.give_up(worker, effects));
    }
}
