//! The journals of a folder, looked at again and again: a file that has not changed is not read anew.

use super::archive::ArchivedMatch;
use crate::catalog::Games;
use crate::words::Message;
use std::collections::BTreeMap;
use std::fs::File;
use std::io::Read;
use std::path::{Path, PathBuf};
use std::time::SystemTime;

/// A journal's first line begins with it.
const MARK: &[u8] = b"{\"hasami-match\"";

/// What a list says of a match.
#[derive(Clone, PartialEq, Debug)]
pub struct ArchivedFacts {
    pub path: PathBuf,
    pub title: Message,
    /// The word of the game.
    pub game: &'static str,
    /// Result, Elo, SPRT in a line.
    pub short: Message,
    pub games: u32,
    /// Games of the whole match, at most.
    pub total: u32,
    pub changed: SystemTime,
}

/// A file as it was when it was read; `None`: no journal.
type Known = (u64, SystemTime, Option<ArchivedFacts>);

/// See the module.
pub struct ArchiveFolder {
    path: PathBuf,
    games: Games,
    known: BTreeMap<PathBuf, Known>,
}

impl ArchiveFolder {
    pub fn new(path: &Path, games: Games) -> Self {
        Self { path: path.to_owned(), games, known: BTreeMap::new() }
    }

    /// Whether anything has changed.
    pub fn look(&mut self) -> Result<bool, Message> {
        let failed = |error: std::io::Error| Message::of_system(&error).at(self.path.display().to_string());
        let files: Vec<PathBuf> = match self.path.is_file() {
            true => vec![self.path.clone()],
            false => std::fs::read_dir(&self.path).map_err(failed)?.flatten().map(|entry| entry.path()).collect(),
        };
        let before = self.known.len();
        self.known.retain(|path, _| files.contains(path));
        let mut has_changed = self.known.len() != before;
        for path in files {
            let Ok(found) = path.metadata() else { continue };
            let state = (found.len(), found.modified().unwrap_or(SystemTime::UNIX_EPOCH));
            if !found.is_file() || self.known.get(&path).is_some_and(|known| (known.0, known.1) == state) {
                continue;
            }
            let facts = facts(&path, state.1, self.games);
            has_changed |= facts.is_some();
            self.known.insert(path, (state.0, state.1, facts));
        }
        Ok(has_changed)
    }

    /// All matches, what has changed last first.
    pub fn facts(&self) -> Vec<ArchivedFacts> {
        let mut all: Vec<_> = self.known.values().filter_map(|(_, _, facts)| facts.clone()).collect();
        all.sort_by(|a, b| b.changed.cmp(&a.changed).then_with(|| a.path.cmp(&b.path)));
        all
    }
}

fn facts(path: &Path, changed: SystemTime, games: Games) -> Option<ArchivedFacts> {
    let mut mark = [0; MARK.len()];
    File::open(path).ok()?.read_exact(&mut mark).ok().filter(|()| mark == MARK)?;
    let found = ArchivedMatch::read(path, games).ok()?;
    Some(ArchivedFacts {
        path: path.to_owned(),
        title: found.title(),
        game: found.catalog.name(),
        short: found.short(&[]),
        games: found.games.len() as u32,
        total: found.total(),
        changed,
    })
}
