//! Files of games: PGN, CSA, KIF, SFEN lines.
//!
//! A file that is there already is added to. Where it ended before the match is kept in the journal, so that a match that
//! goes on writes its part anew from the journal: whenever it was killed, no game is missing in it and none is twice.

#![deny(clippy::unwrap_used, clippy::expect_used, clippy::panic)]

mod sfen;
pub mod stored;

use crate::catalog::Catalog;
use crate::text::kif_for;
use hasami_api::{Format, GameRecord};
use std::fs::{File, OpenOptions};
use std::io::{self, Write};
use std::path::{Path, PathBuf};

/// A format of records.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum RecordFormat {
    Games(Format),
    Sfen,
}

impl RecordFormat {
    pub const fn word(self) -> &'static str {
        match self {
            Self::Games(format) => format.word(),
            Self::Sfen => "sfen",
        }
    }

    /// SFEN lines are for the games whose protocol has the word.
    pub fn is_of(self, game: &dyn Catalog) -> bool {
        match self {
            Self::Games(format) => game.formats().contains(&format),
            Self::Sfen => game.formats().contains(&Format::Kif),
        }
    }

    const fn separator(self) -> &'static str {
        match self {
            Self::Games(format) => format.separator(),
            Self::Sfen => "",
        }
    }

    /// Writes the variations of engines, too.
    pub fn has_variations(self) -> bool {
        matches!(self, Self::Games(Format::Csa | Format::Kif))
    }

    fn write(self, game: &dyn Catalog, record: &GameRecord) -> Result<String, String> {
        match self {
            Self::Games(format) => game.write_record(record, format).map_err(|error| error.to_string()),
            Self::Sfen => Ok(sfen::write(record)),
        }
    }
}

/// A file to be written.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct RecordFile {
    pub kind: RecordFormat,
    pub path: PathBuf,
}

/// The files of a match.
pub struct Files {
    game: &'static dyn Catalog,
    open: Vec<(RecordFile, File)>,
}

/// The length of a file; 0 if there is none.
pub fn length(path: &Path) -> u64 {
    std::fs::metadata(path).map_or(0, |data| data.len())
}

impl Files {
    /// Opens all files, each cut to the length that it had before the match.
    pub fn open(game: &'static dyn Catalog, targets: &[RecordFile], lengths: &[u64]) -> Result<Self, String> {
        let mut open = Vec::new();
        for (target, &before) in targets.iter().zip(lengths) {
            let file = cut(&target.path, before).map_err(|error| complaint(target, &error))?;
            open.push((target.clone(), file));
        }
        Ok(Self { game, open })
    }

    /// Adds a game to every file.
    pub fn add(&mut self, record: &GameRecord) -> Result<(), String> {
        for (target, file) in &mut self.open {
            let text = target.kind.write(self.game, record)?;
            let text = format!("{}{text}", if is_empty(file) { "" } else { target.kind.separator() });
            let bytes = if target.kind == RecordFormat::Games(Format::Kif) {
                kif_for(&target.path, &text)
            } else {
                text.into()
            };
            file.write_all(&bytes).map_err(|error| complaint(target, &error))?;
        }
        Ok(())
    }
}

fn is_empty(file: &File) -> bool {
    file.metadata().is_ok_and(|data| data.len() == 0)
}

fn complaint(target: &RecordFile, error: &io::Error) -> String {
    format!("--{}: expected a file to write, found '{}': {error}", target.kind.word(), target.path.display())
}

fn cut(path: &Path, length: u64) -> io::Result<File> {
    let file = OpenOptions::new().create(true).append(true).open(path)?;
    if file.metadata()?.len() > length {
        file.set_len(length)?;
    }
    Ok(file)
}

/// Replaces a file in one step: a reader sees the old text or the new one.
pub fn replace(path: &Path, text: &str) -> io::Result<()> {
    let mut name = path.as_os_str().to_owned();
    name.push(".new");
    let beside = PathBuf::from(name);
    std::fs::write(&beside, text)?;
    std::fs::rename(&beside, path)
}
