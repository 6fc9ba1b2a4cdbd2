//! `hasami perft`: counts the leaves of the game tree, to test the move generator.

use hasami_catalog::Games;
use hasami_terminal::Failure;
use hasami_terminal::place::PositionArgs;
use hasami_terminal::values;
use std::io::Write;

/// Count the leaf positions at a depth
#[derive(clap::Args)]
pub struct Perft {
    #[command(flatten)]
    place: PositionArgs,

    /// Also print the count of each move
    #[arg(long)]
    divide: bool,

    /// Depth in plies
    #[arg(value_parser = values::perft_depth, allow_negative_numbers = true)]
    depth: u32,
}

impl Perft {
    pub fn run(&self, games: Games, out: &mut dyn Write) -> Result<(), Failure> {
        let counts = self.place.perft(games, self.depth)?;
        if self.divide {
            for (m, count) in &counts {
                writeln!(out, "{m}: {count}")?;
            }
        }
        let total = if self.depth == 0 { 1 } else { counts.iter().map(|(_, count)| count).sum::<u64>() };
        Ok(writeln!(out, "{total}")?)
    }
}
