//! A master's side of the cluster: which seats it has, what each of them is to do, and what it is heard to do.
//!
//! Pure: messages and moments in, effects out. Nothing relies on a message that arrives: stations say a few times a
//! second what each of their seats does, and an order that has not had its effect is given again. So loss, doubling and
//! reordering cost time and nothing else.

mod bulletin;
mod words;

use self::bulletin::Bulletin;
use super::names::{Lease, Owner, StationId, Subject};
use super::past::Past;
use super::stream::Stream;
use super::teams;
use super::wire::{self, Card, LostCard, MasterBeat, Order, Role, What, WireTask};
use crate::event::{End, Profile, TaskId, Time, WorkerId};
use crate::text::counted;
use hasami_api::{Goal, Report, Task};
use std::collections::{BTreeMap, BTreeSet, VecDeque};
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
/// Seats that are there, and as many leases that were.
const MOST_WORKERS: usize = 16_384;

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
    /// A letter of a seat that answers letters.
    Letter {
        worker: WorkerId,
        letter: String,
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
    pub role: Role,
    /// Makes the numbers of its teams a secret between it and its stations.
    pub secret: u64,
}

/// See the module.
pub struct Fleet {
    me: Identity,
    /// Those with a seat.
    stations: BTreeMap<StationId, Station>,
    /// Leases that were ours: nobody comes again under one of these.
    past: Past<Lease, ()>,
    seats: BTreeMap<Lease, Seat>,
    workers: BTreeMap<WorkerId, Lease>,
    /// For [`Card::Master`].
    lost: VecDeque<(String, Time, String)>,
    bulletin: Bulletin,
    /// Stations that have no seat for this master because others hold them, and when they said so.
    busy: BTreeMap<StationId, Time>,
    /// Of the last message or moment.
    now: Time,
    /// Counts games: a seat that is given a task of another one than its last forgets that.
    game: u32,
    next_beat: Time,
    next_look: Time,
    is_over: bool,
    beats: u64,
    refused: u64,
    /// A task of a team has begun or ended since [`Fleet::new_teams`] was asked.
    has_new_teams: bool,
}

struct Station {
    name: String,
    /// What it lends to this master.
    seats: BTreeSet<Lease>,
    /// Seats that went one after another, and when the last of them did.
    gone: (usize, Time),
}

struct Seat {
    station: StationId,
    profile: Profile,
    worker: Option<WorkerId>,
    task: Option<Given>,
    /// Words of a station are counted: the newest one about this seat, and when that came.
    serial: u64,
    heard: Time,
    /// Of a seat that answers letters.
    letters: Option<Box<Stream>>,
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
    /// As the crew knows it, and on the wire.
    team: Option<(u64, u64)>,
}

impl Fleet {
    pub fn new(me: Identity) -> Self {
        Self {
            me,
            stations: BTreeMap::new(),
            past: Past::new(MOST_WORKERS),
            seats: BTreeMap::new(),
            workers: BTreeMap::new(),
            lost: VecDeque::new(),
            bulletin: Bulletin::default(),
            busy: BTreeMap::new(),
            now: Time::ZERO,
            game: 1,
            next_beat: Time::ZERO,
            next_look: Time::ZERO,
            is_over: false,
            beats: 0,
            refused: 0,
            has_new_teams: false,
        }
    }

    /// Where messages for this master come in.
    pub fn subjects(&self) -> Vec<Subject> {
        let master = self.me.owner.master;
        vec![Subject::Master(master), Subject::Roll, Subject::News(master)]
    }

    /// How many stations and seats there are.
    pub fn size(&self) -> (usize, usize) {
        (self.stations.len(), self.seats.len())
    }

    /// Changes of the machines from now on are told.
    pub fn open_bulletin(&mut self, now: Time) {
        self.bulletin.open(now, self.size());
    }

    /// How many stations have nothing for this master because others hold their seats.
    pub fn busy(&self) -> usize {
        self.busy.len()
    }

    /// Who sits there, and the task that it was given and has not ended.
    pub fn at(&self, lease: Lease) -> Option<(WorkerId, Option<TaskId>)> {
        let seat = self.seats.get(&lease)?;
        Some((seat.worker?, seat.task.as_ref().map(|given| given.id)))
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
        let (game, secret) = (self.game, self.me.secret);
        let Some((lease, seat)) = self.seat_of(worker) else { return };
        let team = (task.team != 0).then(|| (task.team, teams::on_wire(task.team, secret)));
        let work = WireTask::from(task).in_team(team.map(|(_, team)| team));
        let (goal, work) = (task.goal, Some(Box::new(work)));
        seat.task = Some(Given { id, goal, game, work, cancelled: false, ordered: now, serial: 0, team });
        self.has_new_teams |= team.is_some();
        self.order(now, lease, out);
    }

    pub fn cancel(&mut self, now: Time, worker: WorkerId, id: TaskId, out: &mut Vec<Effect>) {
        let Some((lease, seat)) = self.seat_of(worker) else { return };
        let Some(given) = seat.task.as_mut().filter(|given| given.id == id && !given.cancelled) else { return };
        given.cancelled = true;
        self.order(now, lease, out);
    }

    /// A letter to a seat that answers letters.
    pub fn write(&mut self, now: Time, worker: WorkerId, letter: &str, out: &mut Vec<Effect>) {
        let Some((lease, seat)) = self.seat_of(worker) else { return };
        let mut pieces = Vec::new();
        seat.letters.get_or_insert_default().write(now, letter, &mut pieces);
        pieces.into_iter().for_each(|piece| self.publish(lease, What::Piece(piece), out));
    }

