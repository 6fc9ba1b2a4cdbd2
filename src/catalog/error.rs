//! Errors about positions, moves and files that a game rejects.

use hasami_api::{InvalidPosition, ParseMoveError};
use hasami_nnue::NetworkError;
use hasami_protocol::PositionError;
use hasami_words::Message;
use hasami_words::files::FileError;
use std::path::PathBuf;
use thiserror::Error;

/// The reason why a game rejects a position, a line of moves or endgame tables.
#[derive(Clone, PartialEq, Eq, Debug, Error)]
pub enum GameError {
    #[error(transparent)]
    Position(#[from] InvalidPosition),
    /// A move in the line cannot be played; `number` counts moves from 1.
    #[error("move {number}: {why}")]
    Move { number: usize, why: MoveError },
    #[error(transparent)]
    Command(#[from] PositionError),
    #[error("expected a position, found {0}")]
    NoPosition(String),
    #[error("{0} has no endgame tables")]
    WithoutTables(&'static str),
    #[error("cannot use Syzygy tables in '{}': {why}", folder.display())]
    NoTables { folder: PathBuf, why: String },
}

/// The reason why a typed move cannot be played.
#[derive(Clone, PartialEq, Eq, Debug, Error)]
pub enum MoveError {
    #[error(transparent)]
    Parse(#[from] ParseMoveError),
    #[error("expected one move, found '{found}', which may be {one} or {other}")]
    Ambiguous { found: String, one: String, other: String },
}

impl MoveError {
    pub fn at(self, number: usize) -> GameError {
        GameError::Move { number, why: self }
    }
}

#[derive(Debug, Error)]
pub enum EvaluationError {
    #[error(transparent)]
    File(#[from] FileError),
    #[error(transparent)]
    Format(#[from] NetworkError),
    #[error("a network of {found} cannot be used for {wanted}")]
    OtherGame { wanted: &'static str, found: &'static str },
    /// The network file named by an option cannot be used.
    #[error("{option} {}: {why}; the built-in evaluation is used", path.display())]
    Option { option: &'static str, path: PathBuf, why: Box<Self> },
}

impl From<GameError> for String {
    fn from(error: GameError) -> Self {
        error.to_string()
    }
}

/// Converts the error to a message in the user's language, which `hasami verify` prints for illegal moves.
impl From<MoveError> for Message {
    fn from(error: MoveError) -> Self {
        match error {
            MoveError::Parse(why) => why.into(),
            MoveError::Ambiguous { .. } => error.to_string().into(),
        }
    }
}

impl From<GameError> for Message {
    fn from(error: GameError) -> Self {
        match error {
            GameError::Move { number, why } => Self::from(why).at_move(number),
            other => other.to_string().into(),
        }
    }
}
