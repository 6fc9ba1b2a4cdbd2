//! A fleet at work: its connection, and its seats as workers of a crew.

use super::access::Access;
use super::fleet::{Effect, Fleet, Identity};
use super::link::{Happening, Link, Mail, Parcel, Party};
use super::names::{Lease, StationId, Subject};
use super::teams::{ELSEWHERE, ROUND, Teams};
use crate::event::{TaskId, Time, WorkerId};
use crate::workers::voice::Notice;
use crate::workers::{Bus, Events, Voice, Worker};
use hasami_api::Task;
use std::collections::BTreeMap;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::{Duration, Instant};

/// A master among those who tell news.
const MASTER: StationId = StationId(0);

/// After connecting, stations get so long to offer what they have before the first search.
const FIRST_OFFERS: Duration = Duration::from_millis(700);
/// For the connection to stand.
const FIRST_ANSWER: Duration = Duration::from_secs(3);

/// The cluster of a crew. Dropping it gives all seats back.
pub struct Guild {
    office: Arc<Office>,
    link: Link,
}

struct Office {
    state: Mutex<State>,
    events: Events,
    bus: Bus,
    epoch: Instant,
    place: String,
}

struct State {
    fleet: Fleet,
    voices: BTreeMap<WorkerId, Voice>,
    settling: Option<Time>,
    teams: Teams,
    next_letters: Time,
}

/// A seat that is to become a worker: the crew gives it its number.
pub struct Applicant {
    office: Arc<Office>,
    mail: Mail,
    lease: Lease,
    pub name: String,
}

impl Guild {
    /// Begins to connect; seats come as [`Notice::Applicant`].
    /// `bus` carries the news of the crew's own teams.
    pub fn found(access: Access, me: Identity, events: Events, bus: Bus) -> Result<Self, String> {
        let (place, name) = (access.to_string(), me.name.clone());
        if !access.is_private() {
            log::warn!("cluster: what goes to {place} can be read on its way; tls:// hides it");
        }
        let fleet = Fleet::new(me);
        let subjects = fleet.subjects();
        let (voices, settling, teams) = (BTreeMap::new(), Some(FIRST_ANSWER), Teams::default());
        let state = Mutex::new(State { fleet, voices, settling, teams, next_letters: Time::ZERO });
        let office = Arc::new(Office { state, events, bus, epoch: Instant::now(), place });
        let link = Link::open(access, name, subjects, Arc::new(Arc::clone(&office)))?;
        Ok(Self { office, link })
    }

    /// Whoever was there at the beginning has come by now.
    pub fn is_settled(&self) -> bool {
        self.office.lock().settling.is_none()
    }

    /// The next tasks belong to another game.
    pub fn new_game(&self) {
        self.office.lock().fleet.new_game();
    }

    /// Gives all seats back.
    pub fn end(&mut self) {
        self.office.act(self.link.mail(), |state, _, effects| state.fleet.end(effects));
        self.link.close();
    }
}

impl Drop for Guild {
    fn drop(&mut self) {
        self.end();
    }
}

impl Office {
    fn lock(&self) -> MutexGuard<'_, State> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Does something with the fleet, and what it wants done.
    fn act<R>(self: &Arc<Self>, mail: &Mail, what: impl FnOnce(&mut State, Time, &mut Vec<Effect>) -> R) -> R {
        let (mut state, mut effects) = (self.lock(), Vec::new());
        let now = self.epoch.elapsed();
        let result = what(&mut state, now, &mut effects);
        effects.into_iter().for_each(|effect| self.carry_out(&mut state, effect, mail));
        self.post(&mut state, now, mail);
        result
    }

    /// What the crew's own workers have told the teams goes out.
    fn post(&self, state: &mut State, now: Time, mail: &Mail) {
        if let Some(teams) = state.fleet.new_teams() {
            state.teams.set(&teams.keys().copied().collect(), |team| self.bus.join(teams[&team], ELSEWHERE));
        }
        if now >= state.next_letters && mail.is_clear() {
            state.next_letters = now + ROUND;
            let letters = state.teams.gather(MASTER);
            letters.into_iter().for_each(|(to, bytes)| mail.send(Parcel { to, reply: None, bytes }));
        }
    }

