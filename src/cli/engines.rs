//! `hasami engines`: engines that machines may fetch.

use super::cluster::NeededCluster;
use super::own_folder::OwnFolder;
use clap::Subcommand;
use hasami_machines::engine_file::{ProgramKind, greet_file};
use hasami_machines::host::check_name;
use hasami_machines::queue::objects::{self, StoredEngine};
use hasami_terminal::Failure;
use hasami_words::Message;
use hasami_words::files;
use std::io::Write;
use std::path::PathBuf;
use std::time::Duration;

/// Bytes of an engine.
const MOST_BYTES: u64 = 1 << 30;
/// An engine must answer by then.
const PATIENCE: Duration = Duration::from_secs(60);

/// Manage the engines on a NATS server, for machines that fetch them (`hasami worker --allow-fetched`)
#[derive(clap::Args)]
pub struct Engines {
    #[command(subcommand)]
    job: Job,
}

#[derive(Subcommand)]
enum Job {
    /// Upload an engine: an executable file that needs no other files
    Add {
        /// Name of the engine, for cmd=NAME
        name: String,
        /// Path of the executable file
        file: PathBuf,
        /// Accept any file, without starting it as a check
        #[arg(long)]
        no_check: bool,
        #[command(flatten)]
        connection: NeededCluster,
    },
    /// Remove an engine from the store
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
fn checked(bytes: &[u8]) -> Result<Message, Message> {
    let unchecked = |why: Message| Message::from(format!("{why}; --no-check adds it all the same"));
    let kind = ProgramKind::of(bytes).ok_or_else(|| {
        unchecked(Message::from("expected a program (ELF, PE, Mach-O, or a script that begins with #!), found none"))
    })?;
    let title = kind.title.as_str();
    if !kind.is_ours {
        return Ok(Message::from(format!("{title}, not tried on this system")));
    }
    let failed = |error: std::io::Error| {
        Message::from(format!("expected to be able to try it, found: {}", Message::of_system(&error)))
    };
    let folder = OwnFolder::new().map_err(failed)?;
    let path = folder.path().join("engine");
    std::fs::write(&path, bytes).map_err(failed)?;
    #[cfg(unix)]
    std::fs::set_permissions(&path, std::os::unix::fs::PermissionsExt::from_mode(0o755)).map_err(failed)?;
    let waits = |text: &Message| eprintln!("{text}");
    let greeting = greet_file(&path, folder.path(), PATIENCE, &waits);
    // The name of the copy says nothing to anybody.
    let renamed = |why: Message| why.to_string().replace(&path.display().to_string(), "it");
    greeting.map(|greeting| Message::from(format!("{title}, {greeting}"))).map_err(|why| unchecked(renamed(why).into()))
}

/// A line about an engine of the store; `kind`: what the file is.
fn told(engine: &StoredEngine, kind: Option<Message>) -> Message {
    let kind = kind.map_or_else(String::new, |kind| format!(", {kind}"));
    Message::from(format!("{} {} ({} bytes{kind})", engine.name, engine.sha256, engine.bytes))
}

impl Engines {
    pub fn run(&self, out: &mut impl Write) -> Result<(), Failure> {
        match &self.job {
            Job::Add { name, file, no_check, connection } => {
                check_name(name).map_err(Failure::bad_input)?;
                let wrong = |why: Message| Failure::at(file.display().to_string(), why);
                let bytes = files::read(file, "file", MOST_BYTES).map_err(wrong)?;
                let kind = if *no_check { None } else { Some(checked(&bytes).map_err(wrong)?) };
                let added = objects::add(&connection.access()?, name, &bytes).map_err(Failure::no_answer)?;
                writeln!(out, "{}", told(&added, kind))?;
            }
            Job::Remove { name, connection } => {
                let engine = objects::remove(&connection.access()?, name).map_err(Failure::no_answer)?;
                writeln!(out, "removed {} {}", engine.name, engine.sha256)?;
            }
            Job::List { connection } => {
                for engine in objects::list(&connection.access()?).map_err(Failure::no_answer)? {
                    writeln!(out, "{}", told(&engine, None))?;
                }
            }
        }
        Ok(())
    }
}
