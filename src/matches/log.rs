//! The log of a match: all lines to and from the engines, and other events, with the time since the start of the match.

#![deny(clippy::unwrap_used, clippy::expect_used, clippy::panic)]

use hasami_words::text::redacted;
use std::fs::File;
use std::io::{self, BufWriter, Write};
use std::path::Path;
use std::sync::{Arc, Mutex, PoisonError};
use std::time::Instant;

/// The destination of log lines: a file, or none. Clones write to the same file.
#[derive(Clone)]
pub struct Log(Option<Arc<LogFile>>);

struct LogFile {
    file: Mutex<BufWriter<File>>,
    began: Instant,
}

impl Log {
    pub const fn nowhere() -> Self {
        Self(None)
    }

    pub fn create(path: &Path) -> io::Result<Self> {
        let file = Mutex::new(BufWriter::new(File::create(path)?));
        Ok(Self(Some(Arc::new(LogFile { file, began: Instant::now() }))))
    }

    /// Writes a line such as `  12.345 name#3 < text`. `mark` is `<` for a line from an engine, `>` for a line to an
    /// engine, and `*` for an event.
    pub fn write(&self, who: &str, mark: char, text: &str) {
        let Some(inner) = &self.0 else { return };
        let time = inner.began.elapsed().as_secs_f64();
        let mut file = inner.file.lock().unwrap_or_else(PoisonError::into_inner);
        // Write errors are ignored, because a full disk must not end the match.
        let _ = text.lines().try_for_each(|line| writeln!(file, "{time:10.3} {who} {mark} {}", redacted(line)));
    }

    /// Writes buffered lines to disk. The log is flushed after every game, so that a killed match leaves a readable
    /// log.
    pub fn flush(&self) {
        if let Some(inner) = &self.0 {
            let _ = inner.file.lock().unwrap_or_else(PoisonError::into_inner).flush();
        }
    }
}
