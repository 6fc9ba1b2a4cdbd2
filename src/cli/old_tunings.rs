//! Reads earlier tunings from their journals.

use super::tuned;
use hasami_matches::archive::conditions;
use hasami_matches::identity::Identities;
use hasami_matches::tuning::{OldJournal, Spsa, read_journal};
use hasami_words::text::{At, counted};
use serde_json::Value;
use std::fs::File;
use std::io::Read;
use std::path::{Path, PathBuf};

/// The beginning of the first line of every tuning's journal.
const MARK: &[u8] = b"{\"plan\":";

/// The state of a tuning, read from its journal.
pub struct OldTuning {
    path: PathBuf,
    spsa: Spsa,
    conditions: Value,
    identities: Identities,
}

impl OldTuning {
    /// Reads a journal; `None` if the file is not one of a tuning. A tuning that is still running may be read, too.
    pub fn read(path: &Path) -> Option<Result<Self, String>> {
        // Opening a pipe would block until another program writes to it.
        let path = Some(path).filter(|path| path.is_file())?;
        let mut mark = [0; MARK.len()];
        File::open(path).ok()?.read_exact(&mut mark).ok().filter(|()| mark == MARK)?;
        let found = read_journal(path).map(|OldJournal { spsa, conditions, identities: told }| {
            let mut identities = Identities::default();
            for found in told.into_iter().filter_map(|found| serde_json::from_value(found).ok()) {
                identities.absorb(found);
            }
            Self { path: path.to_owned(), spsa, conditions, identities }
        });
        Some(found)
    }

    /// The tunings of a folder.
    pub fn find(folder: &Path) -> Vec<Self> {
        let entries = std::fs::read_dir(folder).into_iter().flatten().flatten().map(|entry| entry.path());
        let mut files: Vec<PathBuf> = entries.filter(|path| path.is_file()).collect();
        files.sort();
        files.iter().filter_map(|path| Self::read(path)?.ok()).collect()
    }

    fn engine(&self) -> String {
        let program = self.conditions["engines"][0]["command"][0].as_str().map(Path::new);
        let name = program.and_then(Path::file_stem);
        name.map_or_else(|| "?".to_owned(), |name| name.to_string_lossy().into_owned())
    }

    fn games(&self) -> u32 {
        self.conditions["schedule"]["games"].as_u64().and_then(|games| games.try_into().ok()).unwrap_or(0)
    }

    /// The tuning in one line.
    pub fn line(&self) -> String {
        let options = tuned::shown(&self.spsa).join(", ").to_string();
        options
            .at(format!("{} of {} iterations", self.spsa.done(), self.spsa.plan().iterations))
            .at(format!("tuning of {}", self.engine()))
            .at(self.path.display())
    }

    /// The options and the conditions of the tuning.
    pub fn block(&self) -> Vec<String> {
        let mut lines = vec![
            format!(
                "Tuning of {}: {} of {} iterations, {} each",
                self.engine(),
                self.spsa.done(),
                self.spsa.plan().iterations,
                counted(u64::from(self.games()), "game")
            )
            .to_string(),
        ];
        for (option, shown) in self.spsa.plan().options.iter().zip(tuned::shown(&self.spsa)) {
            lines.push(format!("{shown}   from {}, {} to {}", option.start, option.low, option.high).to_string());
        }
        lines.extend(conditions::of_plan(&self.conditions, &self.identities));
        lines
    }
}
