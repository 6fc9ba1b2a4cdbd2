//! A station's side of the cluster: which of its seats serve which masters, and what they are at.
//!
//! Pure: messages, words of its own workers and moments in, effects out. A master that is silent has lost its seats after
//! [`SILENCE`]; what it wanted done ends with that.

use super::fleet::{BEAT, SILENCE};
use super::names::{Lease, Owner, StationId, Subject};
use super::shares::{self, Claim};
use super::wire::{self, Card, MasterBeat, Order, Say, SeatCard, What, WireEnd, WireReport, WireTask, Word};
use crate::event::{End, Profile, TaskId, Time, WorkerEvent, WorkerId};
use hasami_api::{Bound, Line, Report, Task};
use rand::rngs::StdRng;
use rand::{Rng, SeedableRng};
use std::collections::BTreeMap;
use std::time::Duration;

/// How often the station looks around.
const LOOK: Duration = Duration::from_millis(100);
/// Between two reports of a task passes this share of its age, within these bounds: some twenty in a second.
const SHARE: u32 = 4;
const SHORTEST: Duration = Duration::from_millis(5);
const LONGEST: Duration = Duration::from_millis(500);
/// A worker that dies comes again after this pause, which doubles each time up to the longer one.
const PAUSE: Duration = Duration::from_secs(1);
const LONG_PAUSE: Duration = Duration::from_secs(60);
/// A task that lasted so long tells how fast its worker is.
const MEASURED: Duration = Duration::from_millis(200);
const MOST_MASTERS: usize = 256;

/// What is to be done. In this order.
#[derive(Clone, PartialEq, Debug)]
pub enum Effect {
    Publish {
        to: Subject,
        bytes: Vec<u8>,
    },
    /// An engine for this game at this seat; it says `Joined` or `Lost`.
    Hire {
        worker: WorkerId,
        seat: usize,
        game: String,
    },
    /// It is not wanted any more, whatever it does; nothing is to be heard of it.
    Fire {
        worker: WorkerId,
    },
    Start {
        worker: WorkerId,
        id: TaskId,
        task: Task,
    },
    Cancel {
        worker: WorkerId,
        id: TaskId,
    },
    NewGame {
        worker: WorkerId,
    },
    /// One line for the owner of the machine.
    Note(String),
}

/// One seat, as the owner of the machine offers it.
#[derive(Clone, PartialEq, Debug)]
pub struct Offer {
    /// For people: `thread`, or the name of an engine.
    pub engine: String,
    /// The games that it can play.
    pub games: Vec<&'static str>,
}

/// Checks a line by the rules of a game.
pub type Check = Box<dyn Fn(&str, &Line) -> Result<(), String> + Send>;

/// See the module.
pub struct Station {
    id: StationId,
    name: String,
    seats: Vec<Seat>,
    masters: BTreeMap<u64, Master>,
    check: Check,
    /// Draws leases.
    rng: StdRng,
    serial: u64,
    next_worker: u32,
    next_look: Time,
    begun: Time,
    refused: u64,
}

struct Master {
    owner: Owner,
    game: String,
    name: String,
    weight: u16,
    wants: u32,
    heard: Time,
    next_beat: Time,
    /// Seconds of seats that it has had, by its weight.
    used: f64,
}

struct Seat {
    offer: Offer,
    service: Option<Service>,
    /// Not before: its worker has died.
    rests_until: Time,
    pause: Duration,
    speed: u64,
}

/// A seat's work for one master.
struct Service {
    owner: Owner,
    lease: Lease,
    worker: WorkerId,
    /// Once it is up.
    profile: Option<Profile>,
    /// The master knows of it.
    is_known: bool,
    /// The newest task that it has been given.
    last: u64,
    game: Option<u32>,
    task: Option<Running>,
    /// The end of the last task, until the master has heard of it.
    ended: Option<Told>,
}

struct Running {
    id: TaskId,
    since: Time,
    cancelled: bool,
    /// What has been found and not been told.
    fresh: Vec<Report>,
    /// When the first report and the last one were told.
    told: Option<(Time, Time)>,
    nodes: u64,
}

struct Told {
    task: u64,
    reports: Vec<WireReport>,
    end: WireEnd,
}

impl Running {
    fn due(&self) -> Option<Time> {
        if self.fresh.is_empty() {
            return None;
        }
        let Some((first, last)) = self.told else { return Some(Time::ZERO) };
        Some(last + ((last - first) / SHARE).clamp(SHORTEST, LONGEST))
    }

