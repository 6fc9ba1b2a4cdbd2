//! Positions as people post them: a FEN or SFEN, or what follows `position`, with or without that word.

#![deny(clippy::unwrap_used, clippy::expect_used, clippy::panic)]

use super::words::Words;
use super::{Command, Protocol, position};
use crate::words::Message;
use hasami_api::{Line, MoveText};

/// Reads `startpos`, `sfen ...`, `fen ...` or a bare position, each with or without `moves ...`, or bare moves. What is
/// read is not yet checked against the rules.
pub fn read(protocol: Protocol, text: &str) -> Result<Line, Message> {
    let (setup, rest) = (protocol.setup(), after(text.trim(), "position").unwrap_or(text.trim()));
    let first = rest.split_whitespace().next().unwrap_or_default();
    let told = match (["fen", "sfen"].into_iter().find_map(|word| after(rest, word)), first) {
        (Some(board), _) => format!("{setup} {board}"),
        (None, "startpos") => rest.to_owned(),
        (None, "moves") => format!("startpos {rest}"),
        (None, word) if is_move(word) => format!("startpos moves {rest}"),
        (None, _) => format!("{setup} {rest}"),
    };
    match position::parse(protocol, Words::new(&told)) {
        Command::Position(line) => Ok(line),
        Command::BadPosition(why) => Err(why),
        _ => Err(Message::new("expected-position").with("found", position::quoted(text))),
    }
}

/// A line that begins with a position where a command is expected, as pasted without `position`.
pub(super) fn command(protocol: Protocol, line: &str) -> Option<Command> {
    let first = Words::new(line).next()?;
    let is_pasted = ["startpos", "fen", "sfen"].contains(&first);
    is_pasted.then(|| read(protocol, Words::new(line).rest()).map_or_else(Command::BadPosition, Command::Position))
}

/// By its shape; a board has ranks.
fn is_move(word: &str) -> bool {
    (4..=5).contains(&word.len()) && !word.contains('/') && word.parse::<MoveText>().is_ok()
}

/// The text behind a first word.
fn after<'a>(text: &'a str, word: &str) -> Option<&'a str> {
    let rest = text.strip_prefix(word)?;
    rest.starts_with(char::is_whitespace).then(|| rest.trim_start())
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used)]
    use super::*;

    #[test]
    fn every_usual_way_of_posting_is_read() {
        let usi = |text: &str| read(Protocol::Usi, text).unwrap();
        let wanted = usi("startpos moves 7g7f 3c3d");
        assert_eq!((wanted.start.text.as_deref(), wanted.moves.len()), (None, 2));
        for text in [" position startpos moves 7g7f  3c3d", "moves 7g7f 3c3d", "7g7f 3c3d"] {
            assert_eq!(usi(text), wanted, "{text}");
        }
        let board = "4k4/9/9/9/9/9/9/9/4K4 b G 1";
        for text in ["", "sfen ", "position sfen ", "fen "].map(|before| format!("{before}{board}")) {
            let line = usi(&format!("{text} moves G*5b"));
            assert_eq!((line.start.text.as_deref(), line.moves.len()), (Some(board), 1), "{text}");
            assert_eq!(usi(&text).start, line.start);
        }
        let board = "4k3/8/8/8/8/8/4P3/4K3 w - - 0 1";
        let line = read(Protocol::Uci, &format!("position fen {board} moves e2e4")).unwrap();
        assert_eq!((line.start.text.as_deref(), line.moves.len()), (Some(board), 1));
    }

    #[test]
    fn what_is_no_position_is_told_or_left_to_the_rules() {
        assert_eq!(read(Protocol::Usi, "rubbish").unwrap().start.text.as_deref(), Some("rubbish"));
        let error = read(Protocol::Usi, "startpos moves much-too-long").unwrap_err();
        assert_eq!(error.to_string(), "position: expected a move, found 'much-too-long'");
        assert_eq!(
            read(Protocol::Uci, "").unwrap_err().to_string(),
            "position: expected 'startpos' or 'fen ...', found nothing after it"
        );
    }
}
