#![no_main]
//! No message to a master or a station of a cluster panics, whatever its subject: made of any bytes, or genuine with a
//! byte changed. Nothing that they keep or say grows beyond its bounds, and what they say can be read by the other side.

use hasami::event::{End, Profile, TaskId, Time, WorkerEvent, WorkerId};
use hasami::workers::cluster::node_pool::{self, NodePool, MasterIdentity};
use hasami::workers::cluster::names::{Owner, WorkerNodeId, Subject};
use hasami::workers::cluster::worker_node::{self, OfferedSlot, WorkerNode};
use hasami::workers::cluster::wire::SlotRole;
use hasami::workers::cluster::wire::{self, MasterOrder, NodeMessage};
use hasami_api::{Answer, Game, Line, Task};
use hasami_chess::Chess;
use std::collections::VecDeque;
use std::time::Duration;

const OWNER: Owner = Owner { master: 1, epoch: 1 };
const STATION: WorkerNodeId = WorkerNodeId(2);
const SEATS: usize = 3;
/// The most replies to a single message: a word about each slot of a heartbeat.
const MOST_EFFECTS: usize = 4 * wire::MOST_SLOTS;

struct Table {
    now: Time,
    fleet: NodePool,
    station: WorkerNode,
    /// Genuine messages that have not arrived.
    said: VecDeque<(Subject, Vec<u8>)>,
    hired: Vec<WorkerId>,
    running: Vec<(WorkerId, TaskId)>,
    members: Vec<WorkerId>,
    next: u32,
}

fn check(_: &str, line: &Line) -> Result<(), String> {
    let mut game = Chess::new(&line.start).map_err(|error| error.to_string())?;
    for text in &line.moves {
        let m = game.parse_move(text).map_err(|error| error.to_string())?;
        game.make(m);
    }
    Ok(())
}

impl Table {
    fn new() -> Self {
        let identity = MasterIdentity {
            owner: OWNER,
            game: "chess",
            name: "desk".into(),
            weight: 1,
            wants: 9,
            role: SlotRole::Leaves,
            secret: 7,
        };
        let offers = vec![OfferedSlot { engine: "thread".into(), games: vec!["chess"], has_roles: true }; SEATS];
        Self {
            now: Time::ZERO,
            fleet: NodePool::new(identity),
            station: WorkerNode::new(STATION, "lab".into(), offers, Box::new(check), 3),
            said: VecDeque::new(),
            hired: Vec::new(),
            running: Vec::new(),
            members: Vec::new(),
            next: 0,
        }
    }

    fn to_master(&mut self, subject: Subject, bytes: &[u8]) {
        let mut out = Vec::new();
        self.fleet.hear(self.now, subject, Some(Subject::Reply(9)), bytes, &mut out);
        self.fleet_does(out);
    }

    fn to_station(&mut self, subject: Subject, bytes: &[u8]) {
        let mut out = Vec::new();
        self.station.hear(self.now, subject, Some(Subject::Reply(9)), bytes, &mut out);
        self.station_does(out);
    }

    fn deliver(&mut self, subject: Subject, bytes: &[u8]) {
        if subject == Subject::Master(OWNER.master) {
            self.to_master(subject, bytes);
        } else {
            self.to_station(subject, bytes);
        }
    }

    fn say(&mut self, to: Subject, bytes: Vec<u8>) {
        assert!(bytes.len() <= wire::LONGEST, "{to}: {} bytes", bytes.len());
        match to {
            Subject::Master(_) => assert!(wire::decode::<NodeMessage>(&bytes).is_ok()),
            Subject::WorkerNode(_) => assert!(wire::decode::<MasterOrder>(&bytes).is_ok()),
            _ => {}
        }
        self.said.push_back((to, bytes));
        self.said.truncate(256);
    }

    fn fleet_does(&mut self, out: Vec<fleet::PoolEffect>) {
        assert!(out.len() <= MOST_EFFECTS, "{} effects", out.len());
        for effect in out {
            match effect {
                fleet::PoolEffect::Publish { to, bytes } => self.say(to, bytes),
                fleet::PoolEffect::Apply { lease, .. } => {
                    let (worker, mut more) = (WorkerId(self.next), Vec::new());
                    self.next += 1;
                    assert!(self.fleet.bind(lease, worker, &mut more));
                    self.members.push(worker);
                }
                fleet::PoolEffect::Lost { worker, .. } => self.members.retain(|&member| member != worker),
                _ => {}
            }
        }
        let (stations, seats) = self.fleet.size();
        assert!(stations <= 4_096 && seats <= 16_384 && stations <= seats);
        assert_eq!(self.members.len(), seats);
    }

