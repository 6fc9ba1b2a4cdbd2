//! Parses EPD (one position per line, four fields and operations), plain FEN, and the arguments of UCI's `position`.

use super::{numbered, shown};
use hasami_api::{Line, Rules, Start};
use hasami_catalog::GameRules;
use hasami_words::text::At;

/// Number of fields of a position in EPD: board, side to move, castling, en passant.
const FIELDS: usize = 4;

pub fn parse(text: &str, game: &dyn GameRules) -> Result<Vec<Line>, String> {
    numbered(text).map(|(number, line)| read(line, game).ok_or_else(|| bad(number, line))).collect()
}

fn bad(number: usize, line: &str) -> String {
    format!("expected a position in EPD, found '{}'", shown(line)).at(format!("line {number}"))
}

/// Parses one line. The move counters are the fifth and sixth field of a FEN, or the operations `hmvc` and `fmvn`.
fn read(line: &str, game: &dyn GameRules) -> Option<Line> {
    let words: Vec<&str> = line.split_whitespace().collect();
    let is_posted = matches!(words[..], ["position" | "fen" | "startpos" | "moves", ..]);
    if is_posted || [FIELDS, FIELDS + 2].iter().any(|&at| words.get(at) == Some(&"moves")) {
        return game.posted(line, Rules::default()).ok();
    }
    let (position, rest) = words.split_at_checked(FIELDS)?;
    let number = |word: Option<&&str>| word.and_then(|word| word.trim_end_matches(';').parse::<u32>().ok());
    let after = |name: &str| rest.iter().position(|&word| word == name).and_then(|at| number(rest.get(at + 1)));
    let counters = match (number(rest.first()), number(rest.get(1))) {
        (Some(half), Some(full)) => [half, full],
        _ => [after("hmvc").unwrap_or(0), after("fmvn").unwrap_or(1)],
    };
    let fen = format!("{} {} {}", position.join(" "), counters[0], counters[1]);
    Some(Line { start: Start { text: Some(fen.into()), ..Start::default() }, moves: Vec::new() })
}

#[cfg(test)]
#[allow(clippy::unwrap_used)]
mod tests {
    use super::*;

    fn read(line: &str) -> Option<Line> {
        super::read(line, hasami_games::find("chess").unwrap())
    }

    fn parse(text: &str) -> Result<Vec<Line>, String> {
        super::parse(text, hasami_games::find("chess").unwrap())
    }

    fn text(line: &str) -> String {
        read(line).unwrap().start.text.unwrap().to_string()
    }

    #[test]
    fn counters_come_from_fields_or_operations() {
        let board = "4k3/8/8/8/8/8/8/4K3 w - -";
        assert_eq!(text(board), format!("{board} 0 1"));
        assert_eq!(text(&format!("{board} 7 23")), format!("{board} 7 23"));
        assert_eq!(text(&format!("{board} hmvc 7; fmvn 23; id \"x\";")), format!("{board} 7 23"));
        assert_eq!(text(&format!("{board} bm Ke2; id \"some position\";")), format!("{board} 0 1"));
    }

    #[test]
    fn positions_may_have_moves() {
        let board = "4k3/8/8/8/8/8/4P3/4K3 w - - 0 1";
        for line in [format!("position fen {board} moves e2e4"), format!("{board} moves e2e4")] {
            let read = read(&line).unwrap();
            assert_eq!((read.start.text.as_deref(), read.moves.len()), (Some(board), 1), "{line}");
        }
        for line in ["startpos moves e2e4 e7e5", "startpos moves 1.e4 e5"] {
            assert_eq!(read(line).unwrap().moves.iter().map(|m| m.to_string()).collect::<Vec<_>>(), ["e2e4", "e7e5"]);
        }
        assert_eq!(text(&format!("{board} id \"mate in 3 moves\";")), board);
    }

    #[test]
    fn blank_lines_and_comments_are_skipped_and_bad_lines_are_named() {
        let lines = parse("\u{feff}# a book\r\n\r\n4k3/8/8/8/8/8/8/4K3 w - -\r\n").unwrap();
        assert_eq!(lines.len(), 1);
        assert_eq!(parse("\nrubbish").unwrap_err().to_string(), "line 2: expected a position in EPD, found 'rubbish'");
    }
}
