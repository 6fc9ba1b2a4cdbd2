//! A virtual cluster: the manager's pool, nodes whose slots are virtual workers, and a network between them that
//! delays, loses, duplicates, reorders and forges messages. Some nodes may lie.

mod air;
mod forger;
mod liar;
mod place;
mod plan;
mod watch;

#[cfg(test)]
mod tests;

pub use plan::NetworkPlan;
pub use watch::Wanted;

use self::air::Air;
use self::forger::Forger;
use self::place::{GAME, NetworkNode, NodeInput};
use self::watch::BeatWatch;
use super::judge::Broken;
use super::{Queue, SimEvent};
use hasami_api::Task;
use hasami_remote::cluster::names::{Member, Owner, Subject, User};
use hasami_remote::cluster::node_pool::{MasterIdentity, NodePool, PoolEffect};
use hasami_remote::cluster::wire::SlotRole;
use hasami_toy::mix;
use hasami_tree::event::{TaskId, Time, WorkerEvent, WorkerId};
use hasami_workers::membership::SILENCE;
use std::rc::Rc;

/// The weight of the manager's pool in the division of slots.
const WEIGHT: u16 = 2;
const WANTS: u32 = 4_096;

/// A sender or receiver of messages.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub enum Party {
    Master,
    Rival,
    Node(usize),
}

impl Party {
    fn code(self) -> u64 {
        match self {
            Self::Master => 1,
            Self::Rival => 2,
            Self::Node(index) => 3 + index as u64,
        }
    }
}

/// Events in a network.
#[derive(Clone, PartialEq, Debug)]
pub enum Event {
    Arrives {
        at: Party,
        /// The sender and the subject of the message.
        subject: (Member, Subject),
        bytes: Rc<[u8]>,
    },
    /// A pool does its periodic work.
    Beat(Party),
    /// A node does its periodic work.
    Look {
        node: usize,
        serial: u64,
    },
    Slot {
        node: usize,
        sim_event: Box<SimEvent>,
    },
    Comes(Party),
    Ends {
        party: Party,
        says_so: bool,
    },
    Forges,
}

/// The parts of the simulated world that the network uses.
pub struct Ports<'a> {
    pub queue: &'a mut Queue<SimEvent>,
    /// The number that the next worker will get.
    pub next_worker: &'a mut u32,
}

/// The second master.
struct Other {
    plan: plan::Rival,
    owner: Owner,
    pool: NodePool,
    is_there: bool,
    workers: u32,
}

pub struct Network {
    owner: Owner,
    pool: NodePool,
    rival: Option<Other>,
    places: Vec<NetworkNode>,
    air: Air,
    forger: Option<Forger>,
    watch: BeatWatch,
    seed: u64,
    /// The time when a machine or master last joined or left.
    disturbed: Time,
    is_mended: bool,
    /// The time at which the pool's last event reaches the manager. Events of the pool do not overtake each other.
    told: Time,
    pub trace: Option<Vec<String>>,
}

impl Network {
    pub fn new(plan: &NetworkPlan, seed: u64, queue: &mut Queue<SimEvent>) -> Self {
        let master = |number| Member { user: User::named("masters"), number };
        let owner = Owner { master: master(mix(seed)), epoch: 1 };
        let other = |plan: plan::Rival| {
            let owner = Owner { master: master(mix(!seed)), epoch: 7 };
            let pool = NodePool::new(identity(owner, plan.weight, plan.wants));
            Other { plan, owner, pool, is_there: false, workers: 0 }
        };
        let forger = plan.faults.forger.map(|habits| Forger::new(habits, mix(seed ^ 5)));
        let mut push = |at, event| queue.push(at, SimEvent::Network(event));
        push(Time::ZERO, Event::Beat(Party::Master));
        let nodes = plan.nodes.iter().enumerate();
        let comers = nodes.map(|(index, node)| (Party::Node(index), node.comes, node.ends));
        for (party, comes, ends) in comers.chain(plan.rival.map(|rival| (Party::Rival, rival.comes, rival.ends))) {
            push(comes, Event::Comes(party));
            if let Some(leave) = ends.filter(|leave| leave.at > comes) {
                push(leave.at, Event::Ends { party, says_so: leave.says_so });
            }
        }
        if forger.is_some() {
            push(Time::from_millis(1), Event::Forges);
        }
        Self {
            owner,
            pool: NodePool::new(identity(owner, WEIGHT, WANTS)),
            rival: plan.rival.map(other),
            places: plan.nodes.iter().enumerate().map(|(index, plan)| NetworkNode::new(index, plan, seed)).collect(),
            air: Air::new(plan.faults.clone(), seed),
            forger,
            watch: BeatWatch::default(),
            seed,
            disturbed: Time::ZERO,
            is_mended: false,
            told: Time::ZERO,
            trace: None,
        }
    }

    /// Ends all faults: from now on, messages arrive, and no machine or master joins or leaves.
    pub fn mend(&mut self, now: Time) {
        self.is_mended = true;
        self.air.mend(now);
    }

