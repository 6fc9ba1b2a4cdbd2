//! Tests the whole path from a master to engines on worker nodes and back, over an in-memory broker.

use super::memory::MemoryBroker;
use super::*;
use crate::cluster::node_runtime::{NodeConfig, NodeEnd, serve};
use crate::cluster::{ClusterClient, MasterNetwork, identity as identity_of};
use crossbeam_channel::{Sender, bounded};
use hasami_api::Limits;
use hasami_nnue::{NetworkGame, OwnNetwork};
use hasami_workers::membership::Membership;
use hasami_workers::outside::Cluster;
use hasami_workers::{Bus, Inbox, Worker, WorkerNotice};
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::thread::{JoinHandle, spawn};
use std::time::Instant;

/// Timeout for each step, so long that a working program never reaches it, even on a busy machine.
const TIMEOUT: Duration = Duration::from_secs(60);

/// A running worker node, which ends when its `Machine` is dropped.
struct Machine {
    stop: Option<Sender<()>>,
    thread: Option<JoinHandle<Result<(), NodeEnd>>>,
}

impl Machine {
    fn start(broker: &MemoryBroker, game: &'static str) -> Self {
        Self::with_networks(broker, game, None, true)
    }

    fn with_networks(broker: &MemoryBroker, game: &'static str, networks: Option<PathBuf>, fetches: bool) -> Self {
        Self::noting(broker, game, networks, fetches, crossbeam_channel::unbounded().0)
    }

    fn noting(
        broker: &MemoryBroker,
        game: &'static str,
        networks: Option<PathBuf>,
        fetches: bool,
        notes: Sender<String>,
    ) -> Self {
        let (stop, stopped) = bounded(0);
        let (transport, games) = (Arc::new(broker.clone()), vec![hasami_games::find(game).unwrap()]);
        let (name, children) = ("pc".into(), Vec::new());
        let login_patience = TIMEOUT;
        let (threads, hash_mb) = (1, 1);
        let config =
            NodeConfig { name, transport, threads, hash_mb, children, networks, fetches, login_patience, games };
        let thread = spawn(move || serve(config, &stopped, Box::new(move |line| _ = notes.send(line.to_string()))));
        Self { stop: Some(stop), thread: Some(thread) }
    }
}

impl Drop for Machine {
    fn drop(&mut self) {
        self.stop.take();
        self.thread.take().unwrap().join().unwrap().unwrap();
    }
}

/// A master of a chess game, and the inbox for its events.
struct Master {
    inbox: Inbox,
    client: ClusterClient,
    said: Vec<String>,
}

impl Master {
    fn join(broker: &MemoryBroker) -> Self {
        Self::with_network(broker, None)
    }

    fn with_network(broker: &MemoryBroker, network: Option<MasterNetwork>) -> Self {
        let inbox = Inbox::default();
        let me = identity_of(&Membership::of("memory"), "chess");
        let client = ClusterClient::connect(broker, (me, network), inbox.events(), Bus::default()).unwrap();
        Self { inbox, client, said: Vec::new() }
    }

    /// Returns the next worker event, and keeps the lines for the user that arrive before it.
    fn event(&mut self) -> WorkerEvent {
        loop {
            let mut events = match self.inbox.notices().recv_timeout(TIMEOUT).unwrap() {
                WorkerNotice::Message(line) => {
                    self.said.push(line.to_string());
                    continue;
                }
                notice => self.inbox.open(notice, Instant::now()),
            };
            events.extend(self.inbox.flush(Instant::now()));
            if let Some(event) = events.into_iter().find(|event| !matches!(event, WorkerEvent::Report { .. })) {
                return event;
            }
        }
    }

    /// Accepts the next slot that is offered, and waits until its worker has joined.
    fn worker(&mut self, id: u32) -> Box<dyn Worker> {
        let worker = loop {
            if let WorkerNotice::SlotOffer(offer) = self.inbox.notices().recv_timeout(TIMEOUT).unwrap() {
                break (offer.accept)(WorkerId(id));
            }
        };
        let event = self.event();
        assert!(matches!(event, WorkerEvent::Joined { worker: WorkerId(joined), .. } if joined == id), "{event:?}");
        worker
    }

    fn search(&mut self, worker: &mut dyn Worker, id: u64) -> TaskEnd {
        let limits = Limits { depth: Some(2), ..Limits::default() };
        worker.start(TaskId(id), Task { limits, ..task(&["e2e4"]) });
        match self.event() {
            WorkerEvent::Ended { task, end, .. } if task == TaskId(id) => end,
            event => panic!("expected the end of task {id}, found {event:?}"),
        }
    }
}

fn is_move(end: &TaskEnd) -> bool {
    matches!(end, TaskEnd::Answer(Answer::Best { best: Some(_), .. }))
}