    /// A newer line replaces what it makes obsolete; a bound leaves the last exact value standing.
    fn put(&mut self, report: Report) {
        self.nodes = self.nodes.max(report.nodes);
        let exact = report.bound == Bound::Exact;
        self.fresh.retain(|old| old.multipv != report.multipv || (!exact && old.bound == Bound::Exact));
        self.fresh.push(report);
    }

    fn take(&mut self) -> Vec<WireReport> {
        self.fresh.drain(..).map(|report| WireReport::from(&report)).collect()
    }
}

impl Station {
    /// `seed` draws the leases.
    pub fn new(id: StationId, name: String, offers: Vec<Offer>, check: Check, seed: u64) -> Self {
        let seat = |offer| Seat { offer, service: None, rests_until: Time::ZERO, pause: PAUSE, speed: 0 };
        Self {
            id,
            name: wire::plain(&name),
            seats: offers.into_iter().take(wire::MOST_SEATS).map(seat).collect(),
            masters: BTreeMap::new(),
            check,
            rng: StdRng::seed_from_u64(seed),
            serial: 0,
            next_worker: 0,
            next_look: Time::ZERO,
            begun: Time::ZERO,
            refused: 0,
        }
    }

    /// Where messages for this station come in.
    pub fn subjects(&self) -> Vec<Subject> {
        vec![Subject::Masters, Subject::Roll, Subject::Station(self.id)]
    }

    /// Messages that were refused.
    pub fn refused(&self) -> u64 {
        self.refused
    }

    /// When [`Self::tick`] wants to be called.
    pub fn due(&self) -> Time {
        let reports = self.services().filter_map(|service| service.task.as_ref()?.due());
        reports.chain([self.next_look]).min().unwrap_or(self.next_look)
    }

    fn services(&self) -> impl Iterator<Item = &Service> {
        self.seats.iter().filter_map(|seat| seat.service.as_ref())
    }

    /// A message has come. What makes no sense is dropped.
    pub fn hear(&mut self, now: Time, subject: Subject, reply: Option<Subject>, bytes: &[u8], out: &mut Vec<Effect>) {
        let heard = match subject {
            Subject::Masters => wire::decode(bytes).and_then(|beat| self.master_beat(now, beat, out)),
            Subject::Station(_) => wire::decode(bytes).and_then(|order| self.order(now, order, out)),
            Subject::Roll => self.answer(now, reply, bytes, out),
            _ => Ok(()),
        };
        if let Err(why) = heard {
            self.refused += 1;
            log::debug!("cluster: {why}");
        }
    }

    /// `is_clear`: what was published before has gone out. Else reports wait, and newer ones replace them.
    pub fn tick(&mut self, now: Time, is_clear: bool, out: &mut Vec<Effect>) {
        if is_clear {
            self.tell_reports(now, out);
        }
        if now < self.next_look {
            return;
        }
        let step = now.saturating_sub(self.next_look).min(Duration::from_secs(1)) + LOOK;
        self.next_look = now + LOOK;
        let silent = self.masters.values().filter(|master| now.saturating_sub(master.heard) >= SILENCE);
        let silent: Vec<u64> = silent.map(|master| master.owner.master).collect();
        for master in silent {
            self.lose_master(master, "not heard of any more", out);
        }
        self.deal(now, step, out);
        if is_clear {
            self.beat(now, out);
        }
    }

    /// All masters are told that the station ends.
    pub fn end(&mut self, out: &mut Vec<Effect>) {
        for seat in 0..self.seats.len() {
            self.release(seat, Some("its machine was told to end"), out);
        }
        self.masters.clear();
    }

    /// A worker of this station says something.
    pub fn worker(&mut self, now: Time, event: WorkerEvent, out: &mut Vec<Effect>) {
        let id = event.worker();
        let is_its = |seat: &Seat| seat.service.as_ref().is_some_and(|service| service.worker == id);
        let Some(index) = self.seats.iter().position(is_its) else { return };
        let seat = &mut self.seats[index];
        let Some(service) = &mut seat.service else { return };
        match event {
            WorkerEvent::Joined { profile, .. } => {
                service.profile = Some(profile);
                self.join(index, out);
            }
            WorkerEvent::Report { task, report, .. } => {
                if let Some(running) = service.task.as_mut().filter(|running| running.id == task) {
                    running.put(report);
                }
            }
            WorkerEvent::Ended { task, end, .. } => self.end_task(now, index, task, &end, out),
            WorkerEvent::Lost { why, .. } => {
                seat.rests_until = now + seat.pause;
                seat.pause = (seat.pause * 2).min(LONG_PAUSE);
                out.push(Effect::Note(format!("{} is lost: {}", seat.offer.engine, wire::plain(&why))));
                self.release(index, Some(&why), out);
            }
        }
    }

