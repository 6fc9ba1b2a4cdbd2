//! Fuzzes messages to a master or a worker node: neither arbitrary bytes nor genuine messages with a changed byte cause
//! a panic, on any subject. The master and the node can read each other's messages, and their states and messages stay
//! bounded in size.

use hasami_api::{Answer, Game, Line, Task};
use hasami_chess::Chess;
use hasami_remote::cluster::names::{Member, Subject, User};
use hasami_remote::cluster::node_pool::{self, MasterIdentity, NodePool};
use hasami_remote::cluster::wire::{self, MasterBeat, MasterOrder, NodeMessage, SlotRole};
use hasami_remote::cluster::worker_node::{self, OfferedSlot, WorkerNode};
use hasami_tree::event::{Profile, TaskEnd, TaskId, Time, WorkerEvent, WorkerId};
use std::collections::VecDeque;
use std::time::Duration;

const OWNER: Member = Member { user: User::ANYBODY, number: 1 };
const NODE: Member = Member { user: User::ANYBODY, number: 2 };
const SLOTS: usize = 3;
/// Maximum number of replies that a single message may cause. A heartbeat with many slots causes the most replies.
const MOST_EFFECTS: usize = 4 * wire::MOST_SLOTS;

struct Pair {
    now: Time,
    pool: NodePool,
    node: WorkerNode,
    /// Genuine messages that were sent and have not arrived yet.
    said: VecDeque<(Subject, Vec<u8>)>,
    started: Vec<WorkerId>,
    running: Vec<(WorkerId, TaskId)>,
    members: Vec<WorkerId>,
    next: u32,
}

/// Returns the sender of a message. Discovery messages come from a member that is neither master nor node.
fn sender(other: Member, subject: Subject) -> Member {
    if subject == Subject::Discovery { Member { number: 9, ..NODE } } else { other }
}

fn is_legal(_: &str, line: &Line) -> Result<(), String> {
    let mut game = Chess::new(&line.start).map_err(|error| error.to_string())?;
    for text in &line.moves {
        let m = game.parse_move(text).map_err(|error| error.to_string())?;
        game.make(m);
    }
    Ok(())
}

impl Pair {
    fn new() -> Self {
        let beat = MasterBeat {
            serial: 0,
            game: "chess".into(),
            name: "desk".into(),
            weight: 1,
            wants: 9,
            role: SlotRole::Leaves,
            network: None,
            leaves: false,
        };
        let identity = MasterIdentity { member: OWNER, beat };
        let offers = vec![OfferedSlot { engine: "thread".into(), games: vec!["chess"], has_roles: true }; SLOTS];
        Self {
            now: Time::ZERO,
            pool: NodePool::new(identity),
            node: WorkerNode::new(NODE, "lab".into(), offers, Box::new(is_legal), 3),
            said: VecDeque::new(),
            started: Vec::new(),
            running: Vec::new(),
            members: Vec::new(),
            next: 0,
        }
    }

    fn tell_master(&mut self, subject: Subject, bytes: &[u8]) {
        let mut out = Vec::new();
        self.pool.hear(self.now, (sender(NODE, subject), subject), bytes, &mut out);
        self.pool_does(out);
    }

    fn tell_node(&mut self, subject: Subject, bytes: &[u8]) {
        let mut out = Vec::new();
        self.node.hear(self.now, (sender(OWNER, subject), subject), bytes, &mut out);
        self.node_does(out);
    }

    fn deliver(&mut self, subject: Subject, bytes: &[u8]) {
        if subject == Subject::Member(OWNER) {
            self.tell_master(subject, bytes);
        } else {
            self.tell_node(subject, bytes);
        }
    }

    fn say(&mut self, to: Subject, bytes: Vec<u8>) {
        assert!(bytes.len() <= wire::LONGEST, "{to}: {} bytes", bytes.len());
        match to {
            Subject::Member(to) if to == OWNER => assert!(wire::decode::<NodeMessage>(&bytes).is_ok()),
            Subject::Member(to) if to == NODE => assert!(wire::decode::<MasterOrder>(&bytes).is_ok()),
            _ => {}
        }
        self.said.push_back((to, bytes));
        self.said.truncate(256);
    }

