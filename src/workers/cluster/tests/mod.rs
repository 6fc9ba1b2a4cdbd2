//! Both sides of the cluster at one table: messages are handed over by hand, and time is a number.
#![allow(clippy::unwrap_used)]

mod masters;
mod stations;
mod talk;
mod wire;

use super::fleet::{self, Fleet, Identity};
use super::names::{Lease, Owner, StationId, Subject};
use super::station::{self, Offer, Station};
use super::wire::{Order, Role, Say, What, Word, decode, encode};
use crate::event::{End, Profile, TaskId, Time, WorkerEvent, WorkerId};
use hasami_api::{Answer, Line, MoveText, Report, Score, Task};
use std::time::Duration;

const OWNER: Owner = Owner { master: 0x1234_5678_9abc_def0, epoch: 3 };
const STATION: StationId = StationId(0xfedc_ba98_7654_3210);

fn ms(millis: u64) -> Duration {
    Duration::from_millis(millis)
}

fn texts(moves: &[&str]) -> Vec<MoveText> {
    moves.iter().map(|text| text.parse().unwrap()).collect()
}

fn task(moves: &[&str]) -> Task {
    Task { line: Line { moves: texts(moves), ..Line::default() }, multipv: 1, ..Task::default() }
}

fn report(depth: u16, first: &str) -> Report {
    Report { depth, nodes: 1_000 * u64::from(depth), pv: texts(&[first]), ..Report::new(Score::cp(12)) }
}

fn best(m: &str) -> End {
    End::Answer(Answer::Best { best: Some(m.parse().unwrap()), ponder: None })
}

fn master(owner: Owner) -> Fleet {
    Fleet::new(Identity {
        owner,
        game: "chess",
        name: "desk".into(),
        weight: 1,
        wants: 99,
        role: Role::Leaves,
        secret: 7,
    })
}

/// A line is legal unless its last move is `bad`.
fn check(_: &str, line: &Line) -> Result<(), String> {
    let is_bad = line.moves.last().is_some_and(|text| &**text == "bad");
    if is_bad { Err("expected a legal move, found bad".into()) } else { Ok(()) }
}

fn machine(seats: usize) -> Station {
    let offers = vec![Offer { engine: "thread".into(), games: vec!["chess"], has_roles: true }; seats];
    Station::new(STATION, "lab".into(), offers, Box::new(check), 5)
}

/// A master and a station, and all that they have done.
struct Desk {
    now: Time,
    fleet: Fleet,
    station: Station,
    /// What the master wants done, and what the station does.
    fleet_out: Vec<fleet::Effect>,
    station_out: Vec<station::Effect>,
    next_worker: u32,
    /// What was said, in order.
    said: Vec<String>,
}

impl Desk {
    fn new(seats: usize) -> Self {
        let (fleet, station) = (master(OWNER), machine(seats));
        let (fleet_out, station_out, said) = (Vec::new(), Vec::new(), Vec::new());
        Self { now: Time::ZERO, fleet, station, fleet_out, station_out, next_worker: 100, said }
    }

    /// With all its seats taken, at the given moment.
    fn seated(seats: usize) -> Self {
        let mut desk = Self::new(seats);
        desk.look(true);
        desk.deliver();
        for effect in std::mem::take(&mut desk.station_out) {
            if let station::Effect::Hire { worker, .. } = effect {
                desk.worker(WorkerEvent::Joined { worker, profile: Profile::thread(0) });
            }
        }
        desk.deliver();
        desk.fleet_out.clear();
        desk
    }

    /// A worker of the station says something.
    fn worker(&mut self, event: WorkerEvent) {
        self.station.worker(self.now, event, &mut self.station_out);
    }

    /// Both look around; `is_clear`: the station can say something.
    fn look(&mut self, is_clear: bool) {
        self.fleet.tick(self.now, &mut self.fleet_out);
        self.station.tick(self.now, is_clear, &mut self.station_out);
    }

    /// Time passes, and all messages arrive.
    fn pass(&mut self, time: Duration) {
        for _ in 0..time.as_millis() / 50 {
            self.now += ms(50);
            self.look(true);
            self.deliver();
        }
    }

    fn take_master(&mut self) -> Vec<(Subject, Vec<u8>)> {
        let is_said = |effect: &mut fleet::Effect| matches!(effect, fleet::Effect::Publish { .. });
        let said = self.fleet_out.extract_if(.., is_said);
        said.filter_map(|e| if let fleet::Effect::Publish { to, bytes } = e { Some((to, bytes)) } else { None })
            .collect()
    }