    fn say(&mut self, owner: Owner, say: Say, out: &mut Vec<Effect>) {
        self.serial += 1;
        let word = Word { epoch: owner.epoch, station: self.id, serial: self.serial, say };
        out.push(Effect::Publish { to: Subject::Master(owner.master), bytes: wire::encode(&word) });
    }

    fn join(&mut self, index: usize, out: &mut Vec<Effect>) {
        let Some(service) = &self.seats[index].service else { return };
        let Some(profile) = &service.profile else { return };
        let name = if self.seats.len() == 1 { self.name.clone() } else { format!("{}/{}", self.name, index + 1) };
        let say = Say::Joined { lease: service.lease, name, profile: profile.into() };
        let owner = service.owner;
        self.say(owner, say, out);
    }

    fn end_task(&mut self, now: Time, index: usize, task: TaskId, end: &End, out: &mut Vec<Effect>) {
        let seat = &mut self.seats[index];
        let Some(service) = &mut seat.service else { return };
        let Some(mut running) = service.task.take_if(|running| running.id == task) else { return };
        seat.pause = PAUSE;
        let time = now.saturating_sub(running.since);
        if time >= MEASURED {
            seat.speed = (running.nodes as f64 / time.as_secs_f64()) as u64;
        }
        service.ended = Some(Told { task: task.0, reports: running.take(), end: end.into() });
        self.tell_end(index, out);
    }

    /// Until the master has heard of it.
    fn tell_end(&mut self, index: usize, out: &mut Vec<Effect>) {
        let Some(service) = &self.seats[index].service else { return };
        let Some(told) = &service.ended else { return };
        let (reports, end) = (told.reports.clone(), told.end.clone());
        let (owner, say) = (service.owner, Say::Ended { lease: service.lease, task: told.task, reports, end });
        self.say(owner, say, out);
    }

    fn tell_reports(&mut self, now: Time, out: &mut Vec<Effect>) {
        for index in 0..self.seats.len() {
            let Some(service) = &mut self.seats[index].service else { continue };
            let Some(running) = service.task.as_mut().filter(|running| running.due().is_some_and(|due| due <= now))
            else {
                continue;
            };
            let reports = running.take();
            running.told = Some((running.told.map_or(now, |(first, _)| first), now));
            let (owner, say) = (service.owner, Say::Reports { lease: service.lease, task: running.id.0, reports });
            self.say(owner, say, out);
        }
    }

    /// Tells each master what its seats do, and again what it has not heard of.
    fn beat(&mut self, now: Time, out: &mut Vec<Effect>) {
        let due: Vec<Owner> =
            self.masters.values().filter(|master| master.next_beat <= now).map(|master| master.owner).collect();
        for owner in due {
            if let Some(master) = self.masters.get_mut(&owner.master) {
                master.next_beat = now + BEAT;
            }
            let is_its = |seat: &Seat| seat.service.as_ref().is_some_and(|service| service.owner == owner);
            let mine: Vec<usize> = (0..self.seats.len()).filter(|&index| is_its(&self.seats[index])).collect();
            let mut listed = Vec::new();
            for &index in &mine {
                let Some(service) = &self.seats[index].service else { continue };
                if service.profile.is_some() {
                    listed.push((service.lease, service.task.as_ref().map_or(0, |running| running.id.0)));
                }
            }
            if listed.is_empty() {
                continue;
            }
            for index in mine {
                let is_unknown = self.seats[index].service.as_ref().is_some_and(|service| !service.is_known);
                if is_unknown {
                    self.join(index, out);
                }
                self.tell_end(index, out);
            }
            let name = self.name.clone();
            self.say(owner, Say::Beat { name, seats: listed }, out);
        }
    }

