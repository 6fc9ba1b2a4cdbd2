//! Simulates a large cluster without faults and counts its messages and their bytes, by kind, per machine, master and
//! second.
//!
//!     cargo run --profile fast --example cluster_size -- --machines 10000 --masters 4
//!
//! The masters and machines run the program's own code; each message arrives at the moment when it is sent. Workers do
//! not search: each worker reports a few times per second, and each master gives each of its workers a new task once a
//! second, in search groups.

use clap::Parser;
use hasami_api::{Answer, Report, Score, Task};
use hasami_remote::cluster::NEWS_ROUND;
use hasami_remote::cluster::names::{Member, Subject, User};
use hasami_remote::cluster::node_pool::{MasterIdentity, NodePool, PoolEffect};
use hasami_remote::cluster::wire::{
    self, DiscoveryRequest, MasterBeat, MasterOrder, NodeEvent, NodeMessage, OrderKind, SlotRole,
};
use hasami_remote::cluster::worker_node::{NodeEffect, OfferedSlot, WorkerNode};
use hasami_toy::mix;
use hasami_tree::event::{Profile, TaskEnd, TaskId, Time, WorkerEvent, WorkerId};
use hasami_workers::outside::NEWS_BUDGET;
use std::collections::{BTreeMap, BTreeSet};
use std::time::{Duration, Instant};

#[derive(Parser)]
struct Options {
    #[arg(long, default_value_t = 10_000)]
    machines: usize,
    /// Number of slots per machine
    #[arg(long, default_value_t = 4)]
    slots: usize,
    #[arg(long, default_value_t = 4)]
    masters: usize,
    /// Number of workers in a search group
    #[arg(long, default_value_t = 32)]
    team: u64,
    #[arg(long, default_value_t = 3)]
    seconds: u64,
}

fn main() {
    let Options { machines, slots, masters, team, seconds } = Options::parse();
    let (begun, time) = (Instant::now(), Duration::from_secs(seconds));
    let traffic = TrafficPlan { machines, slots, masters, team, time }.traffic();
    println!("{machines} machines of {slots} slots, {masters} masters, {} held", traffic.held);
    println!("| kind | said a second | kB | heard a second | kB | heard for each machine and master | bytes of one |");
    println!("| --- | --- | --- | --- | --- | --- | --- |");
    let pairs = (machines * masters) as f64;
    let row = |name: &str, amount: Amount| {
        let a_second = |count: u64| count as f64 / seconds as f64;
        let Amount { said, said_bytes, heard, heard_bytes } = amount;
        println!(
            "| {name} | {:.0} | {:.0} | {:.0} | {:.0} | {:.3} | {:.0} |",
            a_second(said),
            a_second(said_bytes) / 1e3,
            a_second(heard),
            a_second(heard_bytes) / 1e3,
            a_second(heard) / pairs,
            said_bytes as f64 / said.max(1) as f64,
        );
    };
    traffic.kinds.iter().for_each(|(name, amount)| row(name, *amount));
    row("all", traffic.total());
    let [machine, master] = [traffic.machine_heard, traffic.master_heard].map(|count| count / seconds);
    println!("without news, a machine hears at most {machine} a second, a master {master}");
    println!("played in {:.0} s", begun.elapsed().as_secs_f64());
}

/// Name of the game that all masters play.
const GAME: &str = "toy";

fn member(number: u64) -> Member {
    Member { user: User::ANYBODY, number }
}

fn beat() -> MasterBeat {
    MasterBeat {
        serial: 0,
        game: GAME.to_owned(),
        name: "master".to_owned(),
        weight: 1,
        wants: 1_024,
        role: SlotRole::Leaves,
        network: None,
        leaves: false,
    }
}

/// Step of the simulated clock.
const STEP: Duration = Duration::from_millis(50);
/// Time between two successive tasks of a worker.
const MOVE: Duration = Duration::from_secs(1);
const REPORT: Duration = Duration::from_millis(250);
/// Time for all machines and masters to find each other, before messages are counted.
const WARM_UP: Duration = Duration::from_secs(4);
/// The size of the cluster, and the duration of the measurement.
#[derive(Clone, Debug)]
struct TrafficPlan {
    machines: usize,
    /// Number of slots per machine.
    slots: usize,
    masters: usize,
    /// Number of workers in a search group.
    team: u64,
    /// Measured time.
    time: Duration,
}

