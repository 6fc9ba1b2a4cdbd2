//! A master and a worker node at work, and an attacker who reads all their messages, knows all leases, and sends
//! messages to both.
#![allow(clippy::unwrap_used)]

use super::pair::PairSeal;
use super::*;
use crate::cluster::names::{Lease, Owner, Subject, WorkerNodeId};
use crate::cluster::node_pool::{MasterIdentity, NodePool, PoolEffect, SILENCE};
use crate::cluster::refusals::{Refusal, Refusals};
use crate::cluster::wire::{
    self, MasterBeat, MasterOrder, NodeEvent, NodeMessage, OrderKind, SlotReport, SlotRole, VERSION, WireEnd,
    WireReport, WireTask,
};
use crate::cluster::worker_node::{NodeEffect, OfferedSlot, WorkerNode};
use hasami_api::{Answer, Report, Score, Task};
use hasami_tree::event::{Profile, TaskEnd, TaskId, Time, WorkerEvent, WorkerId};
use rand::rngs::StdRng;
use rand::{Rng, SeedableRng};
use std::time::Duration;

const SLOTS: usize = 2;
/// Number of recorded messages for modification and replay.
const OVERHEARD: usize = 512;

fn keys(seed: u8) -> Keys {
    Keys::from_seed([seed; 32]).unwrap()
}

fn identity(owner: Owner) -> MasterIdentity {
    MasterIdentity {
        owner,
        game: "chess",
        name: "desk".into(),
        weight: 1,
        wants: 99,
        role: SlotRole::Leaves,
        network: None,
        secret: 7,
        silence: SILENCE,
        pools: Vec::new(),
    }
}

/// A master, a worker node and the record of their messages.
struct Table {
    now: Time,
    pool: NodePool,
    master: MasterSeals,
    node: WorkerNode,
    seals: NodeSeals,
    overheard: Vec<(Subject, Vec<u8>)>,
    bound: u32,
    next_task: u64,
    /// Number of tasks that were answered, and of slots that were lost.
    ended: u64,
    lost: u64,
}

impl Table {
    fn new() -> Self {
        let (master, seals) = (MasterSeals::new(keys(1)), NodeSeals::new(keys(2)));
        let offers = vec![OfferedSlot { engine: "thread".into(), games: vec!["chess"], has_roles: true }; SLOTS];
        let node = WorkerNode::new(seals.id(), "lab".into(), offers, Box::new(|_, _| Ok(())), 5);
        let pool = NodePool::new(identity(master.owner()));
        let (overheard, bound, next_task) = (Vec::new(), 0, 1);
        Self { now: Time::ZERO, pool, master, node, seals, overheard, bound, next_task, ended: 0, lost: 0 }
    }

    /// Lets both sides work for a moment. Every free worker gets a task.
    fn play(&mut self, time: Duration) {
        self.now += time;
        let (mut out, mut said) = (Vec::new(), Vec::new());
        self.pool.tick(self.now, &mut out);
        for worker in (0..self.bound).map(WorkerId) {
            self.pool.start(self.now, worker, TaskId(self.next_task), &Task::default(), &mut out);
            self.next_task += 1;
        }
        self.node.tick(self.now, true, &mut said);
        self.carry_out(out, said);
    }

    fn carry_out(&mut self, mut out: Vec<PoolEffect>, mut said: Vec<NodeEffect>) {
        while !out.is_empty() || !said.is_empty() {
            for effect in std::mem::take(&mut out) {
                match effect {
                    PoolEffect::Publish { to, bytes } => {
                        let Some(sealed) = self.master.seal(to, bytes) else { continue };
                        self.overhear(to, &sealed);
                        self.tell_node(to, &sealed, &mut said);
                    }
                    PoolEffect::Apply { lease, .. } => {
                        assert!(self.pool.bind(lease, WorkerId(self.bound), &mut out));
                        self.bound += 1;
                    }
                    PoolEffect::Ended { .. } => self.ended += 1,
                    PoolEffect::Lost { .. } => self.lost += 1,
                    _ => {}
                }
            }
            for effect in std::mem::take(&mut said) {
                match effect {
                    NodeEffect::Publish { to, bytes } => {
                        let Some(sealed) = self.seals.seal(self.now, to, bytes) else { continue };
                        self.overhear(to, &sealed);
                        self.tell_master(to, &sealed, &mut out);
                    }
                    NodeEffect::StartWorker { worker, .. } => {
                        let event = WorkerEvent::Joined { worker, profile: Profile::thread(0) };
                        self.node.worker(self.now, event, &mut said);
                    }
                    NodeEffect::Start { worker, id, .. } => {
                        let end = TaskEnd::Answer(Answer::Best { best: None, ponder: None });
                        self.node.worker(self.now, WorkerEvent::Ended { worker, task: id, end }, &mut said);
                    }
                    _ => {}
                }
            }
        }
    }

