//! The command line of the program `hasami-lab`.

mod learn;
mod losses;
mod machines;
mod speedup;
mod virtual_cluster;
mod worth;

use clap::{CommandFactory, FromArgMatches, Parser, Subcommand};
use hasami_catalog::Games;
use hasami_terminal::{Failure, place, processor};
use std::io::{self, Write};
use std::process::ExitCode;

/// Measure the chess and shogi engine hasami, and learn from games
#[derive(Parser)]
#[command(name = "hasami-lab", version, max_term_width = 100)]
struct Arguments {
    #[command(subcommand)]
    job: Lab,
}

#[derive(Subcommand)]
enum Lab {
    Learn(learn::Learn),
    Losses(losses::Losses),
    Speedup(speedup::Speedup),
    Virtual(virtual_cluster::Virtual),
    Worth(worth::Worth),
}

/// Parses the arguments, runs the subcommand, and converts its result into an exit code. The program prints all
/// messages in English.
pub fn main(games: Games) -> ExitCode {
    let command = place::with_games(Arguments::command(), games);
    match processor::check().and_then(|()| run(command.clone(), games)) {
        Ok(()) => ExitCode::SUCCESS,
        Err(failure) => failure.report(&command),
    }
}

fn run(command: clap::Command, games: Games) -> Result<(), Failure> {
    let arguments = Arguments::from_arg_matches(&command.try_get_matches()?)?;
    let mut out = io::stdout().lock();
    match arguments.job {
        Lab::Learn(job) => job.run(games, &mut out)?,
        Lab::Losses(job) => job.run(games, &mut out)?,
        Lab::Speedup(job) => job.run(games, &mut out)?,
        Lab::Virtual(job) => job.run(games, &mut out)?,
        Lab::Worth(job) => job.run(games, &mut out)?,
    }
    Ok(out.flush()?)
}
