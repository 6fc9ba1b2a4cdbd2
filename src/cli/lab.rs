//! Subcommands that measure the program, and learn from games.

mod learn;
mod machines;
mod speedup;
mod virtual_cluster;
mod waste;
mod worth;

use super::Failure;
use clap::Subcommand;
use hasami_catalog::Games;
use hasami_words::Words;
use std::io::Write;

#[derive(Subcommand)]
pub enum Lab {
    Learn(learn::Learn),
    Speedup(speedup::Speedup),
    Virtual(virtual_cluster::Virtual),
    Waste(waste::Spending),
    Worth(worth::Worth),
}

impl Lab {
    pub fn run(&self, games: Games, words: &'static Words, out: &mut impl Write) -> Result<(), Failure> {
        match self {
            Self::Learn(job) => job.run(games, words, out),
            Self::Speedup(job) => job.run(games, words, out),
            Self::Virtual(job) => job.run(games, out),
            Self::Waste(job) => job.run(words, out),
            Self::Worth(job) => job.run(games, words, out),
        }
    }
}
