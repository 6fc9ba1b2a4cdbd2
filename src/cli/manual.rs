//! `hasami manual FOLDER`: the manual pages, for whoever makes a package.

use hasami_catalog::Games;
use hasami_terminal::Failure;
use std::io::Write;
use std::path::PathBuf;

/// Write the manual pages, one for each subcommand, into a folder
#[derive(clap::Args)]
#[command(hide = true)]
pub struct Manual {
    /// The folder; it is created if it does not exist
    folder: PathBuf,
}

impl Manual {
    pub fn run(&self, games: Games, out: &mut dyn Write) -> Result<(), Failure> {
        let failed = |error| Failure::unwritable("FOLDER", &self.folder, &error);
        std::fs::create_dir_all(&self.folder).map_err(failed)?;
        // `help help` is a subcommand of clap's own, and no page.
        let command = super::command(games).disable_help_subcommand(true);
        clap_mangen::generate_to(command, &self.folder).map_err(failed)?;
        Ok(writeln!(out, "{}", self.folder.display())?)
    }
}
