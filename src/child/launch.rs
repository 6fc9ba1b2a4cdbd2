//! Describes a process to start by its command line and working folder.

use super::platform;
use hasami_words::text::visible;
use std::fmt;
use std::path::{Path, PathBuf};
use std::process::Command;
use thiserror::Error;

/// A program with its arguments and its working folder.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Launch {
    words: Vec<String>,
    dir: Option<PathBuf>,
}

/// The error for text that is not a valid command line.
#[derive(Clone, PartialEq, Eq, Debug, Error)]
pub enum LaunchError {
    #[error("expected a command line with closed quotes, found '{0}'")]
    OpenQuotes(String),
    #[error("expected a command line, found nothing")]
    Empty,
}

/// Prints the command line, with quotes around words that contain blanks.
impl fmt::Display for Launch {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        for (number, word) in self.words.iter().enumerate() {
            let quote = if word.is_empty() || word.contains(char::is_whitespace) { "\"" } else { "" };
            write!(f, "{}{quote}{}{quote}", if number > 0 { " " } else { "" }, visible(word))?;
        }
        Ok(())
    }
}

impl Launch {
    /// Splits a command line as a shell does (`ssh host engine`, `"/opt/my engine" --flag`). The path of an existing
    /// file is taken as one word, including its blanks.
    pub fn parse(text: &str) -> Result<Self, LaunchError> {
        let text = text.trim();
        if Path::new(text).is_file() {
            return Self::from_words(vec![text.to_owned()]);
        }
        match platform::split(text) {
            Some(words) => Self::from_words(words),
            None => Err(LaunchError::OpenQuotes(text.to_owned())),
        }
    }

    /// Creates a `Launch` from a command line that has already been split into words.
    pub fn from_words(words: Vec<String>) -> Result<Self, LaunchError> {
        if words.first().is_none_or(String::is_empty) {
            return Err(LaunchError::Empty);
        }
        Ok(Self { words, dir: None })
    }

    /// If the program's path is relative and contains a folder, looks for the program in `folder` first.
    pub fn beside(mut self, folder: &Path) -> Self {
        let program = Path::new(self.program());
        let there = folder.join(program);
        if program.is_relative() && program.components().count() > 1 && there.is_file() {
            self.words[0] = there.to_string_lossy().into_owned();
        }
        self
    }

    /// Makes `dir` the working folder, and looks for the program in `dir` first (see [`Self::beside`]).
    pub fn in_dir(self, dir: &Path) -> Self {
        Self { dir: Some(dir.to_owned()), ..self.beside(dir) }
    }

    /// Makes `dir` the working folder if none was named. A relative program path still counts from the current folder.
    pub fn in_dir_unless_named(mut self, dir: &Path) -> Self {
        if self.dir.is_none() {
            let program = Path::new(self.program());
            let whole =
                std::path::absolute(program).ok().filter(|whole| program.components().count() > 1 && whole.is_file());
            if let Some(whole) = whole {
                self.words[0] = whole.to_string_lossy().into_owned();
            }
            self.dir = Some(dir.to_owned());
        }
        self
    }

    /// Appends arguments to the command line.
    pub fn with_args(mut self, args: impl IntoIterator<Item = String>) -> Self {
        self.words.extend(args);
        self
    }

    /// The program and its arguments.
    pub fn words(&self) -> &[String] {
        &self.words
    }

    /// The working folder, if one was named.
    pub fn folder(&self) -> Option<&Path> {
        self.dir.as_deref()
    }

    pub fn program(&self) -> &str {
        &self.words[0]
    }

    /// Path of the program's file, looked up as the system does; `None` if there is no such file.
    pub fn program_file(&self) -> Option<PathBuf> {
        let named = Path::new(self.program());
        if named.components().count() > 1 {
            return Some(named.to_owned()).filter(|path| path.is_file());
        }
        let file = format!("{}{}", self.program(), std::env::consts::EXE_SUFFIX);
        let folders = std::env::var_os("PATH")?;
        std::env::split_paths(&folders).map(|folder| folder.join(&file)).find(|path| path.is_file())
    }

    /// The program's name without folder and extension: the default name of a worker.
    pub fn short_name(&self) -> String {
        let stem = Path::new(self.program()).file_stem();
        stem.map_or_else(|| self.program().to_owned(), |stem| stem.to_string_lossy().into_owned())
    }

    /// Describes why the program could not be started, and names the working folder if that folder is missing.
    pub(super) fn fault(&self, error: &std::io::Error) -> String {
        let missing = self.dir.as_ref().filter(|dir| !dir.is_dir());
        let folder = missing.map_or_else(String::new, |dir| format!(" in '{}'", visible(&dir.to_string_lossy())));
        format!("cannot start '{}'{folder}: {error}", self.program())
    }

    pub(super) fn command(&self) -> Command {
        let mut command = Command::new(&self.words[0]);
        command.args(&self.words[1..]);
        if let Some(dir) = &self.dir {
            command.current_dir(dir);
        }
        command
    }
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used)]
    use super::*;

    #[test]
    fn command_lines_are_split() {
        let words = |text: &str| Launch::parse(text).unwrap().words;
        assert_eq!(words("stockfish"), ["stockfish"]);
        assert_eq!(words("  ssh host  nice engine "), ["ssh", "host", "nice", "engine"]);
        assert_eq!(words("\"/opt/my engine\" --hash 16"), ["/opt/my engine", "--hash", "16"]);
        assert_eq!(Launch::parse("/opt/engines/stockfish.exe x").unwrap().short_name(), "stockfish");
        assert_eq!(Launch::parse("\"/opt/my engine\" --hash 16").unwrap().to_string(), "\"/opt/my engine\" --hash 16");
        for bad in ["", "   ", "\"open"] {
            assert!(Launch::parse(bad).unwrap_err().to_string().starts_with("expected"), "{bad:?}");
        }
    }

    #[test]
    fn a_missing_folder_is_named_in_the_error() {
        let error = std::io::Error::from(std::io::ErrorKind::NotFound);
        let launch = Launch::parse("engine").unwrap();
        assert!(launch.fault(&error).to_string().starts_with("cannot start 'engine': "));
        let launch = launch.in_dir(Path::new("/nonexistent"));
        assert!(launch.fault(&error).to_string().starts_with("cannot start 'engine' in '/nonexistent': "));
    }

    #[test]
    fn an_existing_file_is_one_word() {
        let dir = tempfile::tempdir().unwrap();
        let path = dir.path().join("my engine");
        std::fs::write(&path, "").unwrap();
        assert_eq!(Launch::parse(path.to_str().unwrap()).unwrap().words.len(), 1);
        let launch = Launch::parse("\"./my engine\"").unwrap();
        assert_eq!(Path::new(launch.beside(dir.path()).program()), dir.path().join("./my engine"));
    }
}
