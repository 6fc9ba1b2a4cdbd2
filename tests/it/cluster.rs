//! Tests workers on other machines with a real NATS server: they join and leave while games continue.
#![cfg(target_os = "linux")]

use crate::job::Job;
use crate::nats::{Server, Stranger};
use crate::program::{Board, Program, mock};
use crate::prometheus;
use hasami_chess::Chess;
use hasami_shogi::Shogi;
use rand::rngs::StdRng;
use rand::{Rng, SeedableRng};
use serde_json::Value;
use std::io::{Read, Write};
use std::net::TcpStream;
use std::process::Child;
use std::time::{Duration, Instant};

const START: &str = "position startpos";

/// A `hasami worker` process that is killed at the end of the test.
struct Machine(Child);

impl Machine {
    fn start(job: &Job, server: &Server, name: &str, more: &[&str]) -> Self {
        let url = server.url();
        let arguments = [&["--connect", &url, "--name", name, "--hash", "2"], more].concat();
        Self(job.start(&arguments))
    }
}

impl Drop for Machine {
    fn drop(&mut self) {
        let _ = self.0.kill();
        let _ = self.0.wait();
    }
}

fn engine(greeting: &str, server: &Server, threads: u32) -> Program {
    let mut program = Program::start();
    program.tell(greeting);
    program.expect(&format!("{greeting}ok"));
    program.tell(&format!("setoption name Threads value {threads}"));
    program.tell(&format!("setoption name Cluster value {}", server.url()));
    program
}

/// Runs `hasami workers --json` and returns its parsed output.
fn roll(server: &Server) -> Vec<Value> {
    let output = Job::new("workers").run(&["--connect", &server.url(), "--json", "--wait", "0.3"]);
    let text = String::from_utf8(output.stdout).unwrap();
    text.lines().map(|line| serde_json::from_str(line).unwrap()).collect()
}

/// Runs `hasami workers` repeatedly until its output satisfies the condition `is_so`.
fn until(server: &Server, what: &str, is_so: impl Fn(&[Value]) -> bool) {
    let deadline = Instant::now() + Duration::from_secs(20);
    loop {
        let cards = roll(server);
        if is_so(&cards) {
            return;
        }
        assert!(Instant::now() < deadline, "expected {what}, found {cards:#?}");
    }
}

fn machines(cards: &[Value]) -> usize {
    cards.iter().filter(|card| card["kind"] == "machine").count()
}

/// Returns the number of workers that the only master uses.
fn workers(cards: &[Value]) -> Option<u64> {
    cards.iter().find(|card| card["kind"] == "master")?["workers"].as_u64()
}

#[test]
fn machines_come_and_go_while_a_game_is_played() {
    let Some(mut server) = Server::start(&[]) else { return };
    let seed = 1;
    println!("seed {seed}");
    let mut random = StdRng::seed_from_u64(seed);
    let job = Job::new("worker");
    let mut there = vec![Machine::start(&job, &server, "pc0", &["--threads", "2"])];
    let mut program = engine("usi", &server, 0);
    let mut board = Board::<Shogi>::new();
    for round in 0..12 {
        match random.random_range(0..3) {
            0 if there.len() > 1 => drop(there.remove(0)),
            1 if round == 6 => {
                server.stop();
                server.go_on();
            }
            _ => there.push(Machine::start(&job, &server, &format!("pc{round}"), &["--threads", "1"])),
        }
        let (best, took) = program.best_move(&board.position(), "go btime 0 wtime 0 byoyomi 300");
        assert!(took < Duration::from_secs(5), "{took:?}");
        board.play(&best);
    }
    drop(there);
    program.quit();
}

