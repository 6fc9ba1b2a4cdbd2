//! Tests `hasami tune` and `hasami selfplay`: where the journal of a tuning is kept, how a tuning is interrupted, and
//! which inputs are rejected.
#![cfg(target_os = "linux")]

use crate::job::Job;
use crate::program::mock;
use rustix::process::{Pid, Signal};
use std::io::{BufRead, BufReader};
use std::process::{Child, Output};
use std::time::Duration;

fn text(output: &Output) -> String {
    format!("{}{}", String::from_utf8_lossy(&output.stdout), String::from_utf8_lossy(&output.stderr))
}

fn engine(flags: &str) -> String {
    format!("cmd=\"{}\"", mock(flags))
}

/// Runs a tuning that plays only a few quick games.
fn tune(job: &Job, parameter: &str, iterations: &str, more: &[&str]) -> Output {
    let engine = engine("--planted");
    let words = ["--game", "shogi", "--engine", &engine, "--each", "nodes=1", "--parameter", parameter];
    job.run(&[&words[..], &["--iterations", iterations], more].concat())
}

fn interrupted(mut process: Child, signal: Signal) -> (Option<i32>, String) {
    rustix::process::kill_process(Pid::from_child(&process), signal).unwrap();
    let stdout = process.stdout.take();
    let output = process.wait_with_output().unwrap();
    drop(stdout);
    (output.status.code(), String::from_utf8_lossy(&output.stderr).into_owned())
}

#[test]
fn a_tuning_at_the_default_place_is_found_again() {
    let job = Job::new("tune");
    let first = text(&tune(&job, "Margin=20,0,200", "3", &[]));
    let path = first.lines().find_map(|line| line.strip_prefix("journal: ")).unwrap_or_else(|| panic!("{first}"));
    assert!(path.starts_with(&*job.path("state/hasami/tunings/").to_string_lossy()), "{first}");
    let whole = std::fs::read_to_string(path).unwrap();
    assert_eq!(whole.lines().count(), 4);
    // Shortens the journal as if the tuning had been killed during its second iteration.
    std::fs::write(path, whole.lines().take(2).map(|line| format!("{line}\n")).collect::<String>()).unwrap();
    assert!(text(&tune(&job, "Margin=20,0,200", "3", &[])).contains(&format!("journal: {path}\n")));
    let again = std::fs::read_to_string(path).unwrap();
    assert!(again.lines().count() == 4 && again.lines().take(2).eq(whole.lines().take(2)), "{again}");
    // A tuning with another number of iterations counts as a different tuning.
    let why = "the journal was made with iterations 3, but this command says 5";
    let other = text(&tune(&job, "Margin=20,0,200", "5", &[]));
    assert!(other.contains("journal: ") && !other.contains(path), "{other}");
    let named = tune(&job, "Margin=20,0,200", "5", &["--journal", path]);
    assert!(
        named.status.code() == Some(2) && text(&named).contains(&format!("{path}: line 1: {why}\n")),
        "{}",
        text(&named)
    );
}

#[test]
fn an_engine_without_the_option_is_not_played() {
    let job = Job::new("tune");
    let refused = tune(&job, "Margn=20,0,200", "3", &["--journal", "t.jsonl"]);
    let expected = "hasami: --parameter: mock-engine: the engine has no option '";
    assert!(refused.status.code() == Some(2) && text(&refused).starts_with(expected), "{}", text(&refused));
    assert!(!job.path("t.jsonl").exists());
}

#[test]
fn a_tuning_can_be_described_by_a_file() {
    let job = Job::new("tune");
    let engine = format!("cmd = \"\"\"{}\"\"\"\n", mock("--planted"));
    let text = "game = 'shogi'\ngames = 4\niterations = 3\nparameter = { Margin = '20,0,200' }\n[each]\nnodes = 1\n";
    std::fs::write(job.path("t.toml"), format!("{text}[[engine]]\n{engine}")).unwrap();
    let played = job.run(&["--file", "t.toml", "--journal", "t.jsonl"]);
    assert!(played.status.success() && self::text(&played).contains("Margin "), "{}", self::text(&played));
    let typed = tune(&job, "Margin=20,0,200", "3", &["--games", "4", "--journal", "t.jsonl"]);
    assert!(typed.status.success(), "expected the same tuning: {}", self::text(&typed));
}

#[test]
fn a_journal_in_use_by_a_tuning_is_locked() {
    let job = Job::new("tune");
    let engine = engine("--planted --deaf-to-go");
    let words = ["--game", "shogi", "--engine", &engine, "--each", "st=1000", "--parameter", "Margin=20,0,200"];
    let words = [&words[..], &["--journal", "t.jsonl"]].concat();
    let process = job.start(&words);
    while !std::fs::read_to_string(job.path("t.jsonl")).is_ok_and(|text| text.ends_with('\n')) {
        std::thread::park_timeout(Duration::from_millis(10));
    }
    let second = job.start(&words).wait_with_output().unwrap();
    let expected = "hasami: t.jsonl: cannot write the file: another run is using it\n";
    assert_eq!((second.status.code(), text(&second).as_str()), (Some(2), expected));
    assert_eq!(interrupted(process, Signal::INT).0, Some(1));
}

#[test]
fn an_interrupted_run_prints_how_to_continue() {
    let job = Job::new("tune");
    let engine = engine("--planted --deaf-to-go");
    let words = ["--game", "shogi", "--engine", &engine, "--each", "st=1000", "--parameter", "Margin=20,0,200"];
    let mut process = job.start(&words);
    let mut stdout = BufReader::new(process.stdout.take().unwrap());
    let mut line = String::new();
    stdout.read_line(&mut line).unwrap();
    let path = line.strip_prefix("journal: ").unwrap_or_else(|| panic!("{line}")).trim_end().to_owned();
    let (code, printed) = interrupted(process, Signal::INT);
    let hint = "run the same command to continue";
    let expected = format!("ended by Ctrl-C after 0 of 2000 iterations; {hint}; its journal is {path}\n");
    assert!(code == Some(1) && printed.ends_with(&expected), "{code:?} {printed}");
    job.expect_nobody();
    let job = Job::new("selfplay");
    let process = job.start(&["--game", "chess", "--out", "g.viri", "--nodes", "1000000"]);
    while !job.path("g.viri.json").exists() {
        std::thread::park_timeout(Duration::from_millis(10));
    }
    let (code, printed) = interrupted(process, Signal::TERM);
    let expected = format!("ended by SIGTERM after 0 of 1000000000 games; {hint}");
    assert!(code == Some(1) && printed.contains(&expected), "{printed}");
}