    fn station_does(&mut self, out: Vec<station::NodeEffect>) {
        assert!(out.len() <= MOST_EFFECTS, "{} effects", out.len());
        for effect in out {
            match effect {
                station::NodeEffect::Publish { to, bytes } => self.say(to, bytes),
                station::NodeEffect::Hire { worker, .. } => self.hired.push(worker),
                station::NodeEffect::Fire { worker } => {
                    self.hired.retain(|&hired| hired != worker);
                    self.running.retain(|&(running, _)| running != worker);
                }
                station::NodeEffect::Start { worker, id, task } => {
                    assert!(check("chess", &task.line).is_ok(), "what is searched is legal");
                    self.running.push((worker, id));
                }
                _ => {}
            }
        }
        let (masters, past) = self.station.size();
        assert!(masters <= 256 && past <= 256 && self.hired.len() <= SEATS && self.running.len() <= SEATS);
    }

    fn pass(&mut self, time: Duration, is_clear: bool) {
        self.now += time;
        let mut out = Vec::new();
        self.fleet.tick(self.now, &mut out);
        self.fleet_does(out);
        let mut out = Vec::new();
        self.station.tick(self.now, is_clear, &mut out);
        self.station_does(out);
    }

    fn works(&mut self, choice: u8) {
        let mut out = Vec::new();
        for worker in self.hired.clone() {
            let event = match self.running.iter().position(|&(running, _)| running == worker) {
                Some(place) => {
                    let (_, task) = self.running.swap_remove(place);
                    WorkerEvent::Ended { worker, task, end: End::Answer(Answer::Best { best: None, ponder: None }) }
                }
                None if choice % 8 == 7 => WorkerEvent::Lost { worker, why: "crash".into(), for_good: false },
                None => WorkerEvent::Joined { worker, profile: Profile::thread(0) },
            };
            self.station.worker(self.now, event, &mut out);
        }
        self.station_does(out);
    }

    fn orders(&mut self, choice: u8) {
        let Some(&worker) = self.members.get(usize::from(choice) % self.members.len().max(1)) else { return };
        let (id, mut out) = (TaskId(1 + self.now.as_nanos() as u64), Vec::new());
        match choice % 4 {
            0 => self.fleet.cancel(self.now, worker, id, &mut out),
            1 => self.fleet.give_up(worker, &mut out),
            _ => self.fleet.start(self.now, worker, id, &Task::default(), &mut out),
        }
        self.fleet_does(out);
    }
}

libfuzzer_sys::fuzz_target!(|bytes: &[u8]| {
    let mut table = Table::new();
    let mut rest = bytes;
    while let [what, more @ ..] = rest {
        let (&choice, more) = more.split_first().unwrap_or((&0, &[]));
        rest = more;
        match what % 8 {
            kind @ 0..3 => {
                let (chunk, more) = rest.split_at(rest.len().min(choice.into()));
                rest = more;
                let raw = [&[wire::VERSION], chunk].concat();
                let message = if *what < 128 { &raw } else { chunk };
                match kind {
                    0 => table.to_master(Subject::Master(OWNER.master), message),
                    1 => table.to_station(Subject::Masters, message),
                    _ => table.to_station(Subject::WorkerNode(STATION), message),
                }
                table.to_master(Subject::Discovery, message);
                table.to_station(Subject::Discovery, message);
            }
            3 => {
                // A genuine message with one byte changed arrives as well.
                let found = table.said.get(usize::from(choice) % table.said.len().max(1)).cloned();
                if let Some((subject, mut message)) = found
                    && let [place, bits, more @ ..] = rest
                {
                    rest = more;
                    let place = usize::from(*place) % message.len();
                    message[place] ^= bits;
                    table.deliver(subject, &message);
                }
            }
            4 => table.pass(Duration::from_millis(10 * u64::from(choice)), *what < 128),
            5 => {
                for _ in 0..=choice {
                    let Some((subject, message)) = table.said.pop_front() else { break };
                    table.deliver(subject, &message);
                }
            }
            6 => table.works(choice),
            _ => table.orders(choice),
        }
    }
});
