//! The options that GUIs can set; one table ([`table`]) serves to validate and to print them.
//!
//! An invalid value of an option is rejected with a message, and the previous value is kept. Numbers outside an
//! option's range are rejected, not clamped, so that the user notices the mistake.

#![deny(clippy::unwrap_used, clippy::expect_used, clippy::panic)]

pub mod table;

#[cfg(test)]
mod tests;

use super::position::quoted;
use super::{Protocol, Settings};
use std::fmt::Display;
use std::ops::RangeInclusive;
use std::str::FromStr;
use thiserror::Error;

/// An option: its name in each protocol (`None` if the protocol does not have the option), its type, and its effect.
pub struct Declared {
    pub uci: Option<&'static str>,
    pub usi: Option<&'static str>,
    pub kind: Kind,
    /// One line of documentation, which states the unit of the value.
    pub help: &'static str,
    /// The workers to rebuild when the option changes.
    pub rebuilds: Rebuild,
}

/// Which workers an option's change requires to be rebuilt before the next search. Each variant includes all preceding
/// variants.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug, Default)]
pub enum Rebuild {
    #[default]
    Nobody,
    /// The mate solver of this program.
    Solver,
    /// All workers of this program.
    Own,
    /// All workers, including child engines and the connection to a cluster.
    All,
}

/// The type of an option, with functions that read and write it in [`Settings`].
pub enum Kind {
    Check {
        get: fn(&Settings) -> bool,
        set: fn(&mut Settings, bool),
    },
    Spin {
        range: RangeInclusive<u32>,
        get: fn(&Settings) -> u32,
        set: fn(&mut Settings, u32),
    },
    /// A number that may be negative.
    Signed {
        range: RangeInclusive<i32>,
        get: fn(&Settings) -> i32,
        set: fn(&mut Settings, i32),
    },
    /// One of several words; `get` and `set` use the word's index.
    Combo {
        words: &'static [&'static str],
        /// Pairs of words for the same value: another program's word and ours.
        aliases: &'static [(&'static str, &'static str)],
        get: fn(&Settings) -> usize,
        set: fn(&mut Settings, usize),
    },
    /// An option whose value is the path of a file.
    File {
        get: fn(&Settings) -> String,
        set: fn(&mut Settings, &str),
    },
    Text {
        get: fn(&Settings) -> String,
        set: fn(&mut Settings, &str),
    },
    /// A text option that is not declared to GUIs.
    Unlisted {
        set: fn(&mut Settings, &str),
    },
    Button(Effect),
    /// An option without effect, declared only because GUIs set it; the text is its declared type.
    Accepted(&'static str),
}

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Effect {
    /// [`Settings`] have changed.
    Changed,
    /// Nothing has changed.
    Same,
    /// The transposition tables must be cleared, as for a new game.
    ClearHash,
}

impl Declared {
    /// Declares an option that exists only in UCI and requires no rebuild.
    pub const fn uci(name: &'static str, kind: Kind, help: &'static str) -> Self {
        Self { uci: Some(name), usi: None, kind, help, rebuilds: Rebuild::Nobody }
    }

    /// Declares an option that exists only in USI and requires no rebuild.
    pub const fn usi(name: &'static str, kind: Kind, help: &'static str) -> Self {
        Self { uci: None, usi: Some(name), kind, help, rebuilds: Rebuild::Nobody }
    }

    #[must_use]
    pub const fn rebuilding(mut self, rebuilds: Rebuild) -> Self {
        self.rebuilds = rebuilds;
        self
    }

    pub const fn name(&self, protocol: Protocol) -> Option<&'static str> {
        match protocol {
            Protocol::Uci => self.uci,
            Protocol::Usi => self.usi,
        }
    }
}

fn differs(kind: &Kind, a: &Settings, b: &Settings) -> bool {
    match kind {
        Kind::Check { get, .. } => get(a) != get(b),
        Kind::Spin { get, .. } => get(a) != get(b),
        Kind::Signed { get, .. } => get(a) != get(b),
        Kind::Combo { get, .. } => get(a) != get(b),
        Kind::File { get, .. } | Kind::Text { get, .. } => get(a) != get(b),
        Kind::Unlisted { .. } | Kind::Button(_) | Kind::Accepted(_) => false,
    }
}

