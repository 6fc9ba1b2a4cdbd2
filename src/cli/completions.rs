//! `hasami completions`: completion scripts for shells, and manual pages.

use clap::Command;
use clap_complete::Shell;
use hasami_catalog::Games;
use hasami_terminal::Failure;
use std::io::Write;
use std::path::{Path, PathBuf};

/// Print a completion script for a shell, or write the manual pages
#[derive(clap::Args)]
pub struct Completions {
    /// The shell to complete in
    #[arg(value_enum, required_unless_present = "manual")]
    shell: Option<Shell>,

    /// Write the manual pages, one for each subcommand, into a folder; it is created if it does not exist
    #[arg(long, value_name = "FOLDER", conflicts_with = "shell")]
    manual: Option<PathBuf>,
}

impl Completions {
    pub fn run(&self, games: Games, out: &mut dyn Write) -> Result<(), Failure> {
        let command = super::command(games);
        if let Some(folder) = &self.manual {
            return write_manual(command, folder, out);
        }
        // The script is first written to memory, because clap_complete panics when a write fails.
        let mut script = Vec::new();
        if let Some(shell) = self.shell {
            clap_complete::generate(shell, &mut { command }, "hasami", &mut script);
        }
        Ok(out.write_all(&script)?)
    }
}

fn write_manual(command: Command, folder: &Path, out: &mut dyn Write) -> Result<(), Failure> {
    let failed = |error| Failure::unwritable("--manual", folder, &error);
    std::fs::create_dir_all(folder).map_err(failed)?;
    // clap adds a subcommand `help help`, which would get its own manual page.
    clap_mangen::generate_to(command.disable_help_subcommand(true), folder).map_err(failed)?;
    Ok(writeln!(out, "{}", folder.display())?)
}
