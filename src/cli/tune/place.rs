//! The journal of a tuning: a file that is named, or one in the user's state folder, which is found again by the folder
//! in which the tuning was begun and by its conditions.

use hasami_matches::journal::{JournalPlace, TUNINGS};
use hasami_matches::tuning::{SpsaPlan, TuningJournal};
use hasami_terminal::Failure;
use hasami_words::text::At;
use serde_json::Value;
use std::fs;
use std::path::{Path, PathBuf};

/// The place of the journal according to the command line.
pub enum TuningPlace {
    Named(PathBuf),
    /// A file in the user's state folder.
    Usual(PathBuf),
}

/// A journal that has been found.
pub struct FoundJournal {
    pub path: PathBuf,
    /// Notes to be printed for the user.
    pub notes: Vec<String>,
}

impl TuningPlace {
    pub fn new(named: Option<&Path>) -> Result<Self, Failure> {
        let missing = || Failure::at("tune", "expected --journal FILE, found no home folder to keep the journal in");
        match (named, JournalPlace::usual()) {
            (Some(path), _) => Ok(Self::Named(path.to_owned())),
            (None, Some(JournalPlace::Usual(matches))) => Ok(Self::Usual(matches.with_file_name(TUNINGS))),
            _ => Err(missing()),
        }
    }

    /// Finds the journal of a tuning with this plan and these conditions: the one to continue, or a new one with this
    /// name.
    pub fn find(
        &self,
        plan: &SpsaPlan,
        conditions: &Value,
        name: &str,
        resumes: bool,
    ) -> Result<FoundJournal, Failure> {
        let folder = match self {
            Self::Named(path) if resumes && !path.exists() => {
                let place = format!("--resume {}", path.display());
                return Err(Failure::at(place, "expected the journal of a tuning, found no file"));
            }
            Self::Named(path) => return Ok(FoundJournal { path: path.clone(), notes: Vec::new() }),
            Self::Usual(folder) => folder,
        };
        let here = std::env::current_dir()?;
        let fits = |path: PathBuf| TuningJournal::fits(&path, plan, conditions, &here).map(|fits| (path, fits));
        let of_here: Vec<_> = newest_first(folder).into_iter().filter_map(fits).collect();
        let told = |path: &Path| format!("journal: {}", path.display());
        if let Some((path, _)) = of_here.iter().find(|(_, fits)| fits.is_ok()) {
            return Ok(FoundJournal { path: path.clone(), notes: vec![told(path)] });
        }
        let last = of_here.first().and_then(|(path, fits)| Some((path, fits.as_ref().err()?)));
        if resumes {
            let why = match last {
                None => "expected a tuning like this one that was begun in this folder, found none".to_owned(),
                Some((path, why)) => {
                    let found = why.clone().at(path.display());
                    format!("expected a tuning like this one that was begun in this folder, found {found}")
                }
            };
            return Err(Failure::at("--resume", why));
        }
        let now = jiff::Zoned::now().strftime("%Y-%m-%d-%H%M%S").to_string();
        let path = JournalPlace::Usual(folder.clone()).new_file(&[name], &now);
        let differs = last.map(|(path, why)| format!("not the tuning of {}: {why}", path.display()));
        let notes = differs.into_iter().chain([told(&path)]).collect();
        Ok(FoundJournal { path, notes })
    }
}

fn newest_first(folder: &Path) -> Vec<PathBuf> {
    let mut files: Vec<_> = fs::read_dir(folder).into_iter().flatten().flatten().map(|entry| entry.path()).collect();
    files.retain(|path| path.extension().is_some_and(|ending| ending == "jsonl"));
    files.sort_by_key(|path| (fs::metadata(path).and_then(|data| data.modified()).ok(), path.clone()));
    files.reverse();
    files
}
