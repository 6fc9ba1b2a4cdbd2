//! No message of a cluster is opened that was not sealed for its receiver: made of any bytes, or genuine with bytes changed.

use hasami_tree::event::Time;
use hasami_workers::cluster::names::{Lease, Subject};
use hasami_workers::cluster::seals::{Keys, MasterSeals, NodeSeals};
use hasami_workers::cluster::wire::{self, MasterBeat, MasterOrder, NodeEvent, NodeMessage, OrderKind, SlotRole};
use std::cell::RefCell;

/// Both sides, and messages that they have sealed and heard.
struct Sealed {
    master: MasterSeals,
    node: NodeSeals,
    genuine: Vec<(Subject, Vec<u8>)>,
}

fn keys(seed: u8) -> Keys {
    Keys::from_seed([seed; 32]).expect("a key pair")
}

impl Sealed {
    fn new() -> Self {
        let (mut master, mut node) = (MasterSeals::new(keys(1)), NodeSeals::new(keys(2)));
        let (owner, name) = (master.owner(), String::from("desk"));
        let beat = MasterBeat {
            owner,
            serial: 1,
            game: "chess".into(),
            name: name.clone(),
            weight: 1,
            wants: 9,
            role: SlotRole::Leaves,
            network: None,
            silence_ms: 1_500,
            leaves: false,
        };
        let say = NodeEvent::Beat { name, slots: Vec::new() };
        let word = NodeMessage { epoch: 1, node: node.id(), serial: 1, say };
        let order = MasterOrder { owner, lease: Lease(7), what: OrderKind::Return };
        let (to_master, to_node) = (Subject::Master(owner.master), Subject::WorkerNode(node.id()));
        let mut genuine = Vec::new();
        let beat = master.seal(Subject::Masters, wire::encode(&beat)).expect("for all");
        assert!(node.open(Time::ZERO, Subject::Masters, &beat).is_ok());
        genuine.push((Subject::Masters, beat));
        let word = node.seal(Time::ZERO, to_master, wire::encode(&word)).expect("the master is known");
        assert!(master.open(Time::ZERO, to_master, &word).is_ok());
        genuine.push((to_master, word));
        let order = master.seal(to_node, wire::encode(&order)).expect("the worker node is known");
        assert!(node.open(Time::ZERO, to_node, &order).is_ok());
        genuine.push((to_node, order));
        Self { master, node, genuine }
    }

    fn is_opened(&mut self, subject: Subject, bytes: &[u8]) -> bool {
        let opened = match subject {
            Subject::Master(_) => self.master.open(Time::ZERO, subject, bytes),
            _ => self.node.open(Time::ZERO, subject, bytes),
        };
        // Those of other versions are passed on, and refused where they are read.
        opened.is_ok_and(|message| message.first() == Some(&wire::VERSION))
    }
}

thread_local!(static SEALED: RefCell<Sealed> = RefCell::new(Sealed::new()));

pub fn check(bytes: &[u8]) {
    SEALED.with_borrow_mut(|sealed| {
        for number in 0..sealed.genuine.len() {
            let (subject, mut message) = sealed.genuine[number].clone();
            assert!(!sealed.is_opened(subject, bytes));
            assert!(!sealed.is_opened(subject, &[&[wire::VERSION], bytes].concat()));
            for edit in bytes.chunks_exact(2) {
                let place = usize::from(edit[0]) % message.len();
                message[place] ^= edit[1];
            }
            assert!(!sealed.is_opened(subject, &message), "not even what is as it was: it has been heard");
        }
    });
}
