//! A folder with one record file per game, for programs that read only the first game of a KIF or CSA file.
//!
//! A file is named by its game's number in the match, so a continued match does not write a game twice. A new match in
//! the same folder continues after the highest game number.

use std::fs;
use std::io;
use std::path::{Path, PathBuf};

/// Returns whether a path names a folder: an existing one, or any path that ends with a separator.
pub fn is_folder(path: &Path) -> bool {
    path.to_string_lossy().ends_with(std::path::is_separator) || path.is_dir()
}

/// Returns the highest game number of the folder's files in this format; 0 if there are none.
pub fn last_number(path: &Path, format: &str) -> u64 {
    let files = fs::read_dir(path).into_iter().flatten().flatten();
    files.filter_map(|file| number(&file.path(), format)).max().unwrap_or(0)
}

fn number(file: &Path, format: &str) -> Option<u64> {
    let is_of_format = file.extension()?.eq_ignore_ascii_case(format);
    file.file_stem()?.to_str()?.parse().ok().filter(|_| is_of_format)
}

/// Returns the path of the game with this number, from 1.
pub fn file(path: &Path, format: &str, number: u64) -> PathBuf {
    path.join(format!("{number:05}.{format}"))
}

/// Creates the folder if it does not exist.
pub fn open(path: &Path) -> io::Result<()> {
    fs::create_dir_all(path)
}