    pub fn start(&mut self, now: Time, worker: WorkerId, id: TaskId, task: &Task, ports: &mut Ports) {
        self.direct(now, ports, |pool, out| pool.start(now, worker, id, task, out));
    }

    pub fn cancel(&mut self, now: Time, worker: WorkerId, id: TaskId, ports: &mut Ports) {
        self.direct(now, ports, |pool, out| pool.cancel(now, worker, id, out));
    }

    pub fn kill(&mut self, now: Time, worker: WorkerId, ports: &mut Ports) {
        self.direct(now, ports, |pool, out| pool.give_up(worker, out));
    }

    pub fn new_game(&mut self) {
        self.pool.new_game();
    }

    fn direct(&mut self, now: Time, ports: &mut Ports, what: impl FnOnce(&mut NodePool, &mut Vec<PoolEffect>)) {
        let mut out = Vec::new();
        what(&mut self.pool, &mut out);
        self.carry_out(now, out, ports);
    }

    pub fn step(&mut self, now: Time, event: Event, ports: &mut Ports) -> Result<(), Broken> {
        match event {
            Event::Arrives { at, subject, bytes } => return self.arrive(now, at, subject, &bytes, ports),
            Event::Beat(party) => self.beat(now, party, ports),
            Event::Look { node, serial } if self.places[node].alarm == serial => {
                let is_clear = !self.air.is_jammed(now, node);
                return self.node(now, node, NodeInput::Tick { is_clear }, ports);
            }
            Event::Look { .. } => {}
            Event::Slot { node, sim_event } => {
                return self.node(now, node, NodeInput::Slot(*sim_event), ports);
            }
            Event::Comes(_) | Event::Ends { .. } if self.is_mended => {}
            Event::Comes(Party::Node(index)) => {
                self.places[index].is_there = true;
                self.disturbed = now;
                return self.node(now, index, NodeInput::Tick { is_clear: true }, ports);
            }
            Event::Comes(party) => {
                self.rival.iter_mut().for_each(|rival| rival.is_there = true);
                self.disturbed = now;
                self.beat(now, party, ports);
            }
            Event::Ends { party: Party::Node(index), says_so } => {
                self.disturbed = now;
                let said = if says_so { self.node(now, index, NodeInput::End, ports) } else { Ok(()) };
                self.places[index].die();
                return said;
            }
            Event::Ends { says_so, .. } => self.end_rival(now, says_so, ports),
            Event::Forges => self.forge(now, ports),
        }
        Ok(())
    }

    fn arrive(
        &mut self,
        now: Time,
        at: Party,
        subject: (Member, Subject),
        bytes: &Rc<[u8]>,
        ports: &mut Ports,
    ) -> Result<(), Broken> {
        if let Some(trace) = &mut self.trace {
            trace.push(format!("  {at:?} hears {}", forger::show(subject.1, bytes)));
        }
        match at {
            Party::Node(index) => {
                if self.places[index].is_there {
                    self.watch.hear(now, index, subject, bytes);
                }
                let input = NodeInput::Message { subject, bytes: Rc::clone(bytes) };
                return self.node(now, index, input, ports);
            }
            Party::Master => self.direct(now, ports, |pool, out| pool.hear(now, subject, bytes, out)),
            Party::Rival => {
                let Some(rival) = self.rival.as_mut().filter(|rival| rival.is_there) else { return Ok(()) };
                let mut out = Vec::new();
                rival.pool.hear(now, subject, bytes, &mut out);
                self.carry_out_rival(now, out, ports.queue);
            }
        }
        Ok(())
    }

    fn node(&mut self, now: Time, index: usize, input: NodeInput, ports: &mut Ports) -> Result<(), Broken> {
        let said = self.places[index].step(now, input, ports.queue);
        said.into_iter().for_each(|(to, bytes)| self.publish(now, Party::Node(index), to, &bytes, ports.queue));
        let place = &self.places[index];
        if place.is_there { self.watch.node(now, index, place) } else { Ok(()) }
    }

    fn beat(&mut self, now: Time, party: Party, ports: &mut Ports) {
        let due = if party == Party::Master {
            self.direct(now, ports, |pool, out| pool.tick(now, out));
            self.pool.due()
        } else {
            let Some(rival) = self.rival.as_mut().filter(|rival| rival.is_there) else { return };
            let mut out = Vec::new();
            rival.pool.tick(now, &mut out);
            let due = rival.pool.due();
            self.carry_out_rival(now, out, ports.queue);
            due
        };
        ports.queue.push(due.max(now + Time::from_micros(100)), SimEvent::Network(Event::Beat(party)));
    }

    fn end_rival(&mut self, now: Time, says_so: bool, ports: &mut Ports) {
        self.disturbed = now;
        let Some(rival) = self.rival.as_mut() else { return };
        let mut out = Vec::new();
        if says_so {
            rival.pool.end(&mut out);
        }
        rival.is_there = false;
        self.carry_out_rival(now, out, ports.queue);
    }

