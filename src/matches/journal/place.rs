//! The default location of journals: a folder in the user's home, with one file per match.

use super::{MatchHeader, read_header};
use std::fs;
use std::path::{Path, PathBuf};

/// The folder for the journals of tunings, next to the one for the journals of matches.
pub const TUNINGS: &str = "tunings";

/// Maximum number of engines whose names become part of a file name.
const NAMED: usize = 2;

/// Where the journal of a new or continued match is stored.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum JournalPlace {
    Named(PathBuf),
    /// The default folder.
    Usual(PathBuf),
}

impl JournalPlace {
    /// Returns the default folder of this user; `None` without a home directory.
    pub fn usual() -> Option<Self> {
        let of = |variable: &str| std::env::var_os(variable).filter(|text| !text.is_empty()).map(PathBuf::from);
        let home = || Some(std::env::home_dir()?.join(".local").join("state"));
        let state = of("XDG_STATE_HOME").or_else(|| of("LOCALAPPDATA")).or_else(home)?;
        Some(Self::Usual(state.join("hasami").join("matches")))
    }

    /// Returns the path of a file that does not exist yet, named after the current time and the engines.
    pub fn new_file(&self, names: &[&str], now: &str) -> PathBuf {
        let folder = match self {
            Self::Named(path) => return path.clone(),
            Self::Usual(folder) => folder,
        };
        let plain = |name: &&str| -> String {
            name.chars().map(|c| if c.is_alphanumeric() || "-_.+".contains(c) { c } else { '_' }).take(40).collect()
        };
        let mut words: Vec<String> = names.iter().take(NAMED).map(plain).collect();
        if names.len() > NAMED {
            words.push(format!("{}-more", names.len() - NAMED));
        }
        let stem = format!("{now}-{}", words.join("-"));
        let named = |number: u32| match number {
            0 => folder.join(format!("{stem}.jsonl")),
            _ => folder.join(format!("{stem}-{number}.jsonl")),
        };
        (0..).map(named).find(|path| !path.exists()).unwrap_or_else(|| named(0))
    }

    /// Returns the journal of the match to continue: among those begun in the folder `here`, the newest one for which
    /// `is_wanted` is true, or else the newest one.
    pub fn last(&self, here: &Path, is_wanted: impl Fn(&MatchHeader) -> bool) -> Option<PathBuf> {
        let folder = match self {
            Self::Named(path) => return Some(path.clone()),
            Self::Usual(folder) => folder,
        };
        let mut files: Vec<_> = fs::read_dir(folder).ok()?.flatten().map(|entry| entry.path()).collect();
        files.retain(|path| path.extension().is_some_and(|ending| ending == "jsonl"));
        // Journals with the same modification time are sorted by name.
        files.sort_by_key(|path| (fs::metadata(path).and_then(|data| data.modified()).ok(), path.clone()));
        let header = |path: PathBuf| read_header(&path).ok().map(|header| (path, header));
        let of_here =
            files.into_iter().rev().filter_map(header).filter(|(_, header)| header.folder == here.to_string_lossy());
        let all: Vec<_> = of_here.collect();
        let wanted = all.iter().find(|(_, header)| is_wanted(header)).or_else(|| all.first());
        wanted.map(|(path, _)| path.clone())
    }
}

#[cfg(test)]
#[allow(clippy::unwrap_used)]
mod tests {
    use super::super::MatchJournal;
    use super::*;

    #[test]
    fn a_match_continues_in_the_folder_where_it_began() {
        let folder = tempfile::tempdir().unwrap();
        let place = JournalPlace::Usual(folder.path().to_owned());
        let begin = |here: &str, plan: u64| {
            let header = MatchHeader {
                folder: here.to_owned(),
                ..MatchHeader::new(serde_json::json!(plan), Vec::new(), Vec::new())
            };
            let path = place.new_file(&["a b", "c/d"], "2026-01-02-030405");
            MatchJournal::create(&path, &header).unwrap();
            path.file_name().unwrap().to_string_lossy().into_owned()
        };
        assert_eq!(begin("/x", 1), "2026-01-02-030405-a_b-c_d.jsonl");
        assert_eq!(begin("/x", 2), "2026-01-02-030405-a_b-c_d-1.jsonl");
        begin("/y", 1);
        let last = |here: &str, plan: u64| place.last(Path::new(here), |header| header.plan == plan);
        let name = |path: Option<PathBuf>| path.unwrap().file_name().unwrap().to_string_lossy().into_owned();
        assert_eq!(name(last("/x", 1)), "2026-01-02-030405-a_b-c_d.jsonl");
        assert_eq!(name(last("/y", 7)), "2026-01-02-030405-a_b-c_d-2.jsonl");
        assert_eq!(last("/z", 1), None);
        let named = JournalPlace::Named("j".into());
        assert_eq!(
            (named.new_file(&["a"], "now"), named.last(Path::new("/"), |_| false)),
            ("j".into(), Some("j".into()))
        );
        assert_eq!(place.new_file(&["a", "b", "c"], "n").file_name().unwrap(), "n-a-b-1-more.jsonl");
    }
}
