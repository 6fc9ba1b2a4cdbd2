//! Start positions: FEN, X-FEN and Shredder-FEN, with four to six fields.

#![deny(clippy::unwrap_used, clippy::expect_used, clippy::panic)]

use hasami_api::InvalidPosition;
use shakmaty::fen::Fen;
use shakmaty::{CastlingMode, Chess as Standard, PositionError};

/// Reads a position. Castling rights and en-passant squares that the board contradicts are dropped, as GUIs do.
pub fn parse(text: &str) -> Result<Standard, InvalidPosition> {
    let fen: Fen = text.parse().map_err(|error| refuse(text, error))?;
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

fn refuse(text: &str, found: impl std::fmt::Display) -> InvalidPosition {
    InvalidPosition(format!("expected a chess position in FEN, found '{text}' ({found})"))
}