    fn overhear(&mut self, to: Subject, sealed: &[u8]) {
        if self.overheard.len() >= OVERHEARD {
            self.overheard.remove(1 + self.ended as usize % (OVERHEARD / 2));
        }
        self.overheard.push((to, sealed.to_vec()));
    }

    fn tell_node(&mut self, subject: Subject, bytes: &[u8], said: &mut Vec<NodeEffect>) {
        if let Ok(message) = self.seals.open(self.now, subject, bytes) {
            self.node.hear(self.now, subject, None, &message, said);
        }
    }

    fn tell_master(&mut self, subject: Subject, bytes: &[u8], out: &mut Vec<PoolEffect>) {
        if let Ok(message) = self.master.open(self.now, subject, bytes) {
            self.pool.hear(self.now, subject, None, &message, out);
        }
    }

    fn leases(&self) -> Vec<Option<(Owner, Lease)>> {
        self.node.states(self.now).map(|slot| slot.holder).collect()
    }

    /// Returns the number of effects of a forged message.
    fn effects_of(&mut self, subject: Subject, bytes: &[u8]) -> usize {
        let (mut out, mut said) = (Vec::new(), Vec::new());
        match subject {
            Subject::Master(_) => self.tell_master(subject, bytes, &mut out),
            _ => self.tell_node(subject, bytes, &mut said),
        }
        // A note about another version may be caused by anybody, a few times.
        said.retain(|effect| !matches!(effect, NodeEffect::Note(_)));
        let effects = out.len() + said.len();
        self.carry_out(out, said);
        effects
    }
}

/// An attacker with full permissions and its own keys.
struct Rogue {
    rng: StdRng,
    keys: Keys,
    /// The attacker as a worker node towards the master, and as a master towards the worker node.
    with_master: PairSeal,
    with_node: PairSeal,
}

impl Rogue {
    fn new(table: &Table, seed: u64) -> Self {
        let own = keys(3);
        let (master, node) = (keys(1).public(), keys(2).public());
        assert_eq!((number_of(&master), number_of(&node)), (table.master.owner().master, table.seals.id().0));
        let as_node = own.agree(&master, &PairEnds { master, node: own.public() }).unwrap();
        let as_master = own.agree(&node, &PairEnds { master: own.public(), node }).unwrap();
        Self {
            rng: StdRng::seed_from_u64(seed),
            keys: own,
            with_master: PairSeal::new(as_node.to_master, as_node.to_node, 0),
            with_node: PairSeal::new(as_master.to_node, as_master.to_master, 0),
        }
    }

