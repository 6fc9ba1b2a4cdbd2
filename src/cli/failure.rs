//! How a subcommand fails, and with which exit code.

use super::arguments;
use crate::text::visible;
use std::io;
use std::path::Path;
use std::process::ExitCode;

/// Why a subcommand did not do its job.
#[derive(Debug, thiserror::Error)]
pub enum Failure {
    /// The search ended without an answer: exit code 1.
    #[error("{0}")]
    NoAnswer(String),
    /// One line: what was expected, what was found, where. Exit code 2.
    #[error("{0}")]
    BadInput(String),
    /// A server has not taken the login for long: a supervisor may bring another one. Exit code 3.
    #[error("{0}")]
    LoginRefused(String),
    /// Help and version are no failures, but clap ends with them too.
    #[error(transparent)]
    Arguments(#[from] clap::Error),
    #[error(transparent)]
    Io(#[from] io::Error),
}

impl Failure {
    /// The file of an option (`--svg`).
    pub fn unwritable(option: &str, path: &Path, error: &io::Error) -> Self {
        let shown = path.display();
        Self::BadInput(format!("{option}: expected a file that can be written, found '{shown}': {error}"))
    }

    /// Tells the user, once, and gives the exit code.
    pub fn report(self) -> ExitCode {
        match self {
            Self::NoAnswer(line) => complain(&line, 1),
            Self::BadInput(line) => complain(&line, 2),
            Self::LoginRefused(line) => complain(&line, 3),
            Self::Arguments(error) if error.use_stderr() => complain(&arguments::complaint(&error), 2),
            Self::Arguments(error) => {
                // A reader that went away wants no more help text.
                let _ = error.print();
                ExitCode::SUCCESS
            }
            // `hasami perft ... | head -1`: the reader has what it wanted.
            Self::Io(error) if error.kind() == io::ErrorKind::BrokenPipe => ExitCode::SUCCESS,
            Self::Io(error) => complain(&error.to_string(), 2),
        }
    }
}

/// A worker or a cell is lost, and the others go on.
pub fn tell(line: &str) {
    use io::Write;
    // Nobody is left to tell when stderr is gone.
    let _ = writeln!(io::stderr(), "hasami: {line}");
}

fn complain(line: &str, code: u8) -> ExitCode {
    use io::Write;
    // Nobody is left to tell when stderr is gone.
    let _ = writeln!(io::stderr(), "hasami: {}", visible(line));
    ExitCode::from(code)
}
