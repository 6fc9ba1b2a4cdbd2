//! A match described by a file: `--file match.toml` is replaced by the options in the file.
//!
//! ```toml
//! games = 20000
//! openings = "book.epd"          # or { file = "book.epd", order = "random" }
//! sprt = { elo0 = 0, elo1 = 5 }
//! [each]
//! tc = "10+0.1"
//! [[engine]]
//! name = "new"
//! cmd = "new"
//! options = { Hash = 16 }
//! ```

use clap::error::ErrorKind;
use clap::{Arg, ArgAction, Command};
use hasami_matches::spec;
use hasami_terminal::{Failure, in_one_line};
use hasami_words::files;
use hasami_words::text::{At, line_number, toml_fault, visible};
use std::borrow::Cow;
use std::collections::BTreeSet;
use std::ffi::OsString;
use std::fmt::Display;
use std::path::{Path, PathBuf};
use toml::Spanned;
use toml::de::{DeTable, DeValue};

/// The command-line option that names a match file.
const FILE: &str = "file";
/// Options that are not accepted in a match file.
const REFUSED: [&str; 3] = [FILE, "resume", "help"];

/// Inserts the options from the match file before those on the command line, which override them. `command` is the
/// subcommand that accepts the options.
pub fn expand(typed: &[OsString], command: &Command) -> Result<Vec<OsString>, Failure> {
    let Some(path) = file(typed) else { return Ok(typed.to_vec()) };
    let shown = path.display();
    let wrong = |why: &dyn Display| Failure::at(format!("--file {shown}"), why);
    let text = files::read_text(&path, "TOML file").map_err(|why| wrong(&why))?;
    let found = read(&text, &path, command, &named(typed, command)).map_err(|why| wrong(&why))?;
    Ok(found.into_iter().map(OsString::from).chain(typed.iter().cloned()).collect())
}

/// Returns the path that `--file` names on the command line.
fn file(typed: &[OsString]) -> Option<PathBuf> {
    let at = |(index, word): (usize, &OsString)| match word.to_str()?.strip_prefix("--file")? {
        "" => typed.get(index + 1).map(PathBuf::from),
        rest => rest.strip_prefix('=').map(PathBuf::from),
    };
    typed.iter().enumerate().find_map(at)
}

/// Returns the identifiers of the options on the command line.
fn named(typed: &[OsString], command: &Command) -> BTreeSet<String> {
    let words = typed.iter().filter_map(|word| word.to_str()?.strip_prefix("--"));
    let long = words.map(|word| word.split('=').next().unwrap_or(word));
    long.filter_map(|word| Some(option(command, word)?.get_id().to_string())).collect()
}

pub(super) fn option<'a>(command: &'a Command, word: &str) -> Option<&'a Arg> {
    let is_its = |option: &&Arg| {
        option.get_long() == Some(word) || option.get_all_aliases().is_some_and(|aliases| aliases.contains(&word))
    };
    command.get_arguments().find(is_its)
}

fn read(text: &str, path: &Path, command: &Command, typed: &BTreeSet<String>) -> Result<Vec<String>, String> {
    let table = DeTable::parse(text).map_err(|error| {
        let (line, why) = toml_fault(text, &error);
        why.at(format!("line {line}"))
    })?;
    let folder = path.parent().unwrap_or(Path::new(""));
    let mut entries: Vec<_> = table.get_ref().iter().collect();
    entries.sort_by_key(|(key, _)| key.span().start);
    let mut found = Vec::new();
    for (key, value) in entries {
        let word = key.get_ref().as_ref();
        let wrong = |why: String| why.at(format!("line {}", line_number(text, key.span().start)));
        let option = option(command, word).filter(|_| !REFUSED.contains(&word)).ok_or_else(|| {
            let (name, found) = (command.get_name(), visible(word));
            wrong(format!("expected an option of hasami {name} without its dashes, found '{found}'"))
        })?;
        let words = FileOption { option, word, folder }.of(value.get_ref()).map_err(wrong)?;
        check(&words, command).map_err(wrong)?;
        if !typed.contains(option.get_id().as_str()) {
            found.extend(words);
        }
    }
    Ok(found)
}

/// Checks a value from a match file as clap would, so that the error can name the option's line. Missing options are
/// reported later, not here.
fn check(words: &[String], command: &Command) -> Result<(), String> {
    let read = command.clone().no_binary_name(true).try_get_matches_from(words);
    match read {
        Err(error) if matches!(error.kind(), ErrorKind::InvalidValue | ErrorKind::ValueValidation) => {
            Err(in_one_line(&error))
        }
        _ => Ok(()),
    }
}