    fn pool_does(&mut self, out: Vec<node_pool::PoolEffect>) {
        assert!(out.len() <= MOST_EFFECTS, "{} effects", out.len());
        for effect in out {
            match effect {
                node_pool::PoolEffect::Publish { to, bytes } => self.say(to, bytes),
                node_pool::PoolEffect::Apply { lease, .. } => {
                    let (worker, mut more) = (WorkerId(self.next), Vec::new());
                    self.next += 1;
                    assert!(self.pool.bind(lease, worker, &mut more));
                    self.members.push(worker);
                }
                node_pool::PoolEffect::Lost { worker, .. } => self.members.retain(|&member| member != worker),
                _ => {}
            }
        }
        let (nodes, slots) = self.pool.size();
        assert!(nodes <= 16_384 && slots <= 65_536 && nodes <= slots);
        assert_eq!(self.members.len(), slots);
    }

    fn node_does(&mut self, out: Vec<worker_node::NodeEffect>) {
        assert!(out.len() <= MOST_EFFECTS, "{} effects", out.len());
        for effect in out {
            match effect {
                worker_node::NodeEffect::Publish { to, bytes } => self.say(to, bytes),
                worker_node::NodeEffect::StartWorker { worker, .. } => self.started.push(worker),
                worker_node::NodeEffect::EndWorker { worker } => {
                    self.started.retain(|&started| started != worker);
                    self.running.retain(|&(running, _)| running != worker);
                }
                worker_node::NodeEffect::Start { worker, id, task } => {
                    assert!(is_legal("chess", &task.line).is_ok(), "what is searched is legal");
                    self.running.push((worker, id));
                }
                _ => {}
            }
        }
        let (masters, past) = self.node.size();
        assert!(masters <= 256 && past <= 256 && self.started.len() <= SLOTS && self.running.len() <= SLOTS);
    }

    fn pass(&mut self, time: Duration, is_clear: bool) {
        self.now += time;
        let mut out = Vec::new();
        self.pool.tick(self.now, &mut out);
        self.pool_does(out);
        let mut out = Vec::new();
        self.node.tick(self.now, is_clear, &mut out);
        self.node_does(out);
    }

    fn works(&mut self, choice: u8) {
        let mut out = Vec::new();
        for worker in self.started.clone() {
            let event = match self.running.iter().position(|&(running, _)| running == worker) {
                Some(place) => {
                    let (_, task) = self.running.swap_remove(place);
                    WorkerEvent::Ended { worker, task, end: TaskEnd::Answer(Answer::Best { best: None, ponder: None }) }
                }
                None if choice % 8 == 7 => WorkerEvent::Lost { worker, why: "crash".into(), for_good: false },
                None => WorkerEvent::Joined { worker, profile: Profile::thread(0) },
            };
            self.node.worker(self.now, event, &mut out);
        }
        self.node_does(out);
    }

    fn orders(&mut self, choice: u8) {
        let Some(&worker) = self.members.get(usize::from(choice) % self.members.len().max(1)) else { return };
        let (id, mut out) = (TaskId(1 + self.now.as_nanos() as u64), Vec::new());
        match choice % 4 {
            0 => self.pool.cancel(self.now, worker, id, &mut out),
            1 => self.pool.give_up(worker, &mut out),
            _ => self.pool.start(self.now, worker, id, Task::default(), &mut out),
        }
        self.pool_does(out);
    }
}

pub fn check(bytes: &[u8]) {
    let mut pair = Pair::new();
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
                    0 => pair.tell_master(Subject::Member(OWNER), message),
                    1 => pair.tell_node(Subject::Masters, message),
                    _ => pair.tell_node(Subject::Member(NODE), message),
                }
                pair.tell_master(Subject::Discovery, message);
                pair.tell_node(Subject::Discovery, message);
            }
            3 => {
                // A copy of a genuine message with one changed byte arrives.
                let found = pair.said.get(usize::from(choice) % pair.said.len().max(1)).cloned();
                if let Some((subject, mut message)) = found
                    && let [place, bits, more @ ..] = rest
                {
                    rest = more;
                    let place = usize::from(*place) % message.len();
                    message[place] ^= bits;
                    pair.deliver(subject, &message);
                }
            }
            4 => pair.pass(Duration::from_millis(10 * u64::from(choice)), *what < 128),
            5 => {
                for _ in 0..=choice {
                    let Some((subject, message)) = pair.said.pop_front() else { break };
                    pair.deliver(subject, &message);
                }
            }
            6 => pair.works(choice),
            _ => pair.orders(choice),
        }
    }
}
