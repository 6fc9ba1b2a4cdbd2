//! The two file formats for shogi games.

use hasami_api::RecordError;

#[derive(Clone, Copy, PartialEq, Eq)]
pub enum Notation {
    Csa,
    Kif,
}

/// Converts the error of a library that failed to write a record.
pub fn failed(error: impl std::fmt::Display) -> RecordError {
    RecordError::Other(error.to_string())
}
