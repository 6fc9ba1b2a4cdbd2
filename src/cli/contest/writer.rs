//! Writes a command line as a match file, which `described` reads.

use super::described::{is_switch, takes_many};
use super::typed::Groups;
use super::words::pairs_in;
use clap::parser::ValueSource;
use clap::{Arg, Command};
use hasami_matches::spec;
use hasami_terminal::Failure;
use hasami_words::text::redacted;
use std::fmt::Write as _;
use std::io::Write;
use std::path::{Component, Path};

/// Options that belong to a machine or a run and not to the match: servers with their passwords, output files, and the
/// page.
const LEFT_OUT: [&str; 16] = [
    "file",
    "out",
    "write",
    "resume",
    "journal",
    "json",
    "svg",
    "pgn",
    "record",
    "log",
    "web",
    "machines",
    "machines-creds",
    "machines-ca",
    "connect",
    "quiet",
];

/// Writes the file and prints how to use it. `command` is the subcommand that reads it.
pub fn write(path: &Path, groups: &Groups, command: &Command, out: &mut dyn Write) -> Result<(), Failure> {
    let text = text(groups, command, &Prefix::of(path))?;
    // The options of an engine may contain a password.
    std::fs::write(path, &*redacted(&text)).map_err(|error| Failure::unwritable("--write", path, &error))?;
    Ok(writeln!(out, "{}: hasami {} --file {}", path.display(), command.get_name(), path.display())?)
}

fn text(groups: &Groups, command: &Command, prefix: &Prefix) -> Result<String, Failure> {
    let matches = command.clone().no_binary_name(true).try_get_matches_from(&groups.arguments)?;
    let (mut plain, mut tables) = (String::new(), String::new());
    for option in command.get_arguments() {
        let (id, Some(long)) = (option.get_id().as_str(), option.get_long()) else { continue };
        let is_typed = matches.value_source(id) == Some(ValueSource::CommandLine);
        if !is_typed || LEFT_OUT.contains(&long) || id == "engines" {
            continue;
        }
        let values: Vec<Vec<String>> = matches.get_raw_occurrences(id).into_iter().flatten().map(strings).collect();
        if id == "each" {
            tables = format!("\n[each]\n{}{tables}", engine(&values.concat(), prefix)?);
        } else {
            let _ = writeln!(plain, "{long} = {}", shown(option, values, prefix));
        }
    }
    for words in &groups.engines {
        if let [file] = &words[..]
            && !file.contains('=')
        {
            return Err(Failure::at("--write", format!("expected engines in words, found the file '{file}'")));
        }
        let _ = write!(tables, "\n[[engine]]\n{}", engine(words, prefix)?);
    }
    Ok(plain + &tables)
}

fn strings<'a>(words: impl Iterator<Item = &'a std::ffi::OsStr>) -> Vec<String> {
    words.map(|word| word.to_string_lossy().into_owned()).collect()
}

/// The value of an option other than `--engine`, in TOML.
fn shown(option: &Arg, values: Vec<Vec<String>>, prefix: &Prefix) -> String {
    let words = values.concat();
    let is_openings = option.get_id() == "openings";
    if is_switch(option) || words.is_empty() {
        return "true".to_owned();
    }
    let parts: Vec<String> = words.iter().flat_map(|word| pairs_in(word)).map(str::to_owned).collect();
    let pairs: Option<Vec<_>> = parts.iter().map(|part| part.split_once('=')).collect();
    match (pairs, &words[..]) {
        (Some(pairs), _) if takes_many(option) => {
            let pair = |(name, value): &(&str, &str)| {
                let value = if is_openings && *name == "file" { prefix.beside(value) } else { (*value).to_owned() };
                format!("{} = {}", key(name), scalar(&value))
            };
            format!("{{ {} }}", pairs.iter().map(pair).collect::<Vec<_>>().join(", "))
        }
        (_, [word]) if is_openings => scalar(&prefix.beside(word)),
        (_, [word]) => scalar(word),
        (_, words) => format!("[{}]", words.iter().map(|word| scalar(word)).collect::<Vec<_>>().join(", ")),
    }
}