#[test]
fn a_local_thread_continues_when_all_machines_are_lost() {
    let Some(server) = Server::start(&[]) else { return };
    let job = Job::new("worker");
    let machine = Machine::start(&job, &server, "pc", &["--threads", "1"]);
    let mut program = engine("uci", &server, 0);
    let (_, _) = program.best_move(START, "go movetime 100");
    assert!(!program.said.iter().any(|line| line.contains("in-process")), "{:#?}", program.said);
    drop(machine);
    program.expect("info string cluster: pc is lost with 1 worker: ");
    for _ in 0..3 {
        program.best_move(START, "go movetime 100");
    }
    let notes = program.said.iter().filter(|line| line.contains("an in-process worker takes over")).count();
    assert_eq!(notes, 1, "{:#?}", program.said);
    assert!(has_thread(&program), "it searches");
    // With Threads set to 0, the GUI's machine stops searching when another machine has joined.
    let _machine = Machine::start(&job, &server, "pc", &["--threads", "1"]);
    program.expect("info string cluster: pc has come; 1 worker on 1 machine");
    assert!(!has_thread(&program), "it rests");
    let (best, _) = program.best_move(START, "go movetime 100");
    Board::<Chess>::new().play(&best);
    program.quit();
}

fn has_thread(program: &Program) -> bool {
    let tasks = std::fs::read_dir(format!("/proc/{}/task", program.process.id())).unwrap();
    let names = tasks.filter_map(|task| std::fs::read_to_string(task.ok()?.path().join("comm")).ok());
    names.into_iter().any(|name| name.trim() == "thread 1")
}

#[test]
fn workers_lists_members_and_their_activity() {
    let Some(server) = Server::start(&[]) else { return };
    let job = Job::new("worker");
    let child = mock("");
    let _machine = Machine::start(&job, &server, "pc", &["--threads", "1", "--child", &child, "--game", "chess"]);
    until(&server, "a machine", |cards| machines(cards) == 1);
    let mut program = engine("uci", &server, 0);
    program.tell("isready");
    program.expect("readyok");
    until(&server, "two workers", |cards| workers(cards) == Some(2));
    program.tell(START);
    program.tell("go infinite");
    until(&server, "two searches", |cards| {
        let slots = cards.iter().filter_map(|card| card["slots"].as_array()).flatten();
        slots.filter(|slot| slot["busy_ms"].is_u64() && slot["game"] == "chess").count() == 2
    });
    // Two seconds after a master has vanished, its workers must be free.
    program.process.kill().unwrap();
    let killed = Instant::now();
    until(&server, "free slots", |cards| {
        let mut slots = cards.iter().filter_map(|card| card["slots"].as_array()).flatten();
        slots.all(|slot| slot["busy_ms"].is_null())
    });
    // The limit is 6 s, because each run of `hasami workers` takes about a second.
    assert!(killed.elapsed() < Duration::from_secs(6), "{:?}", killed.elapsed());
    program.wait_gone();
}

#[test]
fn anonymous_connections_are_local_only() {
    for (arguments, expected) in [
        (
            ["--connect", "nats://pc2"],
            "hasami: --connect: a server beyond this machine needs credentials: a creds file, \
             nats://USER:PASSWORD@pc2 or nats://TOKEN@pc2\n",
        ),
        (["--connect", "gopher://x"], "hasami: --connect: expected nats://HOST or tls://HOST, found 'gopher://x'\n"),
    ] {
        for subcommand in ["worker", "workers"] {
            let output = Job::new(subcommand).run(&arguments);
            assert_eq!((output.status.code(), String::from_utf8(output.stderr).unwrap().as_str()), (Some(2), expected));
        }
    }
    let mut program = Program::start();
    program.tell("uci");
    program.expect("uciok");
    program.tell("setoption name Cluster value nats://pc2");
    program.tell("isready");
    program.expect("info string Cluster: cannot join: a server beyond this machine needs credentials");
    program.expect("readyok");
    program.quit();
}

#[test]
fn clients_without_credentials_are_rejected() {
    let Some(server) = Server::start(&["--user", "me", "--pass", "secret"]) else { return };
    let (_, answer) = Stranger::come(server.port);
    assert!(answer.contains("Authorization Violation"), "{answer}");
    let url = format!("nats://me:secret@127.0.0.1:{}", server.port);
    let output = Job::new("workers").run(&["--connect", &server.url(), "--wait", "0.1"]);
    let text = String::from_utf8(output.stderr).unwrap();
    assert!(text.contains(": authorization violation"), "{text}");
    assert_eq!(output.status.code(), Some(1));
    let output = Job::new("workers").run(&["--connect", &url, "--wait", "0.1"]);
    let text = String::from_utf8(output.stderr).unwrap();
    assert!(text.contains("nobody answered in 0.1 s"), "{text}");
}

