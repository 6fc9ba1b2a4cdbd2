//! Tests games on other machines with a real NATS server with JetStream. Even if machines, the server or the caller are
//! killed or suspended, every game must be counted exactly once.
#![cfg(target_os = "linux")]

use crate::job::Job;
use crate::nats::{Server, Stranger};
use crate::program::mock;
use rand::rngs::StdRng;
use rand::{Rng, SeedableRng};
use rustix::process::{Pid, Signal, kill_process};
use serde_json::Value;
use std::collections::{BTreeMap, BTreeSet};
use std::io::Read;
use std::process::{Child, Output};
use std::time::{Duration, Instant};

/// Time limit for every expected event.
const TIMEOUT: Duration = Duration::from_secs(120);

/// A JetStream server that stores its streams in a folder, and a job that runs the machines.
struct Net {
    server: Server,
    workers: Job,
    _folder: tempfile::TempDir,
}

impl Net {
    fn start() -> Option<Self> {
        let folder = tempfile::TempDir::new().unwrap();
        let path = folder.path().display().to_string();
        let server = Server::start(&["-js", "-sd", &path])?;
        Some(Self { server, workers: Job::new("worker"), _folder: folder })
    }

    /// Starts a machine that lends games between two mock engines with the names `a` and `b`.
    fn worker(&self, name: &str, more: &[&str]) -> Machine {
        let url = self.server.url();
        let (a, b) = (format!("a={}", mock("")), format!("b={}", mock("")));
        let plain =
            ["--connect", &url, "--name", name, "--games", "2", "--speed", "1000", "--engine", &a, "--engine", &b];
        Machine(self.workers.start(&[&plain, more].concat()))
    }

    fn contest<'a>(&self, url: &'a str, more: &[&'a str]) -> Vec<&'a str> {
        let plain = ["--engine", "name=A cmd=a", "--engine", "name=B cmd=b", "--each", "nodes=1000", "--machines", url];
        [&plain, more].concat()
    }
}

/// A process that is killed at the end of the test.
struct Machine(Child);

impl Machine {
    fn signal(&self, signal: Signal) {
        kill_process(Pid::from_child(&self.0), signal).unwrap();
    }

