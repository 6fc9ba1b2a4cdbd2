//! `hasami engines`: engines that machines may fetch.

use super::Failure;
use super::cluster::NeededCluster;
use super::own_folder::OwnFolder;
use crate::files;
use crate::machines::engine_file::{ProgramKind, greet_file};
use crate::machines::host::check_name;
use crate::machines::queue::objects;
use clap::Subcommand;
use std::io::Write;
use std::path::PathBuf;
use std::time::Duration;

/// Bytes of an engine.
const MOST_BYTES: u64 = 1 << 30;
/// An engine must answer by then.
const PATIENCE: Duration = Duration::from_secs(60);

/// Engines in the object store of a NATS server, for machines that fetch them (`hasami worker --allow-fetched`)
#[derive(clap::Args)]
pub struct Engines {
    #[command(subcommand)]
    job: Job,
}

#[derive(Subcommand)]
enum Job {
    /// Put an engine into the store: an executable file that needs no other one
    Add {
        /// Its name, for cmd=NAME
        name: String,
        /// The executable file
        file: PathBuf,
        /// Whatever the file is, and without starting it once
        #[arg(long)]
        no_check: bool,
        #[command(flatten)]
        connection: NeededCluster,
    },
    /// Take an engine out of the store
    Remove {
        /// Its name
        name: String,
        #[command(flatten)]
        connection: NeededCluster,
    },
    /// List the engines of the store
    List {
        #[command(flatten)]
        connection: NeededCluster,
    },
}

/// What a file is, for people: a program, and an engine, if this machine can run it. It runs as machines will run it,
/// without any other file beside it.
fn checked(bytes: &[u8]) -> Result<String, String> {
    let expected = "expected a program (ELF, PE, Mach-O, or a script that begins with #!)";
    let kind =
        ProgramKind::of(bytes).ok_or_else(|| format!("{expected}, found none; --no-check adds it all the same"))?;
    if !kind.is_ours {
        return Ok(format!(", {}, not tried on this system", kind.title));
    }
    let failed = |error: std::io::Error| format!("expected to be able to try it, found: {error}");
    let folder = OwnFolder::new().map_err(failed)?;
    let path = folder.path().join("engine");
    std::fs::write(&path, bytes).map_err(failed)?;
    #[cfg(unix)]
    std::fs::set_permissions(&path, std::os::unix::fs::PermissionsExt::from_mode(0o755)).map_err(failed)?;
    let waits = |text: &str| eprintln!("{text}");
    let greeting = greet_file(&path, folder.path(), PATIENCE, &waits);
    greeting.map(|greeting| format!(", {}, {greeting}", kind.title)).map_err(|why| {
        let why = why.replace(&path.display().to_string(), "it");
        format!("{why}; --no-check adds it all the same")
    })
}

impl Engines {
    pub fn run(&self, out: &mut impl Write) -> Result<(), Failure> {
        match &self.job {
            Job::Add { name, file, no_check, connection } => {
                check_name(name).map_err(Failure::bad_input)?;
                let wrong = |why: String| Failure::bad_input(format!("{}: {why}", file.display()));
                let bytes = files::read(file, "file", MOST_BYTES).map_err(|why| wrong(why.into()))?;
                let kind = if *no_check { String::new() } else { checked(&bytes).map_err(wrong)? };
                let added = objects::add(&connection.access()?, name, &bytes).map_err(Failure::no_answer)?;
                writeln!(out, "{} {} ({} bytes{kind})", added.name, added.sha256, added.bytes)?;
            }
            Job::Remove { name, connection } => {
                let engine = objects::remove(&connection.access()?, name).map_err(Failure::no_answer)?;
                writeln!(out, "removed {} {}", engine.name, engine.sha256)?;
            }
            Job::List { connection } => {
                for engine in objects::list(&connection.access()?).map_err(Failure::no_answer)? {
                    writeln!(out, "{} {} ({} bytes)", engine.name, engine.sha256, engine.bytes)?;
                }
            }
        }
        Ok(())
    }
}
