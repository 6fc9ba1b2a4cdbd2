//! Errors of the games in words.

use super::Message;
use hasami_api::{InvalidPosition, ParseMoveError, RecordError};

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

impl From<RecordError> for Message {
    fn from(error: RecordError) -> Self {
        match error {
            RecordError::Move { ply, why } => Self::from(why).at(at_ply(ply)),
            RecordError::Ambiguous { ply, found, moves: [one, other] } => {
                let (one, other) = (one.to_string(), other.to_string());
                let why = Self::new("expected-one-move").with("found", found).with("move", one).with("other", other);
                why.at(at_ply(ply))
            }
            RecordError::Position(why) => why.into(),
            RecordError::AtLine(number, why) => Self::from(*why).at(Self::new("line-number").with("number", number)),
            RecordError::Line(line) => Self::new("expected-record-line").with("found", line),
            RecordError::Game(number, why) => Self::from(*why).at(Self::new("game-of-record").with("number", number)),
            RecordError::Other(text) => text.into(),
        }
    }
}

fn at_ply(ply: usize) -> Message {
    Message::new("ply-number").with("number", ply)
}

/// The file of a square as Japanese write it, or nothing.
fn file_of(square: &str) -> String {
    let digit = square.chars().next().and_then(|c| c.to_digit(10));
    digit.and_then(|digit| "０１２３４５６７８９".chars().nth(digit as usize)).map(String::from).unwrap_or_default()
}
