//! A master's side of the cluster: which seats it has, what each of them is to do, and what it is heard to do.
//!
//! Pure: messages and moments in, effects out. Nothing relies on a message that arrives: stations say a few times a
//! second what each of their seats does, and an order that has not had its effect is given again. So loss, doubling and
//! reordering cost time and nothing else.

use super::names::{Lease, Owner, StationId, Subject};
use super::wire::{self, Card, LostCard, MasterBeat, Order, Say, What, WireTask, Word};
use crate::event::{End, Profile, TaskId, Time, WorkerId};
use hasami_api::{Goal, Report, Task};
use std::collections::{BTreeMap, VecDeque};
use std::time::Duration;

/// A master says so often that it is there, and a station what it does.
pub const BEAT: Duration = Duration::from_millis(300);
/// After so long without a word the other is gone.
pub const SILENCE: Duration = Duration::from_millis(1_500);
/// An order without an effect is given again after so long.
const AGAIN: Duration = Duration::from_millis(250);
/// So many lost stations are remembered for people, so many lost leases for what still comes of them.
const REMEMBERED: usize = 64;
const MOST_STATIONS: usize = 4_096;

/// What is to be done. In this order.
#[derive(Clone, PartialEq, Debug)]
pub enum Effect {
    Publish {
        to: Subject,
        bytes: Vec<u8>,
    },
    /// A seat asks for a number: [`Fleet::bind`].
    Apply {
        lease: Lease,
        name: String,
    },
    Joined {
        worker: WorkerId,
        profile: Profile,
    },
    Reports {
        worker: WorkerId,
        task: TaskId,
        reports: Vec<Report>,
    },
    Ended {
        worker: WorkerId,
        task: TaskId,
        end: End,
    },
    Lost {
        worker: WorkerId,
        why: String,
    },
    /// One line for whoever sits at the GUI.
    Tell(String),
}

/// What a master says of itself.
#[derive(Clone, PartialEq, Debug)]
pub struct Identity {
    pub owner: Owner,
    pub game: &'static str,
    pub name: String,
    pub weight: u16,
    pub wants: u32,
}

/// See the module.
pub struct Fleet {
    me: Identity,
    stations: BTreeMap<StationId, Station>,
    seats: BTreeMap<Lease, Seat>,
    workers: BTreeMap<WorkerId, Lease>,
    /// For [`Card::Master`].
    lost: VecDeque<(String, Time, String)>,
    /// Counts games: a seat that is given a task of another one than its last forgets that.
    game: u32,
    next_beat: Time,
    next_look: Time,
    is_over: bool,
    refused: u64,
}

struct Station {
    name: String,
    heard: Time,
    /// Words are counted; beats and changes of seats older than the newest are stale.
    serial: u64,
    seats: usize,
}

struct Seat {
    station: StationId,
    profile: Profile,
    worker: Option<WorkerId>,
    task: Option<Given>,
}

/// A task, from its start until its end was heard.
struct Given {
    id: TaskId,
    goal: Goal,
    game: u32,
    /// For when it has to be given again; gone once the station is known to have it.
    work: Option<Box<WireTask>>,
    cancelled: bool,
    /// When the last order about it was given.
    ordered: Time,
    /// Of the last report.
    serial: u64,
}

impl Fleet {
    pub fn new(me: Identity) -> Self {
        Self {
            me,
            stations: BTreeMap::new(),
            seats: BTreeMap::new(),
            workers: BTreeMap::new(),
            lost: VecDeque::new(),
            game: 1,
            next_beat: Time::ZERO,
            next_look: Time::ZERO,
            is_over: false,
            refused: 0,
        }
    }

    /// Where messages for this master come in.
    pub fn subjects(&self) -> Vec<Subject> {
        vec![Subject::Master(self.me.owner.master), Subject::Roll]
    }

    /// How many stations and seats there are.
    pub fn size(&self) -> (usize, usize) {
        (self.stations.len(), self.seats.len())
    }

    /// Messages that were refused.
    pub fn refused(&self) -> u64 {
        self.refused
    }

    /// When [`Self::tick`] wants to be called.
    pub fn due(&self) -> Time {
        self.next_beat.min(self.next_look)
    }

    /// The seat of a lease gets the number of a worker. `false`: it is gone already.
    pub fn bind(&mut self, lease: Lease, worker: WorkerId, out: &mut Vec<Effect>) -> bool {
        let Some(seat) = self.seats.get_mut(&lease).filter(|seat| seat.worker.is_none()) else { return false };
        seat.worker = Some(worker);
        self.workers.insert(worker, lease);
        out.push(Effect::Joined { worker, profile: seat.profile.clone() });
        true
    }

