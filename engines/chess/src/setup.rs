//! Start positions: FEN, X-FEN and Shredder-FEN, with four to six fields.

#![deny(clippy::unwrap_used, clippy::expect_used, clippy::panic)]

use hasami_api::InvalidPosition;
use shakmaty::fen::Fen;
use shakmaty::{CastlingMode, Chess as Standard, PositionError};
use std::borrow::Cow;

/// Reads a position. Castling rights and en-passant squares that the board contradicts are dropped, as GUIs do. Counters
/// below zero are taken for zero, as other engines do: a game is not to be lost by them.
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
        .map_err(|error: PositionError<Standard>| refuse(text, error))
}

/// With zero for negative numbers where the halfmove clock and the move number stand.
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

fn refuse(text: &str, found: impl std::fmt::Display) -> InvalidPosition {
    InvalidPosition(format!("expected a chess position in FEN, found '{text}' ({found})"))
}