#[test]
fn a_task_is_searched_on_another_machine() {
    let broker = MemoryBroker::default();
    let _machine = Machine::start(&broker, "chess");
    let mut master = Master::join(&broker);
    let mut worker = master.worker(7);
    for id in 1..=3 {
        let end = master.search(worker.as_mut(), id);
        assert!(is_move(&end), "{end:?}");
    }
}

#[test]
fn a_connection_that_was_cut_is_restored() {
    let broker = MemoryBroker::default();
    let _machine = Machine::start(&broker, "chess");
    let mut master = Master::join(&broker);
    let mut worker = master.worker(7);
    broker.set_up(false);
    broker.set_up(true);
    let end = master.search(worker.as_mut(), 1);
    assert!(is_move(&end), "{end:?}");
    let lines = ["cluster: memory is cut off; trying again", "cluster: memory is connected again"];
    assert!(lines.iter().all(|line| master.said.iter().any(|said| said == line)), "{:?}", master.said);
}

#[test]
fn a_node_that_ends_is_lost_and_another_is_offered() {
    let broker = MemoryBroker::default();
    let machine = Machine::start(&broker, "chess");
    let mut master = Master::join(&broker);
    let _worker = master.worker(7);
    drop(machine);
    let event = master.event();
    assert!(matches!(event, WorkerEvent::Lost { worker: WorkerId(7), .. }), "{event:?}");
    let _machine = Machine::start(&broker, "chess");
    let mut worker = master.worker(8);
    let end = master.search(worker.as_mut(), 2);
    assert!(is_move(&end), "{end:?}");
    master.client.end();
}

/// A network of about three hundred pieces that evaluates every position as +1.23 for the side to move.
fn network(folder: &Path) -> MasterNetwork {
    let network = OwnNetwork {
        game: NetworkGame::Chess,
        width: 1024,
        scale: 100,
        description: "says 1.23".into(),
        buckets: (0..64).map(|square| square / 8).collect(),
        biases: vec![0; 1024],
        weights: vec![0; 1024 * 768 * 8],
        stacks: vec![(20_074, vec![0; 2048])],
    };
    let path = folder.join("network");
    std::fs::write(&path, network.to_bytes()).unwrap();
    MasterNetwork::open(&hasami_nnue::read(&network.to_bytes()).unwrap(), Some(&path)).unwrap()
}

/// Searches the initial position to depth 1 and returns the score in centipawns. The network evaluates each leaf for
/// the opponent, who is to move there.
fn score(master: &mut Master, worker: &mut dyn Worker, id: u64) -> i32 {
    let limits = Limits { depth: Some(1), ..Limits::default() };
    worker.start(TaskId(id), Task { limits, ..Task::default() });
    let mut score = None;
    loop {
        let notice = master.inbox.notices().recv_timeout(TIMEOUT).unwrap();
        let mut events = master.inbox.open(notice, Instant::now());
        events.extend(master.inbox.flush(Instant::now()));
        for event in events {
            match event {
                WorkerEvent::Report { report, .. } => score = Some(report.score.raw()),
                WorkerEvent::Ended { .. } => return score.unwrap(),
                _ => {}
            }
        }
    }
}

#[test]
fn the_masters_network_is_fetched_once_and_kept() {
    let folder = tempfile::tempdir().unwrap();
    let (broker, store) = (MemoryBroker::default(), folder.path().join("store"));
    let said = -126..=-120;
    {
        let _machine = Machine::with_networks(&broker, "chess", Some(store.clone()), true);
        let mut master = Master::with_network(&broker, Some(network(folder.path())));
        let mut worker = master.worker(7);
        assert!(said.contains(&score(&mut master, worker.as_mut(), 1)));
    }
    assert_eq!(std::fs::read_dir(&store).unwrap().count(), 1);
    // A second machine finds the network in the folder, and does not need the master's file.
    let _machine = Machine::with_networks(&broker, "chess", Some(store), false);
    let network = network(folder.path());
    std::fs::write(folder.path().join("network"), b"").unwrap();
    let mut master = Master::with_network(&broker, Some(network));
    let mut worker = master.worker(7);
    assert!(said.contains(&score(&mut master, worker.as_mut(), 1)));
}

#[test]
fn a_machine_that_fetches_nothing_does_not_serve_a_master_with_a_network() {
    let folder = tempfile::tempdir().unwrap();
    let broker = MemoryBroker::default();
    let (notes, noted) = crossbeam_channel::unbounded();
    let _machine = Machine::noting(&broker, "chess", None, false, notes);
    let with = network(folder.path());
    let id = with.id;
    let mut needs = Master::with_network(&broker, Some(with));
    let expected = format!("network {id}: it is not on this machine, which fetches none");
    loop {
        if noted.recv_timeout(TIMEOUT).unwrap() == expected {
            break;
        }
    }
    needs.client.end();
    let mut master = Master::join(&broker);
    let mut worker = master.worker(7);
    assert!(is_move(&master.search(worker.as_mut(), 1)));
}
