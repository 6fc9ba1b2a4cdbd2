//! Parses UCI commands without arguments: sanitizes them and passes them to vampirc-uci.
//!
//! vampirc-uci 0.11.1 panics on some real lines and misreads others, so only lines that vampirc-uci parses correctly
//! are passed to it. The tests in `tests/gaps.rs` show the lines that vampirc-uci cannot parse.

#![deny(clippy::unwrap_used, clippy::expect_used, clippy::panic)]

use super::Command;
use super::words::Words;
use vampirc_uci::{UciMessage, parse_one};

/// Parses a command without arguments; `None` for any other line.
pub(super) fn parse(words: Words<'_>) -> Option<Command> {
    read(sanitised(words)?)
}

fn read(line: &str) -> Option<Command> {
    match parse_one(line) {
        UciMessage::Uci => Some(Command::Hello),
        UciMessage::IsReady => Some(Command::IsReady),
        UciMessage::UciNewGame => Some(Command::NewGame),
        UciMessage::Stop => Some(Command::Stop),
        UciMessage::PonderHit => Some(Command::PonderHit(None)),
        UciMessage::Quit => Some(Command::Quit),
        UciMessage::Debug(on) => Some(Command::Debug(on)),
        _ => None,
    }
}

/// Returns the line with single spaces between words if vampirc-uci is known to parse this line correctly.
fn sanitised(mut words: Words<'_>) -> Option<&'static str> {
    let line = match words.next()? {
        "uci" => "uci",
        "isready" => "isready",
        "ucinewgame" => "ucinewgame",
        "stop" => "stop",
        "ponderhit" => "ponderhit",
        "quit" => "quit",
        "debug" => match words.next()? {
            "on" => "debug on",
            "off" => "debug off",
            _ => return None,
        },
        _ => return None,
    };
    words.is_empty().then_some(line)
}
