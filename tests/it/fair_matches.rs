//! Tests what makes match results trustworthy: variants, limits, statistical tests, and the rejection of journals that
//! were edited by hand.
#![cfg(target_os = "linux")]

use crate::job::Job;
use crate::program::mock;
use std::fs;
use std::process::Output;

fn words(name: &str, flags: &str) -> String {
    format!("name={name} cmd=\"{}\"", mock(flags))
}

fn text(output: &Output) -> String {
    format!("{}{}", String::from_utf8_lossy(&output.stdout), String::from_utf8_lossy(&output.stderr))
}

fn played(job: &Job, first: &str, more: &[&str]) -> String {
    let (a, b) = (words("A", first), words("B", ""));
    let output = job.run(&[&["--engine", &a, "--engine", &b, "--journal", "j.jsonl"], more].concat());
    assert!(output.status.success(), "{}", text(&output));
    text(&output)
}

#[test]
fn the_opening_decides_the_variant() {
    let job = Job::new("match");
    let chess960 = "1rk1rbbn/ppp2ppp/3np3/q2p4/3P4/1NP5/PP2PPPP/1RKQRBBN w";
    let games = format!(
        "[Variant \"fischerandom\"]\n[SetUp \"1\"]\n[FEN \"bqnb1rkr/pp3ppp/3ppn2/2p5/5P2/P2P4/NPP1P1PP/BQ1BNRKR w HFhf - 2 9\"]\n\n*\n\n\
         [Event \"standard\"]\n\n1. e4 e5 *\n\n[SetUp \"1\"]\n[FEN \"{chess960} KQkq - 0 1\"]\n\n*\n"
    );
    fs::write(job.path("book.pgn"), games).unwrap();
    fs::write(job.path("book.epd"), format!("{chess960} HBhb - 0 1\n")).unwrap();
    let more = ["--each", "movetime=2000", "--maxmoves", "1", "--log", "x.log", "--pgn", "x.pgn"];
    played(&job, "", &[&more[..], &["--openings", "book.pgn", "--games", "6"]].concat());
    let log = job.text("x.log");
    let orders =
        log.lines().filter(|line| line.contains("UCI_Chess960 value")).filter_map(|line| line.split("A#1 > ").nth(1));
    let wanted = ["true", "false", "true"].map(|value| format!("setoption name UCI_Chess960 value {value}"));
    assert_eq!(orders.collect::<Vec<_>>(), wanted, "{log}");
    assert_eq!(job.text("x.pgn").matches("[Variant \"Chess960\"]").count(), 4);
    played(&job, "", &[&more[..], &["--openings", "book.epd"]].concat());
    assert_eq!(job.text("x.log").matches("UCI_Chess960 value true").count(), 2, "once for each engine");
}

#[test]
fn a_missing_option_for_chess960_is_reported() {
    let job = Job::new("match");
    fs::write(job.path("book.epd"), "1rk1rbbn/ppp2ppp/3np3/q2p4/3P4/1NP5/PP2PPPP/1RKQRBBN w HBhb - 0 1\n").unwrap();
    let printed = played(&job, "--standard-only", &["--each", "st=2", "--maxmoves", "1", "--openings", "book.epd"]);
    assert!(printed.contains("A: the engine has no option UCI_Chess960; not set"), "{printed}");
}

#[test]
fn an_sprt_without_a_number_of_games_ends_at_a_bound() {
    let job = Job::new("match");
    let test = ["--sprt", "elo0=0", "elo1=50", "model=logistic"];
    let printed =
        played(&job, "--bestmove resign", &[&["--each", "movetime=2000", "--json", "x.json"], &test[..]].concat());
    assert!(printed.contains("Started game 1 (A vs B)\n") && printed.contains("H0"), "{printed}");
    let games = job.json()["games_played"].as_u64().unwrap();
    assert!((4..200).contains(&games), "{games}");
    assert_eq!(printed.matches("Results of A vs B:").count() as u64, 1 + (games - 1) / 10, "{printed}");
}

#[test]
fn an_ignored_limit_is_counted_as_a_fault() {
    let job = Job::new("match");
    fs::write(job.path("book.epd"), "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1\n").unwrap();
    let game = ["--each", "nodes=1000", "--maxmoves", "6", "--openings", "book.epd", "--json", "x.json"];
    let printed = played(&job, "--ends-early", &game);
    let why = "A: searched 100 nodes where the limit is 1000 nodes (the median of 6 moves)";
    assert!(printed.contains(why) && printed.contains("Faults of A: 2 games with their limit ignored\n"), "{printed}");
    assert_eq!(job.json()["engines"][0]["faults"]["ignored_limits"], 2);
    assert_eq!(job.json()["engines"][1]["faults"]["ignored_limits"], 0);
}

#[test]
fn repeated_games_are_reported_at_the_end() {
    let job = Job::new("match");
    fs::write(job.path("book.epd"), "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1\n").unwrap();
    let printed =
        played(&job, "", &["--each", "nodes=1000", "--maxmoves", "2", "--openings", "book.epd", "--games", "6"]);
    let report = printed.split("Results of A vs B:").last().unwrap();
    assert!(report.contains("Warning: 4 of 6 games repeat an earlier one move for move"), "{printed}");
}

#[test]
fn an_engine_with_the_wrong_protocol_is_named_at_once() {
    let job = Job::new("match");
    let (a, b) = (words("A", "--uci-only"), words("B", ""));
    let output = job.run(&["--game", "shogi", "--engine", &a, "--engine", &b, "--each", "movetime=2000"]);
    let printed = text(&output);
    assert_eq!(output.status.code(), Some(2), "{printed}");
    let why = "the engine does not speak USI; it answers 'usi' with: Unknown command: 'usi'. Type help";
    assert!(printed.contains(why) && printed.contains("hasami: A: "), "{printed}");
}

#[test]
fn options_that_only_affect_display_are_ignored() {
    let job = Job::new("match");
    let theirs = ["-wait", "100", "-show-latency", "-autosaveinterval", "10", "-output", "format=fastchess"];
    let game = ["-each", "st=2", "-maxmoves", "1", "-pgnout", "file=x.pgn", "nps=true"];
    let printed = played(&job, "", &[&theirs[..], &game].concat());
    for option in ["--wait", "--show-latency", "--autosaveinterval", "--output", "--pgn: nps=true"] {
        assert!(
            printed.contains(&format!("hasami: {option} changes nothing here and is left out\n")),
            "{option}: {printed}"
        );
    }
    assert!(job.text("x.pgn").contains("[White \"A\"]"));
}

#[test]
fn engine_names_are_sanitized_everywhere() {
    let job = Job::new("match");
    let printed =
        played(&job, "--rude-name", &["--each", "st=2", "--maxmoves", "1", "--pgn", "x.pgn", "--json", "x.json"]);
    let files = ["j.jsonl", "x.pgn", "x.json"].map(|name| job.text(name));
    for said in files.iter().chain([&printed]) {
        assert!(!said.contains(['\u{1b}', '\r']) && said.len() < 20_000, "{} bytes", said.len());
    }
    assert!(printed.contains("A: 2/move timemargin=50 (rude \\u{1b}[2J\\u{1b}[1;1H\\rnnn"), "{printed}");
}