    /// Forges a message from recorded ones and all leases.
    fn forge(&mut self, table: &Table) -> (Subject, Vec<u8>) {
        let (subject, genuine) = table.overheard[self.rng.random_range(0..table.overheard.len())].clone();
        let (owner, node) = (table.master.owner(), table.seals.id());
        let to_node = self.rng.random();
        let other = if to_node { Subject::WorkerNode(node) } else { Subject::Master(owner.master) };
        match self.rng.random_range(0..10) {
            0 => (subject, genuine),
            1 | 2 => (subject, self.changed(genuine)),
            // A genuine message to the wrong recipient.
            3 => (other, genuine),
            // An unencrypted message.
            4 if to_node => (other, wire::encode(&self.order(owner, table))),
            4 => (other, wire::encode(&self.word(owner, node, table))),
            // Encrypted with the attacker's keys, in the name of an honest participant or its own.
            5..8 if to_node => {
                let names = if self.rng.random() { owner.master } else { self.keys.number() };
                let said = if self.rng.random() { owner } else { Owner { master: self.keys.number(), epoch: 1 } };
                let head = [&[VERSION][..], &names.to_le_bytes()].concat();
                let order = wire::encode(&self.order(said, table));
                (other, self.with_node.seal(&head, &order[1..]))
            }
            5..8 => {
                let head = match self.rng.random_range(0..3) {
                    0 => [&[VERSION, 0][..], &node.0.to_le_bytes()].concat(),
                    1 => [&[VERSION, 1][..], &keys(2).public()].concat(),
                    _ => [&[VERSION, 1][..], &self.keys.public()].concat(),
                };
                let said = if self.rng.random() { node } else { WorkerNodeId(self.keys.number()) };
                let word = wire::encode(&self.word(owner, said, table));
                (other, self.with_master.seal(&head, &word[1..]))
            }
            _ => (Subject::Masters, self.beat(owner)),
        }
    }

    fn changed(&mut self, mut bytes: Vec<u8>) -> Vec<u8> {
        let place = self.rng.random_range(0..bytes.len());
        match self.rng.random_range(0..4) {
            0 => bytes.truncate(place),
            1 => bytes.push(self.rng.random()),
            _ => bytes[place] ^= self.rng.random_range(1..=u8::MAX),
        }
        bytes
    }

    fn lease(&mut self, table: &Table) -> Lease {
        let leases = table.leases();
        leases[self.rng.random_range(0..leases.len())].map_or(Lease(1), |(_, lease)| lease)
    }

    fn order(&mut self, owner: Owner, table: &Table) -> MasterOrder {
        let (lease, task) = (self.lease(table), table.next_task + self.rng.random_range(0..9));
        let what = match self.rng.random_range(0..4) {
            0 => OrderKind::Start { task, game: 1, work: WireTask::from(&Task::default()) },
            1 => OrderKind::Cancel { task: task - 9 },
            2 => OrderKind::Heard { task: task - 9 },
            _ => OrderKind::Return,
        };
        MasterOrder { owner, lease, what }
    }

    fn word(&mut self, owner: Owner, node: WorkerNodeId, table: &Table) -> NodeMessage {
        let (lease, task) = (self.lease(table), table.next_task - self.rng.random_range(1..4));
        let reports = vec![WireReport::from(&Report::new(Score::win_in(1)))];
        let say = match self.rng.random_range(0..5) {
            0 => NodeEvent::Left { lease, why: "forged".into() },
            1 => NodeEvent::Reports { lease, task, reports },
            2 => NodeEvent::Ended { lease, task, reports, end: WireEnd::NoMate },
            3 => NodeEvent::Joined { lease, name: "forged".into(), profile: (&Profile::thread(0)).into() },
            _ => NodeEvent::Beat { name: "x".into(), slots: vec![SlotReport { lease, task, is_known: false }] },
        };
        NodeMessage { epoch: owner.epoch, node, serial: u64::MAX - self.rng.random_range(0..9), say }
    }

    /// A beat that ends the master or wants no slots.
    fn beat(&mut self, owner: Owner) -> Vec<u8> {
        let beat = wire::encode(&MasterBeat {
            owner: if self.rng.random() { owner } else { Owner { epoch: 2, ..owner } },
            serial: self.rng.random_range(0..1_000_000_000),
            game: "chess".into(),
            name: "desk".into(),
            weight: 1,
            wants: 0,
            role: SlotRole::Leaves,
            network: None,
            silence_ms: 1_500,
            leaves: self.rng.random(),
        });
        let key = if self.rng.random() { keys(1).public() } else { self.keys.public() };
        [&beat[..1], &key, &self.keys.sign(&beat), &beat[1..]].concat()
    }
}

