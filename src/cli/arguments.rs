//! Errors in the arguments, in one line: where, what was expected, what was found. clap has paragraphs.

use clap::error::{ContextKind, ContextValue, ErrorKind};
use clap::{CommandFactory, Error};
use std::error::Error as _;

pub fn complaint(error: &Error) -> String {
    format!("{} (see `hasami help`)", told(error).unwrap_or_else(|| joined(error)))
}

/// The kinds of mistakes that people make; `None` for the others.
fn told(error: &Error) -> Option<String> {
    let argument = text(error, ContextKind::InvalidArg).map(|usage| name(&usage).to_owned());
    let found = || text(error, ContextKind::InvalidValue).filter(|value| !value.is_empty());
    let found_value = || found().map_or_else(|| "nothing".to_owned(), |value| format!("'{value}'"));
    match error.kind() {
        ErrorKind::InvalidValue => {
            let expected = match text(error, ContextKind::ValidValue) {
                Some(values) => format!("one of {values}"),
                None => "a value".to_owned(),
            };
            Some(format!("{}: expected {expected}, found {}", argument?, found_value()))
        }
        ErrorKind::ValueValidation => Some(format!("{}: {}, found {}", argument?, error.source()?, found_value())),
        ErrorKind::UnknownArgument => {
            let hint =
                text(error, ContextKind::SuggestedArg).map_or_else(String::new, |hint| format!(" such as {hint}"));
            Some(format!("expected a known argument{hint}, found '{}'{}", argument?, unquoted(std::env::args())))
        }
        ErrorKind::InvalidSubcommand => {
            let found = text(error, ContextKind::InvalidSubcommand)?;
            let meant = text(error, ContextKind::SuggestedSubcommand)
                .and_then(|meant| meant.split(", ").last().map(str::to_owned));
            let meant = meant.map_or_else(String::new, |meant| format!(": did you mean {meant}?"));
            Some(format!("expected a subcommand ({}), found '{found}'{meant}", subcommands()))
        }
        ErrorKind::MissingRequiredArgument => Some(format!("expected {}, found nothing", argument?)),
        ErrorKind::ArgumentConflict => {
            let argument = argument?;
            let other = text(error, ContextKind::PriorArg).map(|usage| name(&usage).to_owned());
            Some(match other.filter(|other| *other != argument) {
                Some(other) => format!("{argument} and {other} exclude each other"),
                None => format!("{argument}: expected once, found again"),
            })
        }
        _ => None,
    }
}

/// A hint where the fields of a position stand one by one behind its option.
fn unquoted(arguments: impl Iterator<Item = String>) -> String {
    let arguments: Vec<String> = arguments.collect();
    let Some(at) = arguments.iter().position(|argument| argument == "--fen" || argument == "--sfen") else {
        return String::new();
    };
    let fields: Vec<&str> =
        arguments[at + 1..].iter().map(String::as_str).take_while(|field| !field.starts_with("--")).collect();
    let is_position = fields.len() > 1 && fields[0].contains('/') && matches!(fields[1], "w" | "b");
    if !is_position {
        return String::new();
    }
    format!(": a position stands in quotes, {} \"{}\"", arguments[at], fields.join(" "))
}

fn subcommands() -> String {
    let names: Vec<String> =
        super::Arguments::command().get_subcommands().map(|command| command.get_name().to_owned()).collect();
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
    use super::unquoted;

    #[test]
    fn a_position_without_quotes_is_told_with_them() {
        let told = |words: &str| unquoted(words.split(' ').map(str::to_owned));
        let expected = ": a position stands in quotes, --fen \"8/8/8/8/8/8/8/K1k5 w - - 0 1\"";
        assert_eq!(told("hasami analyse --fen 8/8/8/8/8/8/8/K1k5 w - - 0 1 --time 3"), expected);
        assert_eq!(told("hasami solve --sfen 4k4/9 b G 1"), ": a position stands in quotes, --sfen \"4k4/9 b G 1\"");
        assert_eq!(told("hasami analyse --fen 8/8 --tiem 3"), "");
        assert_eq!(told("hasami analyse w"), "");
    }
}
