//! An attacker on the network who knows everything except the leases. The attacker replays earlier messages and invents
//! others. (A lying machine that has a lease is simulated by [`super::liar`].)

use super::plan::Forgery;
use hasami_api::{Answer, Report, Score, Task};
use hasami_remote::cluster::names::{Lease, Member, Owner, Subject};
use hasami_remote::cluster::wire::{
    self, MasterOrder, NodeEvent, NodeMessage, OrderKind, SlotReport, WireEnd, WireReport, WireTask,
};
use hasami_tree::event::{Profile, TaskEnd, Time};
use rand::rngs::SmallRng;
use rand::{Rng, RngCore, SeedableRng};
use std::collections::VecDeque;
use std::rc::Rc;
use std::time::Duration;

/// Numbers of messages kept for replays: of the first messages, and of the newest ones.
const FIRST: usize = 32;
const NEWEST: usize = 256;
/// Minimum age of a message that is replayed. A younger message may still be on its way, and then the replay would only
/// be a faster delivery.
const AGE: Duration = Duration::from_secs(1);

/// An overheard message: its time, its sender and subject, and its bytes.
type Heard = (Time, (Member, Subject), Rc<[u8]>);

/// A message together with the sender and the subject that it claims to have.
pub type ForgedMessage = ((Member, Subject), Rc<[u8]>);

pub struct Forger {
    pub habits: Forgery,
    rng: SmallRng,
    first: Vec<Heard>,
    newest: VecDeque<Heard>,
}

impl Forger {
    pub fn new(habits: Forgery, seed: u64) -> Self {
        Self { habits, rng: SmallRng::seed_from_u64(seed), first: Vec::new(), newest: VecDeque::new() }
    }

    /// Records a message that the attacker has overheard.
    pub fn hear(&mut self, now: Time, subject: (Member, Subject), bytes: &Rc<[u8]>) {
        let heard = (now, subject, Rc::clone(bytes));
        if self.first.len() < FIRST {
            return self.first.push(heard);
        }
        self.newest.push_back(heard);
        if self.newest.len() > NEWEST {
            self.newest.pop_front();
        }
    }

    /// The time at which the attacker sends the next message.
    pub fn next(&mut self, now: Time) -> Time {
        now + self.habits.every.mul_f64(self.rng.random_range(0.5..1.5))
    }

    pub fn speak(&mut self, now: Time, master: Owner, nodes: &[Member]) -> Option<ForgedMessage> {
        let node = *nodes.get(self.rng.random_range(0..nodes.len().max(1)))?;
        match self.rng.random_range(0..10) {
            0..5 => {
                let all = self.first.len() + self.newest.len();
                let index = self.rng.random_range(0..all.max(1));
                let (at, subject, bytes) = self.first.iter().chain(&self.newest).nth(index)?;
                (*at + AGE <= now).then(|| (*subject, Rc::clone(bytes)))
            }
            5 => {
                let subjects =
                    [Subject::Masters, Subject::Discovery, Subject::Member(node), Subject::Member(master.master)];
                let mut bytes = vec![0; self.rng.random_range(0..80)];
                self.rng.fill_bytes(&mut bytes);
                if let Some(first) = bytes.first_mut().filter(|_| self.rng.random()) {
                    *first = wire::VERSION;
                }
                let choice = self.rng.random_range(0..4);
                let sender = if choice == 3 { node } else { master.master };
                Some(((sender, subjects[choice]), bytes.into()))
            }
            6 | 7 => Some(((master.master, Subject::Member(node)), wire::encode(&self.order(master)).into())),
            _ => Some(((node, Subject::Member(master.master)), wire::encode(&self.word(master)).into())),
        }
    }

    fn task(&mut self) -> u64 {
        if self.rng.random() { self.rng.random_range(1..60) } else { u64::MAX }
    }

    fn order(&mut self, owner: Owner) -> MasterOrder {
        let task = self.task();
        let what = match self.rng.random_range(0..4) {
            0 => OrderKind::Start { task, game: 1, work: WireTask::from(&Task::default()) },
            1 => OrderKind::Cancel { task },
            2 => OrderKind::Heard { task },
            _ => OrderKind::Return,
        };
        MasterOrder { epoch: owner.epoch, lease: Lease(self.rng.random()), what }
    }

    fn word(&mut self, owner: Owner) -> NodeMessage {
        let (lease, task) = (Lease(self.rng.random()), self.task());
        let reports = vec![WireReport::from(&Report::new(Score::win_in(1)))];
        let kinds = if self.habits.ghosts { 5 } else { 4 };
        let say = match self.rng.random_range(0..kinds) {
            0 => NodeEvent::Beat {
                name: "forged".into(),
                slots: vec![SlotReport { lease, task, is_known: self.rng.random() }],
            },
            1 => NodeEvent::Reports { lease, task, reports },
            2 => {
                let end = WireEnd::from(&TaskEnd::Answer(Answer::Best { best: None, ponder: None }));
                NodeEvent::Ended { lease, task, reports, end }
            }
            3 => NodeEvent::Left { lease, why: "forged".into() },
            _ => NodeEvent::Joined { lease, name: "forged".into(), profile: (&Profile::thread(0)).into() },
        };
        let serial = if self.rng.random() { u64::MAX } else { self.rng.random_range(0..10_000) };
        NodeMessage { epoch: owner.epoch, serial, say }
    }
}

/// Prints a message for a trace.
pub fn show(subject: Subject, bytes: &[u8]) -> String {
    fn shown<M: serde::de::DeserializeOwned + std::fmt::Debug>(bytes: &[u8]) -> String {
        wire::decode::<M>(bytes).map_or_else(|why| why, |message| format!("{message:?}"))
    }
    match subject {
        Subject::Masters => shown::<wire::MasterBeat>(bytes),
        Subject::Member(_) => wire::decode::<MasterOrder>(bytes)
            .map_or_else(|_| shown::<NodeMessage>(bytes), |order| format!("{order:?}")),
        other => other.to_string(),
    }
}
