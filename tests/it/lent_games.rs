//! Tests where games on other machines are shown: in the list of machines, on the machine's web page, and on the
//! caller's web page.
#![cfg(target_os = "linux")]

use crate::job::Job;
use crate::nats::Server;
use crate::program::mock;
use serde_json::Value;
use std::io::{BufRead, BufReader, Read, Write};
use std::net::TcpStream;
use std::process::Child;
use std::time::{Duration, Instant};

/// Time limit for every expected event.
const TIMEOUT: Duration = Duration::from_secs(60);

/// A process that is killed at the end of the test.
struct Guard(Child);

impl Drop for Guard {
    fn drop(&mut self) {
        let _ = self.0.kill();
        let _ = self.0.wait();
    }
}

/// Finds the first address in the lines of an output.
fn address(lines: impl Read) -> String {
    let found = BufReader::new(lines).lines().map_while(Result::ok);
    let line = found.map(|line| line.split_once("web page: http://").map(|(_, rest)| rest.to_owned()));
    line.flatten().next().unwrap().trim_end_matches('/').to_owned()
}

fn get(host: &str, path: &str) -> String {
    let mut stream = TcpStream::connect(host).unwrap();
    write!(stream, "GET {path} HTTP/1.1\r\nHost: {host}\r\nConnection: close\r\n\r\n").unwrap();
    let mut answer = String::new();
    stream.read_to_string(&mut answer).unwrap();
    answer
}

/// Calls `look` until its result contains all texts in `wanted`.
fn until(mut look: impl FnMut() -> String, wanted: &[&str]) -> String {
    let begun = Instant::now();
    loop {
        let found = look();
        if wanted.iter().all(|part| found.contains(part)) {
            return found;
        }
        assert!(begun.elapsed() < TIMEOUT, "expected {wanted:?}, found {found}");
        std::thread::park_timeout(Duration::from_millis(20));
    }
}

#[test]
fn running_games_are_visible_to_all_observers() {
    let folder = tempfile::TempDir::new().unwrap();
    let Some(server) = Server::start(&["-js", "-sd", &folder.path().display().to_string()]) else { return };
    let (url, job) = (server.url(), Job::new("worker"));
    let (a, slow) = (format!("a={}", mock("")), format!("slow={}", mock("--talks 600000")));
    let plain = ["--connect", &url, "--name", "attic", "--games", "3", "--speed", "1000"];
    let _worker = Guard(job.start(&[&plain[..], &["--engine", &a, "--engine", &slow]].concat()));
    // The list of machines must contain a machine that has not played any game yet.
    let list = |more: &[&str]| {
        let output = Job::new("workers").run(&[&["--connect", &url, "--wait", "0.3"], more].concat());
        String::from_utf8_lossy(&output.stdout).into_owned()
    };
    until(
        || list(&[]),
        &["machine attic, hasami ", "lends 3 games at a time, 0 running, 0 finished, 1000 nodes/s a game"],
    );
    let arguments = ["--engine", "name=A cmd=a", "--engine", "name=B cmd=slow", "--each", "movetime=600000"];
    let more = ["--games", "2", "--machines", &url, "--web", "127.0.0.1:0"];
    let mut caller = Guard(job.start_as("match", &[&arguments[..], &more].concat()));
    let page = address(caller.0.stdout.take().unwrap());
    let printed = until(|| list(&["--json"]), &["\"plies\":1,"]);
    let listed: Value = serde_json::from_str(printed.trim()).unwrap();
    let game = &listed["running"][0];
    assert_eq!((&listed["kind"], &listed["games_running"]), (&"game_machine".into(), &1.into()), "{listed}");
    assert_eq!((&game["match"], &game["game"]), (&"A vs B".into(), &1.into()), "{listed}");
    assert_eq!(game["players"].as_array().map(Vec::len), Some(2), "{listed}");
    // The caller's web page must show the state of the queue.
    until(|| get(&page, "/?lang=en"), &["1 being played, 0 waiting on the server"]);
}
