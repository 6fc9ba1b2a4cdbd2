//! Writes game records in the formats that games declare.
//!
//! New games are appended to an existing file, or written to a folder with one file per game. The journal contains the
//! length of each file before the match, so that a continued match can rewrite its part of the file: no game is missing
//! or duplicated after a kill.

#![deny(clippy::unwrap_used, clippy::expect_used, clippy::panic)]

mod folder;
pub mod stored;

use hasami_api::{Format, GameRecord};
use hasami_catalog::GameRules;
use hasami_words::text::{At, encoded_for, visible};
use std::fs::{File, OpenOptions};
use std::io::{self, Write};
use std::path::{Path, PathBuf};

/// A record file to be written.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct RecordFile {
    pub format: Format,
    pub path: PathBuf,
}

impl RecordFile {
    /// Parses the value of `--record`: a file whose extension names the format, or FORMAT=FILE.
    pub fn named(game: &dyn GameRules, word: &str) -> Result<Self, String> {
        let by_extension = || {
            let ending = Path::new(word).extension()?.to_str()?;
            Some((game.formats().iter().copied().find(|format| format.is_named(ending))?, word))
        };
        let by_word = word.split_once('=').and_then(|(format, path)| Some((game.format(format)?, path)));
        let found = by_word.or_else(by_extension).filter(|(_, path)| !path.is_empty());
        found.map(|(format, path)| Self { format, path: path.into() }).ok_or_else(|| {
            let formats: Vec<&str> = game.formats().iter().map(|format| format.word).collect();
            format!(
                "--record: expected a file with the extension of a {} format ({}), or FORMAT=FILE, found '{}'",
                game.name(),
                formats.join(", "),
                visible(word)
            )
        })
    }

    /// Returns the current length: the size of the file in bytes, or the highest game number in the folder.
    pub fn length(&self) -> u64 {
        match folder::is_folder(&self.path) {
            true => folder::last_number(&self.path, self.format.word),
            false => std::fs::metadata(&self.path).map_or(0, |data| data.len()),
        }
    }
}

enum RecordSink {
    File(File),
    /// A folder, and the highest game number in it before the match.
    Folder(u64),
}

/// The record files of a match.
pub struct Files {
    game: &'static dyn GameRules,
    open: Vec<(RecordFile, RecordSink)>,
}

impl Files {
    /// Opens all files and truncates each to its length before the match ([`RecordFile::length`]).
    pub fn open(game: &'static dyn GameRules, targets: &[RecordFile], lengths: &[u64]) -> Result<Self, String> {
        let mut open = Vec::new();
        for (target, &before) in targets.iter().zip(lengths) {
            let sink = match folder::is_folder(&target.path) {
                true => folder::open(&target.path).map(|()| RecordSink::Folder(before)),
                false => cut(&target.path, before).map(RecordSink::File),
            };
            open.push((target.clone(), sink.map_err(|error| complaint(target, &error))?));
        }
        Ok(Self { game, open })
    }

    /// Adds a game to every file. `number` is the index of the game in the match.
    pub fn add(&mut self, number: u32, record: &GameRecord) -> Result<(), String> {
        for (target, sink) in &mut self.open {
            let text = self.game.write_record(record, target.format).map_err(|error| error.to_string())?;
            let written = match sink {
                RecordSink::File(file) => {
                    let separator = if is_empty(file) { "" } else { target.format.separator };
                    file.write_all(&encoded_for(target.format, &target.path, &format!("{separator}{text}")))
                }
                RecordSink::Folder(before) => {
                    let path = folder::file(&target.path, target.format.word, *before + u64::from(number) + 1);
                    replace(&path, encoded_for(target.format, &path, &text))
                }
            };
            written.map_err(|error| complaint(target, &error))?;
        }
        Ok(())
    }
}

fn is_empty(file: &File) -> bool {
    file.metadata().is_ok_and(|data| data.len() == 0)
}