    pub fn start(&mut self, now: Time, worker: WorkerId, id: TaskId, task: &Task, out: &mut Vec<Effect>) {
        let game = self.game;
        let Some((lease, seat)) = self.seat_of(worker) else { return };
        let work = WireTask::from(task);
        let given =
            Given { id, goal: task.goal, game, work: Some(Box::new(work)), cancelled: false, ordered: now, serial: 0 };
        seat.task = Some(given);
        self.order(now, lease, out);
    }

    pub fn cancel(&mut self, now: Time, worker: WorkerId, id: TaskId, out: &mut Vec<Effect>) {
        let Some((lease, seat)) = self.seat_of(worker) else { return };
        let Some(given) = seat.task.as_mut().filter(|given| given.id == id && !given.cancelled) else { return };
        given.cancelled = true;
        self.order(now, lease, out);
    }

    /// The next tasks belong to another game.
    pub fn new_game(&mut self) {
        self.game = self.game.wrapping_add(1);
    }

    /// The worker is not wanted any more: its seat goes back.
    pub fn give_up(&mut self, worker: WorkerId, out: &mut Vec<Effect>) {
        let Some(lease) = self.workers.get(&worker).copied() else { return };
        self.publish(lease, What::Return, out);
        self.drop_seat(lease, "returned", out);
    }

    /// The master ends: the last that its stations hear.
    pub fn end(&mut self, out: &mut Vec<Effect>) {
        self.is_over = true;
        self.beat(out);
    }

    pub fn tick(&mut self, now: Time, out: &mut Vec<Effect>) {
        if now >= self.next_beat && !self.is_over {
            self.next_beat = now + BEAT;
            self.beat(out);
        }
        if now >= self.next_look {
            self.next_look = now + AGAIN / 4;
            self.look(now, out);
        }
    }

    /// A message has come. What makes no sense is dropped.
    pub fn hear(&mut self, now: Time, subject: Subject, reply: Option<Subject>, bytes: &[u8], out: &mut Vec<Effect>) {
        let heard = match subject {
            Subject::Roll => self.answer(now, reply, bytes, out),
            Subject::Master(_) => wire::decode(bytes).and_then(|word| self.word(now, word, out)),
            _ => Ok(()),
        };
        if let Err(why) = heard {
            self.refused += 1;
            log::debug!("cluster: {why}");
        }
    }

    fn beat(&self, out: &mut Vec<Effect>) {
        let Identity { owner, game, name, weight, wants } = &self.me;
        let beat = MasterBeat {
            owner: *owner,
            game: (*game).to_owned(),
            name: name.clone(),
            weight: *weight,
            wants: *wants,
            leaves: self.is_over,
        };
        out.push(Effect::Publish { to: Subject::Masters, bytes: wire::encode(&beat) });
    }

    fn seat_of(&mut self, worker: WorkerId) -> Option<(Lease, &mut Seat)> {
        let lease = *self.workers.get(&worker)?;
        Some((lease, self.seats.get_mut(&lease)?))
    }

    /// Says once more what the seat is to do.
    fn order(&mut self, now: Time, lease: Lease, out: &mut Vec<Effect>) {
        let Some(given) = self.seats.get_mut(&lease).and_then(|seat| seat.task.as_mut()) else { return };
        given.ordered = now;
        let task = given.id.0;
        let what = match &given.work {
            _ if given.cancelled => What::Cancel { task },
            Some(work) => What::Start { task, game: given.game, work: (**work).clone() },
            None => return,
        };
        self.publish(lease, what, out);
    }

    fn publish(&self, lease: Lease, what: What, out: &mut Vec<Effect>) {
        let Some(seat) = self.seats.get(&lease) else { return };
        let order = Order { owner: self.me.owner, lease, what };
        out.push(Effect::Publish { to: Subject::Station(seat.station), bytes: wire::encode(&order) });
    }