/// The lines of an engine's table.
fn engine(words: &[String], prefix: &Prefix) -> Result<String, Failure> {
    let (mut lines, mut options) = (String::new(), Vec::<(String, String)>::new());
    let mut groups: Vec<(String, Vec<String>)> = Vec::new();
    for argument in words {
        let pairs = spec::words(argument).map_err(|error| Failure::bad_input(format!("--engine: {error}")))?;
        for (word, value) in pairs {
            match word.split_once('.') {
                Some(("option", name)) => {
                    options.retain(|(other, _)| !other.eq_ignore_ascii_case(name));
                    options.push((name.to_owned(), value));
                }
                _ => {
                    let value = match word.as_str() {
                        "cmd" | "command" => prefix.command(&value),
                        "dir" => prefix.beside(&value),
                        _ => value,
                    };
                    match groups.iter_mut().find(|(known, _)| *known == word) {
                        Some((_, values)) => values.push(value),
                        None => groups.push((word, vec![value])),
                    }
                }
            }
        }
    }
    for (word, values) in groups {
        // For all other words, the last value counts.
        let (word, value) = match word.as_str() {
            "arg" => ("args", shlex::try_join(values.iter().map(String::as_str)).unwrap_or_default()),
            word => (word, values.last().cloned().unwrap_or_default()),
        };
        let value = scalar(&value);
        let _ = writeln!(lines, "{word} = {value}");
    }
    if !options.is_empty() {
        let options = options.iter().map(|(name, value)| format!("{} = {}", key(name), scalar(value)));
        let _ = writeln!(lines, "options = {{ {} }}", options.collect::<Vec<_>>().join(", "));
    }
    Ok(lines)
}

fn key(name: &str) -> String {
    let is_bare = !name.is_empty() && name.chars().all(|c| c.is_ascii_alphanumeric() || "-_".contains(c));
    if is_bare { name.to_owned() } else { quoted(name) }
}

/// Writes a text as a number or a boolean if that is read back as the same text.
fn scalar(text: &str) -> String {
    let is_number = text.parse::<i64>().is_ok_and(|number| number.to_string() == text);
    if is_number || text == "true" || text == "false" { text.to_owned() } else { quoted(text) }
}

/// Quotes a text as in JSON, whose strings are valid in TOML.
fn quoted(text: &str) -> String {
    serde_json::Value::from(text).to_string()
}

/// The prefix that makes a path relative to the folder of the match file.
struct Prefix(String);

impl Prefix {
    fn of(file: &Path) -> Self {
        let folder = file.parent().unwrap_or(Path::new(""));
        let is_below = folder.components().all(|part| matches!(part, Component::Normal(_) | Component::CurDir));
        let depth = folder.components().filter(|part| matches!(part, Component::Normal(_))).count();
        let here = || std::env::current_dir().map(|here| format!("{}/", here.display())).unwrap_or_default();
        Self(if is_below { "../".repeat(depth) } else { here() })
    }

    fn beside(&self, path: &str) -> String {
        if Path::new(path).is_absolute() { path.to_owned() } else { format!("{}{path}", self.0) }
    }

    fn command(&self, line: &str) -> String {
        if self.0.is_empty() { line.to_owned() } else { spec::command_renamed(line, |program| self.beside(program)) }
    }
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used)]
    use super::super::typed::MatchLine;
    use super::*;
    use clap::CommandFactory;

    fn written(line: &str, prefix: &str) -> String {
        let arguments = shlex::split(line).unwrap();
        let matches = MatchLine::command().try_get_matches_from(&arguments).unwrap();
        text(&Groups::of(&matches, arguments), &MatchLine::command(), &Prefix(prefix.to_owned())).unwrap()
    }

    #[test]
    fn a_command_line_becomes_a_file() {
        let line = "--engine name=new 'cmd=new --x' 'option.Move Overhead=5' --engine cmd=old arg=a 'arg=b c' --each tc=10+0.1 \
                    option.Hash=16 --openings file=book.epd order=random --games 200 --sprt elo0=-0.5 elo1=5 --repeat --quiet \
                    --noswap --rule A=1 --rule B=2 --machines nats://a:b@c --journal x.jsonl --file old.toml";
        let wanted = "games = 200\nrepeat = true\nnoswap = true\nopenings = { file = \"../book.epd\", order = \"random\" }\n\
                      sprt = { elo0 = \"-0.5\", elo1 = 5 }\n\n[each]\ntc = \"10+0.1\"\noptions = { Hash = 16 }\n\n\
                      [[engine]]\nname = \"new\"\ncmd = \"new --x\"\noptions = { \"Move Overhead\" = 5 }\n\n\
                      [[engine]]\ncmd = \"old\"\nargs = \"a 'b c'\"\n";
        let found = written(line, "../");
        assert_eq!(found.replace("rule = [\"A=1\", \"B=2\"]\n", ""), wanted);
        assert!(found.contains("rule = ["), "{found}");
    }

    #[test]
    fn paths_are_those_beside_the_file() {
        assert_eq!(Prefix::of(Path::new("match.toml")).0, "");
        assert_eq!(Prefix::of(Path::new("./a/b/match.toml")).0, "../../");
        assert!(Prefix::of(Path::new("../match.toml")).0.starts_with('/'));
        assert_eq!(Prefix("../".to_owned()).beside("/book.epd"), "/book.epd");
    }
}