    fn master_beat(&mut self, now: Time, beat: MasterBeat, out: &mut Vec<Effect>) -> Result<(), String> {
        let MasterBeat { owner, game, name, weight, wants, leaves } = beat;
        let known = self.masters.get(&owner.master).map(|master| master.owner);
        if known.is_some_and(|known| known.epoch > owner.epoch) {
            return Ok(());
        }
        if leaves {
            self.lose_master(owner.master, "it has ended", out);
            return Ok(());
        }
        if known.is_some_and(|known| known != owner) {
            self.lose_master(owner.master, "it has begun anew", out);
        }
        if let Some(master) = self.masters.get_mut(&owner.master) {
            master.heard = now;
            (master.weight, master.wants) = (weight.max(1), wants);
            return Ok(());
        }
        if self.masters.len() >= MOST_MASTERS {
            return Err(format!("expected at most {MOST_MASTERS} masters, found another one"));
        }
        // Who comes later has no claim on what the others have had before, and owes nothing.
        let used = self.masters.values().map(|master| master.used).reduce(f64::min).unwrap_or(0.0);
        let (game, name) = (wire::plain(&game), wire::plain(&name));
        let (weight, heard) = (weight.max(1), now);
        self.masters.insert(owner.master, Master { owner, game, name, weight, wants, heard, next_beat: now, used });
        self.deal(now, Duration::ZERO, out);
        Ok(())
    }

    fn lose_master(&mut self, id: u64, why: &str, out: &mut Vec<Effect>) {
        let Some(master) = self.masters.remove(&id) else { return };
        let mut seats = 0;
        for index in 0..self.seats.len() {
            let is_its = |service: &Service| service.owner.master == id;
            if self.seats[index].service.as_ref().is_some_and(is_its) {
                seats += 1;
                self.release(index, None, out);
            }
        }
        if seats > 0 {
            out.push(Effect::Note(format!("{} ({}) is gone: {why}", master.name, master.game)));
        }
    }

    /// Ends a seat's service; its master is told why, if it is still there.
    fn release(&mut self, index: usize, why: Option<&str>, out: &mut Vec<Effect>) {
        let Some(service) = self.seats[index].service.take() else { return };
        out.push(Effect::Fire { worker: service.worker });
        if let Some(why) = why {
            let say = Say::Left { lease: service.lease, why: wire::plain(why) };
            self.say(service.owner, say, out);
        }
    }

    /// Gives the seats to the masters by their weights.
    fn deal(&mut self, now: Time, step: Duration, out: &mut Vec<Effect>) {
        for seat in self.seats.iter().filter_map(|seat| seat.service.as_ref()) {
            if let Some(master) = self.masters.get_mut(&seat.owner.master) {
                master.used += step.as_secs_f64() / f64::from(master.weight);
            }
        }
        let most = self.masters.values().map(|master| master.used).fold(0.0, f64::max);
        self.masters.values_mut().for_each(|master| master.used = master.used.max(most - shares::BEHIND));
        let claims: Vec<Claim> = self.masters.values().map(|master| self.claim(master)).collect();
        let owners: Vec<Owner> = self.masters.values().map(|master| master.owner).collect();
        let holder = |seat: &Seat| {
            let service = seat.service.as_ref()?;
            owners.iter().position(|owner| *owner == service.owner)
        };
        let seats: Vec<Option<Option<usize>>> =
            self.seats.iter().map(|seat| (seat.rests_until <= now).then(|| holder(seat))).collect();
        for (index, master) in shares::deal(&seats, &claims) {
            self.release(index, Some("given to another master"), out);
            self.hire(index, owners[master], out);
        }
    }

    fn claim(&self, master: &Master) -> Claim {
        let plays = |seat: &Seat| seat.offer.games.iter().any(|game| *game == master.game);
        Claim {
            weight: master.weight,
            wants: master.wants as usize,
            used: master.used,
            seats: self.seats.iter().map(plays).collect(),
        }
    }

    fn hire(&mut self, index: usize, owner: Owner, out: &mut Vec<Effect>) {
        let Some(master) = self.masters.get(&owner.master) else { return };
        let game = master.game.clone();
        let lease = Lease(self.rng.random());
        let worker = WorkerId(self.next_worker);
        self.next_worker = self.next_worker.wrapping_add(1);
        self.seats[index].service = Some(Service {
            owner,
            lease,
            worker,
            profile: None,
            is_known: false,
            last: 0,
            game: None,
            task: None,
            ended: None,
        });
        out.push(Effect::Hire { worker, seat: index, game });
    }