#[test]
fn invalid_and_old_messages_change_nothing() {
    let Some(server) = Server::start(&[]) else { return };
    let seed = 2;
    println!("seed {seed}");
    let mut random = StdRng::seed_from_u64(seed);
    let job = Job::new("worker");
    let _machine = Machine::start(&job, &server, "pc", &["--threads", "1"]);
    let (mut spy, _) = Stranger::come(server.port);
    spy.listen("hasami.>");
    let mut program = engine("uci", &server, 0);
    program.best_move(START, "go movetime 200");
    let overheard: Vec<(String, Vec<u8>)> = (0..20).map(|_| spy.hear()).collect();
    let (mut rogue, answer) = Stranger::come(server.port);
    assert_eq!(answer, "PONG");
    for _ in 0..1_000 {
        let (subject, mut bytes) = overheard[random.random_range(0..overheard.len())].clone();
        match random.random_range(0..4) {
            0 => {}
            1 => bytes.truncate(random.random_range(0..=bytes.len())),
            2 => bytes = (0..random.random_range(0..200)).map(|_| random.random()).collect(),
            _ => bytes.resize(70_000, random.random()),
        }
        rogue.publish(&subject, &bytes);
    }
    rogue.flush();
    let (best, took) = program.best_move(START, "go movetime 200");
    Board::<Chess>::new().play(&best);
    assert!(took < Duration::from_millis(1_500), "{took:?}");
    assert!(!program.said.iter().any(|line| line.contains("lost")), "{:#?}", program.said);
    until(&server, "one worker", |cards| machines(cards) == 1 && workers(cards) == Some(1));
    program.quit();
}

#[test]
fn a_rejected_login_ends_a_worker_with_a_special_exit_code() {
    let Some(server) = Server::start(&["--user", "me", "--pass", "secret"]) else { return };
    let url = format!("nats://me:s3cret@127.0.0.1:{}", server.port);
    let refused = format!("cannot log in to the NATS server at nats://127.0.0.1:{}: ", server.port);
    for lent in [["--threads", "1", "--hash", "2"], ["--games", "1", "--speed", "1000"]] {
        let arguments = [&["--connect", &url, "--login-patience", "0.5"], &lent[..]].concat();
        let output = Job::new("worker").run(&arguments);
        let text = String::from_utf8(output.stderr).unwrap();
        assert!(text.contains(&format!("{refused}authorization violation; trying again\n")), "{text}");
        assert!(text.contains(&format!("hasami: {refused}authorization violation, for ")), "{text}");
        assert!(!text.contains("s3cret"), "{text}");
        assert_eq!(output.status.code(), Some(3), "{text}");
    }
}

/// Returns the HTTP response for a path on a server of this machine.
fn fetched(address: &str, path: &str) -> String {
    let mut stream = TcpStream::connect(address).unwrap();
    write!(stream, "GET {path} HTTP/1.1\r\nHost: {address}\r\nConnection: close\r\n\r\n").unwrap();
    let mut text = String::new();
    stream.read_to_string(&mut text).unwrap();
    text
}

#[test]
fn masters_serve_metrics() {
    let Some(server) = Server::start(&[]) else { return };
    let job = Job::new("worker");
    let _machine = Machine::start(&job, &server, "pc", &["--threads", "1"]);
    let mut program = engine("uci", &server, 0);
    program.tell("setoption name WebPage value 127.0.0.1:0");
    let page = program.expect("info string web page: http://");
    program.best_move(START, "go movetime 200");
    let page = page.trim_start_matches("info string web page: http://").trim_end_matches('/');
    let deadline = Instant::now() + Duration::from_secs(20);
    // On a busy machine, the master may learn only after a while what the worker node lends.
    loop {
        let text = fetched(page, "/metrics");
        let known = ["hasami_moves_total 1\n", "hasami_master_machines 1\n", "hasami_master_connected 1\n"];
        if known.iter().all(|figure| text.contains(figure)) {
            break;
        }
        assert!(Instant::now() < deadline, "{text}");
    }
    prometheus::check(&[page]);
    program.quit();
}