/// Counts the messages of one kind, and their bytes.
#[derive(Clone, Copy, PartialEq, Eq, Default, Debug)]
struct Amount {
    said: u64,
    said_bytes: u64,
    /// Number of received messages, in which each message counts once per receiver.
    heard: u64,
    heard_bytes: u64,
}

/// Messages and bytes during the measured time.
#[derive(Clone, PartialEq, Eq, Default, Debug)]
struct Traffic {
    kinds: BTreeMap<&'static str, Amount>,
    /// Number of messages received by the machine that received the most; `master_heard` is the same number for
    /// masters.
    machine_heard: u64,
    master_heard: u64,
    /// Number of slots that the masters hold at the end of the simulation.
    held: u64,
}

impl Traffic {
    /// Returns the sum over all kinds of messages.
    fn total(&self) -> Amount {
        self.kinds.values().fold(Amount::default(), |sum, kind| Amount {
            said: sum.said + kind.said,
            said_bytes: sum.said_bytes + kind.said_bytes,
            heard: sum.heard + kind.heard,
            heard_bytes: sum.heard_bytes + kind.heard_bytes,
        })
    }
}

struct Machine {
    node: WorkerNode,
    tasks: BTreeMap<WorkerId, (TaskId, Time)>,
    heard: u64,
}

struct Master {
    owner: Member,
    pool: NodePool,
    workers: BTreeSet<WorkerId>,
    next_worker: u32,
    next_task: u64,
    heard: u64,
}

struct BusyCluster {
    now: Time,
    machines: Vec<Machine>,
    masters: Vec<Master>,
    by_id: BTreeMap<Member, usize>,
    by_owner: BTreeMap<Member, usize>,
    traffic: Traffic,
    is_counting: bool,
}

impl TrafficPlan {
    /// Runs the simulation.
    fn traffic(&self) -> Traffic {
        let mut cluster = BusyCluster::new(self);
        let (mut next_move, mut next_news) = (MOVE, Time::ZERO);
        while cluster.now < WARM_UP + self.time {
            cluster.now += STEP;
            cluster.is_counting = cluster.now > WARM_UP;
            cluster.look();
            if cluster.now >= next_move {
                next_move += MOVE;
                cluster.new_tasks(self.team);
                cluster.ask();
            }
            while next_news < cluster.now {
                next_news += NEWS_ROUND;
                cluster.news();
            }
        }
        let mut traffic = cluster.traffic;
        traffic.machine_heard = cluster.machines.iter().map(|machine| machine.heard).max().unwrap_or(0);
        traffic.master_heard = cluster.masters.iter().map(|master| master.heard).max().unwrap_or(0);
        traffic.held = cluster.masters.iter().map(|master| master.pool.size().1 as u64).sum();
        traffic
    }
}

impl BusyCluster {
    fn new(plan: &TrafficPlan) -> Self {
        let offer = OfferedSlot { engine: "virtual".to_owned(), games: vec![GAME], has_roles: true };
        let machines: Vec<Machine> = (0..plan.machines)
            .map(|index| {
                let id = member(mix(index as u64));
                let offers = vec![offer.clone(); plan.slots];
                let name = format!("machine {index}");
                let node = WorkerNode::new(id, name, offers, Box::new(|_, _| Ok(())), index as u64);
                Machine { node, tasks: BTreeMap::new(), heard: 0 }
            })
            .collect();
        let masters = (0..plan.masters).map(|index| {
            let member = member(mix(!(index as u64)));
            let pool = NodePool::new(MasterIdentity { member, beat: beat() });
            (member, Master { owner: member, pool, workers: BTreeSet::new(), next_worker: 0, next_task: 1, heard: 0 })
        });
        let masters: Vec<(Member, Master)> = masters.collect();
        Self {
            now: Time::ZERO,
            by_id: machines.iter().enumerate().map(|(index, machine)| (machine.node.id(), index)).collect(),
            by_owner: masters.iter().enumerate().map(|(index, (owner, _))| (*owner, index)).collect(),
            machines,
            masters: masters.into_iter().map(|(_, master)| master).collect(),
            traffic: Traffic::default(),
            is_counting: false,
        }
    }

