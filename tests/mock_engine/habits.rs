//! Imitates how options control the behaviour of the YaneuraOu family, and records the engine's input.

use crate::faults::Faults;
use std::fs::OpenOptions;
use std::io::Write;
use std::time::Duration;

/// Declarations of options, as YaneuraOu 9 prints them.
const OPTIONS: &[&str] = &[
    "option name Threads type spin default 4 min 1 max 1024",
    "option name NetworkDelay type spin default 120 min 0 max 10000",
    "option name NetworkDelay2 type spin default 1120 min 0 max 10000",
    "option name MinimumThinkingTime type spin default 2000 min 1 max 100000",
    "option name RoundUpToFullSecond type check default true",
    "option name USI_OwnBook type check default true",
    "option name BookFile type combo default standard_book.db var no_book var standard_book.db",
    "option name PvInterval type spin default 300 min 0 max 100000",
    "option name EvalDir type string default eval",
];

#[derive(Clone)]
pub struct Habits {
    is_family: bool,
    has_book: bool,
    pv_interval: Duration,
    record: Option<String>,
}

impl Habits {
    pub fn new(faults: &Faults) -> Self {
        let is_family = faults.family;
        let pv_interval = if is_family { Duration::from_millis(300) } else { Duration::ZERO };
        Self { is_family, has_book: is_family, pv_interval, record: faults.hears.clone() }
    }

    pub fn options(&self) -> &'static [&'static str] {
        if self.is_family { OPTIONS } else { &[] }
    }

    pub fn set_option(&mut self, line: &str) {
        let Some((name, value)) = line.strip_prefix("setoption name ").and_then(|rest| rest.split_once(" value "))
        else {
            return;
        };
        match name {
            "USI_OwnBook" => self.has_book = value == "true",
            "PvInterval" => self.pv_interval = Duration::from_millis(value.parse().unwrap_or(300)),
            _ => {}
        }
    }

    /// Returns true if the position is in the book, so that the engine must answer at once and without an `info` line.
    pub fn knows(&self, position: &str) -> bool {
        self.has_book && position == "position startpos"
    }

    /// Returns true if the engine prints `info` lines once a search has run for the time `elapsed`.
    pub fn reports_at(&self, elapsed: Duration) -> bool {
        elapsed >= self.pv_interval
    }

    pub fn note(&self, line: &str) {
        let Some(path) = &self.record else { return };
        let file = OpenOptions::new().create(true).append(true).open(path);
        let _ = file.and_then(|mut file| writeln!(file, "{line}"));
    }
}