/// An option in a match file, to be converted to command-line words.
struct FileOption<'a> {
    option: &'a Arg,
    word: &'a str,
    folder: &'a Path,
}

impl FileOption<'_> {
    fn of(&self, value: &DeValue<'_>) -> Result<Vec<String>, String> {
        let long = format!("--{}", self.word);
        let is_switch = matches!(self.option.get_action(), ArgAction::SetTrue);
        let values = self.option.get_num_args().unwrap_or_default();
        let takes_many = values.max_values() > 1;
        let group = |words: Vec<String>| std::iter::once(long.clone()).chain(words).collect::<Vec<_>>();
        match (self.option.get_id().as_str(), value) {
            ("engines", DeValue::Array(engines)) => {
                let engines = engines.iter().map(|engine| self.engine(engine.get_ref()).map(group));
                Ok(engines.collect::<Result<Vec<_>, _>>()?.concat())
            }
            ("engines" | "each", _) => self.engine(value).map(group),
            (_, DeValue::Boolean(is_on)) if is_switch => Ok(if *is_on { vec![long] } else { Vec::new() }),
            (_, DeValue::Boolean(true)) if values.min_values() == 0 => Ok(vec![long]),
            (_, _) if is_switch => Err(expected("true or false", value)),
            (_, DeValue::Table(words)) if takes_many => self.pairs(words).map(group),
            (_, DeValue::Array(values)) => {
                let values = values.iter().map(|value| text(value.get_ref())).collect::<Result<Vec<_>, _>>()?;
                Ok(match takes_many {
                    true => group(values),
                    false => values.into_iter().map(|value| format!("{long}={value}")).collect(),
                })
            }
            (id, _) => {
                let text = text(value)?;
                let text = if id == "openings" && !text.contains('=') { self.beside(&text) } else { text };
                Ok(if takes_many { group(vec![text]) } else { vec![format!("{long}={text}")] })
            }
        }
    }

    /// Converts a table to words such as `elo0=0`.
    fn pairs(&self, table: &DeTable<'_>) -> Result<Vec<String>, String> {
        let pair = |(key, value): (&Spanned<Cow<'_, str>>, &Spanned<DeValue<'_>>)| {
            let (word, text) = (key.get_ref(), text(value.get_ref())?);
            let is_file = self.option.get_id() == "openings" && word == "file";
            Ok(format!("{word}={}", if is_file { self.beside(&text) } else { text }))
        };
        table.iter().map(pair).collect()
    }

    /// Converts an engine description to words, with quotes where necessary.
    fn engine(&self, value: &DeValue<'_>) -> Result<Vec<String>, String> {
        let DeValue::Table(table) = value else { return Err(expected("a table", value)) };
        let mut found = Vec::new();
        for (key, value) in table {
            let words = self.engine_words(key.get_ref(), value.get_ref())?;
            let pairs = words.into_iter().map(|(word, text)| format!("{word}={text}"));
            found.extend(pairs.map(|pair| shlex::try_quote(&pair).map_or_else(|_| pair.clone(), Cow::into_owned)));
        }
        Ok(found)
    }

    /// Converts one key of an engine's TOML table to `key=value` words of the command line. `value` is plain text, a
    /// table of options, or a list of words.
    fn engine_words(&self, key: &str, value: &DeValue<'_>) -> Result<Vec<(String, String)>, String> {
        match (value, key) {
            (DeValue::Table(table), "option" | "options") => table
                .iter()
                .map(|(name, value)| Ok((format!("option.{}", name.get_ref()), text(value.get_ref())?)))
                .collect(),
            (DeValue::Array(words), "cmd" | "command" | "args") => {
                let words = words.iter().map(|word| text(word.get_ref())).collect::<Result<Vec<_>, _>>()?;
                let line = shlex::try_join(words.iter().map(String::as_str));
                let line = line.map_err(|_| expected("words that a command line can hold", value))?;
                let line = if key == "args" { line } else { spec::command_beside(&line, self.folder) };
                Ok(vec![(key.to_owned(), line)])
            }
            (_, "cmd" | "command") => Ok(vec![(key.to_owned(), spec::command_beside(&text(value)?, self.folder))]),
            (_, "dir") => Ok(vec![(key.to_owned(), self.beside(&text(value)?))]),
            _ => Ok(vec![(key.to_owned(), text(value)?)]),
        }
    }

    /// Resolves a relative path against the match file's folder.
    fn beside(&self, path: &str) -> String {
        self.folder.join(path).to_string_lossy().into_owned()
    }
}