    fn order(&mut self, now: Time, order: Order, out: &mut Vec<Effect>) -> Result<(), String> {
        let Order { owner, lease, what } = order;
        let is_its = |seat: &Seat| seat.service.as_ref().is_some_and(|s| s.lease == lease && s.owner == owner);
        // Of another time, or of somebody who has no business here.
        let Some(index) = self.seats.iter().position(is_its) else { return Ok(()) };
        if let Some(master) = self.masters.get_mut(&owner.master) {
            master.heard = now;
        }
        let Some(service) = &mut self.seats[index].service else { return Ok(()) };
        service.is_known = true;
        match what {
            What::Heard { task } => {
                service.ended.take_if(|told| told.task == task);
            }
            What::Return => self.release(index, None, out),
            What::Cancel { task } => self.cancel(index, task, out),
            What::Start { task, game, work } => self.start(now, index, (task, game), &work, out)?,
        }
        Ok(())
    }

    fn cancel(&mut self, index: usize, task: u64, out: &mut Vec<Effect>) {
        let Some(service) = &mut self.seats[index].service else { return };
        match &mut service.task {
            Some(running) if running.id.0 == task => {
                if !std::mem::replace(&mut running.cancelled, true) {
                    out.push(Effect::Cancel { worker: service.worker, id: running.id });
                }
            }
            // Told to end before it was told to begin.
            None if task > service.last => {
                service.last = task;
                service.ended = Some(Told { task, reports: Vec::new(), end: WireEnd::Never });
                self.tell_end(index, out);
            }
            // Its end was told, and is told again where it was not heard.
            _ => {
                if service.ended.as_ref().is_some_and(|told| told.task == task) {
                    self.tell_end(index, out);
                } else if service.task.is_none() {
                    // The master has forgotten that it knows.
                    service.ended = Some(Told { task, reports: Vec::new(), end: WireEnd::Never });
                    self.tell_end(index, out);
                }
            }
        }
    }

    fn start(
        &mut self,
        now: Time,
        index: usize,
        (task, game): (u64, u32),
        work: &WireTask,
        out: &mut Vec<Effect>,
    ) -> Result<(), String> {
        let id = wire::task(task)?;
        let Some(service) = &mut self.seats[index].service else { return Ok(()) };
        if service.profile.is_none() {
            return Err("expected no task before the worker has joined, found one".into());
        }
        // Doubled, overtaken, or the last one has not ended here: it will be given again.
        if task <= service.last || service.task.is_some() {
            return Ok(());
        }
        service.last = task;
        service.ended = None;
        let name = self.masters.get(&service.owner.master).map(|master| master.game.as_str()).unwrap_or_default();
        let read = work.read().and_then(|work| (self.check)(name, &work.line).map(|()| work));
        match read {
            Ok(work) => {
                if service.game.replace(game).is_some_and(|last| last != game) {
                    out.push(Effect::NewGame { worker: service.worker });
                }
                let (fresh, told) = (Vec::new(), None);
                service.task = Some(Running { id, since: now, cancelled: false, fresh, told, nodes: 0 });
                out.push(Effect::Start { worker: service.worker, id, task: work });
            }
            Err(why) => {
                let end = WireEnd::Failed(wire::plain(&why));
                service.ended = Some(Told { task, reports: Vec::new(), end });
                self.tell_end(index, out);
            }
        }
        Ok(())
    }

    /// Tells who asks what is here.
    fn answer(&self, now: Time, reply: Option<Subject>, bytes: &[u8], out: &mut Vec<Effect>) -> Result<(), String> {
        let wire::Roll = wire::decode(bytes)?;
        let Some(to @ Subject::Reply(_)) = reply else {
            return Err("expected a subject to answer to, found none".into());
        };
        let card = |seat: &Seat| {
            let service = seat.service.as_ref();
            let master = service.and_then(|service| self.masters.get(&service.owner.master));
            SeatCard {
                engine: seat.offer.engine.clone(),
                speed: seat.speed,
                owner: master.map(|master| (master.name.clone(), master.game.clone())),
                busy_ms: service
                    .and_then(|service| service.task.as_ref())
                    .map(|running| now.saturating_sub(running.since).as_millis() as u64),
            }
        };
        let card = Card::Station {
            station: self.id,
            name: self.name.clone(),
            version: env!("CARGO_PKG_VERSION").to_owned(),
            seconds: now.saturating_sub(self.begun).as_secs(),
            seats: self.seats.iter().map(card).collect(),
        };
        out.push(Effect::Publish { to, bytes: wire::encode(&card) });
        Ok(())
    }
}
