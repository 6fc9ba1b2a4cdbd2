//! Tests of `hasami-lab`, one file per topic. Matches against virtual clusters need `hasami`, and most tests need the
//! mock engine; both programs are built with the whole workspace.
#![allow(clippy::unwrap_used)]
#![cfg(target_os = "linux")]

#[allow(dead_code)]
#[path = "../../../../tests/it/job.rs"]
mod job;
mod learn;
mod matches;
mod options;
#[allow(dead_code)]
#[path = "../../../../tests/it/program.rs"]
mod program;
mod rationed;
mod refusals;
mod speedup;
mod worth;

use std::path::{Path, PathBuf};

/// The path of the program that has this subcommand.
fn program_for(subcommand: &str) -> PathBuf {
    if subcommand == "match" { beside("hasami") } else { env!("CARGO_BIN_EXE_hasami-lab").into() }
}

fn mock_engine() -> String {
    beside("mock-engine").display().to_string()
}

/// The path of a program that Cargo has built in the same folder.
fn beside(name: &str) -> PathBuf {
    let path = Path::new(env!("CARGO_BIN_EXE_hasami-lab")).with_file_name(name);
    assert!(path.is_file(), "expected {}; build the tests with --workspace", path.display());
    path
}
