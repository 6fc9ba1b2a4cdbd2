//! A match described by a file: `--file match.toml` is replaced by the options in that file.
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

use super::words;
use clap::builder::ValueRange;
use clap::error::ErrorKind;
use clap::{Arg, ArgAction, Command};
use hasami_matches::spec::{self, EngineDraft};
use hasami_terminal::{Failure, in_one_line};
use hasami_words::files;
use hasami_words::text::{At, line_number, toml_fault, visible};
use std::collections::BTreeSet;
use std::ffi::OsString;
use std::fmt::Display;
use std::path::{Path, PathBuf};
use toml::Spanned;
use toml::de::{DeTable, DeValue};

/// The option that names the file.
const FILE: &str = "file";
/// Options that make no sense in a file.
const REFUSED: [&str; 3] = [FILE, "resume", "help"];

/// A value of the file, with its position in it.
type Value<'a> = Spanned<DeValue<'a>>;

/// A fault in a file: its position, and what was expected and found there.
struct Fault {
    at: usize,
    why: String,
}

impl Fault {
    fn new(value: &Value<'_>, why: String) -> Self {
        Self { at: value.span().start, why }
    }
}

/// Inserts the options of the file before those that were typed; `command` is the subcommand of the options. A typed
/// option overrides the option of the file.
pub fn expand(typed: &[OsString], command: &Command) -> Result<Vec<OsString>, Failure> {
    let Some(path) = file(typed) else { return Ok(typed.to_vec()) };
    let shown = path.display();
    let wrong = |why: &dyn Display| Failure::at(format!("--file {shown}"), why);
    let text = files::read_text(&path, "TOML file").map_err(|why| wrong(&why))?;
    let found = read(&text, &path, command, &named(typed, command)).map_err(|why| wrong(&why))?;
    Ok(found.into_iter().map(OsString::from).chain(typed.iter().cloned()).collect())
}

/// The file that is named on the command line.
fn file(typed: &[OsString]) -> Option<PathBuf> {
    let at = |(index, word): (usize, &OsString)| match word.to_str()?.strip_prefix("--file")? {
        "" => typed.get(index + 1).map(PathBuf::from),
        rest => rest.strip_prefix('=').map(PathBuf::from),
    };
    typed.iter().enumerate().find_map(at)
}

/// The identifiers of the options that were typed.
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
        in_line(line, why)
    })?;
    let told = |fault: Fault| in_line(line_number(text, fault.at), fault.why);
    let folder = path.parent().unwrap_or(Path::new(""));
    let mut entries: Vec<_> = table.get_ref().iter().collect();
    entries.sort_by_key(|(key, _)| key.span().start);
    let mut found = Vec::new();
    for (key, value) in entries {
        let word = key.get_ref().as_ref();
        let option = option(command, word).filter(|_| !REFUSED.contains(&word)).ok_or_else(|| {
            let (name, found) = (command.get_name(), visible(word));
            let why = format!("expected an option of hasami {name} without its dashes, found '{found}'");
            told(Fault { at: key.span().start, why })
        })?;
        let words = FileOption { option, word, folder }.of(value).map_err(told)?;
        check(&words, command).map_err(|why| told(Fault { at: value.span().start, why }))?;
        if !typed.contains(option.get_id().as_str()) {
            found.extend(words);
        }
    }
    Ok(found)
}

/// Checks a value of the file as clap would, so that an error can name its line. Missing options are reported later.
fn check(words: &[String], command: &Command) -> Result<(), String> {
    let read = command.clone().no_binary_name(true).try_get_matches_from(words);
    match read {
        Err(error) if matches!(error.kind(), ErrorKind::InvalidValue | ErrorKind::ValueValidation) => {
            Err(in_one_line(&error))
        }
        _ => Ok(()),
    }
}

/// An option of the file, to be converted to words of a command line.
struct FileOption<'a> {
    option: &'a Arg,
    word: &'a str,
    folder: &'a Path,
}