    fn carry_out(self: &Arc<Self>, state: &mut State, effect: Effect, mail: &Mail) {
        match effect {
            Effect::Publish { to, bytes } => mail.send(Parcel { to, reply: None, bytes }),
            Effect::Apply { lease, name } => {
                let applicant = Applicant { office: Arc::clone(self), mail: mail.clone(), lease, name };
                self.events.send(Notice::Applicant(applicant));
            }
            Effect::Joined { worker, profile } => {
                let voice = Voice::new(worker, &self.events);
                voice.joined(profile);
                state.voices.insert(worker, voice);
            }
            Effect::Reports { worker, task, reports } => {
                if let Some(voice) = state.voices.get(&worker) {
                    reports.into_iter().for_each(|report| voice.report(task, report));
                }
            }
            Effect::Ended { worker, task, end } => {
                if let Some(voice) = state.voices.get(&worker) {
                    voice.ended(task, end);
                }
            }
            Effect::Lost { worker, why } => {
                if let Some(voice) = state.voices.remove(&worker) {
                    voice.lost(why);
                    self.events.send(Notice::Left(worker));
                }
            }
            // Nobody writes any here.
            Effect::Letter { .. } => {}
            Effect::Tell(line) => self.events.send(Notice::Told(line)),
        }
    }

    /// Nobody waits for first offers any more.
    fn settle(&self, state: &mut State) {
        if state.settling.take().is_some() {
            let (stations, seats) = state.fleet.size();
            if seats > 0 {
                let line = format!("cluster: {}, by {}", super::fleet::size_words(seats, stations), self.place);
                self.events.send(Notice::Told(line));
            }
            self.events.send(Notice::Settled);
        }
    }

    fn message(self: &Arc<Self>, what: Happening, mail: &Mail) {
        self.act(mail, |state, now, effects| match what {
            Happening::Up => {
                if state.settling.is_some() {
                    state.settling = Some(now + FIRST_OFFERS);
                }
                state.fleet.hurry();
                state.fleet.tick(now, effects);
            }
            Happening::Down => effects.push(Effect::Tell(format!("cluster: {} is cut off", self.place))),
            Happening::Refused(why) => {
                effects.push(Effect::Tell(format!("warning: Cluster: {why}; tried again")));
                self.settle(state);
            }
            Happening::Message { subject: Subject::News(_), bytes, .. } => {
                if let Err(why) = state.teams.deliver(bytes, MASTER) {
                    log::debug!("cluster: {why}");
                }
            }
            Happening::Message { subject, reply, bytes } => state.fleet.hear(now, subject, reply, bytes, effects),
            Happening::Moment => {
                state.fleet.tick(now, effects);
                if state.settling.is_some_and(|at| at <= now) {
                    self.settle(state);
                }
            }
        });
    }
}

impl Party for Arc<Office> {
    fn happens(&self, what: Happening, mail: &Mail) {
        self.message(what, mail);
    }

    fn due(&self) -> Instant {
        let state = self.lock();
        let letters = (!state.teams.is_empty()).then_some(state.next_letters);
        let due = [state.settling, letters].into_iter().flatten().fold(state.fleet.due(), Time::min);
        self.epoch + due
    }
}

impl Applicant {
    /// The seat as a worker of this number, if it is still there.
    pub fn accept(self, worker: WorkerId) -> Option<Box<dyn Worker>> {
        let Self { office, mail, lease, .. } = self;
        let is_there = office.act(&mail, |state, _, effects| state.fleet.bind(lease, worker, effects));
        is_there.then(|| Box::new(RemoteWorker { worker, office, mail }) as Box<dyn Worker>)
    }
}

/// A seat of a station as one more worker. When it is lost it does not come back; the seat does, as another one.
struct RemoteWorker {
    worker: WorkerId,
    office: Arc<Office>,
    mail: Mail,
}

impl Worker for RemoteWorker {
    fn start(&mut self, id: TaskId, task: Task) {
        let worker = self.worker;
        self.office.act(&self.mail, |state, now, effects| state.fleet.start(now, worker, id, &task, effects));
    }

    fn cancel(&mut self, id: TaskId) {
        let worker = self.worker;
        self.office.act(&self.mail, |state, now, effects| state.fleet.cancel(now, worker, id, effects));
    }

    /// The fleet tells with the next task ([`Guild::new_game`]).
    fn new_game(&mut self) -> bool {
        false
    }

    fn kill(&mut self) {
        let worker = self.worker;
        self.office.act(&self.mail, |state, _, effects| state.fleet.give_up(worker, effects));
    }

    fn revive(&mut self) {}

    fn quit(&mut self) {}

    fn wait_gone(&mut self, _deadline: Instant) {}
}
