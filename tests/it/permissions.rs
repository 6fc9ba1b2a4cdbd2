//! Tests that with the server configuration for labs, no machine can impersonate or overhear another machine.
#![cfg(target_os = "linux")]

use crate::job::Job;
use crate::nats::{Server, Stranger};
use crate::program::{Board, Program};
use hasami_chess::Chess;
use hasami_remote::cluster::names::{Lease, Subject};
use hasami_remote::cluster::wire::{self, MasterOrder, NodeEvent, NodeMessage, OrderKind};
use std::path::Path;
use std::process::Child;
use std::time::{Duration, Instant};

struct Machine(Child);

impl Drop for Machine {
    fn drop(&mut self) {
        let _ = self.0.kill();
        let _ = self.0.wait();
    }
}

/// Starts a server with `lab-inside.conf`, in which each user's password is the user's name.
fn lab(job: &Job) -> Option<Server> {
    let file = Path::new(env!("CARGO_MANIFEST_DIR")).join("scripts/packaging/nats/lab-inside.conf");
    let mut text = std::fs::read_to_string(file).unwrap();
    for (secret, value) in [
        ("$HASAMI_PC1_PASSWORD", "pc1"),
        ("$HASAMI_PC2_PASSWORD", "pc2"),
        ("$HASAMI_ANNA_PASSWORD", "anna"),
        // No process listens on this address.
        ("$HASAMI_LEAF_URL", "nats://127.0.0.1:1"),
    ] {
        assert!(text.contains(secret), "{secret}");
        text = text.replace(secret, value);
    }
    std::fs::write(job.path("lab.conf"), text).unwrap();
    Server::start(&["-c", job.path("lab.conf").to_str().unwrap()])
}

fn url(server: &Server, user: &str) -> String {
    format!("nats://{user}:{user}@127.0.0.1:{}", server.port)
}

fn is_refused(answer: &str) -> bool {
    answer.starts_with("-ERR 'Permissions Violation for")
}

/// Starts an engine that uses the cluster as the user `anna`.
fn engine(server: &Server) -> Program {
    let mut program = Program::start();
    program.tell("uci");
    program.expect("uciok");
    program.tell("setoption name Threads value 0");
    program.tell(&format!("setoption name Cluster value {}", url(server, "anna")));
    program
}

#[test]
fn a_machine_of_a_lab_cannot_overhear_leases_or_speak_for_others() {
    let job = Job::new("worker");
    let Some(server) = lab(&job) else { return };
    // A second login as pc1 receives the messages that a spy must not overhear.
    let [mut own, mut spy] = ["pc1", "pc2"].map(|user| Stranger::login(server.port, user, user));
    own.listen("hasami.2.*.*.to.pc1.*");
    for secret in
        [">", "hasami.>", "hasami.2.>", "hasami.2.*.*.to.>", "hasami.2.*.*.to.pc1.*", "hasami.2.*.*.to.anna.*"]
    {
        assert!(is_refused(&spy.follow(secret)), "{secret}");
    }
    for open in ["beat", "news.>", "roll", "to.pc2.*"] {
        spy.listen(&format!("hasami.2.*.*.{open}"));
    }
    let words = ["--connect", &url(&server, "pc1"), "--name", "attic", "--threads", "1", "--hash", "2"];
    let _machine = Machine(job.start(&words));
    let mut program = engine(&server);
    let start = "position startpos";
    program.best_move(start, "go movetime 300");
    let (anna, pc1, lease) = loop {
        let (subject, bytes) = own.hear();
        let (from, to) = Subject::read(&subject).unwrap();
        if let (Subject::Member(pc1), Ok(MasterOrder { lease, what: OrderKind::Start { .. }, .. })) =
            (to, wire::decode(&bytes))
        {
            break (from, pc1, lease);
        }
    };
    assert_eq!((anna.user.to_string(), pc1.user.to_string()), ("anna".to_owned(), "pc1".to_owned()));

    // The spy must not have received the lease or any message about pc1's work.
    spy.flush();
    let overheard = spy.take();
    assert!(overheard.iter().any(|(subject, _)| subject.ends_with(".beat")), "{overheard:?}");
    for (subject, bytes) in &overheard {
        let has_lease = bytes.windows(8).any(|part| part == lease.0.to_le_bytes());
        assert!(!has_lease && !subject.contains(".to."), "{subject}");
    }

    let left = NodeEvent::Left { lease, why: "forged".into() };
    let left = wire::encode(&NodeMessage { serial: u64::MAX, say: left });
    let returned = wire::encode(&MasterOrder { lease, what: OrderKind::Return });
    let me = "hasami.2.pc2.00000000000000aa";
    // The server must reject messages that the spy sends as pc1, as anna, or as a master.
    for (subject, bytes) in [
        (Subject::Member(anna).of(pc1), &left),
        (Subject::Member(pc1).of(anna), &returned),
        (format!("{me}.beat"), &left),
    ] {
        spy.publish(&subject, bytes);
        assert!(is_refused(&spy.answer()), "{subject}");
    }
    // Under its own name, the spy may send messages to pc1 and anna, but even with the right lease such messages must
    // have no effect.
    for (to, bytes) in [(anna, &left), (pc1, &returned)] {
        spy.publish(&format!("{me}.to.{to}"), bytes);
        assert_eq!(spy.answer(), "PONG", "{to}");
    }
    let (best, took) = program.best_move(start, "go movetime 300");
    Board::<Chess>::new().play(&best);
    assert!(took < Duration::from_secs(3), "{took:?}");
    assert!(!program.said.iter().any(|line| line.contains("lost")), "{:#?}", program.said);
    let deadline = Instant::now() + Duration::from_secs(20);
    loop {
        let output = Job::new("workers").run(&["--connect", &url(&server, "anna"), "--json", "--wait", "0.3"]);
        let text = String::from_utf8(output.stdout).unwrap();
        if text.contains(&format!("\"id\":\"{pc1}\"")) && text.contains("\"workers\":1") {
            break;
        }
        assert!(Instant::now() < deadline, "{text}");
    }
    // The master's later orders must still contain the original lease.
    program.best_move(start, "go movetime 100");
    own.flush();
    let leases = own.take().into_iter().filter_map(|(_, bytes)| wire::decode::<MasterOrder>(&bytes).ok());
    let leases: Vec<Lease> = leases.map(|order| order.lease).collect();
    assert!(!leases.is_empty() && leases.iter().all(|used| *used == lease), "{lease:?}: {leases:?}");
    program.quit();
}