/// Sends this many forged messages while a master and a worker node go on working.
fn forged(messages: u64) {
    let seed = 38;
    println!("seed {seed}");
    let mut table = Table::new();
    for _ in 0..40 {
        table.play(Duration::from_millis(50));
    }
    assert_eq!((table.pool.size(), table.bound), ((1, SLOTS), 2));
    let (leases, mut rogue) = (table.leases(), Rogue::new(&table, seed));
    let (mut effects, before) = (0, table.ended);
    for number in 0..messages {
        if number % 50 == 0 {
            table.play(Duration::from_millis(50));
        }
        let (subject, bytes) = rogue.forge(&table);
        effects += table.effects_of(subject, &bytes);
    }
    let refused = |refusals: &Refusals| Refusal::ALL.map(|why| (why.word(), refusals.count(why)));
    let [to_master, to_node] = [table.master.refusals(), table.seals.refusals()].map(refused);
    println!(
        "{messages} forged messages: {effects} effects; refused by the master: {to_master:?}, by the node: {to_node:?}"
    );
    assert_eq!((effects, table.lost), (0, 0));
    assert_eq!((table.leases(), table.pool.size()), (leases, (1, SLOTS)));
    // Every task in the meantime has been answered: two slots, twenty times a second.
    assert_eq!(table.ended - before, messages.div_ceil(50) * SLOTS as u64);
    assert!(
        to_master.iter().chain(&to_node).filter(|(word, _)| *word == "forged").all(|&(_, count)| count > messages / 20)
    );
}

#[test]
fn forged_messages_with_right_leases_have_no_effect() {
    forged(10_000);
}

/// `cargo nextest run --release --run-ignored only a_million_forged -- --nocapture`
#[test]
#[ignore = "takes a minute"]
fn a_million_forged_messages_have_no_effect() {
    forged(1_000_000);
}

/// `cargo nextest run --release --run-ignored only what_a_message_costs -- --nocapture`
#[test]
#[ignore = "measures"]
fn what_a_message_costs() {
    let (one, other) = (keys(1), keys(2));
    let ends = || PairEnds { master: one.public(), node: other.public() };
    let pair = one.agree(&other.public(), &ends()).unwrap();
    let mut master = PairSeal::new(pair.to_node, pair.to_master, 0);
    let mut node = PairSeal::new(pair.to_master, pair.to_node, 0);
    let took = |what: &str, times: u32, work: &mut dyn FnMut()| {
        let begun = std::time::Instant::now();
        (0..times).for_each(|_| work());
        println!("{what}: {:.2} µs", begun.elapsed().as_secs_f64() * 1e6 / f64::from(times));
    };
    for size in [30, 100, 1_000, 48 << 10] {
        let message = vec![7; size];
        let mut sealed = Vec::new();
        took(&format!("sealing {size} bytes"), 20_000, &mut || sealed.push(master.seal(&[4; 9], &message)));
        let mut sealed = sealed.iter();
        took(&format!("opening {size} bytes"), 20_000, &mut || _ = node.open(sealed.next().unwrap(), 9).unwrap());
    }
    let signature = one.sign(&[7; 60]);
    took("signing a beat", 1_000, &mut || _ = one.sign(&[7; 60]));
    took("checking a beat", 1_000, &mut || assert!(is_signed(&one.public(), &[7; 60], &signature)));
    took("agreeing on keys", 1_000, &mut || assert!(one.agree(&other.public(), &ends()).is_some()));
}

#[test]
fn forged_messages_cost_slots_without_seals() {
    // Shows that the test above can fail: the same messages, if taken for genuine, cost slots and end tasks.
    let mut table = Table::new();
    for _ in 0..40 {
        table.play(Duration::from_millis(50));
    }
    let mut rogue = Rogue::new(&table, 1);
    let mut out = Vec::new();
    for _ in 0..100 {
        let word = wire::encode(&rogue.word(table.master.owner(), table.seals.id(), &table));
        table.pool.hear(table.now, Subject::Master(table.master.owner().master), None, &word, &mut out);
    }
    assert_eq!(table.pool.size(), (0, 0), "{out:?}");
}