    fn count(&mut self, kind: &'static str, bytes: usize, heard: u64) {
        if self.is_counting {
            let amount = self.traffic.kinds.entry(kind).or_default();
            (amount.said, amount.said_bytes) = (amount.said + 1, amount.said_bytes + bytes as u64);
            (amount.heard, amount.heard_bytes) = (amount.heard + heard, amount.heard_bytes + heard * bytes as u64);
        }
    }

    /// Runs the periodic work of all machines and masters.
    fn look(&mut self) {
        for index in 0..self.masters.len() {
            let mut out = Vec::new();
            self.masters[index].pool.tick(self.now, &mut out);
            self.of_master(index, out);
        }
        for index in 0..self.machines.len() {
            let (mut out, now) = (Vec::new(), self.now);
            let machine = &mut self.machines[index];
            for (&worker, (task, since)) in &machine.tasks {
                let age = now.saturating_sub(*since);
                if age.as_millis() % REPORT.as_millis() == 0 {
                    let depth = 4 + (age.as_millis() / 100) as u16;
                    let report = Report { depth, nodes: 100_000, ..Report::new(Score::cp(20)) };
                    machine.node.worker(now, WorkerEvent::Report { worker, task: *task, report }, &mut out);
                }
            }
            machine.node.tick(now, true, &mut out);
            self.of_machine(index, out);
        }
    }

    /// Ends the task of each worker and gives it another task.
    fn new_tasks(&mut self, team: u64) {
        for index in 0..self.masters.len() {
            let mut out = Vec::new();
            let master = &mut self.masters[index];
            for &worker in &master.workers {
                master.pool.cancel(self.now, worker, TaskId(master.next_task - 1), &mut out);
            }
            self.of_master(index, out);
            let (mut out, master) = (Vec::new(), &mut self.masters[index]);
            for (place, &worker) in master.workers.iter().enumerate() {
                let task = Task { team: 1 + place as u64 / team, ..Task::default() };
                master.pool.start(self.now, worker, TaskId(master.next_task), task.clone(), &mut out);
            }
            master.next_task += 1;
            self.of_master(index, out);
        }
    }

    /// Sends the query by which a client lists all machines and masters.
    fn ask(&mut self) {
        let (bytes, question) = (wire::encode(&DiscoveryRequest), (member(9), Subject::Discovery));
        let all = (self.machines.len() + self.masters.len()) as u64;
        self.count("questions who is there", bytes.len(), all);
        for index in 0..self.machines.len() {
            let mut out = Vec::new();
            self.machines[index].node.hear(self.now, question, &bytes, &mut out);
            self.of_machine(index, out);
        }
        for index in 0..self.masters.len() {
            let mut out = Vec::new();
            self.masters[index].pool.hear(self.now, question, &bytes, &mut out);
            self.of_master(index, out);
        }
    }

    /// For each machine, sends as much news as its workers may send to their search groups.
    fn news(&mut self) {
        let mut members = BTreeMap::new();
        for machine in &self.machines {
            machine.node.teams().into_iter().for_each(|team| *members.entry(team).or_insert(0_u64) += 1);
        }
        for (_, machines) in members {
            (0..machines).for_each(|_| self.count("news of groups", NEWS_BUDGET as usize, machines - 1));
        }
    }

    fn of_master(&mut self, index: usize, out: Vec<PoolEffect>) {
        let from = self.masters[index].owner;
        for effect in out {
            match effect {
                PoolEffect::Publish { to: to @ Subject::Masters, bytes } => {
                    self.count("beats of masters", bytes.len(), self.machines.len() as u64);
                    (0..self.machines.len()).for_each(|machine| self.tell_machine(machine, (from, to), &bytes));
                }
                PoolEffect::Publish { to: to @ Subject::Member(id), bytes } if self.by_id.contains_key(&id) => {
                    self.count(order_kind(&bytes), bytes.len(), 1);
                    self.tell_machine(self.by_id[&id], (from, to), &bytes);
                }
                PoolEffect::Publish { bytes, .. } => self.count("answers who is there", bytes.len(), 1),
                PoolEffect::Apply { lease, .. } => {
                    let (master, mut more) = (&mut self.masters[index], Vec::new());
                    let worker = WorkerId(master.next_worker);
                    master.next_worker += 1;
                    if master.pool.bind(lease, worker, &mut more) {
                        master.workers.insert(worker);
                    }
                    self.of_master(index, more);
                }
                PoolEffect::Lost { worker, .. } => _ = self.masters[index].workers.remove(&worker),
                _ => {}
            }
        }
    }

