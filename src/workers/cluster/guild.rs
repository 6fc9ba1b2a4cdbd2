//! A fleet at work: its connection, and its seats as workers of a crew.

use super::fleet::{Effect, Fleet, Identity};
use super::names::{Lease, StationId, Subject};
use super::teams::{ELSEWHERE, ROUND, Teams};
use super::transport::{Link, LinkEvent, LinkHandler, Outbox, Transport};
use crate::event::{TaskId, Time, WorkerId};
use crate::text::counted;
use crate::workers::voice::Notice;
use crate::workers::{Bus, Events, Renewal, Voice, Worker};
use crossbeam_channel::{Receiver, Sender, unbounded};
use hasami_api::Task;
use std::collections::BTreeMap;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::{Duration, Instant};

/// A master among those who tell news.
const MASTER: StationId = StationId(0);

/// After connecting, stations get so long to offer what they have before the first search.
const FIRST_OFFERS: Duration = Duration::from_millis(700);
/// For the connection to stand.
const FIRST_ANSWER: Duration = Duration::from_secs(3);
/// Somebody is waited for so long, and looked for so often.
const SOMEBODY: Duration = Duration::from_secs(8);
const LOOK: Duration = Duration::from_millis(50);

/// The cluster of a crew. Dropping it gives all seats back.
pub struct Guild {
    office: Arc<Office>,
    link: Link,
}

struct Office {
    state: Mutex<State>,
    /// What the driver wants done. It does not wait for who has the state: a busy machine may let that one wait for its turn.
    errands: (Sender<Errand>, Receiver<Errand>),
    is_settled: AtomicBool,
    events: Events,
    bus: Bus,
    epoch: Instant,
    place: String,
}

struct State {
    fleet: Fleet,
    voices: BTreeMap<WorkerId, Voice>,
    settling: Option<Time>,
    /// Nobody was there when it was time: who comes first is given a moment for the others.
    is_late: bool,
    /// There are workers, and others have them all.
    is_vacant: bool,
    was_cut: bool,
    teams: Teams,
    next_letters: Time,
}

/// In the order in which they are given.
enum Errand {
    Bind(Lease, WorkerId),
    Start(WorkerId, TaskId, Box<Task>),
    Cancel(WorkerId, TaskId),
    GiveUp(WorkerId),
    NewGame,
}

/// A seat that is to become a worker: the crew gives it its number.
pub struct Applicant {
    office: Arc<Office>,
    outbox: Outbox,
    lease: Lease,
    pub name: String,
}

impl Guild {
    /// Begins to connect; seats come as [`Notice::Applicant`].
    /// `bus` carries the news of the crew's own teams.
    pub fn found(transport: &dyn Transport, me: Identity, events: Events, bus: Bus) -> Result<Self, String> {
        let (place, name) = (transport.place(), me.name.clone());
        if !transport.is_private() {
            log::warn!("cluster: what goes to {place} can be read on its way; tls:// hides it");
        }
        let fleet = Fleet::new(me);
        let subjects = fleet.subjects();
        let (voices, settling, teams) = (BTreeMap::new(), Some(FIRST_ANSWER), Teams::default());
        let (is_late, is_vacant, was_cut, next_letters) = (false, false, false, Time::ZERO);
        let state = State { fleet, voices, settling, is_late, is_vacant, was_cut, teams, next_letters };
        let (state, errands, is_settled) = (Mutex::new(state), unbounded(), AtomicBool::new(false));
        let office = Arc::new(Office { state, errands, is_settled, events, bus, epoch: Instant::now(), place });
        let link = transport.open(name, subjects, Arc::new(Arc::clone(&office)))?;
        Ok(Self { office, link })
    }

    /// Whoever was there at the beginning has come by now.
    pub fn is_settled(&self) -> bool {
        self.office.is_settled.load(Ordering::Relaxed)
    }

    /// The next tasks belong to another game.
    pub fn new_game(&self) {
        self.office.leave(Errand::NewGame, self.link.outbox());
    }