    /// Who is silent, and which orders have had no effect.
    fn look(&mut self, now: Time, out: &mut Vec<Effect>) {
        let silent =
            |(&id, station): (&StationId, &Station)| (now.saturating_sub(station.heard) >= SILENCE).then_some(id);
        let silent: Vec<StationId> = self.stations.iter().filter_map(silent).collect();
        for station in silent {
            self.lose(now, station, &format!("not heard of for {} s", SILENCE.as_secs_f32()), out);
        }
        let is_due = |given: &Given| (given.cancelled || given.work.is_some()) && given.ordered + AGAIN <= now;
        let due = |(&lease, seat): (&Lease, &Seat)| seat.task.as_ref().filter(|given| is_due(given)).map(|_| lease);
        let due: Vec<Lease> = self.seats.iter().filter_map(due).collect();
        due.into_iter().for_each(|lease| self.order(now, lease, out));
    }

    /// A whole station is gone.
    fn lose(&mut self, now: Time, id: StationId, why: &str, out: &mut Vec<Effect>) {
        let Some(station) = self.stations.remove(&id) else { return };
        let leases: Vec<Lease> =
            self.seats.iter().filter(|(_, seat)| seat.station == id).map(|(&lease, _)| lease).collect();
        if !leases.is_empty() {
            out.push(Effect::Tell(format!("cluster: {} is lost with {}: {why}", station.name, workers(leases.len()))));
            self.lost.push_back((station.name, now, why.to_owned()));
            if self.lost.len() > REMEMBERED {
                self.lost.pop_front();
            }
        }
        leases.into_iter().for_each(|lease| self.drop_seat(lease, why, out));
    }

    fn drop_seat(&mut self, lease: Lease, why: &str, out: &mut Vec<Effect>) {
        let Some(seat) = self.seats.remove(&lease) else { return };
        if let Some(station) = self.stations.get_mut(&seat.station) {
            station.seats -= 1;
        }
        if let Some(worker) = seat.worker {
            self.workers.remove(&worker);
            out.push(Effect::Lost { worker, why: why.to_owned() });
        }
    }

    fn word(&mut self, now: Time, word: Word, out: &mut Vec<Effect>) -> Result<(), String> {
        if word.epoch != self.me.owner.epoch || self.is_over {
            return Ok(());
        }
        let Word { station, serial, say, .. } = word;
        self.note(now, station, &say)?;
        match say {
            Say::Beat { name, seats } => self.station_beat(station, serial, (name, &seats), out),
            Say::Joined { lease, name, profile } => {
                let profile = profile.read(name)?;
                self.joined(station, serial, lease, profile, out);
            }
            Say::Left { lease, why } => {
                if self.holds(station, lease) {
                    self.renew(station, serial);
                    self.drop_seat(lease, &wire::plain(&why), out);
                }
            }
            Say::Reports { lease, task, reports } => {
                let reports = reports.iter().map(super::wire::WireReport::read).collect::<Result<Vec<_>, String>>()?;
                self.reports(station, serial, (lease, wire::task(task)?), reports, out);
            }
            Say::Ended { lease, task, reports, end } => {
                let id = wire::task(task)?;
                self.ended(station, serial, (lease, id), (reports, end), out)?;
            }
        }
        Ok(())
    }

    /// Every word of a station is a sign of life; only one with seats is kept in mind.
    fn note(&mut self, now: Time, id: StationId, say: &Say) -> Result<(), String> {
        if let Some(station) = self.stations.get_mut(&id) {
            station.heard = now;
            return Ok(());
        }
        let Say::Joined { .. } = say else { return Ok(()) };
        if self.stations.len() >= MOST_STATIONS {
            return Err(format!("expected at most {MOST_STATIONS} stations, found another one"));
        }
        self.stations.insert(id, Station { name: String::new(), heard: now, serial: 0, seats: 0 });
        Ok(())
    }

    fn holds(&self, station: StationId, lease: Lease) -> bool {
        self.seats.get(&lease).is_some_and(|seat| seat.station == station)
    }

    /// What a station says of its seats counts only if nothing newer has been heard.
    fn renew(&mut self, station: StationId, serial: u64) -> bool {
        let Some(known) = self.stations.get_mut(&station) else { return false };
        let is_new = serial > known.serial;
        known.serial = known.serial.max(serial);
        is_new
    }

    fn joined(&mut self, station: StationId, serial: u64, lease: Lease, profile: Profile, out: &mut Vec<Effect>) {
        let is_new = self.renew(station, serial);
        let Some(place) = self.stations.get_mut(&station) else { return };
        if !self.seats.contains_key(&lease) && is_new && place.seats < wire::MOST_SEATS {
            place.seats += 1;
            let name = wire::plain(&profile.name);
            place.name = name.split('/').next().unwrap_or_default().to_owned();
            let profile = Profile { name: name.clone(), ..profile };
            self.seats.insert(lease, Seat { station, profile, worker: None, task: None });
            out.push(Effect::Apply { lease, name });
        }
        if self.holds(station, lease) {
            self.publish(lease, What::Heard { task: 0 }, out);
        }
    }