/// The options of one game: those of every game, and its own.
#[derive(Clone, Copy)]
pub struct Options {
    pub protocol: Protocol,
    /// The options that only this game has.
    pub own: &'static [Declared],
    /// Numeric parameters of the search, which exist only in a program built with the feature `tunable`.
    pub numbers: fn() -> Vec<SearchNumber>,
}

/// A numeric parameter of the search that GUIs can set.
#[derive(Clone, Copy)]
pub struct SearchNumber {
    pub name: &'static str,
    pub value: i32,
    pub range: (i32, i32),
    /// Sets the parameter with this name; returns false if the value is rejected.
    pub set: fn(&str, i32) -> bool,
}

impl Options {
    /// All options, in the order in which GUIs show them.
    pub fn iter(self) -> impl Iterator<Item = &'static Declared> {
        let last = table::before_those_of_games(self.protocol);
        let last = table::OPTIONS.iter().position(|option| option.uci == Some(last));
        let (before, after) = table::OPTIONS.split_at(last.map_or(0, |last| last + 1));
        let all = before.iter().chain(self.own).chain(after);
        all.filter(move |option| option.name(self.protocol).is_some())
    }

    /// The workers to rebuild when the settings change from `before` to `after`.
    pub fn rebuild(self, before: &Settings, after: &Settings) -> Rebuild {
        let changed = self.iter().filter(|option| option.rebuilds > Rebuild::Nobody);
        let changed = changed.filter(|option| differs(&option.kind, before, after));
        changed.map(|option| option.rebuilds).max().unwrap_or_default()
    }

    /// Returns whether an option called `name` exists.
    pub fn is_offered(self, name: &str) -> bool {
        self.iter().any(|option| option.name(self.protocol) == Some(name))
    }

    /// Sets one option. Names are compared without regard to case, and an option of both protocols can be set by either
    /// of its names, because some GUIs send both `MultiPV` and `USI_MultiPV`. On an error, the settings remain
    /// unchanged.
    pub fn apply(self, settings: &mut Settings, name: &str, value: Option<&str>) -> Result<Effect, OptionError> {
        let named = |option: &&Declared| {
            let is_named = |known: Option<&str>| known.is_some_and(|known| known.eq_ignore_ascii_case(name));
            is_named(option.uci) || is_named(option.usi)
        };
        let Some(option) = self.iter().find(named) else {
            if let Some(number) = (self.numbers)().iter().find(|number| number.name == name) {
                return number.apply(value);
            }
            return Err(OptionError::Unknown(quoted(name)));
        };
        let before = settings.clone();
        set(settings, &option.kind, value)
            .map_err(|expected| OptionError::value(option.name(self.protocol).unwrap_or(name), expected, value))?;
        match option.kind {
            Kind::Button(effect) => Ok(effect),
            _ if *settings == before => Ok(Effect::Same),
            _ => Ok(Effect::Changed),
        }
    }

    /// The `option` lines, with newlines; the current values are the defaults.
    pub fn declare(self, settings: &Settings) -> String {
        let mut out = String::new();
        for option in self.iter().filter(|option| !matches!(option.kind, Kind::Unlisted { .. })) {
            let kind = kind_words(&option.kind, self.protocol, settings);
            out += &option_line(option.name(self.protocol).unwrap_or_default(), &kind);
        }
        for SearchNumber { name, value, range: (low, high), .. } in (self.numbers)() {
            out += &option_line(name, &format!("spin default {value} min {low} max {high}"));
        }
        out
    }
}

impl SearchNumber {
    /// Sets this search parameter, which is not part of [`Settings`].
    fn apply(&self, value: Option<&str>) -> Result<Effect, OptionError> {
        let (low, high) = self.range;
        match value.and_then(|value| value.parse().ok()) {
            Some(number) if (self.set)(self.name, number) => Ok(Effect::Same),
            _ => Err(OptionError::value(self.name, between("a number", low, high), value)),
        }
    }
}

pub fn option_line(name: &str, kind: &str) -> String {
    format!("option name {name} type {kind}\n")
}

