//! Tests masters and worker nodes without a transport: each test hands over the messages, and sets the time.
#![allow(clippy::unwrap_used)]

mod conversation;
mod delivery;
mod masters;
mod memory;
mod nodes;
mod wire;

use super::names::{Lease, Member, Subject, User};
use super::node_pool::{self, MasterIdentity, NodePool};
use super::patience::SILENCE;
use super::wire::{MasterBeat, MasterOrder, NodeEvent, NodeMessage, OrderKind, SlotRole, decode, encode};
use super::worker_node::{self, OfferedSlot, WorkerNode};
use hasami_api::{Answer, Line, MateAnswer, MoveText, Report, Score, Task};
use hasami_tree::event::{Profile, TaskEnd, TaskId, Time, WorkerEvent, WorkerId};
use std::time::Duration;

const OWNER: Member = member(0x1234_5678_9abc_def0);
const NODE: Member = member(0xfedc_ba98_7654_3210);

const fn member(number: u64) -> Member {
    Member { user: User::ANYBODY, number }
}

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

fn best(m: &str) -> TaskEnd {
    TaskEnd::Answer(Answer::Best { best: Some(m.parse().unwrap()), ponder: None })
}

fn identity() -> MasterIdentity {
    let beat = MasterBeat {
        serial: 0,
        game: "chess".into(),
        name: "desk".into(),
        weight: 1,
        wants: 99,
        role: SlotRole::Leaves,
        network: None,
        leaves: false,
    };
    MasterIdentity { member: OWNER, beat }
}

/// Accepts every line of moves unless its last move is `bad`.
fn check(_: &str, line: &Line) -> Result<(), String> {
    let is_bad = line.moves.last().is_some_and(|text| &**text == "bad");
    if is_bad { Err("expected a legal move, found bad".into()) } else { Ok(()) }
}

fn machine(slots: usize) -> WorkerNode {
    let offers = vec![OfferedSlot { engine: "thread".into(), games: vec!["chess"], has_roles: true }; slots];
    WorkerNode::new(NODE, "lab".into(), offers, Box::new(check), 5)
}

/// A master and a worker node, together with all their effects.
struct Pair {
    now: Time,
    pool: NodePool,
    node: WorkerNode,
    /// Unhandled effects of the master and of the worker node.
    pool_out: Vec<node_pool::PoolEffect>,
    node_out: Vec<worker_node::NodeEffect>,
    next_worker: u32,
    /// All messages that were sent, oldest first.
    said: Vec<String>,
}

impl Pair {
    fn new(slots: usize) -> Self {
        let (pool, node) = (NodePool::new(identity()), machine(slots));
        let (pool_out, node_out, said) = (Vec::new(), Vec::new(), Vec::new());
        Self { now: Time::ZERO, pool, node, pool_out, node_out, next_worker: 100, said }
    }

    /// Returns a master and a worker node with `slots` slots, all held by the master.
    fn with_slots(slots: usize) -> Self {
        let mut pair = Self::new(slots);
        pair.look(true);
        pair.deliver();
        for effect in std::mem::take(&mut pair.node_out) {
            if let worker_node::NodeEffect::StartWorker { worker, .. } = effect {
                pair.worker(WorkerEvent::Joined { worker, profile: Profile::thread(0) });
            }
        }
        pair.deliver();
        pair.pool_out.clear();
        pair
    }

    /// Hands the worker node an event of one of its local workers.
    fn worker(&mut self, event: WorkerEvent) {
        self.node.worker(self.now, event, &mut self.node_out);
    }

    /// Calls `tick` on the master and on the worker node, which also gets `is_clear`.
    fn look(&mut self, is_clear: bool) {
        self.pool.tick(self.now, &mut self.pool_out);
        self.node.tick(self.now, is_clear, &mut self.node_out);
    }

    /// Advances the time, and delivers all messages.
    fn pass(&mut self, time: Duration) {
        for _ in 0..time.as_millis() / 50 {
            self.now += ms(50);
            self.look(true);
            self.deliver();
        }
    }

    fn take_master(&mut self) -> Vec<(Subject, Vec<u8>)> {
        let is_said = |effect: &mut node_pool::PoolEffect| matches!(effect, node_pool::PoolEffect::Publish { .. });
        let said = self.pool_out.extract_if(.., is_said);
        said.filter_map(|e| if let node_pool::PoolEffect::Publish { to, bytes } = e { Some((to, bytes)) } else { None })
            .collect()
    }

