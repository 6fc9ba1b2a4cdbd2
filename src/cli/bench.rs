//! `hasami bench`: prints the speed of the search or mate solver, and its node count, which identifies the version of
//! the code.

use crate::bench;
use hasami_catalog::Games;
use hasami_terminal::Failure;
use hasami_terminal::values;
use std::io::{self, Write};
use std::time::Duration;

/// Search fixed positions of both games to a fixed depth and print the node count
///
/// Every machine counts the same number of nodes, until the search or an evaluation is changed.
#[derive(clap::Args)]
pub struct Bench {
    /// Depth in plies [default: 11]
    #[arg(value_parser = values::bench_depth, allow_negative_numbers = true)]
    depth: Option<u16>,

    /// Search fixed positions for mates by checks instead, each within a fixed number of nodes
    #[arg(long)]
    mate: bool,
}

impl Bench {
    pub fn run(&self, games: Games, out: &mut impl Write) -> Result<(), Failure> {
        if self.mate && self.depth.is_some() {
            return Err(Failure::exclusive("--mate", "DEPTH"));
        }
        let depth = self.depth.unwrap_or(bench::DEPTH);
        let (mut nodes, mut took) = (0, Duration::ZERO);
        for catalog in games.iter() {
            let mut printed = Ok(());
            let mut tell = |figure: &bench::BenchFigure| printed = print(catalog.name(), figure, out);
            let figures =
                if self.mate { bench::run_mates(catalog, &mut tell) } else { bench::run(catalog, depth, &mut tell) };
            printed?;
            for figure in figures.map_err(|e| Failure::no_answer(e.to_string()))? {
                nodes += figure.nodes;
                took += figure.took;
            }
        }
        Ok(writeln!(out, "{nodes} nodes {} nps", per_second(nodes, took))?)
    }
}

fn print(game: &str, figure: &bench::BenchFigure, out: &mut impl Write) -> io::Result<()> {
    let speed = per_second(figure.nodes, figure.took);
    writeln!(out, "{game:<6} {:>10} nodes {speed:>9} nps  {}", figure.nodes, figure.position)
}

fn per_second(nodes: u64, time: Duration) -> u64 {
    (nodes as f64 / time.as_secs_f64().max(1e-9)) as u64
}