#[derive(Clone, PartialEq, Eq, Debug, Error)]
pub enum OptionError {
    #[error("no option {0} here")]
    Unknown(String),
    #[error("{name}: expected {expected}, found {found}")]
    Value { name: String, expected: String, found: String },
}

impl OptionError {
    /// Creates the error for a value that the option does not accept.
    pub fn value(name: &str, expected: String, value: Option<&str>) -> Self {
        Self::Value { name: name.to_owned(), expected, found: value.map_or_else(|| "none".to_owned(), quoted) }
    }
}

fn between(kind: &str, least: impl Display, most: impl Display) -> String {
    format!("{kind} from {least} to {most}")
}

/// Sets an option; the error describes the values that the option accepts.
fn set(settings: &mut Settings, kind: &Kind, value: Option<&str>) -> Result<(), String> {
    match kind {
        Kind::Check { set, .. } => set(settings, check(value).ok_or_else(|| "true or false".to_owned())?),
        Kind::Spin { range, set, .. } => set(settings, number(range, value)?),
        Kind::Signed { range, set, .. } => set(settings, number(range, value)?),
        Kind::Combo { words, aliases, set, .. } => {
            let ours =
                |value| aliases.iter().find(|(alias, _)| alias.eq_ignore_ascii_case(value)).map(|&(_, ours)| ours);
            let value = value.map(|value| ours(value).unwrap_or(value));
            let index = value.and_then(|value| words.iter().position(|word| word.eq_ignore_ascii_case(value)));
            set(settings, index.ok_or_else(|| format!("one of {}", words.join(", ")))?);
        }
        Kind::File { set, .. } | Kind::Text { set, .. } | Kind::Unlisted { set } => {
            set(settings, value.unwrap_or_default())
        }
        Kind::Button(_) | Kind::Accepted(_) => {}
    }
    Ok(())
}

fn number<T: FromStr + PartialOrd + Display>(range: &RangeInclusive<T>, value: Option<&str>) -> Result<T, String> {
    let number = value.and_then(|value| value.parse().ok()).filter(|number| range.contains(number));
    number.ok_or_else(|| between("an integer", range.start(), range.end()))
}

fn check(value: Option<&str>) -> Option<bool> {
    // The values 1 and 0 are accepted because uci2wb sends them.
    let is = |words: [&str; 2]| value.is_some_and(|value| words.iter().any(|word| value.eq_ignore_ascii_case(word)));
    match (is(["true", "1"]), is(["false", "0"])) {
        (true, _) => Some(true),
        (_, true) => Some(false),
        _ => None,
    }
}

fn kind_words(kind: &Kind, protocol: Protocol, settings: &Settings) -> String {
    match kind {
        Kind::Check { get, .. } => format!("check default {}", get(settings)),
        Kind::Spin { range, get, .. } => {
            format!("spin default {} min {} max {}", get(settings), range.start(), range.end())
        }
        Kind::Signed { range, get, .. } => {
            format!("spin default {} min {} max {}", get(settings), range.start(), range.end())
        }
        Kind::Combo { words, get, .. } => {
            let default = words.get(get(settings)).copied().unwrap_or_default();
            words.iter().fold(format!("combo default {default}"), |line, word| line + " var " + word)
        }
        Kind::File { get, .. } => {
            // UCI has no option type for paths.
            let kind = if protocol == Protocol::Usi { "filename" } else { "string" };
            format!("{kind} default {}", shown(&get(settings), protocol))
        }
        Kind::Text { get, .. } => format!("string default {}", shown(&get(settings), protocol)),
        Kind::Button(_) => "button".into(),
        Kind::Unlisted { .. } => String::new(),
        Kind::Accepted(kind) => (*kind).to_owned(),
    }
}

/// Formats a text as the default of an option: `<empty>` if the protocol cannot represent it (both protocols allow only
/// ASCII, and USI only a single word).
fn shown(text: &str, protocol: Protocol) -> &str {
    let carried = |c: char| c.is_ascii_graphic() || (c == ' ' && protocol == Protocol::Uci);
    if text.is_empty() || !text.chars().all(carried) { "<empty>" } else { text }
}
