//! A protocol's own words.

use super::{Command, Output, Settings};

/// UCI or USI, from the engine's side: lines in, lines out. Never panics, whatever comes in.
pub trait Dialect: Send + Sync {
    /// The word that opens the protocol: `uci`, `usi`.
    fn greeting(&self) -> &'static str;

    /// Reads one line, without its end.
    fn parse(&self, line: &str) -> Command;

    /// Writes one answer, as lines without a last line end.
    fn format(&self, output: &Output) -> String;

    /// The answer to the greeting: `id ...`, `option ...`, `uciok`.
    fn introduce(&self, settings: &Settings) -> String;
}
