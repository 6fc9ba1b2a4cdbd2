//! The description of a player in a match: an engine, its command, and its limits.
//!
//! Engines are described by words such as `name=a cmd="a --x" tc=10+0.1 option.Hash=16`.

#![deny(clippy::unwrap_used, clippy::expect_used, clippy::panic)]

use super::control::{TimeControl, seconds};
use hasami_child::{Launch, LaunchError};
use hasami_protocol::Protocol;
use hasami_words::heard;
use std::path::{Path, PathBuf};
use std::time::Duration;

/// The keys of an engine description, for messages.
const KEYS: &str = "name, cmd, args, dir, protocol, tc, byoyomi, st, movetime, nodes, depth, timemargin, clock, ponder, \
                    restart, weight, option.NAME";

#[derive(Clone, PartialEq, Debug)]
pub struct EngineSpec {
    pub name: String,
    pub launch: Launch,
    /// The protocol; `None` for the usual protocol of the game.
    pub protocol: Option<Protocol>,
    /// The limits, already multiplied by the value of the key `weight`.
    pub control: TimeControl,
    /// Whether the engine thinks during the opponent's turn.
    pub ponder: bool,
    pub options: Vec<(String, String)>,
    /// Options that are set only if the engine has them.
    pub offers: Vec<(String, String)>,
    /// Whether a new process is started for every game.
    pub restart: bool,
    /// Whether the clock is charged with the time that the engine reports in its `info` lines, instead of real time.
    pub virtual_clock: bool,
}