/// Returns a value from a match file in command-line syntax.
fn text(value: &DeValue<'_>) -> Result<String, String> {
    shown(value).ok_or_else(|| expected("one line of text or a number", value))
}

/// Converts a value to text; `None` for tables, arrays and other values that the command line cannot express.
fn shown(value: &DeValue<'_>) -> Option<String> {
    match value {
        DeValue::String(text) if !text.contains(['\n', '\r']) => Some(text.clone().into_owned()),
        DeValue::Integer(number) if number.radix() == 10 => Some(number.as_str().to_owned()),
        DeValue::Float(number) => Some(number.as_str().to_owned()),
        DeValue::Boolean(truth) => Some(truth.to_string()),
        _ => None,
    }
}

fn expected(what: &str, value: &DeValue<'_>) -> String {
    let found = shown(value).map_or_else(|| value.type_str().to_owned(), |text| format!("'{text}'"));
    format!("expected {what}, found {found}")
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used)]
    use super::super::typed::MatchLine;
    use super::*;
    use clap::CommandFactory;

    fn command() -> Command {
        MatchLine::command().name("match")
    }

    fn typed(text: &str, more: &[&str]) -> Result<Vec<String>, String> {
        let typed: Vec<OsString> = more.iter().map(OsString::from).collect();
        read(text, Path::new("here/match.toml"), &command(), &named(&typed, &command()))
    }

    #[test]
    fn every_kind_of_option_can_stand_in_a_file() {
        let text = "games = 200\nopenings = { file = 'book.epd', order = 'random' }\nsprt = { elo0 = -1.5, elo1 = 5 }\n\
                    quiet = true\nnoswap = false\nrepeat = true\nrule = ['a=b', 'c=d']\nmaxmoves = 200\n\
                    [each]\ntc = '10+0.1'\noptions = { 'Move Overhead' = 20 }\n\
                    [[engine]]\nname = 'a b'\ncmd = ['x', 'y z']\n[[engine]]\ncmd = 'old'\nponder = true\n";
        let wanted = [
            "--games=200",
            "--openings",
            "file=here/book.epd",
            "order=random",
            "--sprt",
            "elo0=-1.5",
            "elo1=5",
            "--quiet",
            "--repeat",
            "--rule=a=b",
            "--rule=c=d",
            "--maxmoves=200",
            "--each",
            "'option.Move Overhead=20'",
            "'tc=10+0.1'",
            "--engine",
            "\"cmd=x 'y z'\"",
            "'name=a b'",
            "--engine",
            "'cmd=old'",
            "'ponder=true'",
        ];
        assert_eq!(typed(text, &[]).unwrap(), wanted);
    }

    #[test]
    fn what_is_typed_takes_the_place_of_the_file_s() {
        let text = "games = 200\nopenings = 'book.epd'\nmaxmoves = 9\n";
        let found = typed(text, &["--games", "20", "--max-moves=7"]).unwrap();
        assert_eq!(found, ["--openings", "here/book.epd"]);
    }

    #[test]
    fn faults_have_a_line() {
        for (text, wanted) in [
            (
                "games = 2\nopening = 'x'",
                "line 2: expected an option of hasami match without its dashes, found 'opening'",
            ),
            ("file = 'x'", "line 1: expected an option"),
            ("\nquiet = 1", "line 2: expected true or false, found '1'"),
            ("\ngames = 'abc'", "line 2: invalid value 'abc' for '--games <N>': invalid digit"),
            (
                "games = 2\ntournament = 'ladder'",
                "line 2: invalid value 'ladder' for '--tournament <TOURNAMENT>' [possible values: pair, gauntlet",
            ),
            ("concurrency = 70000", "line 1: invalid value '70000' for '--concurrency <N>': 70000 is not in 1..=1024"),
            ("games = 1979-05-27", "line 1: expected one line of text or a number, found datetime"),
            ("[each]\ntc = []", "line 1: expected one line of text or a number, found array"),
            ("games = 1\ngames = 2", "line 2: duplicate key"),
            ("[each\n", "line 1: "),
        ] {
            let error = typed(text, &[]).unwrap_err();
            assert!(error.to_string().starts_with(wanted), "{text}: {error}");
        }
    }

    #[test]
    fn the_command_line_names_the_file() {
        let name = |words: &[&str]| file(&words.iter().map(OsString::from).collect::<Vec<_>>());
        assert_eq!(name(&["--games", "2", "--file", "a.toml"]), Some("a.toml".into()));
        assert_eq!(name(&["--file=b c.toml"]), Some("b c.toml".into()));
        assert_eq!(name(&["--filex", "a"]), None);
    }
}
