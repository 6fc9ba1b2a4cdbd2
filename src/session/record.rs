//! Writes the log that the option `DebugLogFile` names: all input and output with times.

use hasami_words::files;
use hasami_words::text::redacted;
use std::fs::File;
use std::io::Write;
use std::path::{Path, PathBuf};
use std::time::Instant;

/// An open log file, or none.
#[derive(Default)]
pub struct Record {
    /// The path of the log file, even if the file could not be opened.
    path: Option<PathBuf>,
    open: Option<(File, Instant)>,
}

impl Record {
    /// Opens, closes or moves the log; an existing file is extended. Returns an error only once per path.
    pub fn reopen(&mut self, path: Option<&Path>) -> Result<(), String> {
        if self.path.as_deref() == path {
            return Ok(());
        }
        self.open = None;
        self.path = path.map(Path::to_owned);
        let Some(path) = path else { return Ok(()) };
        let file = files::append(path).map_err(|why| format!("DebugLogFile {}: {why}", path.display()))?;
        self.open = Some((file, Instant::now()));
        Ok(())
    }

    pub fn heard(&mut self, line: &str) {
        self.write("<", line);
    }

    pub fn said(&mut self, text: &str) {
        text.lines().for_each(|line| self.write(">", line));
    }

    /// Writes a line to the log, and closes the log on an error: a full disk must not end a game.
    fn write(&mut self, mark: &str, line: &str) {
        if let Some((file, began)) = &mut self.open {
            let line = format!("{:10.3} {mark} {}\n", began.elapsed().as_secs_f64(), redacted(line));
            if file.write_all(line.as_bytes()).is_err() {
                self.open = None;
            }
        }
    }
}
