//! Tests that every command that reads the journal of an extended match finds all games, even if the match was killed.
#![cfg(target_os = "linux")]

use crate::job::Job;
use crate::program::mock;
use std::process::Output;

fn text(output: &Output) -> String {
    format!("{}{}", String::from_utf8_lossy(&output.stdout), String::from_utf8_lossy(&output.stderr))
}

/// Plays a match of four games and returns the job.
fn played() -> Job {
    let job = Job::new("match");
    let engines = ["A", "B"].map(|name| format!("name={name} cmd=\"{}\"", mock("")));
    let typed = ["--engine", &engines[0], "--engine", &engines[1], "--each", "movetime=2000", "--games", "4"];
    let output = job.run(&[&typed[..], &["--maxmoves", "6", "--journal", "j.jsonl", "--pgn", "g.pgn"]].concat());
    assert!(output.status.success(), "{}", text(&output));
    job
}

fn goes_on(job: &Job, more: &[&str], expected: &str) {
    let output = job.run(&[&["--resume", "j.jsonl"], more].concat());
    assert!(output.status.success() && text(&output).contains(expected), "{expected}: {}", text(&output));
}

fn results(job: &Job, expected: &str) {
    let output = job.start_as("results", &["j.jsonl"]).wait_with_output().unwrap();
    assert!(output.status.success() && text(&output).contains(expected), "{expected}: {}", text(&output));
}

#[test]
fn an_extended_match_is_read_completely_everywhere() {
    let job = played();
    goes_on(&job, &["--games", "8"], "continuing after 4 of 8 games");
    results(&job, "Games: 8,");
    goes_on(&job, &[], "continuing after 8 of 8 games");
    assert_eq!(job.text("g.pgn").matches("[Event ").count(), 8);
    let fewer = job.run(&["--resume", "j.jsonl", "--games", "6"]);
    assert_eq!(fewer.status.code(), Some(2), "{}", text(&fewer));
    assert!(
        text(&fewer).contains("--games: a match that goes on may only grow, by whole pairs: the journal is of a match of 8 games, but this command says 6"),
        "{}",
        text(&fewer)
    );
}

/// If the match is killed right after it was extended, its journal must already contain the new number of games.
#[test]
fn a_killed_caller_keeps_the_new_length() {
    let job = played();
    goes_on(&job, &["--games", "8"], "continuing after 4 of 8 games");
    let all = job.text("j.jsonl");
    let at = all.find("{\"amended\":{\"games\":8}}\n").unwrap();
    let end = at + all[at..].find('\n').unwrap() + 1;
    std::fs::write(job.path("j.jsonl"), &all[..end]).unwrap();
    results(&job, "4 of at most 8 games");
    goes_on(&job, &[], "continuing after 4 of 8 games");
    results(&job, "Games: 8,");
}