    /// The teams in which seats search, on the wire and as the crew knows them, if they may have changed.
    pub fn new_teams(&mut self) -> Option<BTreeMap<(Owner, u64), u64>> {
        if !std::mem::take(&mut self.has_new_teams) {
            return None;
        }
        let given = self.seats.values().filter_map(|seat| seat.task.as_ref()?.team);
        Some(given.map(|(team, wire)| ((self.me.owner, wire), team)).collect())
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
        self.now = now;
        if now >= self.next_beat && !self.is_over {
            self.next_beat = now + BEAT;
            self.beat(out);
        }
        if now >= self.next_look {
            self.next_look = now + AGAIN / 4;
            self.look(now, out);
        }
    }

    /// The connection stands again: stations are told at once.
    pub fn hurry(&mut self) {
        self.next_beat = Time::ZERO;
    }

    /// A message has come. What makes no sense is dropped.
    pub fn hear(&mut self, now: Time, subject: Subject, reply: Option<Subject>, bytes: &[u8], out: &mut Vec<Effect>) {
        self.now = now;
        let heard = match subject {
            Subject::Roll => self.answer(now, reply, bytes, out),
            Subject::Master(id) if id == self.me.owner.master => {
                wire::decode(bytes).and_then(|word| self.word(now, word, out))
            }
            _ => Ok(()),
        };
        if let Err(why) = heard {
            self.refused += 1;
            log::debug!("cluster: {why}");
        }
    }

    fn beat(&mut self, out: &mut Vec<Effect>) {
        self.beats += 1;
        let Identity { owner, game, name, weight, wants, role, .. } = &self.me;
        let beat = MasterBeat {
            owner: *owner,
            serial: self.beats,
            game: (*game).to_owned(),
            name: name.clone(),
            weight: *weight,
            wants: *wants,
            role: *role,
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
        let is_silent = |seat: &Seat| now.saturating_sub(seat.heard) >= SILENCE;
        let silent: Vec<(Lease, StationId)> =
            self.seats.iter().filter(|(_, seat)| is_silent(seat)).map(|(&lease, seat)| (lease, seat.station)).collect();
        let mut stations: BTreeMap<StationId, Vec<Lease>> = BTreeMap::new();
        silent.into_iter().for_each(|(lease, station)| stations.entry(station).or_default().push(lease));
        self.busy.retain(|_, heard| now.saturating_sub(*heard) < SILENCE);
        let why = format!("not heard of for {} s", SILENCE.as_secs_f32());
        for (station, leases) in stations {
            self.lose(now, station, leases, &why, out);
        }
        let is_due = |given: &Given| (given.cancelled || given.work.is_some()) && given.ordered + AGAIN <= now;
        let due = |(&lease, seat): (&Lease, &Seat)| seat.task.as_ref().filter(|given| is_due(given)).map(|_| lease);
        let due: Vec<Lease> = self.seats.iter().filter_map(due).collect();
        due.into_iter().for_each(|lease| self.order(now, lease, out));
        self.repeat_letters(now, out);
        out.extend(self.bulletin.take(now, self.size()).map(Effect::Tell));
    }

    /// What was written and not confirmed goes out again.
    fn repeat_letters(&mut self, now: Time, out: &mut Vec<Effect>) {
        let mut all = Vec::new();
        for (&lease, letters) in self.seats.iter_mut().filter_map(|(lease, seat)| Some((lease, seat.letters.as_mut()?)))
        {
            let mut pieces = Vec::new();
            letters.tick(now, &mut pieces);
            all.extend(pieces.into_iter().map(|piece| (lease, piece)));
        }
        all.into_iter().for_each(|(lease, piece)| self.publish(lease, What::Piece(piece), out));
    }

    /// These seats of a station are gone; all of them: so is the station.
    fn lose(&mut self, now: Time, id: StationId, leases: Vec<Lease>, why: &str, out: &mut Vec<Effect>) {
        let Some(station) = self.stations.get(&id) else { return };
        if leases.len() == station.seats.len() {
            self.lost.push_back((station.name.clone(), now, why.to_owned()));
            if self.lost.len() > REMEMBERED {
                self.lost.pop_front();
            }
        }
        leases.into_iter().for_each(|lease| self.drop_seat(lease, why, out));
    }

    fn drop_seat(&mut self, lease: Lease, why: &str, out: &mut Vec<Effect>) {
        let Some(seat) = self.seats.remove(&lease) else { return };
        self.past.note(lease, ());
        self.has_new_teams |= seat.task.is_some_and(|given| given.team.is_some());
        if let Some(station) = self.stations.get_mut(&seat.station) {
            station.seats.remove(&lease);
            let (count, last) = station.gone;
            let is_one_loss = self.now.saturating_sub(last) <= BEAT;
            station.gone = (if is_one_loss { count + 1 } else { 1 }, self.now);
            if station.seats.is_empty()
                && let Some(Station { name, gone: (count, _), .. }) = self.stations.remove(&seat.station)
            {
                self.bulletin.lost(self.now, &name, count, why);
            }
        }
        if let Some(worker) = seat.worker {
            self.workers.remove(&worker);
            out.push(Effect::Lost { worker, why: why.to_owned() });
        }
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

/// `3 workers on 2 machines`.
pub fn size_words(seats: usize, stations: usize) -> String {
    format!("{} on {}", counted(seats as u64, "worker"), counted(stations as u64, "machine"))
}
