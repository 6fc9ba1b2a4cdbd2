//! Texts of the games' errors.

use super::Message;
use hasami_api::{InvalidPosition, ParseMoveError};

impl From<InvalidPosition> for Message {
    fn from(error: InvalidPosition) -> Self {
        match error {
            InvalidPosition::Flawed { game, format, text, flaw } => {
                let found = Self::new("position-flaw").with("kind", flaw.kind).with("file", file_of(&flaw.at));
                let found = found.with("at", flaw.at);
                let why = Self::new("expected-game-position").with("game", game).with("format", format);
                why.with("text", text).with("flaw", found.with("found", flaw.text))
            }
            InvalidPosition::Kingless(side) => Self::new("expected-both-kings").with("side", side),
            InvalidPosition::Other(text) => text.into(),
        }
    }
}

impl From<ParseMoveError> for Message {
    fn from(error: ParseMoveError) -> Self {
        match error {
            ParseMoveError::Notation(text) => Self::new("expected-move").with("found", text),
            ParseMoveError::Illegal(text) => Self::new("expected-legal").with("found", text),
            ParseMoveError::Forbidden(text, rule) => {
                Self::new("expected-allowed").with("found", text).with("rule", rule.word())
            }
        }
    }
}

/// The file of a square as Japanese players write it, or nothing if it has none.
fn file_of(square: &str) -> String {
    let digit = square.chars().next().and_then(|c| c.to_digit(10));
    digit.and_then(|digit| "０１２３４５６７８９".chars().nth(digit as usize)).map(String::from).unwrap_or_default()
}
