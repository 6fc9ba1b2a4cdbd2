//! The two formats in which games of shogi are written.

use hasami_api::RecordError;

#[derive(Clone, Copy, PartialEq, Eq)]
pub enum Notation {
    Csa,
    Kif,
}

/// What a library says of a record that it cannot write.
pub fn failed(error: impl std::fmt::Display) -> RecordError {
    RecordError::Other(error.to_string())
}
