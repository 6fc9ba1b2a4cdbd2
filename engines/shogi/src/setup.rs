//! Reads positions in SFEN with three or four fields, and rejects those that the rules forbid.

#![deny(clippy::unwrap_used, clippy::expect_used, clippy::panic)]

use hasami_api::InvalidPosition;
use rsshogi::board::{Position, ValidationIssue, parse_sfen, position_from_position_state};
use rsshogi::types::{Hand, HandPiece};

/// Parses a position, and returns it with the number of plies played before it.
///
/// The side to move may lack a king, like the attacker of a mate problem. The side that is not to move must have a
/// king.
///
/// A position may have fewer or more pieces than a shogi set. On the board and in both hands together, there may be as
/// many pieces of a kind as one hand can hold, so that no capture can exceed this number. A hand is packed into 32
/// bits, as in YaneuraOu.
///
/// | kind | in a set | at most |
/// | --- | --- | --- |
/// | pawns | 18 | 31 |
/// | lances, knights, silvers, golds, each | 4 | 7 |
/// | bishops, rooks, each | 2 | 3 |
///
/// # Errors
/// Returns a one-line description of the flaw: malformed text, two kings of one side, no king of the side that is not
/// to move, the opponent's king in check, two pawns of one side on a file, a piece that can never move, or too many
/// pieces.
pub fn parse(text: &str) -> Result<(Position, u32), InvalidPosition> {
    parse_checked(text, false)
}

/// Parses a mate problem, in which the side to be mated may move first and only one side needs a king.
pub fn parse_problem(text: &str) -> Result<(Position, u32), InvalidPosition> {
    parse_checked(text, true)
}

fn parse_checked(text: &str, is_problem: bool) -> Result<(Position, u32), InvalidPosition> {
    let fields: Vec<&str> = text.split_whitespace().collect();
    if !text.is_ascii() || !(3..=4).contains(&fields.len()) {
        return Err(refuse(text, "not three or four fields"));
    }
    let number = match fields.get(3) {
        Some(field) => field.parse::<u32>().map_err(|_| refuse(text, "a move number that is none"))?,
        None => 1,
    };
    check_men(fields[0], fields[2]).map_err(|flaw| refuse(text, flaw))?;
    // rsshogi is not told the move number, because it counts moves in 16 bits.
    let mut state = parse_sfen(&fields[..3].join(" ")).map_err(|error| refuse(text, error))?;
    state.ply = 1;
    let mut position = position_from_position_state(&state);
    position.init_stack();
    check(&position, is_problem).map_err(|flaw| refuse(text, flaw))?;
    Ok((position, number.saturating_sub(1)))
}

fn refuse(text: &str, flaw: impl ToString) -> InvalidPosition {
    InvalidPosition::flawed("shogi", "SFEN", text, &flaw.to_string())
}

fn check(position: &Position, is_problem: bool) -> Result<(), String> {
    for issue in position.validate_all().into_issues() {
        return Err(match issue {
            ValidationIssue::TwoKings(_) => "two kings of one side".to_owned(),
            ValidationIssue::DoublePawn(file, _) => format!("two pawns of one side on file {file}"),
            ValidationIssue::InvalidPlacement(square, kind) => format!("a {kind} that can never move on {square}"),
            // A mate problem may lack a king and may have more pieces than a set.
            _ => continue,
        });
    }
    let (us, them) = (position.turn(), position.turn().flip());
    let king = position.king_square(them);
    if king.is_none() && is_problem && !position.king_square(us).is_none() {
        return Ok(());
    }
    if king.is_none() {
        return Err("no king of the side that does not move".to_owned());
    }
    if position.is_attacked_by(king, us) {
        return Err("the side that does not move is in check".to_owned());
    }
    Ok(())
}

/// Rejects positions with too many pieces of a kind. Pieces are counted in the text, since rsshogi's hands would
/// overflow.
fn check_men(board: &str, hands: &str) -> Result<(), String> {
    for kind in HandPiece::iter() {
        let letter = kind.to_piece_type().to_string();
        let on_board = board.chars().filter(|c| letter.eq_ignore_ascii_case(c.encode_utf8(&mut [0; 4]))).count() as u64;
        let (count, most) = (on_board.saturating_add(held(hands, &letter)), Hand::count_mask(kind));
        if count > most.into() {
            return Err(format!("{count} of {letter}, more than {most}"));
        }
    }
    Ok(())
}

/// Returns the number of pieces of a kind in both hands.
fn held(hands: &str, letter: &str) -> u64 {
    let (mut held, mut number) = (0_u64, None);
    for c in hands.chars() {
        if let Some(digit) = c.to_digit(10) {
            number = Some(number.unwrap_or(0_u64).saturating_mul(10).saturating_add(digit.into()));
            continue;
        }
        let count = number.take().unwrap_or(1);
        if letter.eq_ignore_ascii_case(c.encode_utf8(&mut [0; 4])) {
            held = held.saturating_add(count);
        }
    }
    held
}