    fn take_station(&mut self) -> Vec<(Subject, Vec<u8>)> {
        let is_said = |effect: &mut station::Effect| matches!(effect, station::Effect::Publish { .. });
        let said = self.station_out.extract_if(.., is_said);
        said.filter_map(|e| if let station::Effect::Publish { to, bytes } = e { Some((to, bytes)) } else { None })
            .collect()
    }

    /// All that was said arrives, and what is said to that.
    fn deliver(&mut self) {
        loop {
            self.bind();
            let (masters, stations) = (self.take_master(), self.take_station());
            if masters.is_empty() && stations.is_empty() {
                return;
            }
            masters.into_iter().for_each(|(to, bytes)| self.tell_station(to, &bytes));
            stations.into_iter().for_each(|(to, bytes)| self.tell_master(to, &bytes));
        }
    }

    fn tell_station(&mut self, to: Subject, bytes: &[u8]) {
        let what = decode::<Order>(bytes).map_or("beat".to_owned(), |order| shown(&order.what));
        self.said.push(format!("master: {what}"));
        self.station.hear(self.now, to, None, bytes, &mut self.station_out);
    }

    fn tell_master(&mut self, to: Subject, bytes: &[u8]) {
        let what = decode::<Word>(bytes).map_or("nonsense".to_owned(), |word| told(&word.say));
        self.said.push(format!("station: {what}"));
        self.fleet.hear(self.now, to, None, bytes, &mut self.fleet_out);
    }

    /// Seats that ask for a number get one.
    fn bind(&mut self) {
        for effect in std::mem::take(&mut self.fleet_out) {
            if let fleet::Effect::Apply { lease, .. } = effect {
                assert!(self.fleet.bind(lease, WorkerId(self.next_worker), &mut self.fleet_out));
                self.next_worker += 1;
            } else {
                self.fleet_out.push(effect);
            }
        }
    }

    fn start(&mut self, worker: u32, id: u64, task: &Task) {
        self.fleet.start(self.now, WorkerId(worker), TaskId(id), task, &mut self.fleet_out);
    }

    fn cancel(&mut self, worker: u32, id: u64) {
        self.fleet.cancel(self.now, WorkerId(worker), TaskId(id), &mut self.fleet_out);
    }

    /// The station's own worker at a seat ends a task.
    fn end(&mut self, seat: usize, id: u64, end: End) {
        let worker = self.seat(seat).0;
        self.worker(WorkerEvent::Ended { worker, task: TaskId(id), end });
    }

    fn seat(&self, seat: usize) -> (WorkerId, Lease) {
        let state = self.station.states(self.now).nth(seat).unwrap();
        (state.worker.unwrap(), state.holder.unwrap().1)
    }

    /// What the station is to do, apart from what it says.
    fn deeds(&mut self) -> Vec<station::Effect> {
        std::mem::take(&mut self.station_out)
    }

    fn news(&mut self) -> Vec<fleet::Effect> {
        std::mem::take(&mut self.fleet_out)
    }
}

fn word(serial: u64, say: Say) -> Vec<u8> {
    encode(&Word { epoch: OWNER.epoch, station: STATION, serial, say })
}

fn order(lease: Lease, what: What) -> Vec<u8> {
    encode(&Order { owner: OWNER, lease, what })
}

fn shown(what: &What) -> String {
    match what {
        What::Start { task, .. } => format!("start {task}"),
        What::Cancel { task } => format!("cancel {task}"),
        What::Heard { task } => format!("heard {task}"),
        What::Piece(_) => "piece".to_owned(),
        What::Return => "return".into(),
    }
}

fn told(say: &Say) -> String {
    match say {
        Say::Beat { seats, .. } => format!("beat {:?}", seats.iter().map(|seen| seen.task).collect::<Vec<_>>()),
        Say::Joined { name, .. } => format!("joined {name}"),
        Say::Reports { task, reports, .. } => format!("{} reports of {task}", reports.len()),
        Say::Ended { task, reports, .. } => format!("ended {task} with {} reports", reports.len()),
        Say::Piece { .. } => "piece".to_owned(),
        Say::Left { why, .. } => format!("left: {why}"),
    }
}
