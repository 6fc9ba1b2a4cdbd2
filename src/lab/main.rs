//! The program `hasami-lab`, whose commands measure `hasami` and learn from games.
//!
//! The exit codes are the same as those of `hasami`: 0 for success, 1 for a search without an answer, 2 for bad input.

#![deny(clippy::unwrap_used, clippy::expect_used, clippy::panic)]

mod cli;

use std::process::ExitCode;

fn main() -> ExitCode {
    cli::main(hasami_games::GAMES)
}