#[cfg(test)]
#[allow(clippy::unwrap_used)]
mod tests {
    use super::*;

    #[test]
    fn the_move_number_may_be_missing_and_hands_come_in_any_order() {
        let (position, plies) = parse("4k4/9/9/9/9/9/9/9/4K4 w 2pPgR").unwrap();
        assert_eq!(plies, 0);
        assert_eq!(position.to_sfen(Some(1)), "4k4/9/9/9/9/9/9/9/4K4 w RPg2p 1");
        let (_, plies) = parse("4k4/9/9/9/9/9/9/9/4K4 b - 4000000000").unwrap();
        assert_eq!(plies, 3_999_999_999);
    }

    #[test]
    fn the_attacker_of_a_problem_needs_no_king() {
        assert!(parse("4k4/9/4P4/9/9/9/9/9/9 b G 1").is_ok());
        // In a mate problem, the side to be mated has a king and may move first.
        let defence = "4k4/4G4/9/9/9/9/9/9/9 w - 1";
        assert!(parse(defence).is_err() && parse_problem(defence).is_ok());
        assert!(parse_problem("9/4G4/9/9/9/9/9/9/9 w - 1").is_err());
        assert!(parse("9/9/9/9/9/4p4/9/9/4K4 w g 1").is_ok());
    }

    #[test]
    fn one_hand_may_get_as_many_pieces_as_it_can_hold() {
        let most = "3R3B7G7S7N7L31P";
        let (position, _) = parse(&format!("4k4/9/9/9/9/9/9/9/4K4 b {most} 1")).unwrap();
        assert_eq!(position.to_sfen(Some(1)), format!("4k4/9/9/9/9/9/9/9/4K4 b {most} 1"));
        // For each kind, the king captures the last piece that the hand can hold.
        for (man, name) in [("r", "R"), ("b", "B"), ("g", "G"), ("s", "S"), ("n", "N"), ("l", "L"), ("p", "P")] {
            let count = |most: &str| most.parse::<u32>().unwrap();
            let at = most.find(name).unwrap();
            let from = most[..at].rfind(|c: char| !c.is_ascii_digit()).map_or(0, |before| before + 1);
            let fewer = format!("{}{}{}", &most[..from], count(&most[from..at]) - 1, &most[at..]);
            let (mut position, _) = parse(&format!("4k4/9/9/9/9/3{man}5/4K4/9/9 b {fewer} 1")).unwrap();
            position.apply_move32(position.move32_from_move(rsshogi::types::Move::from_usi("5g6f").unwrap()));
            assert_eq!(position.to_sfen(Some(2)), format!("4k4/9/9/9/9/3K5/9/9/9 w {most} 2"));
        }
    }

    #[test]
    fn impossible_positions_are_refused_with_a_reason() {
        for (text, word) in [
            ("", "fields"),
            ("4k4/9/9/9/9/9/9/9/4K4 b", "fields"),
            ("4k4/9/9/9/9/9/9/9/4K4 b - x", "number"),
            ("4k4/9/9/9/9/9/9/4K4 b - 1", "("),
            ("4k4/9/9/9/9/9/9/9/4K4 b 2R2r 1", "4 of R, more than 3"),
            ("4k4/9/4+b+b3/9/9/9/9/9/4K4 b 2B 1", "4 of B, more than 3"),
            ("4k4/9/9/9/9/9/9/9/4K4 b 32P 1", "32 of P, more than 31"),
            ("4k4/9/4+P4/9/9/9/9/9/4K4 b 20P11p 1", "32 of P, more than 31"),
            ("4k4/9/9/9/9/9/9/9/4K4 b 99999999999999999999999P 1", "18446744073709551615 of P, more than 31"),
            ("4k4/9/9/9/9/9/9/9/4K4 b 4L4l 1", "8 of L, more than 7"),
            ("4k4/9/9/9/9/9/9/9/4K4 b 8N 1", "8 of N, more than 7"),
            ("4k4/9/+S8/9/9/9/9/9/4K4 b 7S 1", "8 of S, more than 7"),
            ("4k4/9/9/9/9/9/9/9/GGGGK3G b 3G 1", "8 of G, more than 7"),
            ("4k4/4P4/4P4/9/9/9/9/9/4K4 w - 1", "two pawns"),
            ("4k3P/9/9/9/9/9/9/9/4K4 b - 1", "never move"),
            ("4k4/N8/9/9/9/9/9/9/4K4 b - 1", "never move"),
            ("4k4/9/9/9/9/9/9/n8/4K4 b - 1", "never move"),
            ("9/9/9/9/9/9/9/9/4K4 b - 1", "no king"),
            ("k3k4/9/9/9/9/9/9/9/9 b - 1", "two kings"),
            ("4k4/4R4/9/9/9/9/9/9/4K4 b - 1", "in check"),
        ] {
            let error = parse(text).err().unwrap().to_string();
            assert!(error.contains(word), "{text}: {error}");
        }
    }
}
