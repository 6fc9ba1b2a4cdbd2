//! How a subcommand fails, and with which exit code.

use super::arguments;
use clap::Command;
use hasami_words::text::visible;
use hasami_words::{Message, Words};
use std::io;
use std::path::Path;
use std::process::ExitCode;

/// Why a subcommand did not do its job.
#[derive(Debug, thiserror::Error)]
pub enum Failure {
    /// The search ended without an answer: exit code 1.
    #[error("{0}")]
    NoAnswer(Message),
    /// One line: what was expected, what was found, where. Exit code 2.
    #[error("{0}")]
    BadInput(Message),
    /// A server has not taken the login for long: a supervisor may bring another one. Exit code 3.
    #[error("{0}")]
    LoginRefused(Message),
    /// Help and version are no failures, but clap ends with them too.
    #[error(transparent)]
    Arguments(#[from] clap::Error),
    #[error(transparent)]
    Io(#[from] io::Error),
}

impl Failure {
    pub fn no_answer(why: impl Into<Message>) -> Self {
        Self::NoAnswer(why.into())
    }

    pub fn bad_input(why: impl Into<Message>) -> Self {
        Self::BadInput(why.into())
    }

    /// Bad input at this place: an option, or a file.
    pub fn at(place: impl Into<String>, why: impl Into<Message>) -> Self {
        Self::BadInput(why.into().at(place.into()))
    }

    /// Two options that mean something only without one another.
    pub fn exclusive(first: &str, second: &str) -> Self {
        Self::bad_input(Message::new("exclude-each-other").with("first", first).with("second", second))
    }

    /// An option that means nothing without another one.
    pub fn lonely(option: &str, needed: impl Into<String>) -> Self {
        Self::bad_input(Message::new("needs-option").with("option", option).with("needed", needed.into()))
    }

    /// The file of an option (`--svg`).
    pub fn unwritable(option: &str, path: &Path, error: &io::Error) -> Self {
        let why = Message::new("expected-writable").with("file", path.display().to_string());
        Self::at(option, why.with("why", Message::of_system(error)))
    }

    pub fn login_refused(why: impl Into<Message>) -> Self {
        Self::LoginRefused(why.into())
    }

    /// What there is to say, where it becomes part of something else.
    pub fn into_message(self) -> Message {
        match self {
            Self::NoAnswer(why) | Self::BadInput(why) | Self::LoginRefused(why) => why,
            Self::Arguments(error) => arguments::plain(&error),
            Self::Io(error) => Message::of_system(&error),
        }
    }

    /// Prints the failure of this program and returns the exit code.
    pub fn report(self, command: &Command, words: &Words) -> ExitCode {
        let complain = |why: &Message, code| complain(command.get_name(), &why.said(words), code);
        match self {
            Self::NoAnswer(why) => complain(&why, 1),
            Self::BadInput(why) => complain(&why, 2),
            Self::LoginRefused(why) => complain(&why, 3),
            Self::Arguments(error) if error.use_stderr() => complain(&arguments::complaint(&error, command), 2),
            Self::Arguments(error) => {
                // A reader that went away wants no more help text.
                let _ = error.print();
                ExitCode::SUCCESS
            }
            // `hasami perft ... | head -1`: the reader has what it wanted.
            Self::Io(error) if error.kind() == io::ErrorKind::BrokenPipe => ExitCode::SUCCESS,
            Self::Io(error) => complain(&Message::of_system(&error), 2),
        }
    }
}

fn complain(program: &str, line: &str, code: u8) -> ExitCode {
    use io::Write;
    // Nobody is left to tell when stderr is gone.
    let _ = writeln!(io::stderr(), "{program}: {}", visible(line));
    ExitCode::from(code)
}
