//! Watches the journals of a folder. A file is read again only if its size or its time of modification has changed. The
//! caller decides what is read from each file.

use super::archive::ArchivedMatch;
use hasami_catalog::Games;
use hasami_words::text::At;
use std::collections::BTreeMap;
use std::fs::File;
use std::io::Read;
use std::path::{Path, PathBuf};
use std::time::SystemTime;

/// The first bytes of a journal.
const MARK: &[u8] = b"{\"hasami-match\"";

/// An entry of the list of matches.
#[derive(Clone, PartialEq, Debug)]
pub struct ArchivedFacts {
    pub path: PathBuf,
    pub title: String,
    /// The name of the game.
    pub game: &'static str,
    /// Result, Elo and SPRT in one line.
    pub short: String,
    pub games: u32,
    /// Upper limit of the number of games of the match; `None` if a test ends the match.
    pub total: Option<u32>,
    /// Time at which the first game began, in UTC.
    pub began: Option<String>,
    pub changed: SystemTime,
}

/// Size and time of modification of a file when it was read, and its contents; `None` if it is not a journal.
type Known<T> = (u64, SystemTime, Option<T>);

/// Reads a file that was modified at this time; `None` if it is not a journal.
pub type ReadFile<T> = Box<dyn Fn(&Path, SystemTime) -> Option<T>>;

/// The journals of a folder, each with the value that was read from it.
pub struct ArchiveFolder<T> {
    path: PathBuf,
    read: ReadFile<T>,
    known: BTreeMap<PathBuf, Known<T>>,
}

impl<T: Clone> ArchiveFolder<T> {
    pub fn new(path: &Path, read: ReadFile<T>) -> Self {
        Self { path: path.to_owned(), read, known: BTreeMap::new() }
    }

    /// Reads new and changed files. Returns whether anything has changed.
    pub fn look(&mut self) -> Result<bool, String> {
        let failed = |error: std::io::Error| error.at(self.path.display());
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
            let facts = (self.read)(&path, state.1);
            has_changed |= facts.is_some();
            self.known.insert(path, (state.0, state.1, facts));
        }
        Ok(has_changed)
    }

    /// All journals, the most recently changed first.
    pub fn facts(&self) -> Vec<T> {
        let mut all: Vec<_> =
            self.known.iter().filter_map(|(path, known)| Some((known.1, path, known.2.clone()?))).collect();
        all.sort_by(|a, b| b.0.cmp(&a.0).then_with(|| a.1.cmp(b.1)));
        all.into_iter().map(|(.., facts)| facts).collect()
    }
}

/// The list entry of the match of this journal; `None` if the file is not a journal.
pub fn match_facts(path: &Path, changed: SystemTime, games: Games) -> Option<ArchivedFacts> {
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
        began: found.began().map(str::to_owned),
        changed,
    })
}