fn complaint(target: &RecordFile, error: &io::Error) -> String {
    let option = if target.format.word == "pgn" { "--pgn" } else { "--record" };
    unwritable(option, &target.path, error)
}

/// Describes why the file that `option` names cannot be written.
pub(super) fn unwritable(option: &str, path: &Path, error: &io::Error) -> String {
    format!("cannot write '{}': {}", path.display(), error).at(option)
}

fn cut(path: &Path, length: u64) -> io::Result<File> {
    let file = OpenOptions::new().create(true).append(true).open(path)?;
    if file.metadata()?.len() > length {
        file.set_len(length)?;
    }
    Ok(file)
}

/// Replaces a file atomically: readers see either the old text or the new one.
pub fn replace(path: &Path, text: impl AsRef<[u8]>) -> io::Result<()> {
    let beside = beside(path);
    let replaced = std::fs::write(&beside, text).and_then(|()| std::fs::rename(&beside, path));
    if replaced.is_err() {
        _ = std::fs::remove_file(&beside);
    }
    replaced
}

/// Checks in advance that [`replace`] can write the file.
pub fn try_replace(path: &Path) -> io::Result<()> {
    if path.is_dir() {
        return Err(io::ErrorKind::IsADirectory.into());
    }
    let beside = beside(path);
    std::fs::write(&beside, "")?;
    std::fs::remove_file(&beside)
}

fn beside(path: &Path) -> PathBuf {
    let mut name = path.as_os_str().to_owned();
    name.push(".new");
    name.into()
}

#[cfg(test)]
#[allow(clippy::unwrap_used)]
mod tests {
    use super::*;

    fn shogi() -> &'static dyn GameRules {
        hasami_games::find("shogi").unwrap()
    }

    fn record(remark: &str) -> GameRecord {
        GameRecord { remark: remark.into(), ..GameRecord::default() }
    }

    fn names(folder: &Path) -> Vec<String> {
        let files = std::fs::read_dir(folder).unwrap().map(|file| file.unwrap().file_name().into_string().unwrap());
        let mut names: Vec<_> = files.collect();
        names.sort();
        names
    }

    #[test]
    fn the_extension_of_a_file_is_its_format() {
        let named = |word: &str| RecordFile::named(shogi(), word);
        for (word, format) in [("a.kif", "kif"), ("a.kifu", "kif"), ("kif=a", "kif")] {
            assert_eq!(named(word).unwrap().format.word, format, "{word}");
        }
        let expected = "--record: expected a file with the extension of a shogi format (csa, kif), or FORMAT=FILE, \
                    found 'a.x'";
        assert_eq!(named("a.x").unwrap_err(), expected);
    }

    #[test]
    fn a_file_that_cannot_be_replaced_leaves_none_beside_it() {
        let folder = tempfile::tempdir().unwrap();
        std::fs::create_dir(folder.path().join("taken")).unwrap();
        assert!(replace(&folder.path().join("taken"), "text").is_err());
        assert_eq!(names(folder.path()), ["taken"]);
    }

    #[test]
    fn a_folder_has_one_file_per_game_even_if_games_are_rewritten() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("games").join("");
        let targets = [hasami_shogi::KIF, hasami_shogi::CSA].map(|format| RecordFile { format, path: path.clone() });
        for numbers in [&[1][..], &[1, 0], &[1, 0, 2]] {
            let mut files = Files::open(shogi(), &targets, &[0, 0]).unwrap();
            numbers.iter().for_each(|&number| files.add(number, &record("first match")).unwrap());
        }
        let first = ["00001.csa", "00001.kif", "00002.csa", "00002.kif", "00003.csa", "00003.kif"];
        assert_eq!(names(&path), first);
        // A second match in the same folder continues the numbering of the first.
        let before = targets.each_ref().map(RecordFile::length);
        assert_eq!(before, [3, 3]);
        Files::open(shogi(), &targets, &before).unwrap().add(0, &record("second match")).unwrap();
        assert_eq!(names(&path)[6..], ["00004.csa", "00004.kif"]);
    }
}
