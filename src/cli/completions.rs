//! `hasami completions SHELL`.

use clap_complete::Shell;
use hasami_catalog::Games;
use hasami_terminal::Failure;
use std::io::Write;

/// Print a completion script for a shell
#[derive(clap::Args)]
pub struct Completions {
    /// The shell to complete in
    #[arg(value_enum)]
    shell: Shell,
}

impl Completions {
    pub fn run(&self, games: Games, out: &mut dyn Write) -> Result<(), Failure> {
        // clap_complete panics when a write fails, so it writes to memory.
        let mut script = Vec::new();
        clap_complete::generate(self.shell, &mut super::command(games), "hasami", &mut script);
        Ok(out.write_all(&script)?)
    }
}
