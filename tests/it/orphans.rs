//! Tests that no child process outlives the program, no matter how or when the program ends.
#![cfg(target_os = "linux")]

use crate::program::{Program, children_file, mock};
use rand::rngs::StdRng;
use rand::{Rng, SeedableRng};
use std::path::Path;
use std::time::Duration;

/// Number of rounds of each test, which the environment variable `HASAMI_ORPHAN_ROUNDS` can change.
fn rounds() -> u64 {
    std::env::var("HASAMI_ORPHAN_ROUNDS").ok().and_then(|text| text.parse().ok()).unwrap_or(8)
}

/// Returns commands of child engines: a healthy one, and others that ignore the end of their input, print noise, start
/// slowly, or are started by a shell.
fn engines() -> Vec<String> {
    let deaf = mock("--deaf-to-eof");
    let wrapped = format!("sh -c \"{deaf}; true\"");
    vec![mock(""), deaf, mock("--stderr-flood --deaf-to-eof"), mock("--slow-start 40"), wrapped.replace('"', "\\\"")]
}

/// Starts the program, sends it a random part of a session, and returns it after a random time.
fn run_to_random_moment(children: &Path, random: &mut StdRng) -> Program {
    let mut program = Program::with_children("uci", children, 1);
    let lines = ["isready", "ucinewgame", "position startpos moves e2e4", "go infinite", "stop", "go movetime 10"];
    for line in &lines[..random.random_range(0..=lines.len())] {
        program.tell(line);
    }
    std::thread::park_timeout(Duration::from_micros(random.random_range(0..80_000)));
    program
}

fn ends_without_orphans(seed: u64, end: fn(&mut Program)) {
    let folder = tempfile::tempdir().unwrap();
    let children = children_file(folder.path(), &engines());
    for round in 0..rounds() {
        println!("seed {seed}, round {round}");
        let mut random = StdRng::seed_from_u64(seed << 32 | round);
        let mut program = run_to_random_moment(&children, &mut random);
        end(&mut program);
        program.wait_gone();
    }
}

#[test]
fn after_quit() {
    ends_without_orphans(1, |program| program.tell("quit"));
}

#[test]
fn after_the_end_of_its_input() {
    ends_without_orphans(2, Program::close_stdin);
}

#[test]
fn after_a_kill() {
    ends_without_orphans(3, |program| program.process.kill().unwrap());
}
