//! Start positions: SFEN with three or four fields, checked for what the rules forbid.

#![deny(clippy::unwrap_used, clippy::expect_used, clippy::panic)]

use hasami_api::InvalidPosition;
use rsshogi::board::{Position, parse_sfen, position_from_position_state};
use rsshogi::types::{Bitboard, Color, HandPiece, PieceType, Rank, Square};

/// Men of each kind in a set, by unpromoted [`PieceType`].
const MEN: [(PieceType, u32); 8] = [
    (PieceType::PAWN, 18),
    (PieceType::LANCE, 4),
    (PieceType::KNIGHT, 4),
    (PieceType::SILVER, 4),
    (PieceType::BISHOP, 2),
    (PieceType::ROOK, 2),
    (PieceType::GOLD, 4),
    (PieceType::KING, 2),
];

/// A position and the plies played before it.
///
/// The side to move may lack a king, as the attacker of a mate problem does. Its opponent may not.
pub fn parse(text: &str) -> Result<(Position, u32), InvalidPosition> {
    let fields: Vec<&str> = text.split_whitespace().collect();
    if !text.is_ascii() || !(3..=4).contains(&fields.len()) {
        return Err(refuse(text, "not three or four fields"));
    }
    let number = match fields.get(3) {
        Some(field) => field.parse::<u32>().map_err(|_| refuse(text, "a move number that is none"))?,
        None => 1,
    };
    // The move number stays here: rsshogi counts in 16 bits.
    let mut state = parse_sfen(&fields[..3].join(" ")).map_err(|error| refuse(text, &error.to_string()))?;
    state.ply = 1;
    let mut position = position_from_position_state(&state);
    position.init_stack();
    check(&position).map_err(|found| refuse(text, &found))?;
    Ok((position, number.saturating_sub(1)))
}

fn refuse(text: &str, found: &str) -> InvalidPosition {
    InvalidPosition(format!("expected a shogi position in SFEN, found '{text}' ({found})"))
}

fn check(position: &Position) -> Result<(), String> {
    check_men(position)?;
    for color in [Color::BLACK, Color::WHITE] {
        check_pawns(position, color)?;
        check_dead_pieces(position, color)?;
    }
    let (us, them) = (position.turn(), position.turn().flip());
    for color in [us, them] {
        if position.pieces_for(PieceType::KING, color).count() > 1 {
            return Err("two kings of one side".into());
        }
    }
    let king = position.king_square(them);
    if king.is_none() {
        return Err("no king of the side that does not move".into());
    }
    if position.is_attacked_by(king, us) {
        return Err("the side that does not move is in check".into());
    }
    Ok(())
}

fn check_men(position: &Position) -> Result<(), String> {
    for (kind, limit) in MEN {
        let mut count = position.pieces_by_type(kind).count();
        if kind.is_promotable() {
            count += position.pieces_by_type(kind.promote()).count();
        }
        if let Some(held) = HandPiece::from_piece_type(kind) {
            count += position.hand(Color::BLACK).count(held) + position.hand(Color::WHITE).count(held);
        }
        if count > limit {
            return Err(format!("{count} of {kind}, more than {limit}"));
        }
    }
    Ok(())
}

fn check_pawns(position: &Position, color: Color) -> Result<(), String> {
    let pawns = position.pieces_for(PieceType::PAWN, color);
    for pawn in pawns.iter() {
        if (pawns & Bitboard::file_mask(pawn.file())).more_than_one() {
            return Err(format!("two pawns of one side on the file of {pawn}"));
        }
    }
    Ok(())
}

fn check_dead_pieces(position: &Position, color: Color) -> Result<(), String> {
    for (kind, ranks) in [(PieceType::PAWN, 1), (PieceType::LANCE, 1), (PieceType::KNIGHT, 2)] {
        for square in position.pieces_for(kind, color).iter() {
            if ranks_ahead(square, color) < ranks {
                return Err(format!("a {kind} that can never move on {square}"));
            }
        }
    }
    Ok(())
}

fn ranks_ahead(square: Square, color: Color) -> i8 {
    match color {
        Color::BLACK => square.rank().raw() - Rank::RANK_1.raw(),
        Color::WHITE => Rank::RANK_9.raw() - square.rank().raw(),
    }
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
        assert!(parse("9/9/9/9/9/4p4/9/9/4K4 w g 1").is_ok());
    }

    #[test]
    fn impossible_positions_say_what_is_wrong() {
        for (text, word) in [
            ("", "fields"),
            ("4k4/9/9/9/9/9/9/9/4K4 b", "fields"),
            ("4k4/9/9/9/9/9/9/9/4K4 b - x", "number"),
            ("4k4/9/9/9/9/9/9/4K4 b - 1", "("),
            ("4k4/9/9/9/9/9/9/9/4K4 b 3R 1", "3 of R"),
            ("4k4/9/9/9/9/9/9/9/4K4 b 19P 1", "19 of P"),
            ("4k4/4P4/4P4/9/9/9/9/9/4K4 w - 1", "two pawns"),
            ("4k3P/9/9/9/9/9/9/9/4K4 b - 1", "never move"),
            ("4k4/N8/9/9/9/9/9/9/4K4 b - 1", "never move"),
            ("4k4/9/9/9/9/9/9/n8/4K4 b - 1", "never move"),
            ("9/9/9/9/9/9/9/9/4K4 b - 1", "no king"),
            ("k3k4/9/9/9/9/9/9/9/9 b - 1", "two kings"),
            ("4k4/4R4/9/9/9/9/9/9/4K4 b - 1", "in check"),
        ] {
            let error = parse(text).err().unwrap().0;
            assert!(error.contains(word), "{text}: {error}");
        }
    }
}
