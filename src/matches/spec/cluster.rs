//! The keys of a virtual cluster, and the corresponding options of `hasami virtual`.

use crate::control::TimeControl;
use hasami_words::Message;
use std::collections::BTreeMap;

/// The type of a key's value.
#[derive(Clone, Copy)]
enum WordKind {
    Number,
    Decimal,
    /// Milliseconds, possibly with decimals.
    Duration,
    /// A command line; may be repeated.
    Child,
    /// An option without a value.
    Flag,
}

const WORDS: [(&str, &str, WordKind); 9] = [
    ("workers", "--workers", WordKind::Number),
    ("nps", "--speed", WordKind::Number),
    ("latency-ms", "--delay", WordKind::Duration),
    ("jitter-ms", "--jitter", WordKind::Number),
    ("penalty-ms", "--penalty", WordKind::Number),
    ("seed", "--seed", WordKind::Number),
    ("child", "--child", WordKind::Child),
    ("cpu", "--cpu", WordKind::Decimal),
    ("alone", "--alone", WordKind::Flag),
];

/// All keys, for messages.
pub fn words() -> impl Iterator<Item = &'static str> {
    WORDS.into_iter().map(|(word, ..)| word)
}

/// The keys of the cluster of one engine.
#[derive(Clone, Debug, Default)]
pub struct ClusterWords {
    options: BTreeMap<&'static str, String>,
    children: Vec<String>,
}

/// Why a key was rejected.
pub enum WordFault {
    Unknown,
    /// What its value should have been.
    Expected(Message),
}

impl ClusterWords {
    pub fn set(&mut self, word: &str, value: &str) -> Result<(), WordFault> {
        let (_, option, kind) = WORDS.into_iter().find(|(known, ..)| *known == word).ok_or(WordFault::Unknown)?;
        let is_right = match kind {
            WordKind::Number => value.parse::<u64>().is_ok(),
            WordKind::Decimal => value.parse().is_ok_and(|number: f64| number.is_finite() && number > 0.0),
            WordKind::Duration => value.parse().is_ok_and(|number: f64| number.is_finite() && number >= 0.0),
            WordKind::Child => !value.trim().is_empty(),
            WordKind::Flag => super::truth(value).is_some(),
        };
        match kind {
            _ if !is_right => return Err(WordFault::Expected(kind.wanted())),
            WordKind::Child => self.children.push(value.to_owned()),
            WordKind::Flag if super::truth(value) == Some(false) => _ = self.options.remove(option),
            WordKind::Flag => _ = self.options.insert(option, String::new()),
            WordKind::Number | WordKind::Decimal | WordKind::Duration => {
                _ = self.options.insert(option, value.to_owned())
            }
        }
        Ok(())
    }

    /// Rejects options that exclude each other.
    pub fn check(&self, control: &TimeControl) -> Result<(), Message> {
        for word in ["cpu", "alone"] {
            if self.options.contains_key(format!("--{word}").as_str()) && self.children.is_empty() {
                let why = Message::new("needs-option").with("option", format!("virtual.{word}"));
                return Err(why.with("needed", "virtual.child=..."));
            }
        }
        if self.options.contains_key("--alone") && control.has_clock() {
            return Err(Message::new("expected-no-clock").with("found", control.to_string()).at("virtual.alone"));
        }
        Ok(())
    }

    /// Arguments that turn the command of `hasami` into that of its virtual cluster; empty if no keys were given.
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

impl WordKind {
    const fn wanted(self) -> Message {
        match self {
            Self::Number | Self::Duration => Message::new("a-number"),
            Self::Decimal => Message::new("a-number-above-0"),
            Self::Child => Message::new("a-command-line"),
            Self::Flag => Message::new("on-or-off"),
        }
    }
}
