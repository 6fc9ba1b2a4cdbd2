//! A folder with one file per game. One file per game is needed because other programs read only the first game of a
//! KIF file, and most of them also only the first game of a CSA file.
//!
//! Files are named by the numbers of their games in the match, so a continued match overwrites the file of each game. A
//! new match in the same folder continues after the highest number.

use super::RecordFormat;
use std::fs;
use std::io;
use std::path::{Path, PathBuf};

/// Returns whether the path names a folder: either the folder exists, or the path ends with a separator.
pub fn is_folder(path: &Path) -> bool {
    path.to_string_lossy().ends_with(std::path::is_separator) || path.is_dir()
}

/// The highest number of a game of this kind in the folder; 0 without games.
pub fn last_number(path: &Path, kind: RecordFormat) -> u64 {
    let files = fs::read_dir(path).into_iter().flatten().flatten();
    files.filter_map(|file| number(&file.path(), kind)).max().unwrap_or(0)
}

fn number(file: &Path, kind: RecordFormat) -> Option<u64> {
    let is_of_kind = file.extension()?.eq_ignore_ascii_case(kind.word());
    file.file_stem()?.to_str()?.parse().ok().filter(|_| is_of_kind)
}

/// The file of the game with this number, from 1.
pub fn file(path: &Path, kind: RecordFormat, number: u64) -> PathBuf {
    path.join(format!("{number:05}.{}", kind.word()))
}

/// Creates the folder if it does not exist.
pub fn open(path: &Path) -> io::Result<()> {
    fs::create_dir_all(path)
}
