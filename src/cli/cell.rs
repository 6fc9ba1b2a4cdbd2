//! `hasami cell`: a process that searches parts of mate problems for a host.

use hasami_catalog::Games;
use hasami_terminal::{Failure, values};
use hasami_workers::cells;

/// Search parts of mate problems for `hasami solve --child "hasami cell"`, with messages on stdin and stdout
#[derive(clap::Args)]
pub struct CellArgs {
    /// Size of the cell's table or tree, in MiB
    #[arg(long, value_name = "MB", value_parser = values::hash, default_value = "64", allow_negative_numbers = true)]
    hash: u32,
}

impl CellArgs {
    /// Serves a host until the host closes the connection.
    pub fn run(&self, games: Games) -> Result<(), Failure> {
        // For an unknown game, the cell of the first game is used, which then reports the mismatch.
        cells::serve(|name| games.find(name).unwrap_or(games.first()).cell(self.hash as usize))
            .map_err(Failure::bad_input)
    }
}
