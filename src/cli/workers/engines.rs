//! Manages the engines that machines can download from a NATS server.

use hasami_remote::cluster::Access;
use hasami_remote::games::host::check_name;
use hasami_remote::games::queue::objects::{self, StoredEngine};
use hasami_terminal::Failure;
use hasami_words::files;
use std::io::Write;
use std::path::{Path, PathBuf};

/// Maximum size of an engine, in bytes.
const MOST_BYTES: u64 = 1 << 30;

/// Options for the engines stored on the server.
#[derive(clap::Args)]
#[group(id = "store", multiple = false)]
pub struct EngineStore {
    /// List the engines that machines may fetch from the server (`hasami worker --allow-fetched`)
    #[arg(long, conflicts_with_all = ["json", "web"])]
    engines: bool,

    /// Upload an engine that machines may fetch: an executable file that needs no other files
    #[arg(long, value_name = "NAME=FILE", value_parser = named_file, conflicts_with_all = ["json", "web"])]
    add_engine: Option<(String, PathBuf)>,

    /// Remove an engine from the server
    #[arg(long, value_name = "NAME", conflicts_with_all = ["json", "web"])]
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

    /// Lists, uploads or removes engines.
    pub fn run(&self, access: &Access, out: &mut impl Write) -> Result<(), Failure> {
        if let Some((name, file)) = &self.add_engine {
            writeln!(out, "{}", add(access, name, file)?)?;
        }
        if let Some(name) = &self.remove_engine {
            let engine = objects::remove(access, name).map_err(Failure::no_answer)?;
            writeln!(out, "removed {} {}", engine.name, engine.sha256)?;
        }
        if self.engines {
            for engine in objects::list(access).map_err(Failure::no_answer)? {
                writeln!(out, "{}", line_of(&engine))?;
            }
        }
        Ok(())
    }
}

fn add(access: &Access, name: &str, file: &Path) -> Result<String, Failure> {
    check_name(name).map_err(Failure::bad_input)?;
    let bytes = files::read(file, "file", MOST_BYTES).map_err(|why| Failure::at(file.display(), why))?;
    let added = objects::add(access, name, &bytes).map_err(Failure::no_answer)?;
    Ok(line_of(&added))
}

/// Formats a line about an engine stored on the server.
fn line_of(engine: &StoredEngine) -> String {
    format!("{} {} ({} bytes)", engine.name, engine.sha256, engine.bytes)
}