#[test]
fn a_log_shows_no_password() {
    let folder = tempfile::tempdir().unwrap();
    let log = folder.path().join("log");
    let mut program = Program::start();
    program.tell("uci");
    program.expect("uciok");
    program.tell(&format!("setoption name DebugLogFile value {}", log.display()));
    program.tell("setoption name Cluster value nats://me:s3cret@127.0.0.1:9");
    program.tell("isready");
    program.expect("readyok");
    program.quit();
    let text = std::fs::read_to_string(log).unwrap();
    assert!(text.contains("nats://...@127.0.0.1:9") && !text.contains("s3cret"), "{text}");
}

/// Solves a list of problems with the machines that are connected to a server, and returns the fields of each answer.
fn solved(server: &Server, list: &str, more: &[&str]) -> Vec<Vec<String>> {
    let job = Job::new("solve");
    std::fs::write(job.path("list.tsv"), list).unwrap();
    let url = server.url();
    let output = job.run(&[&["list.tsv", "--connect", url.as_str()], more].concat());
    assert_eq!(output.status.code(), Some(0), "{}", String::from_utf8_lossy(&output.stderr));
    let text = String::from_utf8(output.stdout).unwrap();
    let lines = text.lines().filter(|line| !line.starts_with('#'));
    lines.map(|line| line.split('\t').map(str::to_owned).collect()).collect()
}

#[test]
fn cells_on_other_machines_solve_mates() {
    let Some(server) = Server::start(&[]) else { return };
    let job = Job::new("worker");
    let _machines = ["pc1", "pc2"].map(|name| Machine::start(&job, &server, name, &["--threads", "1"]));
    until(&server, "two machines", |cards| machines(cards) == 2);
    let list = "9/4k4/9/4P4/9/9/9/9/9 b 2G\tgold\t1\n4k4/9/9/9/9/9/9/9/4K4 b P\tno\t-\n";
    for algorithm in ["cells", "parallel"] {
        let lines = solved(&server, list, &["--algorithm", algorithm]);
        assert_eq!(lines.iter().map(|line| line[1].as_str()).collect::<Vec<_>>(), ["mate", "nomate"], "{lines:?}");
    }
}

/// Solves a hard problem and the problems `easy` with a cluster whose only machine is lost at the beginning. Returns
/// the answers and the messages.
fn solved_after_a_loss(easy: &[&str], more: &[&str]) -> Option<(Vec<String>, String)> {
    let server = Server::start(&[])?;
    let job = Job::new("worker");
    let machine = Machine::start(&job, &server, "pc1", &["--threads", "1"]);
    until(&server, "a machine", |cards| machines(cards) == 1);
    let hard = "g1+P1k1+P+P+L/1p3P3/+R+p2pp1pl/1NNsg+p2+R/+b+nL+P1+p3/1P3ssP1/2P1+Ps2N/4+P1P1L/+B5G1g b - 1\thard\t-";
    let solving = Job::new("solve");
    std::fs::write(solving.path("list.tsv"), [&[hard], easy].concat().join("\n")).unwrap();
    let url = server.url();
    let arguments = [&["list.tsv", "--connect", &url], more].concat();
    let output = std::thread::scope(|scope| {
        let output = scope.spawn(|| solving.run(&arguments));
        until(&server, "a master", |cards| workers(cards) == Some(1));
        drop(machine);
        output.join().unwrap()
    });
    let text = String::from_utf8(output.stdout).unwrap();
    let answers = text.lines().filter_map(|line| line.split('\t').nth(1)).map(str::to_owned).collect();
    Some((answers, String::from_utf8(output.stderr).unwrap()))
}

