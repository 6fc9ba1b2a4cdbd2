//! Errors in the arguments, in one line: where, what was expected, what was found. clap has paragraphs.

use clap::error::{ContextKind, ContextValue, ErrorKind};
use clap::{Command, Error};
use hasami_words::Message;
use std::error::Error as _;
use std::num::{ParseFloatError, ParseIntError};

/// The error, and how to get help: `command` is the whole program.
pub fn complaint(error: &Error, command: &Command) -> Message {
    let why = match error.kind() {
        ErrorKind::UnknownArgument => told(error).map(|why| unquoted(why, command, std::env::args())),
        ErrorKind::InvalidSubcommand => text(error, ContextKind::InvalidSubcommand)
            .map(|found| unknown_subcommand(error, &found, command, std::env::args())),
        _ => told(error),
    };
    let why = why.unwrap_or_else(|| joined(error).into());
    Message::new("see-help").with("why", why).with("program", command.get_name())
}

/// The error alone, for messages that say themselves where it is.
pub fn plain(error: &Error) -> Message {
    told(error).unwrap_or_else(|| joined(error).into())
}

/// The same for a value that does not come from the command line itself: without the way to the help, and only if the
/// value is what is wrong.
pub fn wrong_value(error: &Error) -> Option<Message> {
    let is_value = matches!(error.kind(), ErrorKind::InvalidValue | ErrorKind::ValueValidation);
    told(error).filter(|_| is_value)
}

/// The kinds of mistakes that people make; `None` for the others.
fn told(error: &Error) -> Option<Message> {
    let argument = text(error, ContextKind::InvalidArg).map(|usage| name(&usage).to_owned());
    let found = || text(error, ContextKind::InvalidValue).filter(|value| !value.is_empty());
    match error.kind() {
        ErrorKind::InvalidValue => {
            let expected = match text(error, ContextKind::ValidValue) {
                Some(values) => Message::new("one-of").with("values", values),
                None => Message::new("any-value"),
            };
            let wrong = Message::new("expected-value").with("argument", argument?).with("expected", expected);
            Some(wrong.with("found", found_value(found())))
        }
        ErrorKind::ValueValidation => {
            let source = error.source()?;
            let why = reason(source);
            // It has been said already.
            if why.to_string().contains(", found ") {
                return Some(why.at(argument?));
            }
            let wrong = Message::new("wrong-value").with("argument", argument?).with("why", why);
            Some(wrong.with("found", found_value(found())))
        }
        ErrorKind::UnknownArgument => {
            let why = match text(error, ContextKind::SuggestedArg) {
                Some(hint) => Message::new("unknown-argument-near").with("hint", hint),
                None => Message::new("unknown-argument"),
            };
            Some(why.with("found", argument?))
        }
        ErrorKind::MissingRequiredArgument => Some(Message::new("missing-argument").with("argument", argument?)),
        ErrorKind::ArgumentConflict => {
            let argument = argument?;
            let other = text(error, ContextKind::PriorArg).map(|usage| name(&usage).to_owned());
            Some(match other.filter(|other| *other != argument) {
                Some(other) => Message::new("exclude-each-other").with("first", argument).with("second", other),
                None => Message::new("expected-once").with("argument", argument),
            })
        }
        ErrorKind::TooManyValues => {
            Some(Message::new("takes-no-more").with("argument", argument?).with("found", found()?))
        }
        ErrorKind::MissingSubcommand | ErrorKind::DisplayHelpOnMissingArgumentOrSubcommand => {
            Some(Message::new("missing-subcommand"))
        }
        ErrorKind::InvalidUtf8 => Some(Message::new("not-unicode")),
        _ => None,
    }
}