#[test]
fn beats_under_another_number_are_refused() {
    let table = Table::new();
    let mut rogue = Rogue::new(&table, 1);
    let mut fresh = NodeSeals::new(keys(9));
    let heard: Vec<Refusal> = (0..200)
        .filter_map(|_| fresh.open(Time::ZERO, Subject::Masters, &rogue.beat(table.master.owner())).err())
        .collect();
    assert_eq!(heard.len(), 200, "even before the genuine master has sent a beat");
    let mut honest = MasterSeals::new(keys(1));
    let mut pool = NodePool::new(identity(honest.owner()));
    let mut out = Vec::new();
    pool.tick(Time::ZERO, &mut out);
    let [PoolEffect::Publish { to, bytes }, ..] = &out[..] else { panic!("{out:?}") };
    let beat = honest.seal(*to, bytes.clone()).unwrap();
    assert_eq!(fresh.open(Time::ZERO, *to, &beat).as_deref(), Ok(&bytes[..]));
    assert_eq!(fresh.open(Time::ZERO, *to, &beat), Err(Refusal::Repeated));
}

#[test]
fn numbers_of_encrypted_messages_are_never_reused() {
    // A worker node that was forgotten and returns agrees on the same keys.
    let (mut master, mut node) = (MasterSeals::new(keys(1)), NodeSeals::new(keys(2)));
    let owner = master.owner();
    let beat = |serial| {
        let beat = MasterBeat {
            owner,
            serial,
            game: "chess".into(),
            name: "desk".into(),
            weight: 1,
            wants: 9,
            role: SlotRole::Leaves,
            network: None,
            silence_ms: 1_500,
            leaves: false,
        };
        wire::encode(&beat)
    };
    let sealed = master.seal(Subject::Masters, beat(1)).unwrap();
    node.open(Time::ZERO, Subject::Masters, &sealed).unwrap();
    let to = Subject::Master(owner.master);
    let word = wire::encode(&NodeMessage {
        epoch: 1,
        node: node.id(),
        serial: 1,
        say: NodeEvent::Beat { name: "lab".into(), slots: Vec::new() },
    });
    let order = wire::encode(&MasterOrder { owner, lease: Lease(3), what: OrderKind::Return });
    let mut seen = std::collections::BTreeSet::new();
    for round in 0..3 {
        // It sends its key again when the master may have forgotten it.
        let said = node.seal(Time::from_secs(2 * round), to, word.clone()).unwrap();
        assert_eq!(master.open(Time::ZERO, to, &said), Ok(word.clone()));
        let sealed = master.seal(Subject::WorkerNode(node.id()), order.clone()).unwrap();
        assert!(seen.insert(sealed[9..17].to_vec()));
        assert_eq!(node.open(Time::ZERO, Subject::WorkerNode(node.id()), &sealed), Ok(order.clone()));
        assert!(!sealed.windows(8).any(|part| part == 3_u64.to_le_bytes()), "the lease is not readable");
        master.forget_all();
    }
}

#[test]
fn a_flood_of_new_masters_does_not_affect_known_ones() {
    let mut table = Table::new();
    for _ in 0..40 {
        table.play(Duration::from_millis(50));
    }
    let (before, mut refused) = (table.ended, 0);
    let owner = table.master.owner();
    for round in 0..20_u64 {
        table.play(Duration::from_millis(50));
        for number in 0..200_u64 {
            let mut seed = [7; 32];
            seed[..8].copy_from_slice(&(round * 200 + number).to_le_bytes());
            let stranger = Keys::from_seed(seed).unwrap();
            let beat = wire::encode(&MasterBeat {
                owner: Owner { master: stranger.number(), epoch: 1 },
                serial: 1,
                game: "go".into(),
                name: "x".into(),
                weight: u16::MAX,
                wants: u32::MAX,
                role: SlotRole::Leaves,
                network: None,
                silence_ms: 1_500,
                leaves: false,
            });
            let signed = MasterSeals::new(stranger).seal(Subject::Masters, beat).unwrap();
            let is_heard = table.seals.open(table.now, Subject::Masters, &signed);
            refused += usize::from(is_heard == Err(Refusal::Quota));
            assert!(is_heard.is_ok() || is_heard == Err(Refusal::Quota));
        }
    }
    assert!(refused > 3_000, "{refused}");
    assert_eq!((table.ended - before, table.lost), (20 * SLOTS as u64, 0));
    assert!(table.leases().iter().all(|holder| holder.is_some_and(|(who, _)| who == owner)));
}
