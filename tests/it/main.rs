//! The integration tests of the program, one file per topic.
#![allow(clippy::unwrap_used)]

mod brinkmates;
mod cells;
mod certificates;
mod chess_mates;
mod cli;
mod cluster;
mod compliance;
mod described;
mod dialogues;
mod docs;
mod doctor;
mod examples;
mod fair_matches;
mod faults;
mod fuzz;
mod game_analysis;
mod game_names;
mod habits;
mod inputs;
// Some functions of the module `job` are used only by the tests of `hasami-lab`.
#[allow(dead_code)]
mod job;
mod lent_games;
mod levels;
mod liars;
mod locale;
mod logins;
mod longer;
mod machines;
mod matches;
mod nats;
mod networks;
mod orphans;
mod packaging;
mod permissions;
mod program;
mod prometheus;
mod refusals;
mod replay;
mod selfplay;
mod session;
mod solve;
mod solve_lists;
mod solve_records;
mod tournaments;
mod training_files;
mod tuning;

/// Returns the path of the program that provides the subcommand.
fn program_for(_: &str) -> &'static str {
    env!("CARGO_BIN_EXE_hasami")
}

fn mock_engine() -> &'static str {
    env!("CARGO_BIN_EXE_mock-engine")
}