/// The reason why the description of an engine cannot be used.
#[derive(Debug, thiserror::Error)]
pub enum SpecError {
    #[error("{key}: expected {expected}, found '{found}'")]
    Value { key: String, expected: &'static str, found: String },
    #[error("expected one of {known}, found '{found}'")]
    Key { known: &'static str, found: String },
    #[error("cmd: {0}")]
    Command(#[from] LaunchError),
    #[error("tc: {0}")]
    Clock(String),
    #[error("every engine needs cmd=...")]
    NoCommand,
    #[error("expected words like name=a cmd=\"b c\" tc=10+0.1, found '{0}'")]
    Words(String),
}

/// Creates the error for a key with an invalid value.
fn wrong(key: &str, expected: &'static str, found: &str) -> SpecError {
    SpecError::Value { key: key.to_owned(), expected, found: found.to_owned() }
}

/// The keys of an engine description that have been read so far.
#[derive(Clone, Debug, Default)]
pub struct EngineDraft {
    name: Option<String>,
    command: Option<String>,
    args: Vec<String>,
    dir: Option<PathBuf>,
    protocol: Option<Protocol>,
    control: TimeControl,
    ponder: bool,
    options: Vec<(String, String)>,
    restart: bool,
    weight: Option<f64>,
    virtual_clock: bool,
}

impl EngineDraft {
    /// Sets one key.
    pub fn set(&mut self, key: &str, value: &str) -> Result<(), SpecError> {
        let expected = |what: &'static str| wrong(key, what, value);
        let number = || value.parse::<u64>().map_err(|_| expected("a number"));
        match key {
            "name" => self.name = Some(value.to_owned()),
            "cmd" | "command" => {
                Launch::parse(value)?;
                self.command = Some(value.to_owned());
            }
            // The cutechess key `arg` adds a single argument.
            "arg" => self.args.push(value.to_owned()),
            "args" => self.args = shlex::split(value).ok_or_else(|| expected("words with closed quotes"))?,
            "dir" => self.dir = Some(value.into()),
            "proto" | "protocol" if value.eq_ignore_ascii_case("uci") => self.protocol = Some(Protocol::Uci),
            "proto" | "protocol" if value.eq_ignore_ascii_case("usi") => self.protocol = Some(Protocol::Usi),
            "proto" | "protocol" => {
                return Err(expected(
                    "uci or usi (programs of xboard's protocol play behind an adapter: docs/guide/peers.md)",
                ));
            }
            "tc" => self.control.set_clock(value).map_err(SpecError::Clock)?,
            "byoyomi" => self.control.byoyomi = seconds(value).ok_or_else(|| expected("seconds"))?,
            "st" => self.control.move_time = Some(seconds(value).ok_or_else(|| expected("seconds"))?),
            "movetime" => self.control.move_time = Some(Duration::from_millis(number()?)),
            "nodes" => self.control.nodes = Some(number()?.max(1)),
            "depth" | "plies" => self.control.depth = Some(value.parse().map_err(|_| expected("a number"))?),
            "timemargin" | "margin" => self.control.margin = Some(Duration::from_millis(number()?)),
            "clock" if matches!(value, "real" | "virtual") => self.virtual_clock = value == "virtual",
            "clock" => return Err(expected("real or virtual")),
            "ponder" => self.ponder = truth(value).ok_or_else(|| expected("on or off"))?,
            "restart" if value == "auto" => self.restart = false,
            "restart" => self.restart = truth(value).ok_or_else(|| expected("on or off"))?,
            "weight" => {
                let weight = value.parse().ok().filter(|weight: &f64| weight.is_finite() && *weight > 0.0);
                self.weight = Some(weight.ok_or_else(|| expected("a number above 0"))?);
            }
            _ => match key.split_once('.') {
                Some(("option", name)) if !name.is_empty() => {
                    // As with every key, a later value of an option replaces an earlier one.
                    self.options.retain(|(other, _)| !other.eq_ignore_ascii_case(name));
                    self.options.push((name.to_owned(), value.to_owned()));
                }
                _ => return Err(SpecError::Key { known: KEYS, found: key.to_owned() }),
            },
        }
        Ok(())
    }

    /// Reads all words of one `--engine` or `--each`. Each argument contains one or more words, which are split as in a
    /// shell.
    pub fn read(&mut self, arguments: &[String]) -> Result<(), SpecError> {
        for argument in arguments {
            for (key, value) in words(argument)? {
                self.set(&key, &value)?;
            }
        }
        Ok(())
    }

    pub fn finish(self) -> Result<EngineSpec, SpecError> {
        let Some(command) = self.command else {
            return Err(SpecError::NoCommand);
        };
        let mut launch = Launch::parse(&command)?.with_args(self.args);
        if let Some(dir) = &self.dir {
            launch = launch.in_dir(dir);
        }
        Ok(EngineSpec {
            name: heard(&self.name.unwrap_or_else(|| launch.short_name())),
            launch,
            protocol: self.protocol,
            control: self.control.scaled(self.weight.unwrap_or(1.0)),
            ponder: self.ponder,
            options: self.options,
            offers: Vec::new(),
            restart: self.restart,
            virtual_clock: self.virtual_clock,
        })
    }
}

/// Returns the message about an unknown key.
pub fn unknown_word(known: impl std::fmt::Display, found: &str) -> String {
    format!("expected one of {known}, found '{found}'")
}

fn truth(value: &str) -> Option<bool> {
    match value {
        "on" | "true" | "1" | "yes" => Some(true),
        "off" | "false" | "0" | "no" => Some(false),
        _ => None,
    }
}

/// Splits an argument such as `name=a cmd="b c"` into pairs. If some parts of the argument are not pairs, as in
/// `cmd=/my engine`, the whole argument is one pair.
pub fn words(argument: &str) -> Result<Vec<(String, String)>, SpecError> {
    let pair = |word: &str| word.split_once('=').map(|(key, value)| (key.to_owned(), value.to_owned()));
    let flag = |word: &str| (word == "ponder").then(|| (word.to_owned(), "on".to_owned()));
    let parts = shlex::split(argument).unwrap_or_default();
    let all: Option<Vec<_>> = parts.iter().map(|word| pair(word).or_else(|| flag(word))).collect();
    let whole = || pair(argument).map(|pair| vec![pair]);
    all.filter(|all| !all.is_empty()).or_else(whole).ok_or_else(|| SpecError::Words(argument.to_owned()))
}

/// If a command line names its program by a relative path, resolves the path against `folder`.
pub fn command_beside(line: &str, folder: &Path) -> String {
    let Ok(launch) = Launch::parse(line) else { return line.to_owned() };
    let there = launch.clone().beside(folder);
    let words = there.words().iter().map(String::as_str);
    if there == launch { line.to_owned() } else { shlex::try_join(words).unwrap_or_else(|_| line.to_owned()) }
}

#[cfg(test)]
#[allow(clippy::unwrap_used)]
mod tests {
    use super::*;

    fn spec(arguments: &[&str]) -> Result<EngineSpec, SpecError> {
        let mut draft = EngineDraft::default();
        draft.read(&arguments.iter().map(|&text| text.to_owned()).collect::<Vec<_>>())?;
        draft.finish()
    }

    #[test]
    fn one_argument_and_several_are_equivalent() {
        let one = spec(&["name=A cmd=\"engine --x 'a b'\" tc=10+0.1 ponder option.Hash=16"]).unwrap();
        let many = spec(&["name=A", "cmd=engine --x 'a b'", "tc=10+0.1", "ponder=on", "option.Hash=16"]).unwrap();
        assert_eq!(one, many);
        assert!(one.ponder && one.control.to_string() == "10+0.1");
        assert_eq!(one.options, [("Hash".to_owned(), "16".to_owned())]);
    }

    #[test]
    fn common_synonyms_are_accepted() {
        let spec =
            spec(&["cmd=/usr/bin/e", "args=-a -b", "proto=usi", "st=0.5", "plies=9", "option.Skill Level=3"]).unwrap();
        assert_eq!((spec.name.as_str(), spec.protocol), ("e", Some(Protocol::Usi)));
        assert_eq!(spec.control.to_string(), "0.5/move, 9 plies");
        assert_eq!(spec.options[0].0, "Skill Level");
    }

    #[test]
    fn weight_scales_the_limits() {
        let spec = spec(&["cmd=e movetime=100 nodes=1000 weight=2"]).unwrap();
        assert_eq!(spec.control.to_string(), "0.2/move, 2000 nodes");
    }

    #[test]
    fn an_engine_may_have_a_clock_of_its_own() {
        let clock =
            |words: &str| spec(&["cmd=hasami-lab args=\"virtual --workers 16\" st=1", words]).unwrap().virtual_clock;
        assert!(clock("clock=virtual") && !clock("clock=real") && !clock("name=x"));
    }

    #[test]
    fn errors_name_the_key() {
        for (text, expected) in [
            ("name=x", "every engine needs cmd=..."),
            ("cmd=x tc=abc", "tc: expected a time control"),
            ("cmd=x colour=red", "expected one of name, cmd"),
            ("cmd=x clock=slow", "clock: expected real or virtual, found 'slow'"),
            ("cmd=x weight=0", "weight: expected a number above 0, found '0'"),
            ("cmd=x ponder=perhaps", "ponder: expected on or off, found 'perhaps'"),
            ("stockfish", "expected words like name=a"),
            ("cmd=\"\"", "cmd: expected a command line"),
        ] {
            let error = spec(&[text]).unwrap_err().to_string();
            assert!(error.starts_with(expected), "{text}: {error}");
        }
    }
}
