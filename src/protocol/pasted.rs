//! Parses positions as people post them: a FEN, an SFEN, or the command `position` with or without its first word.

#![deny(clippy::unwrap_used, clippy::expect_used, clippy::panic)]

use super::words::Words;
use super::{Command, Protocol, moves, position};

/// Parses `startpos`, `sfen ...`, `fen ...` or a bare position, each with or without `moves ...`, or bare moves, into a
/// command that sets the position. The legality of the position is not checked.
pub fn read(protocol: Protocol, text: &str) -> Command {
    let (setup, rest) = (protocol.setup(), after(text.trim(), "position").unwrap_or(text.trim()));
    let first = rest.split_whitespace().next().unwrap_or_default();
    let position_text = match (["fen", "sfen"].into_iter().find_map(|word| after(rest, word)), first) {
        (Some(board), _) => format!("{setup} {board}"),
        (None, "startpos") => rest.to_owned(),
        (None, "moves") => format!("startpos {rest}"),
        (None, word) if moves::read(protocol, word).is_some() => format!("startpos moves {rest}"),
        (None, _) => format!("{setup} {rest}"),
    };
    position::parse(protocol, Words::new(&position_text))
}

/// Parses a line that begins with a position, such as a pasted FEN, as if the word `position` preceded it.
pub(super) fn command(protocol: Protocol, line: &str) -> Option<Command> {
    let first = Words::new(line).next()?;
    let is_pasted = ["startpos", "fen", "sfen"].contains(&first);
    is_pasted.then(|| read(protocol, Words::new(line).rest()))
}

/// Removes `word` from the beginning of a text; `None` if the text does not begin with it.
fn after<'a>(text: &'a str, word: &str) -> Option<&'a str> {
    let rest = text.strip_prefix(word)?;
    rest.starts_with(char::is_whitespace).then(|| rest.trim_start())
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used, clippy::panic)]
    use super::*;
    use hasami_api::Line;

    fn line(protocol: Protocol, text: &str) -> Line {
        let Command::Position(line) = read(protocol, text) else { panic!("{text}") };
        line
    }

    #[test]
    fn every_common_form_of_a_position_is_parsed() {
        let usi = |text: &str| line(Protocol::Usi, text);
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
        for end in ["resign", "win", "rep_draw", "投了"] {
            assert_eq!(usi(&format!("position startpos moves 7g7f 3c3d {end}")), wanted, "{end}");
        }
        let written = usi("4k4/9/9/9/9/9/9/9/4K4_b_G_1");
        assert_eq!(written.start.text.as_deref(), Some(board), "underscores as in web addresses");
        let board = "4k3/8/8/8/8/8/4P3/4K3 w - - 0 1";
        let line = line(Protocol::Uci, &format!("position fen {board} moves e2e4"));
        assert_eq!((line.start.text.as_deref(), line.moves.len()), (Some(board), 1));
    }

    #[test]
    fn invalid_positions_are_reported_or_left_to_the_rules() {
        assert_eq!(line(Protocol::Usi, "rubbish").start.text.as_deref(), Some("rubbish"));
        let Command::TypedPosition(typed) = read(Protocol::Usi, "startpos moves 7g7f ３四歩 much-too-long") else {
            panic!()
        };
        assert_eq!((typed.start.text, typed.moves.as_str()), (None, "7g7f ３四歩 much-too-long"));
        let Command::BadPosition(why) = read(Protocol::Uci, "") else { panic!() };
        assert_eq!(why.to_string(), "position: expected 'startpos' or 'fen ...', found nothing after it");
    }
}