#[test]
fn problems_after_a_loss_are_solved_by_the_remaining_machine() {
    let easy = ["9/4k4/9/4P4/9/9/9/9/9 b 2G\tone\t-", "9/4k4/9/4P4/9/9/9/9/9 b 2G\ttwo\t-"];
    let more = ["--algorithm", "cells", "--time", "5"];
    let Some((answers, printed)) = solved_after_a_loss(&easy, &more) else { return };
    assert_eq!(answers, ["unknown", "mate", "mate"], "{printed}");
    assert_eq!(printed.matches("pc1 is lost").count(), 1, "{printed}");
    assert_eq!(printed.matches("this machine goes on alone").count(), 1, "{printed}");
}

#[test]
fn invalid_arguments_of_a_worker_are_rejected() {
    let file = tempfile::NamedTempFile::new().unwrap();
    let empty = file.path().to_str().unwrap();
    let named = ["--connect", "nats://localhost"];
    for (arguments, expected) in [
        (&["--name", "a\nb"][..], "--name"),
        (&["--child", "/nonexistent"], "--child needs --game chess / shogi"),
        (&["--child", "/nonexistent", "--game", "chess"], "child engine nonexistent: "),
        (&["--creds", "/dev/null"], "/dev/null: cannot use a device, only a regular file"),
        (&["--tls-ca", "/dev/null"], "/dev/null: cannot use a device, only a regular file"),
        (&["--creds", empty], "': it has no user"),
        (&["--tls-ca", empty], "': it has none"),
    ] {
        let output = Job::new("worker").run(&[&named, arguments].concat());
        let text = String::from_utf8(output.stderr).unwrap();
        let found = text.lines().filter(|line| !line.contains("starts each child engine once")).count();
        assert!(text.contains(expected) && found == 1, "{text}");
        assert_eq!(output.status.code(), Some(2));
    }
}

#[test]
fn a_worker_without_permissions_ends() {
    let job = Job::new("worker");
    std::fs::write(job.path("server.conf"), "authorization { users: [ { user: me, password: x, permissions: { publish: \"hasami.2.>\", subscribe: \"other\" } } ] }").unwrap();
    let conf = job.path("server.conf");
    let Some(server) = Server::start(&["-c", conf.to_str().unwrap()]) else { return };
    let url = format!("nats://me:x@127.0.0.1:{}", server.port);
    let output = job.run(&["--connect", &url, "--threads", "1", "--hash", "2", "--name", "pc"]);
    let text = String::from_utf8(output.stderr).unwrap();
    assert!(text.contains("cannot use all the rights that docs/guide/cluster.md lists; nats://127.0.0.1:"), "{text}");
    assert!(text.contains("Permissions Violation for Subscription"), "{text}");
    assert_eq!(output.status.code(), Some(2));
    let position = ["--sfen", "9/4k4/9/4P4/9/9/9/9/9 b 2G 1"];
    for (subcommand, more, code) in [("workers", &["--wait", "0.5"], 1), ("solve", &position, 2)] {
        let output = Job::new(subcommand).run(&[&["--connect", url.as_str()], &more[..]].concat());
        let text = String::from_utf8(output.stderr).unwrap();
        assert!(text.contains("Permissions Violation"), "{subcommand}: {text}");
        assert_eq!(output.status.code(), Some(code));
    }
}

#[test]
fn a_match_needs_the_cluster_of_its_engines() {
    let Some(mut server) = Server::start(&[]) else { return };
    let job = Job::new("match");
    let [plain, other] = ["plain", "other"].map(|name| format!("name={name} cmd=\"{}\"", mock("")));
    let url = server.url();
    let arguments = [
        &["--connect", url.as_str(), "--engine", &plain, "--engine", &other][..],
        &["--each", "movetime=2000", "--maxmoves", "2", "--games", "4"],
    ];
    let text = String::from_utf8(job.run(&arguments.concat()).stderr).unwrap();
    for name in ["plain", "other"] {
        let line = format!("warning: {name} has no option Cluster and plays without\n");
        assert_eq!(text.matches(&line).count(), 1, "{text}");
    }
    server.stop();
    let output = job.run(&arguments.concat());
    let text = String::from_utf8(output.stderr).unwrap();
    assert!(text.contains("--connect: cannot connect to a NATS server at nats://127.0.0.1:"), "{text}");
    assert_eq!((output.status.code(), output.stdout.len()), (Some(1), 0));
}