    /// Gives all seats back.
    pub fn end(&mut self) {
        self.office.act(self.link.outbox(), |state, _, effects| state.fleet.end(effects));
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

    /// To be done on the thread of the connection.
    fn leave(&self, errand: Errand, outbox: &Outbox) {
        // The office holds the other end.
        let _ = self.errands.0.send(errand);
        outbox.wake();
    }

    fn run_errands(&self, state: &mut State, now: Time, effects: &mut Vec<Effect>) {
        let fleet = &mut state.fleet;
        for errand in self.errands.1.try_iter() {
            match errand {
                Errand::Bind(lease, worker) => {
                    if !fleet.bind(lease, worker, effects) {
                        self.events.send(Notice::Left(worker));
                    }
                }
                Errand::Start(worker, id, task) => fleet.start(now, worker, id, &task, effects),
                Errand::Cancel(worker, id) => fleet.cancel(now, worker, id, effects),
                Errand::GiveUp(worker) => fleet.give_up(worker, effects),
                Errand::NewGame => fleet.new_game(),
            }
        }
    }

    /// Does something with the fleet, and what it wants done.
    fn act<R>(self: &Arc<Self>, outbox: &Outbox, what: impl FnOnce(&mut State, Time, &mut Vec<Effect>) -> R) -> R {
        let (mut state, mut effects) = (self.lock(), Vec::new());
        let now = self.epoch.elapsed();
        self.run_errands(&mut state, now, &mut effects);
        let result = what(&mut state, now, &mut effects);
        effects.into_iter().for_each(|effect| self.carry_out(&mut state, effect, outbox));
        self.post(&mut state, now, outbox);
        result
    }

    /// What the crew's own workers have told the teams goes out.
    fn post(&self, state: &mut State, now: Time, outbox: &Outbox) {
        if let Some(teams) = state.fleet.new_teams() {
            state.teams.set(&teams.keys().copied().collect(), |team| self.bus.join(teams[&team], ELSEWHERE));
        }
        if now >= state.next_letters && outbox.is_clear() {
            state.next_letters = now + ROUND;
            let letters = state.teams.gather(MASTER);
            letters.into_iter().for_each(|(to, bytes)| outbox.send(to, bytes));
        }
    }

    fn carry_out(self: &Arc<Self>, state: &mut State, effect: Effect, outbox: &Outbox) {
        match effect {
            Effect::Publish { to, bytes } => outbox.send(to, bytes),
            Effect::Apply { lease, name } => {
                let applicant = Applicant { office: Arc::clone(self), outbox: outbox.clone(), lease, name };
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
    fn settle(&self, state: &mut State, now: Time) {
        if state.settling.take().is_some() {
            let (stations, seats) = state.fleet.size();
            state.fleet.open_bulletin(now);
            if seats > 0 {
                let line = format!("cluster: {}, by {}", super::fleet::size_words(seats, stations), self.place);
                self.events.send(Notice::Told(line));
            }
            self.is_settled.store(true, Ordering::Relaxed);
            self.events.send(Notice::Settled);
        }
    }

    /// It is time for those who are there, and for somebody to be there.
    fn look_for_first(&self, state: &mut State, now: Time) {
        let is_nobody = state.fleet.size().1 == 0;
        if is_nobody && !state.is_vacant && now < SOMEBODY {
            (state.settling, state.is_late) = (Some(now + LOOK), true);
        } else if !is_nobody && std::mem::take(&mut state.is_late) {
            state.settling = Some(now + FIRST_OFFERS / 2);
        } else {
            self.settle(state, now);
        }
    }

    /// Why there is no worker, if there could be some.
    fn look_for_others(&self, state: &mut State) {
        let busy = state.fleet.busy();
        let is_vacant = busy > 0 && state.fleet.size().1 == 0;
        if std::mem::replace(&mut state.is_vacant, is_vacant) != is_vacant {
            let machines = counted(busy as u64, "machine");
            let why = is_vacant.then(|| format!("all workers of the cluster ({machines}) are with other masters"));
            self.events.send(Notice::Vacancy(why));
        }
    }

    fn message(self: &Arc<Self>, event: LinkEvent, outbox: &Outbox) {
        self.act(outbox, |state, now, effects| match event {
            LinkEvent::Up => {
                if state.settling.is_some() {
                    state.settling = Some(now + FIRST_OFFERS);
                }
                if std::mem::take(&mut state.was_cut) {
                    effects.push(Effect::Tell(format!("cluster: {} is connected again", self.place)));
                }
                state.fleet.hurry();
                state.fleet.tick(now, effects);
            }
            LinkEvent::Down => {
                state.was_cut = true;
                effects.push(Effect::Tell(format!("cluster: {} is cut off; trying again", self.place)));
            }
            LinkEvent::Refused(why) => {
                state.was_cut = true;
                // Before anybody hears that nobody else is waited for.
                self.events.send(Notice::Told(format!("warning: Cluster: {why}; trying again")));
                self.settle(state, now);
            }
            LinkEvent::Forbidden(why) => {
                self.events.send(Notice::Told(format!("warning: Cluster: {why}")));
                self.settle(state, now);
            }
            LinkEvent::Message { subject: Subject::News(_), bytes, .. } => {
                if let Err(why) = state.teams.deliver(bytes, MASTER) {
                    log::debug!("cluster: {why}");
                }
            }
            LinkEvent::Message { subject, reply, bytes } => state.fleet.hear(now, subject, reply, bytes, effects),
            LinkEvent::Due => {
                state.fleet.tick(now, effects);
                self.look_for_others(state);
                if state.settling.is_some_and(|at| at <= now) {
                    self.look_for_first(state, now);
                }
            }
        });
    }
}

impl LinkHandler for Arc<Office> {
    fn on_event(&self, event: LinkEvent, outbox: &Outbox) {
        self.message(event, outbox);
    }

    fn due(&self) -> Instant {
        let state = self.lock();
        let letters = (!state.teams.is_empty()).then_some(state.next_letters);
        let due = [state.settling, letters].into_iter().flatten().fold(state.fleet.due(), Time::min);
        self.epoch + due
    }
}

impl Applicant {
    /// The seat as a worker of this number. If it is gone already, [`Notice::Left`] says so.
    pub fn accept(self, worker: WorkerId) -> Box<dyn Worker> {
        let Self { office, outbox, lease, .. } = self;
        office.leave(Errand::Bind(lease, worker), &outbox);
        Box::new(RemoteWorker { worker, office, outbox })
    }
}

/// A seat of a station as one more worker. When it is lost it does not come back; the seat does, as another one.
struct RemoteWorker {
    worker: WorkerId,
    office: Arc<Office>,
    outbox: Outbox,
}

impl Worker for RemoteWorker {
    fn start(&mut self, id: TaskId, task: Task) {
        self.office.leave(Errand::Start(self.worker, id, Box::new(task)), &self.outbox);
    }

    fn cancel(&mut self, id: TaskId) {
        self.office.leave(Errand::Cancel(self.worker, id), &self.outbox);
    }

    /// The fleet tells with the next task ([`Guild::new_game`]).
    fn new_game(&mut self) -> Renewal {
        Renewal::Done
    }

    fn kill(&mut self) {
        self.office.leave(Errand::GiveUp(self.worker), &self.outbox);
    }

    fn revive(&mut self) {}

    fn quit(&mut self) {}

    fn wait_gone(&mut self, _deadline: Instant) {}
}
