//! Rotates positions and moves by half a turn, so that the two sides change places.

#![deny(clippy::unwrap_used, clippy::expect_used, clippy::panic)]

/// Rotates a position, given by the board, side to move and hands of an SFEN.
pub(super) fn position(key: &str) -> Option<String> {
    let mut fields = key.split(' ');
    let (board, side, hands) = (fields.next()?, fields.next()?, fields.next()?);
    let side = if side == "b" { "w" } else { "b" };
    Some(format!("{} {side} {}", turn_board(board), turn_hands(hands)))
}

/// Rotates a move in USI notation.
pub(super) fn move_text(text: &str) -> String {
    let turn = |c: char| match c {
        '1'..='9' => char::from(b'1' + (b'9' - c as u8)),
        // Ranks are lower-case letters; an upper-case letter is a dropped piece and stays.
        'a'..='i' => char::from(b'a' + (b'i' - c as u8)),
        other => other,
    };
    text.chars().map(turn).collect()
}

fn exchanged(c: char) -> char {
    if c.is_ascii_uppercase() { c.to_ascii_lowercase() } else { c.to_ascii_uppercase() }
}

/// Reverses the order of the squares and exchanges the colours of the pieces; a `+` stays before its piece.
fn turn_board(board: &str) -> String {
    let mut turned = Vec::with_capacity(board.len());
    let mut promoted = false;
    for c in board.chars() {
        match c {
            '+' => promoted = true,
            _ => {
                turned.push((std::mem::take(&mut promoted), exchanged(c)));
            }
        }
    }
    let show = |&(promoted, c): &(bool, char)| if promoted { format!("+{c}") } else { c.to_string() };
    turned.iter().rev().map(show).collect()
}

/// Exchanges the hands of the two sides. The pieces are reordered, because Black's come first in an SFEN.
fn turn_hands(hands: &str) -> String {
    let turned: String = hands.chars().map(exchanged).collect();
    let first = turned.find(|c: char| c.is_ascii_uppercase()).unwrap_or(turned.len());
    let (second, _) = turned.split_at(first);
    // In an SFEN, a count precedes its piece.
    let number = second.len() - second.trim_end_matches(|c: char| c.is_ascii_digit()).len();
    let (second, first) = turned.split_at(first - number);
    format!("{first}{second}")
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used)]
    use super::*;

    #[test]
    fn rotating_a_position_twice_restores_it() {
        for (key, turned) in [
            (
                "lnsgkgsnl/1r5b1/ppppppppp/9/9/2P6/PP1PPPPPP/1B5R1/LNSGKGSNL w -",
                "lnsgkgsnl/1r5b1/pppppp1pp/6p2/9/9/PPPPPPPPP/1B5R1/LNSGKGSNL b -",
            ),
            ("4k4/9/9/9/9/9/9/4+p4/4K4 b R2B13p", "4k4/4+P4/9/9/9/9/9/9/4K4 w 13Pr2b"),
            ("4k4/9/9/9/9/9/9/9/4K4 b 2r2b", "4k4/9/9/9/9/9/9/9/4K4 w 2R2B"),
        ] {
            assert_eq!(position(key).unwrap(), turned);
            assert_eq!(position(turned).unwrap(), key);
        }
        assert_eq!(position("4k4 b"), None);
    }

    #[test]
    fn squares_of_moves_are_rotated() {
        for (text, turned) in
            [("7g7f", "3c3d"), ("8h2b+", "2b8h+"), ("P*5e", "P*5e"), ("B*4i", "B*6a"), ("1a9i", "9i1a")]
        {
            assert_eq!(move_text(text), turned);
            assert_eq!(move_text(turned), text);
        }
    }
}