    fn tell_machine(&mut self, index: usize, subject: (Member, Subject), bytes: &[u8]) {
        let (mut out, machine) = (Vec::new(), &mut self.machines[index]);
        machine.heard += u64::from(self.is_counting);
        machine.node.hear(self.now, subject, bytes, &mut out);
        self.of_machine(index, out);
    }

    fn of_machine(&mut self, index: usize, out: Vec<NodeEffect>) {
        for effect in out {
            let (now, mut more) = (self.now, Vec::new());
            let machine = &mut self.machines[index];
            match effect {
                NodeEffect::Publish { to: to @ Subject::Member(id), bytes } if self.by_owner.contains_key(&id) => {
                    let (master, from) = (self.by_owner[&id], machine.node.id());
                    self.count(word_kind(&bytes), bytes.len(), 1);
                    self.masters[master].heard += u64::from(self.is_counting);
                    let mut out = Vec::new();
                    self.masters[master].pool.hear(now, (from, to), &bytes, &mut out);
                    self.of_master(master, out);
                    continue;
                }
                NodeEffect::Publish { bytes, .. } => self.count("answers who is there", bytes.len(), 1),
                NodeEffect::StartWorker { worker, .. } => {
                    machine.node.worker(now, WorkerEvent::Joined { worker, profile: Profile::thread(1) }, &mut more);
                }
                NodeEffect::Start { worker, id, .. } => _ = machine.tasks.insert(worker, (id, now)),
                NodeEffect::Cancel { worker, id } => {
                    machine.tasks.remove(&worker);
                    let end = TaskEnd::Answer(Answer::Best { best: None, ponder: None });
                    machine.node.worker(now, WorkerEvent::Ended { worker, task: id, end }, &mut more);
                }
                NodeEffect::EndWorker { worker } => _ = machine.tasks.remove(&worker),
                _ => {}
            }
            self.of_machine(index, more);
        }
    }
}

fn order_kind(bytes: &[u8]) -> &'static str {
    match wire::decode::<MasterOrder>(bytes).map(|order| order.what) {
        Ok(OrderKind::Start { .. }) => "starts of tasks",
        Ok(OrderKind::Cancel { .. }) => "cancels of tasks",
        _ => "other orders",
    }
}

fn word_kind(bytes: &[u8]) -> &'static str {
    match wire::decode::<NodeMessage>(bytes).map(|word| word.say) {
        Ok(NodeEvent::Beat { .. }) => "beats of machines",
        Ok(NodeEvent::Reports { .. }) => "reports",
        Ok(NodeEvent::Ended { .. }) => "ends of tasks",
        _ => "other words",
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn plan(machines: usize, masters: usize) -> TrafficPlan {
        let time = Duration::from_secs(3);
        TrafficPlan { machines, slots: 4, masters, team: 32, time }
    }

    /// Returns the number of messages of a kind received per second.
    fn heard(traffic: &Traffic, kind: &str) -> f64 {
        traffic.kinds.get(kind).map_or(0.0, |amount| amount.heard as f64) / 3.0
    }

    #[test]
    fn the_number_of_beats_is_as_documented() {
        let traffic = plan(60, 3).traffic();
        assert_eq!(traffic.held, 240, "all slots are held");
        for kind in ["beats of masters", "beats of machines"] {
            let each = heard(&traffic, kind) / 180.0;
            assert!((3.0..3.6).contains(&each), "{kind}: {each} for each machine and master");
        }
    }

    #[test]
    fn traffic_of_a_machine_does_not_grow_with_the_cluster() {
        let (small, large) = (plan(40, 2).traffic(), plan(160, 2).traffic());
        assert!(large.machine_heard <= small.machine_heard + 3, "{small:?} {large:?}");
        let news = |traffic: &Traffic, machines: f64| heard(traffic, "news of groups") / machines;
        // A search group of 32 workers is on at most 32 machines, and a machine with 4 slots is in at most 4 groups.
        assert!(news(&large, 160.0) <= 4.0 * 31.0 * 40.0, "{large:?}");
        assert!(news(&large, 160.0) < 1.3 * news(&small, 40.0), "{small:?} {large:?}");
    }
}