/// Why a value was refused. The standard library says what it stumbled over, not what it expected.
fn reason(source: &(dyn std::error::Error + 'static)) -> Message {
    if let Some(message) = source.downcast_ref::<Message>() {
        return message.clone();
    }
    if source.is::<ParseIntError>() {
        return Message::new("expected-whole-number");
    }
    if source.is::<ParseFloatError>() {
        return Message::new("expected-any-number");
    }
    let text = source.to_string();
    let range = text.split_once(" is not in ").and_then(|(_, range)| range.split_once(".."));
    range.map_or_else(
        || text.clone().into(),
        |(least, most)| {
            let most = most.trim_start_matches('=').to_owned();
            Message::new("expected-number").with("least", least.to_owned()).with("most", most)
        },
    )
}

fn found_value(found: Option<String>) -> Message {
    found.map_or_else(|| Message::new("no-value"), |value| Message::new("this-value").with("value", value))
}

fn unknown_subcommand(
    error: &Error,
    found: &str,
    command: &Command,
    arguments: impl Iterator<Item = String>,
) -> Message {
    let known = subcommands(found, command, arguments);
    let why = Message::new("unknown-subcommand").with("known", known).with("found", found);
    let meant = text(error, ContextKind::SuggestedSubcommand);
    match meant.as_deref().and_then(|meant| meant.split(", ").last()) {
        Some(meant) => Message::new("did-you-mean").with("why", why).with("meant", meant),
        None => why,
    }
}

/// With a hint where a position stands without its option, or the fields of one stand one by one behind it.
fn unquoted(why: Message, command: &Command, arguments: impl Iterator<Item = String>) -> Message {
    let arguments: Vec<String> = arguments.collect();
    let Some(at) = arguments.iter().position(|argument| argument == "--fen" || argument == "--sfen") else {
        return match bare_position(command, &arguments) {
            Some(meant) => Message::new("did-you-mean").with("why", why).with("meant", meant),
            None => why,
        };
    };
    let fields: Vec<&str> =
        arguments[at + 1..].iter().map(String::as_str).take_while(|field| !field.starts_with("--")).collect();
    let is_position = fields.len() > 1 && fields[0].contains('/') && matches!(fields[1], "w" | "b");
    if !is_position {
        return why;
    }
    let quotes = Message::new("position-in-quotes").with("option", arguments[at].as_str());
    quotes.with("position", fields.join(" ")).at(why)
}

/// A position behind a subcommand that takes one, with its option and quotes. A FEN has more fields than an SFEN, and no
/// number in the fourth.
fn bare_position(command: &Command, arguments: &[String]) -> Option<String> {
    let job = command.find_subcommand(arguments.get(1)?)?;
    if !["fen", "sfen"].iter().all(|option| job.get_arguments().any(|argument| argument.get_id() == option)) {
        return None;
    }
    let given = arguments.get(2..)?;
    let at = given.iter().position(|argument| argument.contains('/') && !argument.starts_with('-'))?;
    let own = given[at].contains(' ').then_some(1);
    let words = given[at..].iter().take(own.unwrap_or(given.len())).flat_map(|word| word.split_whitespace());
    let fields: Vec<&str> = words.take_while(|field| !field.starts_with("--")).collect();
    if !matches!(fields[..], [_, "w" | "b", ..]) {
        return None;
    }
    let is_sfen = fields.len() < 4 || fields.len() == 4 && fields[3].parse::<u32>().is_ok();
    Some(format!("{} \"{}\"", if is_sfen { "--sfen" } else { "--fen" }, fields.join(" ")))
}

/// Those that may stand where `found` stands: behind a subcommand with some of its own these.
fn subcommands(found: &str, command: &Command, arguments: impl Iterator<Item = String>) -> String {
    let mut command = command;
    for word in arguments.skip(1).take_while(|word| word != found) {
        if let Some(below) = command.find_subcommand(&word).filter(|below| below.has_subcommands()) {
            command = below;
        }
    }
    let names: Vec<&str> = command.get_subcommands().map(Command::get_name).collect();
    names.join(", ")
}

fn text(error: &Error, kind: ContextKind) -> Option<String> {
    match error.get(kind)? {
        ContextValue::String(text) => Some(text.clone()),
        ContextValue::Strings(texts) => (!texts.is_empty()).then(|| texts.join(", ")),
        _ => None,
    }
}

/// `--time <SECONDS>` is `--time`, `<DEPTH>` is `DEPTH`.
fn name(usage: &str) -> &str {
    usage.split(' ').next().unwrap_or(usage).trim_matches(['<', '>', '[', ']', '.', ','])
}

/// clap's own words without usage and tips.
fn joined(error: &Error) -> String {
    let rendered = error.render().to_string();
    let told = rendered.lines().map(str::trim).take_while(|l| !l.starts_with("Usage:") && !l.starts_with("For more"));
    let words: Vec<&str> = told.filter(|line| !line.is_empty()).collect();
    words.join(" ").trim_start_matches("error: ").to_owned()
}

#[cfg(test)]
mod tests {
    use super::*;
    use clap::Arg;

    fn program() -> Command {
        let position = |name| Command::new(name).arg(Arg::new("fen").long("fen")).arg(Arg::new("sfen").long("sfen"));
        let data = Command::new("data").subcommands([Command::new("count"), Command::new("show")]);
        let others = ["eval", "perft", "solve"].map(position);
        Command::new("hasami")
            .subcommand(position("analyse"))
            .subcommand(data)
            .subcommands(others)
            .subcommand(Command::new("match"))
    }

    #[test]
    fn the_subcommands_of_a_subcommand_are_its_own() {
        let known = |words: &str| subcommands("foo", &program(), words.split(' ').map(str::to_owned));
        assert_eq!(known("hasami data foo"), "count, show");
        assert!(known("hasami foo data").starts_with("analyse, data"));
    }
    #[test]
    fn a_position_without_quotes_is_told_with_them() {
        let told = |words: &str| unquoted("why".into(), &program(), words.split(' ').map(str::to_owned)).to_string();
        let expected = "why: a position stands in quotes, --fen \"8/8/8/8/8/8/8/K1k5 w - - 0 1\"";
        assert_eq!(told("hasami analyse --fen 8/8/8/8/8/8/8/K1k5 w - - 0 1 --time 3"), expected);
        assert_eq!(told("hasami solve --sfen 4k4/9 b G 1"), "why: a position stands in quotes, --sfen \"4k4/9 b G 1\"");
        assert_eq!(told("hasami analyse --fen 8/8 --tiem 3"), "why");
        assert_eq!(told("hasami analyse w"), "why");
    }
    #[test]
    fn a_position_without_its_option_is_told_with_it() {
        let told = |words: &[&str]| {
            unquoted("why".into(), &program(), words.iter().map(|word| (*word).to_owned())).to_string()
        };
        let sfen = "why: did you mean --sfen \"4k4/9 b G 1\"?";
        assert_eq!(told(&["/bin/hasami", "analyse", "4k4/9 b G 1", "--time", "3"]), sfen);
        assert_eq!(told(&["hasami", "eval", "4k4/9", "b", "G", "1"]), sfen);
        assert_eq!(told(&["hasami", "perft", "1", "8/8 w - -"]), "why: did you mean --fen \"8/8 w - -\"?");
        assert_eq!(told(&["hasami", "match", "4k4/9 b G 1"]), "why");
        assert_eq!(told(&["hasami", "analyse", "a/b"]), "why");
    }
}
