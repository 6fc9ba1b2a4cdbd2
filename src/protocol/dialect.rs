//! A protocol's own words.

use super::{Command, Output, text};
use std::fmt;

/// The two text protocols.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Protocol {
    Uci,
    Usi,
}

impl Protocol {
    /// The word that opens it: `uci`, `usi`.
    pub const fn greeting(self) -> &'static str {
        match self {
            Self::Uci => "uci",
            Self::Usi => "usi",
        }
    }

    /// The word that closes the answer to the greeting.
    pub const fn greeting_ok(self) -> &'static str {
        match self {
            Self::Uci => "uciok",
            Self::Usi => "usiok",
        }
    }

    pub(super) const fn new_game(self) -> &'static str {
        match self {
            Self::Uci => "ucinewgame",
            Self::Usi => "usinewgame",
        }
    }

    /// The word before a start position in text.
    pub(super) const fn setup(self) -> &'static str {
        match self {
            Self::Uci => "fen",
            Self::Usi => "sfen",
        }
    }

    /// The clock words of the first and of the second player: USI's first player is black.
    pub(super) const fn clock_words(self) -> [[&'static str; 2]; 2] {
        match self {
            Self::Uci => [["wtime", "winc"], ["btime", "binc"]],
            Self::Usi => [["btime", "binc"], ["wtime", "winc"]],
        }
    }
}

impl fmt::Display for Protocol {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.greeting())
    }
}

/// UCI or USI, from the engine's side: lines in, lines out. Never panics, whatever comes in.
pub trait Dialect: Send + Sync {
    fn protocol(&self) -> Protocol;

    /// The word that opens the protocol: `uci`, `usi`.
    fn greeting(&self) -> &'static str {
        self.protocol().greeting()
    }

    /// Reads one line, with or without its end. Positions come with default [`hasami_api::Rules`]: the rules are
    /// options, not part of the line.
    fn parse(&self, line: &str) -> Command;

    /// Writes one answer, as lines without a last line end, in 7-bit ASCII.
    fn format(&self, output: &Output) -> String;

    /// The answer to the greeting: `id ...`, the lines that declare options, each with its line end, `uciok`.
    fn introduce(&self, options: &str) -> String {
        text::introduce(self.protocol(), options)
    }
}
