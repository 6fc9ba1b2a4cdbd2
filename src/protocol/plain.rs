//! UCI's commands without arguments.

#![deny(clippy::unwrap_used, clippy::expect_used, clippy::panic)]

use super::Command;
use super::words::Words;

/// Reads a command without arguments; `None` for any other line.
pub(super) fn parse(mut words: Words<'_>) -> Option<Command> {
    let command = match words.next()? {
        "uci" => Command::Hello,
        "isready" => Command::IsReady,
        "ucinewgame" => Command::NewGame,
        "stop" => Command::Stop,
        "ponderhit" => Command::PonderHit(None),
        "quit" => Command::Quit,
        "debug" => match words.next()? {
            "on" => Command::Debug(true),
            "off" => Command::Debug(false),
            _ => return None,
        },
        _ => return None,
    };
    words.is_empty().then_some(command)
}
