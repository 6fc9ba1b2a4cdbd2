//! `hasami-lab`: the commands that measure `hasami`, and learn from games.
//!
//! Exit codes are those of `hasami`: 0 done, 1 a search ended without an answer, 2 bad input.

#![deny(clippy::unwrap_used, clippy::expect_used, clippy::panic)]

mod cli;

use std::process::ExitCode;

fn main() -> ExitCode {
    cli::main(hasami_games::GAMES)
}
