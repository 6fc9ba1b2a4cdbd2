//! The two protocols, and their keywords.

use super::{BestMove, Command, Output, text, uci, usi};
use serde::{Deserialize, Serialize};
use std::fmt;

/// UCI or USI.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, Serialize, Deserialize)]
pub enum Protocol {
    Uci,
    Usi,
}

impl Protocol {
    pub const fn other(self) -> Self {
        match self {
            Self::Uci => Self::Usi,
            Self::Usi => Self::Uci,
        }
    }

    /// The first command that a GUI sends: `uci` or `usi`.
    pub const fn greeting(self) -> &'static str {
        match self {
            Self::Uci => "uci",
            Self::Usi => "usi",
        }
    }

    /// The last line of an engine's answer to the greeting.
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

    /// The keyword that precedes a FEN or SFEN in `position`.
    pub(super) const fn setup(self) -> &'static str {
        match self {
            Self::Uci => "fen",
            Self::Usi => "sfen",
        }
    }

    /// The keywords for the first player's time and increment, then those for the second player. In USI, the first
    /// player is black.
    pub(super) const fn clock_words(self) -> [[&'static str; 2]; 2] {
        match self {
            Self::Uci => [["wtime", "winc"], ["btime", "binc"]],
            Self::Usi => [["btime", "binc"], ["wtime", "winc"]],
        }
    }
}

/// The engine's side of the protocol, which parses commands, writes answers, and never panics.
impl Protocol {
    /// Parses one line, with or without its trailing newline. Positions get the default [`hasami_api::Rules`], because
    /// the rules are set by options and not by the `position` line.
    pub fn parse(self, line: &str) -> Command {
        match self {
            Self::Uci => uci::parse(line),
            Self::Usi => usi::parse(line),
        }
    }

    /// Writes one answer in ASCII, without a trailing newline.
    pub fn format(self, output: &Output) -> String {
        match (output, self) {
            (Output::Info(info), _) => text::write_info(info, self),
            (Output::Effort(effort), _) => text::write_effort(effort),
            (Output::Message(message), _) => text::write_message(message),
            (Output::Text(text), _) => text.clone(),
            (Output::Best(best), _) => text::write_best(best, self),
            (Output::Checkmate(answer), Self::Uci) => uci::write_mate(answer),
            (Output::Checkmate(answer), Self::Usi) => usi::write_mate(answer),
            (Output::MateRefused, Self::Uci) => text::write_best(&BestMove::None, self),
            (Output::MateRefused, Self::Usi) => "checkmate notimplemented".into(),
            (Output::ReadyOk, _) => "readyok".into(),
        }
    }

    /// The answer to the greeting: `id ...`, then `options` (lines that end with a newline), then `uciok` or `usiok`.
    pub fn introduce(self, options: &str) -> String {
        text::introduce(self, options)
    }
}

impl fmt::Display for Protocol {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.greeting())
    }
}
