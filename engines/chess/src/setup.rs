//! Reads positions in FEN, X-FEN and Shredder-FEN, with four to six fields.

#![deny(clippy::unwrap_used, clippy::expect_used, clippy::panic)]

use hasami_api::InvalidPosition;
use shakmaty::fen::Fen;
use shakmaty::{CastlingMode, Chess as Standard, Position, PositionError, PositionErrorKinds};
use std::borrow::Cow;

/// Parses a position. Castling rights and en passant squares that contradict the board are dropped, as in GUIs.
/// Negative counters are read as zero, as in other engines, so that they do not lose a game.
pub fn parse(text: &str) -> Result<Standard, InvalidPosition> {
    let fen: Fen = without_negatives(text).parse().map_err(|error| refuse(text, error))?;
    let setup = fen.into_setup();
    if setup.pockets.is_some() || setup.remaining_checks.is_some() {
        return Err(refuse(text, "a position of a variant"));
    }
    let mode = CastlingMode::detect(&setup);
    setup
        .position(mode)
        .or_else(PositionError::ignore_invalid_castling_rights)
        .or_else(PositionError::ignore_invalid_ep_square)
        .or_else(PositionError::ignore_impossible_check)
        .or_else(PositionError::ignore_too_much_material)
        .map_err(|error: PositionError<Standard>| refuse(text, illegal(&error)))
}

/// Is the text a valid position of Chess960? Returns true if the castling rights are written as rook files
/// (Shredder-FEN), or if a king or rook with castling rights is not on its square in standard chess.
pub fn is_of_chess960(text: &str) -> bool {
    let names_files = |rights: &str| rights.chars().any(|c| ('a'..='h').contains(&c.to_ascii_lowercase()));
    let castling = text.split_whitespace().nth(2).unwrap_or_default();
    castling != "-"
        && parse(text)
            .is_ok_and(|position| names_files(castling) || position.castles().mode() == CastlingMode::Chess960)
}

/// Replaces a negative halfmove clock or move number by zero.
fn without_negatives(text: &str) -> Cow<'_, str> {
    const COUNTERS: usize = 4;
    let is_negative = |field: &str| {
        let digits = field.strip_prefix('-').unwrap_or_default();
        !digits.is_empty() && digits.bytes().all(|byte| byte.is_ascii_digit())
    };
    if !text.split_whitespace().skip(COUNTERS).any(is_negative) {
        return text.into();
    }
    let fields = text.split_whitespace().enumerate();
    let kept = fields.map(|(at, field)| if at >= COUNTERS && is_negative(field) { "0" } else { field });
    kept.collect::<Vec<_>>().join(" ").into()
}

fn refuse(text: &str, flaw: impl ToString) -> InvalidPosition {
    InvalidPosition::flawed("chess", "FEN", text, &flaw.to_string())
}

/// Returns a message that states the first flaw of a position.
fn illegal(error: &PositionError<Standard>) -> String {
    let kinds = [
        (PositionErrorKinds::EMPTY_BOARD, "the board is empty"),
        (PositionErrorKinds::MISSING_KING, "a king is missing"),
        (PositionErrorKinds::TOO_MANY_KINGS, "a side has two kings"),
        (PositionErrorKinds::PAWNS_ON_BACKRANK, "a pawn stands on the first or the last rank"),
        (PositionErrorKinds::OPPOSITE_CHECK, "the side not to move is in check"),
    ];
    let found = kinds.into_iter().find(|(kind, _)| error.kinds().contains(*kind));
    found.map_or_else(|| error.to_string(), |(_, text)| text.to_owned())
}