impl FileOption<'_> {
    fn of(&self, value: &Value<'_>) -> Result<Vec<String>, Fault> {
        let long = format!("--{}", self.word);
        let group = |words: Vec<String>| std::iter::once(long.clone()).chain(words).collect::<Vec<_>>();
        match (self.option.get_id().as_str(), value.get_ref()) {
            ("engines", DeValue::Array(engines)) => {
                let engines = engines.iter().map(|engine| self.engine(engine).map(group));
                Ok(engines.collect::<Result<Vec<_>, _>>()?.concat())
            }
            ("engines" | "each", _) => self.engine(value).map(group),
            (_, DeValue::Boolean(is_on)) if is_switch(self.option) => Ok(if *is_on { vec![long] } else { Vec::new() }),
            (_, DeValue::Boolean(true)) if self.range().is_some_and(|range| range.min_values() == 0) => Ok(vec![long]),
            (_, _) if is_switch(self.option) => Err(expected("true or false", value)),
            (_, DeValue::Table(words)) if takes_many(self.option) => self.pairs(words, value).map(group),
            (_, DeValue::Array(values)) => {
                let values = values.iter().map(|value| self.text(value)).collect::<Result<Vec<_>, _>>()?;
                Ok(match takes_many(self.option) {
                    true => group(values),
                    false => values.into_iter().map(|value| format!("{long}={value}")).collect(),
                })
            }
            (id, _) => {
                let text = self.text(value)?;
                let text = if id == "openings" && !text.contains('=') { self.beside(&text) } else { text };
                Ok(if takes_many(self.option) { group(vec![text]) } else { vec![format!("{long}={text}")] })
            }
        }
    }

    fn range(&self) -> Option<ValueRange> {
        self.option.get_num_args()
    }

    fn text(&self, value: &Value<'_>) -> Result<String, Fault> {
        text(value).ok_or_else(|| expected("one line of text or a number", value))
    }

    /// Words such as `elo0=0`. Words that can be checked one by one are checked here, so that an error can name the
    /// line.
    fn pairs(&self, table: &DeTable<'_>, whole: &Value<'_>) -> Result<Vec<String>, Fault> {
        let is_openings = self.option.get_id() == "openings";
        let mut pairs = Vec::new();
        for (key, value) in table {
            let (word, mut text) = (key.get_ref().as_ref(), self.text(value)?);
            if is_openings && word == "file" {
                text = self.beside(&text);
            }
            let pair = format!("{word}={text}");
            words::check(self.option.get_id().as_str(), &pair)
                .map_err(|failure| Fault { at: key.span().start, why: failure.to_string() })?;
            pairs.push(pair);
        }
        if pairs.is_empty() { Err(expected("words in the table", whole)) } else { Ok(pairs) }
    }

    /// The words of an engine.
    fn engine(&self, value: &Value<'_>) -> Result<Vec<String>, Fault> {
        let DeValue::Table(table) = value.get_ref() else { return Err(expected("a table", value)) };
        let (mut found, mut draft) = (Vec::new(), EngineDraft::default());
        for (key, value) in table {
            for (word, text) in self.engine_words(key.get_ref(), value)? {
                let pair = format!("{word}={text}");
                let pair = shlex::try_quote(&pair).map_or_else(|_| pair.clone(), |quoted| quoted.into_owned());
                draft
                    .read(std::slice::from_ref(&pair))
                    .map_err(|error| Fault { at: key.span().start, why: error.to_string() })?;
                found.push(pair);
            }
        }
        Ok(found)
    }

    /// Converts one key of an engine: a word, the options, or the words of a group.
    fn engine_words(&self, key: &str, value: &Value<'_>) -> Result<Vec<(String, String)>, Fault> {
        match (value.get_ref(), key) {
            (DeValue::Table(table), "option" | "options") => table
                .iter()
                .map(|(name, value)| Ok((format!("option.{}", name.get_ref()), self.text(value)?)))
                .collect(),
            (DeValue::Array(words), "cmd" | "command" | "args") => {
                let words = words.iter().map(|word| self.text(word)).collect::<Result<Vec<_>, _>>()?;
                let line = shlex::try_join(words.iter().map(String::as_str));
                let line = line.map_err(|_| expected("words that a command line can hold", value))?;
                Ok(vec![(key.to_owned(), if key == "args" { line } else { self.command(&line) })])
            }
            (_, "cmd" | "command") => Ok(vec![(key.to_owned(), self.command(&self.text(value)?))]),
            (_, "dir") => Ok(vec![(key.to_owned(), self.beside(&self.text(value)?))]),
            _ => Ok(vec![(key.to_owned(), self.text(value)?)]),
        }
    }

    /// Resolves a relative path against the folder of the file.
    fn beside(&self, path: &str) -> String {
        self.folder.join(path).to_string_lossy().into_owned()
    }

    fn command(&self, line: &str) -> String {
        spec::command_beside(line, self.folder)
    }
}

/// Returns whether the option takes no value.
fn is_switch(option: &Arg) -> bool {
    matches!(option.get_action(), ArgAction::SetTrue)
}

/// Returns whether the option takes several values.
fn takes_many(option: &Arg) -> bool {
    option.get_num_args().is_some_and(|range| range.max_values() > 1)
}

/// A value of the file as it would be typed on the command line; `None` for tables, arrays and other values without
/// such a form.
fn text(value: &Value<'_>) -> Option<String> {
    match value.get_ref() {
        DeValue::String(text) if !text.contains(['\n', '\r']) => Some(text.clone().into_owned()),
        DeValue::Integer(number) if number.radix() == 10 => Some(number.as_str().to_owned()),
        DeValue::Float(number) => Some(number.as_str().to_owned()),
        DeValue::Boolean(truth) => Some(truth.to_string()),
        _ => None,
    }
}

fn expected(what: &str, value: &Value<'_>) -> Fault {
    let found = match text(value) {
        Some(text) => format!("'{text}'"),
        None => value.get_ref().type_str().to_owned(),
    };
    Fault::new(value, format!("expected {what}, found {found}"))
}

fn in_line(number: usize, why: String) -> String {
    why.at(format!("line {number}"))
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
            ("[each]\ncolour = 'red'", "line 2: expected one of name, cmd"),
            ("[[engine]]\ncmd = 'a'\ntc = 'abc'", "line 3: tc: expected a time control"),
            ("[sprt]\nelo0 = 0\nelo2 = 5", "line 3: --sprt: expected one of elo0, elo1"),
            ("openings = { file = 'a',\n colour = 'red' }", "line 2: --openings: expected one of file, format"),
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
