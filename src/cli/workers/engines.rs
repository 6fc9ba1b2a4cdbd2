//! Manages the engines on a NATS server that machines may download.

use crate::cli::own_folder::OwnFolder;
use hasami_remote::cluster::Access;
use hasami_remote::games::engine_file::{greet_file, is_program};
use hasami_remote::games::host::check_name;
use hasami_remote::games::queue::objects::{self, StoredEngine};
use hasami_terminal::Failure;
use hasami_words::files;
use std::fmt::Display;
use std::io::Write;
use std::path::{Path, PathBuf};
use std::time::Duration;

/// Maximum size of an engine, in bytes.
const MOST_BYTES: u64 = 1 << 30;
/// Longest time for an engine to answer when it is checked.
const PATIENCE: Duration = Duration::from_secs(60);

/// Options about the engines on the server.
#[derive(clap::Args)]
#[group(id = "store", multiple = false)]
pub struct EngineStore {
    /// List the engines that machines may fetch from the server (`hasami worker --allow-fetched`)
    #[arg(long, conflicts_with_all = ["drain", "json", "web"])]
    engines: bool,

    /// Upload an engine that machines may fetch: an executable file that needs no other files
    #[arg(long, value_name = "NAME=FILE", value_parser = named_file, conflicts_with_all = ["drain", "json", "web"])]
    add_engine: Option<(String, PathBuf)>,

    /// Remove an engine from the server
    #[arg(long, value_name = "NAME", conflicts_with_all = ["drain", "json", "web"])]
    remove_engine: Option<String>,
}

fn named_file(text: &str) -> Result<(String, PathBuf), String> {
    match text.split_once('=') {
        Some((name, file)) if !name.is_empty() && !file.is_empty() => Ok((name.to_owned(), file.into())),
        _ => Err("expected NAME=FILE".to_owned()),
    }
}

impl EngineStore {
    pub const fn is_wanted(&self) -> bool {
        self.engines || self.add_engine.is_some() || self.remove_engine.is_some()
    }

    /// Lists, uploads or removes engines. `no_check` accepts any file without starting it.
    pub fn run(&self, access: &Access, no_check: bool, out: &mut impl Write) -> Result<(), Failure> {
        if let Some((name, file)) = &self.add_engine {
            writeln!(out, "{}", add(access, name, file, no_check)?)?;
        }
        if let Some(name) = &self.remove_engine {
            let engine = objects::remove(access, name).map_err(Failure::no_answer)?;
            writeln!(out, "removed {} {}", engine.name, engine.sha256)?;
        }
        if self.engines {
            for engine in objects::list(access).map_err(Failure::no_answer)? {
                writeln!(out, "{}", told(&engine, None))?;
            }
        }
        Ok(())
    }
}

fn add(access: &Access, name: &str, file: &Path, no_check: bool) -> Result<String, Failure> {
    check_name(name).map_err(Failure::bad_input)?;
    let wrong = |why: &dyn Display| Failure::at(file.display().to_string(), why);
    let bytes = files::read(file, "file", MOST_BYTES).map_err(|why| wrong(&why))?;
    let unchecked = |why: String| wrong(&format!("{why}; --no-check adds it all the same"));
    let greeting = if no_check { None } else { Some(tried(&bytes).map_err(unchecked)?) };
    let added = objects::add(access, name, &bytes).map_err(Failure::no_answer)?;
    Ok(told(&added, greeting))
}

/// How the engine greets. It runs as machines will run it, without any other file beside it.
fn tried(bytes: &[u8]) -> Result<String, String> {
    if !is_program(bytes) {
        return Err("expected a program (ELF, PE, Mach-O, or a script that begins with #!), found none".to_owned());
    }
    let failed = |error: std::io::Error| format!("expected to be able to try it, found: {error}");
    let folder = OwnFolder::new().map_err(failed)?;
    let path = folder.path().join("engine");
    std::fs::write(&path, bytes).map_err(failed)?;
    #[cfg(unix)]
    std::fs::set_permissions(&path, std::os::unix::fs::PermissionsExt::from_mode(0o755)).map_err(failed)?;
    let waits = |text: &str| eprintln!("{text}");
    let greeting = greet_file(&path, folder.path(), PATIENCE, &waits);
    // The name of the copy says nothing to anybody.
    greeting.map(|greeting| greeting.to_string()).map_err(|why| why.replace(&path.display().to_string(), "it"))
}

/// A line about an engine of the store.
fn told(engine: &StoredEngine, greeting: Option<String>) -> String {
    let greeting = greeting.map_or_else(String::new, |greeting| format!(", {greeting}"));
    format!("{} {} ({} bytes{greeting})", engine.name, engine.sha256, engine.bytes)
}