    fn ends_well(&mut self) {
        let (status, mut errors_text) = (self.0.wait().unwrap(), String::new());
        self.0.stderr.take().map(|mut errors| errors.read_to_string(&mut errors_text));
        assert!(status.success(), "{status}: {errors_text}");
    }
}

impl Drop for Machine {
    fn drop(&mut self) {
        let _ = self.0.kill();
        let _ = self.0.wait();
    }
}

fn text(output: &Output) -> String {
    format!("{}{}", String::from_utf8_lossy(&output.stdout), String::from_utf8_lossy(&output.stderr))
}

/// Reads the games in a journal, by number. Fails if a game occurs twice.
fn games(job: &Job) -> BTreeMap<u64, Value> {
    let mut games = BTreeMap::new();
    for line in job.text("match.jsonl").lines().skip(1) {
        let line: Value = serde_json::from_str(line).unwrap();
        let Some(number) = line["game"].as_u64() else { continue };
        assert!(games.insert(number, line).is_none(), "game {number} occurs twice");
    }
    games
}

fn count(job: &Job) -> usize {
    std::fs::read_to_string(job.path("match.jsonl")).map_or(0, |text| text.matches("\n{\"game\":").count())
}

fn moves(game: &Value) -> String {
    let moves = game["record"]["moves"].as_array().unwrap();
    moves.iter().map(|played| played["m"].as_str().unwrap()).collect::<Vec<_>>().join(" ")
}

/// Waits until the caller has ended (returns true) or its journal contains `wanted` games (returns false).
fn until(caller: &mut Child, job: &Job, wanted: usize) -> bool {
    let deadline = Instant::now() + TIMEOUT;
    loop {
        if caller.try_wait().unwrap().is_some() {
            return true;
        }
        if count(job) >= wanted {
            return false;
        }
        assert!(Instant::now() < deadline, "expected {wanted} games, found {}", count(job));
        std::thread::park_timeout(Duration::from_millis(5));
    }
}

const BOOK: &str = "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1\n\
                    rnbqkbnr/pppp1ppp/8/4p3/4P3/8/PPPP1PPP/RNBQKBNR w KQkq - hmvc 0; fmvn 2;\n\
                    rnbqkbnr/ppp1pppp/8/3p4/3P4/8/PPP1PPPP/RNBQKBNR w KQkq - hmvc 0; fmvn 2;\n";

#[test]
fn no_game_is_lost_or_counted_twice_whatever_is_killed() {
    let Some(mut net) = Net::start() else { return };
    let seed = 7;
    println!("seed {seed}");
    let (mut random, url) = (StdRng::seed_from_u64(seed), net.server.url());
    let job = Job::new("match");
    std::fs::write(job.path("book.epd"), BOOK).unwrap();
    let more = ["--games", "24", "--maxmoves", "12", "--openings", "book.epd", "--quiet", "--journal", "match.jsonl"];
    let arguments = net.contest(&url, &more);
    let mut workers: Vec<Machine> = (0..4).map(|n| net.worker(&format!("pc{n}"), &[])).collect();
    let mut caller = Machine(job.start(&arguments));
    let (mut faults, mut wanted) = (BTreeMap::<&str, u32>::new(), 0);
    loop {
        // Before the next fault, some more games must be played, so that a restarted caller has connected to the
        // server.
        wanted = wanted.max(count(&job)) + random.random_range(2..7);
        if until(&mut caller.0, &job, wanted) || wanted >= 24 {
            break;
        }
        let n = random.random_range(0..4);
        let fault = ["kill", "freeze", "server", "caller"][random.random_range(0..4)];
        *faults.entry(fault).or_default() += 1;
        match fault {
            "kill" => workers[n] = net.worker(&format!("pc{n}"), &[]),
            "freeze" => {
                // A suspended machine continues after the caller and the server consider it lost, or stays suspended
                // until it is killed.
                workers[n].signal(Signal::STOP);
                let m = (n + 1) % 4;
                workers[m].signal(Signal::CONT);
            }
            "server" => {
                net.server.stop();
                net.server.go_on();
            }
            _ => {
                drop(caller);
                let again = if count(&job) > 0 { [&arguments[..], &["--resume"]].concat() } else { arguments.clone() };
                caller = Machine(job.start(&again));
            }
        }
    }
    workers.iter().for_each(|worker| worker.signal(Signal::CONT));
    until(&mut caller.0, &job, usize::MAX);
    println!("{faults:?}");
    caller.ends_well();
    let played = games(&job);
    assert_eq!(played.keys().copied().collect::<BTreeSet<_>>(), (0..24).collect());
    for pair in 0..12 {
        let machines = [2 * pair, 2 * pair + 1].map(|game| played[&game]["machine"]["name"].as_str().unwrap());
        assert_eq!(machines[0], machines[1], "the games of pair {pair} were played on different machines");
    }
    // For comparison, the same match is played without other machines.
    let here = Job::new("match");
    std::fs::write(here.path("book.epd"), BOOK).unwrap();
    let (a, b) = (format!("name=A cmd=\"{}\"", mock("")), format!("name=B cmd=\"{}\"", mock("")));
    let output = here.run(&[&["--engine", &a, "--engine", &b, "--each", "nodes=1000"][..], &more].concat());
    assert!(output.status.success(), "{output:?}");
    for (number, game) in games(&here) {
        assert_eq!(moves(&game), moves(&played[&number]), "game {number}");
        assert_eq!(game["record"]["result"], played[&number]["record"]["result"]);
    }
}

#[test]
fn records_name_the_machine_and_engines_are_its_owners() {
    let Some(net) = Net::start() else { return };
    let (url, job) = (net.server.url(), Job::new("match"));
    let _worker = net.worker("attic", &[]);
    std::fs::write(job.path("book.epd"), BOOK).unwrap();
    let files = ["--openings", "book.epd", "--pgn", "x.pgn", "--json", "x.json", "--journal", "match.jsonl"];
    let output = job.run(&net.contest(&url, &[&["--games", "4", "--maxmoves", "4"], &files[..]].concat()));
    let printed = text(&output);
    assert!(output.status.success(), "{printed}");
    assert!(printed.contains("Ptnml(0-2): [0, 0, 2, 0, 0]"), "{printed}");
    assert!(printed.lines().any(|line| line.starts_with("Machine ")) && printed.contains("0/2/0"), "{printed}");
    let pgn = job.text("x.pgn");
    assert_eq!(pgn.matches("[Site \"attic (").count(), 4, "{pgn}");
    let machine = &games(&job)[&0]["machine"];
    assert_eq!((&machine["speed"], &machine["version"]), (&1000.into(), &env!("CARGO_PKG_VERSION").into()));
    assert_eq!(machine["engines"].as_array().map(Vec::len), Some(2));
    // From the journal, `hasami results` prints a summary for a commit message.
    let block = text(&job.run_as("results", &["match.jsonl"]));
    assert!(block.contains("Ptnml(0-2): [0, 0, 2, 0, 0]") && block.contains("A: 1000 nodes (mock engine, "), "{block}");
    let without = text(&job.run_as("results", &["match.jsonl", "--without", "attic"]));
    assert_eq!(without, "A vs B: no games without those of attic\n");
    // Machines play only engines that their owners lend by name, so a path must be rejected.
    let path = format!("name=A cmd={}", env!("CARGO_BIN_EXE_mock-engine"));
    let output = job.run(&["--engine", &path, "--engine", "name=B cmd=b", "--each", "nodes=9", "--machines", &url]);
    assert!(text(&output).contains("expected cmd=NAME") && !output.status.success(), "{}", text(&output));
}

#[test]
fn options_are_reported_as_set_on_each_machine() {
    let Some(net) = Net::start() else { return };
    let (url, job, folder) = (net.server.url(), Job::new("match"), Job::new("worker"));
    std::fs::write(job.path("net.nn"), "weights").unwrap();
    std::fs::write(folder.path("own.nn"), "weights").unwrap();
    let own = folder.path("own.nn").display().to_string();
    let entry = |name: &str| {
        format!("[[engine]]\nname = '{name}'\ncommand = \"\"\"{}\"\"\"\noptions = {{ ", mock("--family --missing-book"))
    };
    let toml = format!("{}Hash = 16, Other = 1, EvalDir = '{own}' }}\n{}MultiPV = 1 }}\n", entry("a"), entry("b"));
    std::fs::write(folder.path("engines.toml"), toml).unwrap();
    let lend = |name: &str, engines: &[&str]| {
        let plain = ["--connect", &url, "--name", name, "--games", "2", "--speed", "1000"];
        Machine(folder.start(&[&plain, engines].concat()))
    };
    let play = |games: &str, more: &[&str]| {
        let engines =
            ["--engine", "name=A cmd=a option.Hash=8 option.Bogus=3 option.EvalDir=net.nn", "--engine", "name=B cmd=b"];
        let plain = ["--each", "tc=60+5", "--maxmoves", "4", "--quiet", "--journal", "match.jsonl", "--games", games];
        std::fs::write(job.path("file.toml"), "reference-speed = 1500\nopenings = 'startpos'\n").unwrap();
        let elsewhere = ["--machines", &url, "--file", "file.toml"];
        let output = job.run(&[&engines[..], &plain, &elsewhere, more].concat());
        assert!(output.status.success(), "{output:?}");
        text(&output)
    };
    let attic = lend("attic", &["--engines", "engines.toml"]);
    let printed = play("2", &[]);
    let wanted = "Warning: attic: A says: Error! : can't read file : book/standard_book.db\n";
    assert!(printed.contains(wanted), "{printed}");
    assert!(!printed.contains("settings of engine") && !printed.contains(&own), "{printed}");
    let results = |more: &[&str]| text(&job.run_as("results", &[&["match.jsonl"], more].concat()));
    let block = results(&[]);
    for wanted in [
        "\nA: 60+5 Hash=8 Bogus=3 EvalDir=net.nn (mock engine, a ",
        "\nA on attic: options of its owner: EvalDir=own.nn@9a129038d9a0 Hash=16 Other=1, not set: Bogus Other\n",
        "\nB: 60+5 (mock",
        "\nB on attic: options of its owner: MultiPV=1\n",
    ] {
        assert!(block.contains(wanted), "{wanted}: {block}");
    }
    assert!(block.contains("\nClocks scaled: attic x 1.50\n"), "{block}");
    drop(attic);
    let mock = mock("--family");
    let _barn = lend("barn", &["--engine", &format!("a={mock}"), "--engine", &format!("b={mock}")]);
    let resumed = play("4", &["--resume"]);
    let own_book = "may play from its own opening book; option.USI_OwnBook=false turns the book off\n";
    assert!(resumed.contains(own_book), "{resumed}");
    let block = results(&[]);
    let lines: Vec<&str> = block.lines().filter(|line| line.starts_with(['A', 'B', 'C'])).collect();
    // As in a match without machines, the engine's program is listed before the files that its options name.
    let (first, second) = (lines[0].split_once(" (mock engine, a ").unwrap(), lines[3]);
    assert!(first.0 == "A: 60+5 Hash=8 Bogus=3 EvalDir=net.nn" && first.1.contains(", EvalDir "), "{block}");
    assert!(second.starts_with("B: 60+5 (mock engine, b "), "{block}");
    let wanted = [
        "A on barn: not set: Bogus",
        "A on attic: options of its owner: EvalDir=own.nn@9a129038d9a0 Hash=16 Other=1, not set: Bogus Other",
        "B on attic: options of its owner: MultiPV=1",
        "Clocks scaled: attic x 1.50, barn x 1.50",
    ];
    assert_eq!([&lines[1..3], &lines[4..6]].concat(), wanted, "{block}");
    let without = results(&["--without", "attic"]);
    assert!(without.contains("\nA on barn: not set: Bogus\n") && !without.contains("A on attic"), "{without}");
    play("6", &["--resume"]);
}

#[test]
fn machines_without_a_tuned_parameter_end_the_tuning() {
    let Some(net) = Net::start() else { return };
    let (url, job, folder) = (net.server.url(), Job::new("tune"), Job::new("worker"));
    let planted = mock("--planted");
    let toml = format!("[[engine]]\nname = 'a'\ncommand = \"\"\"{planted}\"\"\"\noptions = {{ Margin = 30 }}\n");
    std::fs::write(folder.path("engines.toml"), toml).unwrap();
    let lend = |name: &str, engines: [&str; 2]| {
        let plain = ["--connect", &url, "--name", name, "--games", "2", "--speed", "1000"];
        Machine(folder.start(&[&plain[..], &engines].concat()))
    };
    let tune = |journal: &str, parameter: &str| {
        let plain =
            ["--game", "shogi", "--machines", &url, "--engine", "cmd=a", "--each", "nodes=1", "--iterations", "2"];
        let output = job.run(&[&plain[..], &["--journal", journal, "--parameter", parameter]].concat());
        (output.status.code(), text(&output))
    };
    let refused = |journal: &str, parameter: &str, why: &str| {
        let (code, printed) = tune(journal, parameter);
        assert!(code != Some(0) && printed.contains(why), "{printed}");
    };
    let own = format!("a={planted}");
    let attic = lend("attic", ["--engine", &own]);
    refused("1.jsonl", "Margn=20,0,200", "the engine has no option Margn on attic; leave the machine out");
    let wide = "the engine does not take all values of the range of Margin on attic";
    refused("2.jsonl", "Margin=700,0,900", wide);
    drop(attic);
    let cellar = lend("cellar", ["--engines", "engines.toml"]);
    refused("3.jsonl", "Margin=20,0,200", "the owner of the machine sets Margin on cellar");
    drop(cellar);
    let _attic = lend("attic", ["--engine", &own]);
    let (code, printed) = tune("4.jsonl", "Margin=20,0,200");
    assert!(code == Some(0) && printed.contains("iteration 2/2: Margin "), "{printed}");
}

#[test]
fn a_decided_match_ends_on_all_machines_within_two_seconds() {
    let Some(net) = Net::start() else { return };
    let url = net.server.url();
    let _workers: Vec<Machine> = (0..2)
        .map(|n| net.worker(&format!("pc{n}"), &["--engine", &format!("slow={}", mock("--talks 600000"))]))
        .collect();
    let job = Job::new("match");
    let arguments =
        ["--engine", "name=A cmd=a", "--engine", "name=B cmd=slow", "--each", "movetime=600000", "--machines", &url];
    let arguments = [&arguments[..], &["--games", "8"]].concat();
    let mut caller = Machine(job.start(&arguments));
    let engines = || net.workers.processes().iter().filter(|folder| is_mock(folder)).count();
    let wait = |what: &str, wanted: &dyn Fn(usize) -> bool| {
        let begun = Instant::now();
        while !wanted(engines()) {
            assert!(begun.elapsed() < TIMEOUT, "expected {what}, found {}", engines());
            std::thread::park_timeout(Duration::from_millis(5));
        }
        begun.elapsed()
    };
    // The server must store more engines than a machine tries when it starts.
    wait("engines", &|count| count >= 4);
    caller.signal(Signal::INT);
    caller.0.wait().unwrap();
    let took = wait("no engines", &|count| count == 0);
    println!("{took:?}");
    assert!(took < Duration::from_secs(4), "{took:?}");
}

fn is_mock(folder: &std::path::Path) -> bool {
    let program = std::fs::read(folder.join("cmdline")).unwrap_or_default();
    program.split(|&byte| byte == 0).next().is_some_and(|program| program.ends_with(b"mock-engine"))
}

#[test]
fn a_missing_jetstream_is_reported_with_the_remedy() {
    let Some(server) = Server::start(&[]) else { return };
    let (url, job) = (server.url(), Job::new("match"));
    let output =
        job.run(&["--engine", "name=A cmd=a", "--engine", "name=B cmd=b", "--each", "nodes=9", "--machines", &url]);
    let printed = text(&output);
    assert!(printed.contains("cannot use JetStream (nats-server -js -sd FOLDER"), "{printed}");
    assert_eq!(printed.lines().count(), 1, "{printed}");
}

#[test]
fn differing_programs_and_unknown_machine_names_are_reported() {
    let Some(net) = Net::start() else { return };
    let (url, job) = (net.server.url(), Job::new("match"));
    std::fs::write(job.path("book.epd"), BOOK).unwrap();
    let more = ["--maxmoves", "4", "--openings", "book.epd", "--quiet", "--journal", "match.jsonl"];
    let contest = |games: &str, last: &[&str]| {
        let output = job.run(&net.contest(&url, &[&more[..], &["--games", games], last].concat()));
        assert!(output.status.success(), "{output:?}");
        text(&output)
    };
    let worker = net.worker("attic", &[]);
    let printed = contest("2", &["--without", "nobody"]);
    // The warning about `nobody` must be printed twice: during the match and at its end.
    let strange = "--without nobody: no machine of this name is here (here: attic)";
    assert_eq!(printed.matches(strange).count(), 2, "{printed}");
    assert!(!printed.contains("not the same program"), "{printed}");
    drop(worker);
    let _worker = net.worker("cellar", &["--engine", &format!("b={}", env!("CARGO_BIN_EXE_hasami"))]);
    let printed = contest("4", &["--resume"]);
    let line = |start: &str| printed.lines().filter(|line| line.starts_with(start)).count();
    assert_eq!(line("B is not the same program everywhere: 'Hasami"), 1, "{printed}");
    assert_eq!(line("A "), 0, "{printed}");
    let output = job.run_as("results", &["match.jsonl", "--without", "nobody"]);
    assert!(text(&output).contains("'nobody' is not a machine of the journal (attic, cellar)"), "{output:?}");
    assert!(!output.status.success());
}

#[test]
fn engines_that_do_not_run_are_rejected_at_the_start() {
    let job = Job::new("worker");
    let refused_with = |more: [&str; 2]| {
        let plain = ["--connect", "nats://127.0.0.1:1", "--games", "1", "--speed", "9"];
        let output = job.run(&[&plain[..], &more].concat());
        assert!(!output.status.success(), "{output:?}");
        let printed = text(&output);
        assert_eq!(printed.lines().count(), 1, "{printed}");
        printed
    };
    let refused = |engine: &str| refused_with(["--engine", engine]);
    assert!(refused_with(["--tb", "/nonexistent"]).contains("--tb: cannot use Syzygy tables"));
    assert!(refused("foo=/nonexistent").contains("engine foo (/nonexistent): cannot start '"));
    assert!(refused("foo=/dev/null").contains("engine foo (/dev/null): cannot start '"));
    assert!(refused("foo=true").contains("engine foo (true): no uciok: ended"));
}

#[test]
fn engines_are_added_to_the_store_and_removed() {
    let Some(net) = Net::start() else { return };
    let (url, job) = (net.server.url(), Job::new("workers"));
    let run = |more: &[&str]| text(&job.run(&[more, &["--connect", &url]].concat()));
    let added = run(&["--add-engine", &format!("foo={}", env!("CARGO_BIN_EXE_mock-engine"))]);
    assert!(added.starts_with("foo ") && added.ends_with(" bytes)\n"), "{added}");
    assert_eq!(run(&["--engines"]), added);
    let printed = run(&["--remove-engine", "foo"]);
    assert!(printed.starts_with("removed foo ") && printed.lines().count() == 1, "{printed}");
    for printed in [run(&["--remove-engine", "foo"]), run(&["--remove-engine", "bar"])] {
        assert!(printed.contains("'; 'hasami workers --engines' lists them"), "{printed}");
    }
}

#[test]
fn missing_files_and_passwords_are_reported() {
    let Some(net) = Net::start() else { return };
    let (url, job) = (net.server.url(), Job::new("match"));
    let output = job.run(&net.contest(&url, &["--each", "nodes=9 option.EvalFile=nonet.nn"]));
    let printed = text(&output);
    assert!(printed.contains("A: option.EvalFile=nonet.nn: expected a file of this machine"), "{printed}");
    assert!(printed.contains("found no file of this name") && printed.lines().count() == 1, "{printed}");
    // A NATS server without a configuration file accepts any password.
    let login = url.replace("nats://", "nats://me:secret@");
    let _worker = net.worker("attic", &[]);
    let more = ["--games", "2", "--maxmoves", "4", "--json", "x.json", "--journal", "match.jsonl"];
    let output = job.run(&net.contest(&login, &more));
    assert!(output.status.success() && !text(&output).contains("secret"), "{output:?}");
    for file in ["match.jsonl", "x.json"] {
        assert!(!job.text(file).contains("secret"), "{file}");
    }
    // The journal does not contain the user name and password, so the match continues only if the command line gives
    // them again.
    let output = job.run(&["--resume", "match.jsonl"]);
    let printed = text(&output);
    assert!(!output.status.success() && printed.contains("were left out, because files keep none"), "{printed}");
    let output = job.run(&net.contest(&login, &[&more[..], &["--resume"]].concat()));
    assert!(output.status.success() && text(&output).contains("continuing after 2 of 2 games"), "{output:?}");
}

#[test]
fn illegal_games_are_not_counted_and_their_machine_is_named() {
    let Some(net) = Net::start() else { return };
    let (url, first) = (net.server.url(), Job::new("match"));
    let more = ["--games", "2", "--maxmoves", "4", "--quiet", "--journal", "match.jsonl"];
    {
        let _worker = net.worker("attic", &[]);
        let output = first.run(&net.contest(&url, &more));
        assert!(output.status.success(), "{output:?}");
    }
    let played = games(&first);
    // The match is played again without a machine: the test itself publishes the results of the games.
    let job = Job::new("match");
    let caller = job.start(&net.contest(&url, &more));
    let deadline = Instant::now() + TIMEOUT;
    let id = loop {
        let text = std::fs::read_to_string(job.path("match.jsonl")).unwrap_or_default();
        if let Some(header) = text.lines().next().filter(|_| text.contains('\n')) {
            break serde_json::from_str::<Value>(header).unwrap()["id"].as_u64().unwrap();
        }
        assert!(Instant::now() < deadline, "expected a journal, found none");
        std::thread::park_timeout(Duration::from_millis(5));
    };
    let answer = |result: &str, ending: &str| {
        let mut records: Vec<Value> = played.values().map(|game| game["record"].clone()).collect();
        (records[1]["result"], records[1]["ending"]) = (result.into(), ending.into());
        let games: Vec<(usize, Value)> = records.into_iter().enumerate().collect();
        let played_games = serde_json::json!({
            "games": games, "faults": [], "notes": [], "settings": [{}, {}], "declared": []
        });
        serde_json::json!({ "machine": played[&0]["machine"], "content": { "Games": played_games } }).to_string()
    };
    let (mut stranger, pong) = Stranger::come(net.server.port);
    assert_eq!(pong, "PONG");
    let subject = format!("hasami.1.answers.{id:016x}.0");
    let right = |word: &str| played[&1]["record"][word].as_str().unwrap().to_owned();
    let (result, ending) = (right("result"), right("ending"));
    for (result, ending) in [("1-0", &*ending), ("1-0", "tablebase"), (&*result, &*ending)] {
        stranger.publish(&subject, answer(result, ending).as_bytes());
    }
    stranger.flush();
    let output = caller.wait_with_output().unwrap();
    let printed = text(&output);
    assert!(output.status.success(), "{printed}");
    assert!(
        printed.contains("attic sent games that the rules contradict; not counted: game 2: the result is 1-0 by "),
        "{printed}"
    );
    assert!(
        printed.contains("the result is 1-0 by tablebase, but the moves give 1/2-1/2")
            && printed.contains("attic: it sent 2 answers that the rules of the game contradict"),
        "{printed}"
    );
    assert_eq!(games(&job).len(), 2);
}
