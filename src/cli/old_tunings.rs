//! Tunings that were played, from their journals.

use super::tuned;
use hasami_catalog::Games;
use hasami_matches::archive::conditions;
use hasami_matches::identity::Identities;
use hasami_matches::tuning::{OldJournal, Spsa, read_journal};
use hasami_web::ArchivedTuning;
use hasami_words::{Language, Message, Words};
use serde_json::Value;
use std::fs::File;
use std::io::Read;
use std::path::{Path, PathBuf};
use std::time::SystemTime;

/// A journal's first line begins with it.
const MARK: &[u8] = b"{\"plan\":";

/// A journal of a tuning as it stands.
pub struct OldTuning {
    path: PathBuf,
    spsa: Spsa,
    conditions: Value,
    identities: Identities,
}

impl OldTuning {
    /// `None`: another file. A tuning that goes on may be read.
    pub fn read(path: &Path) -> Option<Result<Self, Message>> {
        // Opening a pipe would wait for somebody who writes to it.
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

    /// Those of a folder.
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

    /// One line.
    pub fn line(&self) -> Message {
        let of = Message::new("tuning-of").with("engine", self.engine());
        let state = Message::new("iterations-of").with("done", u64::from(self.spsa.done()));
        let state = state.with("total", u64::from(self.spsa.plan().iterations));
        let options = Message::from(tuned::shown(&self.spsa).join(", "));
        options.at(state).at(of).at(self.path.display().to_string())
    }

    /// The options and the conditions.
    pub fn block(&self, words: &'static Words) -> Vec<String> {
        let games = Message::new("counted-games").with("count", u64::from(self.games()));
        let head = Message::new("tuning-of-games").with("engine", self.engine()).with("games", games);
        let head = head.with("done", u64::from(self.spsa.done()));
        let mut lines = vec![head.with("total", u64::from(self.spsa.plan().iterations)).said(words)];
        for (option, shown) in self.spsa.plan().options.iter().zip(tuned::shown(&self.spsa)) {
            let line = Message::new("tuned-option").with("shown", shown).with("start", option.start.to_string());
            let line = line.with("low", option.low.to_string()).with("high", option.high.to_string());
            lines.push(line.said(words));
        }
        lines.extend(conditions::of_plan(&self.conditions, &self.identities, words));
        lines
    }

    /// For the page.
    pub fn facts(self, changed: SystemTime, games: Games) -> ArchivedTuning {
        let game = self.conditions["game"].as_str().and_then(|name| games.find(name));
        ArchivedTuning {
            changed,
            game: game.unwrap_or_else(|| games.first()).name(),
            facts: tuned::facts(&self.spsa, self.engine(), self.games()),
            short: tuned::shown(&self.spsa).join(", "),
            conditions: Language::ALL
                .map(|language| conditions::of_plan(&self.conditions, &self.identities, Words::of(language))),
            path: self.path,
        }
    }
}
