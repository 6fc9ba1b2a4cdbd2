//! Parses and writes the command `position`.

#![deny(clippy::unwrap_used, clippy::expect_used, clippy::panic)]

use super::words::{Words, is_end_of_game};
use super::{Command, Protocol, TypedLine, moves};
use hasami_api::{Line, Start};
use hasami_words::shortened;
use thiserror::Error;

/// The reason why the words after `position` cannot be read.
#[derive(Clone, PartialEq, Eq, Debug, Error)]
pub enum PositionError {
    #[error("position: expected 'startpos' or '{setup} ...', found {found}")]
    NoStart { setup: &'static str, found: String },
    #[error("position: expected 'moves' after 'startpos', found {0}")]
    NoMoves(String),
    /// The game's rules do not allow the position or a move.
    #[error("position: {0}")]
    Rules(String),
}

/// Parses the arguments of `position`, without checking the position and the moves against the rules.
pub(super) fn parse(protocol: Protocol, mut words: Words<'_>) -> Command {
    let text = match words.next() {
        Some("startpos") => {
            // Unknown words between `startpos` and `moves` are skipped; without `moves`, they are an error.
            if let Some(word) = words.peek().filter(|_| !words.clone().any(|word| word == "moves")) {
                return Command::BadPosition(PositionError::NoMoves(quoted(word)));
            }
            words.joined_until("moves");
            None
        }
        Some(word) if word == protocol.setup() => {
            let text = words.joined_until("moves");
            if text.is_empty() {
                return bad(protocol, "nothing after it");
            }
            // A FEN copied from a web address has underscores in place of spaces.
            Some(text.replace('_', " ").into())
        }
        Some(word) => return bad(protocol, &quoted(word)),
        None => return bad(protocol, "nothing"),
    };
    let start = Start { text, ..Start::default() };
    let typed = words.rest();
    let mut played: Vec<&str> = words.collect();
    played.pop_if(|word| is_end_of_game(word));
    match played.into_iter().map(|word| moves::read(protocol, word)).collect() {
        Some(moves) => Command::Position(Line { start, moves }),
        None => Command::TypedPosition(TypedLine { start, moves: typed.to_owned() }),
    }
}

fn bad(protocol: Protocol, found: &str) -> Command {
    Command::BadPosition(PositionError::NoStart { setup: protocol.setup(), found: found.to_owned() })
}

/// Quotes a word for use in a message, truncated if it is long.
pub(super) fn quoted(word: &str) -> String {
    const LONGEST: usize = 40;
    format!("'{}'", shortened(word, LONGEST))
}

/// Writes the whole `position` command.
pub(super) fn write(protocol: Protocol, line: &Line) -> String {
    let mut out = String::with_capacity(32 + 6 * line.moves.len());
    out.push_str("position ");
    match &line.start.text {
        None => out.push_str("startpos"),
        Some(text) => {
            out.push_str(protocol.setup());
            out.push(' ');
            out.push_str(text);
        }
    }
    if !line.moves.is_empty() {
        out.push_str(" moves");
    }
    for m in &line.moves {
        out.push(' ');
        out.push_str(m);
    }
    out
}
