//! Tests of `hasami-lab`, one file per topic. Matches of virtual clusters need the program `hasami`, and most tests
//! need the mock engine; both are built only if the tests are built with `--workspace`.
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

/// Returns the path of the program that provides `subcommand`.
fn program_for(subcommand: &str) -> PathBuf {
    if subcommand == "match" { beside("hasami") } else { env!("CARGO_BIN_EXE_hasami-lab").into() }
}

fn mock_engine() -> String {
    beside("mock-engine").display().to_string()
}

/// Returns the path of a program that Cargo has built in the same folder as `hasami-lab`.
fn beside(name: &str) -> PathBuf {
    let path = Path::new(env!("CARGO_BIN_EXE_hasami-lab")).with_file_name(name);
    assert!(path.is_file(), "expected {}; build the tests with --workspace", path.display());
    path
}
