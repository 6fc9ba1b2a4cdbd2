//! How a subcommand can fail, and the exit codes.

use clap::Command;
use clap::error::ErrorKind;
use hasami_words::text::visible;
use std::fmt::Display;
use std::io::{self, Write};
use std::path::Path;
use std::process::ExitCode;

/// The reason why a subcommand failed.
#[derive(Debug, thiserror::Error)]
pub enum Failure {
    /// The search ended without an answer: exit code 1.
    #[error("{0}")]
    NoAnswer(String),
    /// Bad input: exit code 2, with a one-line error message.
    #[error("{0}")]
    BadInput(String),
    /// A server has refused the login for a long time: exit code 3, so that a supervisor can use another server.
    #[error("{0}")]
    LoginRefused(String),
    /// Wrong arguments, or a request for help or the version, which clap also reports as an error.
    #[error("{}", in_one_line(.0))]
    Arguments(#[from] clap::Error),
    #[error(transparent)]
    Io(#[from] io::Error),
}

impl Failure {
    pub fn no_answer(why: impl Display) -> Self {
        Self::NoAnswer(why.to_string())
    }

    pub fn bad_input(why: impl Display) -> Self {
        Self::BadInput(why.to_string())
    }

    /// Creates the error for bad input at `place`, an option or a file.
    pub fn at(place: impl Display, why: impl Display) -> Self {
        Self::BadInput(format!("{place}: {why}"))
    }

    /// The error for two options that cannot be combined.
    pub fn exclusive(first: &str, second: &str) -> Self {
        Self::bad_input(format!("the argument '{first}' cannot be used with '{second}'"))
    }

    /// The error for an option that requires another one.
    pub fn lonely(option: &str, needed: impl Display) -> Self {
        Self::bad_input(format!("{option} needs {needed}"))
    }

    /// Creates the error for an option such as `--svg` whose file cannot be written.
    pub fn unwritable(option: &str, path: &Path, error: &io::Error) -> Self {
        Self::at(option, format!("cannot write '{}': {error}", path.display()))
    }

    pub fn login_refused(why: impl Display) -> Self {
        Self::LoginRefused(why.to_string())
    }

    /// Prints the failure as an error message of this program, and returns the exit code.
    pub fn report(self, command: &Command) -> ExitCode {
        let code = match &self {
            Self::NoAnswer(_) => 1,
            Self::LoginRefused(_) => 3,
            Self::Arguments(error) if !error.use_stderr() => {
                // If help goes to a closed pipe, that is no error.
                let _ = error.print();
                return ExitCode::SUCCESS;
            }
            // The reader of stdout has closed the pipe, as in `hasami perft ... | head -1`.
            Self::Io(error) if error.kind() == io::ErrorKind::BrokenPipe => return ExitCode::SUCCESS,
            Self::BadInput(_) | Self::Arguments(_) | Self::Io(_) => 2,
        };
        let is_unknown = matches!(&self, Self::Arguments(error) if error.kind() == ErrorKind::UnknownArgument);
        let hint = quoted_position(std::env::args()).filter(|_| is_unknown).unwrap_or_default();
        // A failure to write to stderr cannot be reported, so it is ignored.
        let _ = writeln!(io::stderr(), "{}: {}{hint}", command.get_name(), visible(&self.to_string()));
        ExitCode::from(code)
    }
}

/// Formats clap's message about wrong arguments in one line, without the usage.
pub fn in_one_line(error: &clap::Error) -> String {
    let rendered = error.render().to_string();
    let lines = rendered.lines().take_while(|line| !line.starts_with("Usage:") && !line.starts_with("For more"));
    let joined = lines.map(str::trim).filter(|line| !line.is_empty()).fold(String::new(), |joined, line| {
        let between = match joined.chars().last() {
            None => "",
            Some(':') => " ",
            Some(_) if line.starts_with('[') => " ",
            Some(_) => "; ",
        };
        joined + between + line
    });
    joined.trim_start_matches("error: ").to_owned()
}

/// If a position was typed without quotes, so that its fields became separate arguments, returns it with quotes.
fn quoted_position(arguments: impl Iterator<Item = String>) -> Option<String> {
    let mut arguments = arguments.skip_while(|argument| argument != "--fen" && argument != "--sfen");
    let option = arguments.next()?;
    let fields: Vec<String> = arguments.take_while(|field| !field.starts_with("--")).collect();
    let is_position = fields.len() > 1 && fields[0].contains('/') && matches!(fields[1].as_str(), "w" | "b");
    is_position.then(|| format!("; a position needs quotes: {option} \"{}\"", fields.join(" ")))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_unquoted_position_is_shown_in_quotes() {
        let hint = |line: &str| quoted_position(line.split(' ').map(str::to_owned)).unwrap_or_default();
        let quoted = "; a position needs quotes: --sfen \"4k4/9 b G 1\"";
        assert_eq!(hint("hasami analyse --sfen 4k4/9 b G 1 --time 3"), quoted);
        assert_eq!(hint("hasami analyse --fen 8/8 --tiem 3"), "");
        assert_eq!(hint("hasami analyse w"), "");
    }
}
