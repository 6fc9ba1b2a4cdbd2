//! The words of a virtual cluster, and the options of `hasami virtual` that say the same.

use crate::arena::control::Control;
use std::collections::BTreeMap;

/// What stands behind a word.
#[derive(Clone, Copy)]
enum Kind {
    Number,
    Decimal,
    /// Milliseconds, or parts of one.
    Duration,
    /// A command line; every one counts.
    Child,
    /// An option without a value.
    Flag,
}

const WORDS: [(&str, &str, Kind); 9] = [
    ("workers", "--workers", Kind::Number),
    ("nps", "--speed", Kind::Number),
    ("latency-ms", "--delay", Kind::Duration),
    ("jitter-ms", "--jitter", Kind::Number),
    ("penalty-ms", "--penalty", Kind::Number),
    ("seed", "--seed", Kind::Number),
    ("child", "--child", Kind::Child),
    ("cpu", "--cpu", Kind::Decimal),
    ("alone", "--alone", Kind::Flag),
];

/// All words, for messages.
pub fn words() -> impl Iterator<Item = &'static str> {
    WORDS.into_iter().map(|(word, ..)| word)
}

/// What was said of the cluster of one engine.
#[derive(Clone, Debug, Default)]
pub struct ClusterWords {
    options: BTreeMap<&'static str, String>,
    children: Vec<String>,
}

/// Why a word is not taken.
pub enum Fault {
    Unknown,
    /// What was expected instead of its value.
    Expected(&'static str),
}

impl ClusterWords {
    pub fn set(&mut self, word: &str, value: &str) -> Result<(), Fault> {
        let (_, option, kind) = WORDS.into_iter().find(|(known, ..)| *known == word).ok_or(Fault::Unknown)?;
        let is_right = match kind {
            Kind::Number => value.parse::<u64>().is_ok(),
            Kind::Decimal => value.parse().is_ok_and(|number: f64| number.is_finite() && number > 0.0),
            Kind::Duration => value.parse().is_ok_and(|number: f64| number.is_finite() && number >= 0.0),
            Kind::Child => !value.trim().is_empty(),
            Kind::Flag => super::truth(value).is_some(),
        };
        match kind {
            _ if !is_right => return Err(Fault::Expected(kind.wanted())),
            Kind::Child => self.children.push(value.to_owned()),
            Kind::Flag if super::truth(value) == Some(false) => _ = self.options.remove(option),
            Kind::Flag => _ = self.options.insert(option, String::new()),
            Kind::Number | Kind::Decimal | Kind::Duration => _ = self.options.insert(option, value.to_owned()),
        }
        Ok(())
    }

    /// What makes no sense together.
    pub fn check(&self, control: &Control) -> Result<(), String> {
        for word in ["cpu", "alone"] {
            if self.options.contains_key(format!("--{word}").as_str()) && self.children.is_empty() {
                return Err(format!("virtual.{word}: expected virtual.child=... beside it, found none"));
            }
        }
        if self.options.contains_key("--alone") && control.has_clock() {
            return Err(format!("virtual.alone: expected movetime, nodes or depth, found {control}"));
        }
        Ok(())
    }

    /// What turns the command of `hasami` into that of its virtual cluster; nothing if nothing was said.
    pub fn args(&self) -> Vec<String> {
        if self.options.is_empty() && self.children.is_empty() {
            return Vec::new();
        }
        let mut args = vec!["virtual".to_owned()];
        for (option, value) in &self.options {
            args.push((*option).to_owned());
            args.extend(Some(value.clone()).filter(|value| !value.is_empty()));
        }
        for child in &self.children {
            args.extend(["--child".to_owned(), child.clone()]);
        }
        args
    }
}

impl Kind {
    fn wanted(self) -> &'static str {
        match self {
            Self::Number | Self::Duration => "a number",
            Self::Decimal => "a number above 0",
            Self::Child => "a command line",
            Self::Flag => "on or off",
        }
    }
}