    fn take_node(&mut self) -> Vec<(Subject, Vec<u8>)> {
        let is_said = |effect: &mut worker_node::NodeEffect| matches!(effect, worker_node::NodeEffect::Publish { .. });
        let said = self.node_out.extract_if(.., is_said);
        said.filter_map(
            |e| if let worker_node::NodeEffect::Publish { to, bytes } = e { Some((to, bytes)) } else { None },
        )
        .collect()
    }

    /// Delivers all messages, and then the messages sent in response.
    fn deliver(&mut self) {
        loop {
            self.bind();
            let (masters, nodes) = (self.take_master(), self.take_node());
            if masters.is_empty() && nodes.is_empty() {
                return;
            }
            masters.into_iter().for_each(|(to, bytes)| self.tell_node(to, &bytes));
            nodes.into_iter().for_each(|(to, bytes)| self.tell_master(to, &bytes));
        }
    }

    fn tell_node(&mut self, to: Subject, bytes: &[u8]) {
        let what = decode::<MasterOrder>(bytes).map_or("beat".to_owned(), |order| shown(&order.what));
        self.said.push(format!("master: {what}"));
        self.node.hear(self.now, (OWNER, to), bytes, &mut self.node_out);
    }

    fn tell_master(&mut self, to: Subject, bytes: &[u8]) {
        let what = decode::<NodeMessage>(bytes).map_or("nonsense".to_owned(), |word| summary(&word.say));
        self.said.push(format!("node: {what}"));
        self.pool.hear(self.now, (NODE, to), bytes, &mut self.pool_out);
    }

    /// Gives a worker number to each slot that needs one.
    fn bind(&mut self) {
        for effect in std::mem::take(&mut self.pool_out) {
            if let node_pool::PoolEffect::Apply { lease, .. } = effect {
                assert!(self.pool.bind(lease, WorkerId(self.next_worker), &mut self.pool_out));
                self.next_worker += 1;
            } else {
                self.pool_out.push(effect);
            }
        }
    }

    fn start(&mut self, worker: u32, id: u64, task: &Task) {
        self.pool.start(self.now, WorkerId(worker), TaskId(id), task.clone(), &mut self.pool_out);
    }

    fn cancel(&mut self, worker: u32, id: u64) {
        self.pool.cancel(self.now, WorkerId(worker), TaskId(id), &mut self.pool_out);
    }

    /// Ends a task that a local worker of the worker node is running.
    fn end(&mut self, slot: usize, id: u64, end: TaskEnd) {
        let worker = self.slot(slot).0;
        self.worker(WorkerEvent::Ended { worker, task: TaskId(id), end });
    }

    fn slot(&self, slot: usize) -> (WorkerId, Lease) {
        let state = self.node.states(self.now).nth(slot).unwrap();
        (state.worker.unwrap(), state.holder.unwrap().1)
    }

    /// Returns the worker node's effects, except its messages.
    fn worker_effects(&mut self) -> Vec<worker_node::NodeEffect> {
        std::mem::take(&mut self.node_out)
    }

    fn news(&mut self) -> Vec<node_pool::PoolEffect> {
        std::mem::take(&mut self.pool_out)
    }
}

fn word(serial: u64, say: NodeEvent) -> Vec<u8> {
    encode(&NodeMessage { serial, say })
}

fn order(lease: Lease, what: OrderKind) -> Vec<u8> {
    encode(&MasterOrder { lease, what })
}

fn shown(what: &OrderKind) -> String {
    match what {
        OrderKind::Start { task, .. } => format!("start {}", task.0),
        OrderKind::Cancel { task } => format!("cancel {}", task.0),
        OrderKind::Heard { task } => format!("heard {}", task.0),
        OrderKind::Packet(_) => "packet".to_owned(),
        OrderKind::NetworkPiece { piece, bytes } => format!("piece {piece} of {} bytes", bytes.len()),
        OrderKind::Return => "return".into(),
        OrderKind::Forgotten => "forgotten".into(),
    }
}

fn summary(say: &NodeEvent) -> String {
    match say {
        NodeEvent::Beat { slots, .. } => format!("beat {:?}", slots.iter().map(|seen| seen.task.0).collect::<Vec<_>>()),
        NodeEvent::Joined { profile, .. } => format!("joined {}", profile.name),
        NodeEvent::Reports { task, reports, .. } => format!("{} reports of {}", reports.len(), task.0),
        NodeEvent::Ended { task, reports, .. } => format!("ended {} with {} reports", task.0, reports.len()),
        NodeEvent::Packet { .. } => "packet".to_owned(),
        NodeEvent::NetworkWanted { piece, .. } => format!("wants piece {piece}"),
        NodeEvent::Left { why, .. } => format!("left: {why}"),
    }
}