    fn forge(&mut self, now: Time, ports: &mut Ports) {
        let Some(forger) = self.forger.as_mut().filter(|_| !self.is_mended) else { return };
        let nodes: Vec<Member> = self.places.iter().map(|place| place.id).collect();
        let (said, next) = (forger.speak(now, self.owner, &nodes), forger.next(now));
        ports.queue.push(next, SimEvent::Network(Event::Forges));
        let Some((subject, bytes)) = said else { return };
        for at in self.hearers(subject.1) {
            ports.queue.push(now, SimEvent::Network(Event::Arrives { at, subject, bytes: Rc::clone(&bytes) }));
        }
    }

    fn hearers(&self, subject: Subject) -> Vec<Party> {
        let all = || self.places.iter().enumerate().map(|(index, place)| (Party::Node(index), place.id));
        match subject {
            Subject::Masters | Subject::Pool(_) | Subject::Discovery | Subject::Drain => {
                all().map(|(party, _)| party).collect()
            }
            Subject::Member(id) if id == self.owner.master => vec![Party::Master],
            Subject::Member(id) if self.rival.as_ref().is_some_and(|rival| rival.owner.master == id) => {
                vec![Party::Rival]
            }
            Subject::Member(id) => all().filter(|&(_, its)| its == id).map(|(party, _)| party).collect(),
            Subject::News(..) => Vec::new(),
        }
    }

    fn member(&self, party: Party) -> Member {
        match (party, &self.rival) {
            (Party::Node(index), _) => self.places[index].id,
            (Party::Rival, Some(rival)) => rival.owner.master,
            _ => self.owner.master,
        }
    }

    fn publish(&mut self, now: Time, from: Party, to: Subject, bytes: &Rc<[u8]>, queue: &mut Queue<SimEvent>) {
        let subject = (self.member(from), to);
        if let Some(forger) = &mut self.forger {
            forger.hear(now, subject, bytes);
        }
        for to in self.hearers(to) {
            for at in self.air.carry(now, from, to) {
                let bytes = Rc::clone(bytes);
                queue.push(at, SimEvent::Network(Event::Arrives { at: to, subject, bytes }));
            }
        }
    }

    fn carry_out(&mut self, now: Time, mut out: Vec<PoolEffect>, ports: &mut Ports) {
        while !out.is_empty() {
            for effect in std::mem::take(&mut out) {
                match effect {
                    PoolEffect::Publish { to, bytes } => {
                        self.publish(now, Party::Master, to, &bytes.into(), ports.queue)
                    }
                    PoolEffect::Apply { lease, .. } => {
                        let worker = WorkerId(*ports.next_worker);
                        *ports.next_worker += 1;
                        self.pool.bind(lease, worker, &mut out);
                    }
                    PoolEffect::Joined { worker, profile } => {
                        self.tell(now, WorkerEvent::Joined { worker, profile }, ports.queue);
                    }
                    PoolEffect::Reports { worker, task, reports } => {
                        let events = reports.into_iter().map(|report| WorkerEvent::Report { worker, task, report });
                        events.for_each(|event| _ = self.tell(now, event, ports.queue));
                    }
                    PoolEffect::Ended { worker, task, end } => {
                        self.tell(now, WorkerEvent::Ended { worker, task, end }, ports.queue);
                    }
                    PoolEffect::Lost { worker, why } => {
                        let at = self.tell(now, WorkerEvent::Lost { worker, why, for_good: false }, ports.queue);
                        ports.queue.push(at, SimEvent::Left(worker));
                    }
                    PoolEffect::Tell(_) | PoolEffect::Message { .. } | PoolEffect::PieceWanted { .. } => {}
                }
            }
        }
    }

    /// Delivers an event to the manager after a short time.
    fn tell(&mut self, now: Time, event: WorkerEvent, queue: &mut Queue<SimEvent>) -> Time {
        let moment = Time::from_nanos(mix(self.seed ^ now.as_nanos() as u64) % 300_000);
        self.told = self.told.max(now + moment);
        queue.push(self.told, SimEvent::Remote(event));
        self.told
    }

    fn carry_out_rival(&mut self, now: Time, mut out: Vec<PoolEffect>, queue: &mut Queue<SimEvent>) {
        while !out.is_empty() {
            for effect in std::mem::take(&mut out) {
                match effect {
                    PoolEffect::Publish { to, bytes } => self.publish(now, Party::Rival, to, &bytes.into(), queue),
                    PoolEffect::Apply { lease, .. } => {
                        let Some(rival) = &mut self.rival else { return };
                        rival.workers += 1;
                        rival.pool.bind(lease, WorkerId(rival.workers), &mut out);
                    }
                    _ => {}
                }
            }
        }
    }
}

fn member(number: u64) -> Member {
    Member { user: User::ANYBODY, number }
}

fn identity(owner: Owner, weight: u16, wants: u32) -> MasterIdentity {
    MasterIdentity {
        owner,
        game: GAME,
        name: "master".to_owned(),
        weight,
        wants,
        role: SlotRole::Leaves,
        network: None,
        silence: SILENCE,
        pools: Vec::new(),
    }
}