    /// What each seat of ours does, as the station sees it. A seat that is not among them is ours no more.
    fn station_beat(
        &mut self,
        station: StationId,
        serial: u64,
        (name, seats): (String, &[(Lease, u64)]),
        out: &mut Vec<Effect>,
    ) {
        if !self.renew(station, serial) {
            return;
        }
        if let Some(known) = self.stations.get_mut(&station) {
            known.name = wire::plain(&name);
        }
        let is_missing = |(lease, seat): &(&Lease, &Seat)| {
            seat.station == station && !seats.iter().any(|(listed, _)| listed == *lease)
        };
        let missing: Vec<Lease> = self.seats.iter().filter(is_missing).map(|(&lease, _)| lease).collect();
        missing.into_iter().for_each(|lease| self.drop_seat(lease, "given to somebody else", out));
        for &(lease, task) in seats {
            let Some(seat) = self.seats.get_mut(&lease).filter(|seat| seat.station == station) else {
                // Its `Joined` was lost, and comes again; or it is an old one of ours, which is not wanted.
                continue;
            };
            match &mut seat.task {
                Some(given) if given.id.0 == task => given.work = None,
                // It is at a task that was ended long ago.
                Some(_) => {}
                None if task != 0 => {
                    let order = Order { owner: self.me.owner, lease, what: What::Cancel { task } };
                    out.push(Effect::Publish { to: Subject::Station(station), bytes: wire::encode(&order) });
                }
                None => {}
            }
        }
    }

    fn given(&mut self, station: StationId, lease: Lease, task: TaskId) -> Option<(WorkerId, &mut Given)> {
        let seat = self.seats.get_mut(&lease).filter(|seat| seat.station == station)?;
        let given = seat.task.as_mut().filter(|given| given.id == task)?;
        Some((seat.worker?, given))
    }

    fn reports(
        &mut self,
        station: StationId,
        serial: u64,
        (lease, task): (Lease, TaskId),
        reports: Vec<Report>,
        out: &mut Vec<Effect>,
    ) {
        let Some((worker, given)) = self.given(station, lease, task) else { return };
        given.work = None;
        if serial > given.serial {
            given.serial = serial;
            out.push(Effect::Reports { worker, task, reports });
        }
    }

    fn ended(
        &mut self,
        station: StationId,
        serial: u64,
        (lease, task): (Lease, TaskId),
        (reports, end): (Vec<wire::WireReport>, wire::WireEnd),
        out: &mut Vec<Effect>,
    ) -> Result<(), String> {
        if let Some((worker, given)) = self.given(station, lease, task) {
            let (goal, is_newest) = (given.goal, serial > given.serial);
            let reports = reports.iter().map(wire::WireReport::read).collect::<Result<Vec<_>, String>>()?;
            let end = end.read(goal)?;
            if is_newest && !reports.is_empty() {
                out.push(Effect::Reports { worker, task, reports });
            }
            out.push(Effect::Ended { worker, task, end });
            if let Some(seat) = self.seats.get_mut(&lease) {
                seat.task = None;
            }
        }
        if self.holds(station, lease) {
            self.publish(lease, What::Heard { task: task.0 }, out);
        }
        Ok(())
    }

    /// Tells who asks which seats this master has.
    fn answer(&self, now: Time, reply: Option<Subject>, bytes: &[u8], out: &mut Vec<Effect>) -> Result<(), String> {
        let wire::Roll = wire::decode(bytes)?;
        let Some(to @ Subject::Reply(_)) = reply else {
            return Err("expected a subject to answer to, found none".into());
        };
        let lost = self.lost.iter().map(|(name, at, why)| LostCard {
            name: name.clone(),
            seconds_ago: now.saturating_sub(*at).as_secs(),
            why: why.clone(),
        });
        let card = Card::Master {
            owner: self.me.owner,
            name: self.me.name.clone(),
            version: env!("CARGO_PKG_VERSION").to_owned(),
            game: self.me.game.to_owned(),
            seats: self.seats.len() as u32,
            lost: lost.collect(),
        };
        out.push(Effect::Publish { to, bytes: wire::encode(&card) });
        Ok(())
    }
}

fn workers(count: usize) -> String {
    if count == 1 { "1 worker".to_owned() } else { format!("{count} workers") }
}
