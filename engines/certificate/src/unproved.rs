//! Errors for certificates that could not be verified.

use hasami_api::{InvalidPosition, MoveText};
use std::fmt;

/// An error that states where and why a proof fails.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Unproved {
    /// The moves from the start position to the position in which the proof fails; `None` is a pass.
    pub path: Vec<Option<MoveText>>,
    /// The reason why the proof fails.
    pub why: ReplayFault,
}

/// The reason why a replay failed.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum ReplayFault {
    /// The start position is invalid in this game.
    Position(InvalidPosition),
    /// The strategy does not prove the claim.
    Wrong(String),
    /// A line has more attacking moves than this limit. The certificate may still be correct.
    TooDeep(usize),
    /// The replay visits more positions than this limit. The certificate may still be correct.
    TooManyPositions(u64),
}

impl ReplayFault {
    pub(crate) fn wrong(why: impl Into<String>) -> Self {
        Self::Wrong(why.into())
    }
}

impl Unproved {
    pub(crate) fn of_position(error: InvalidPosition) -> Self {
        Self { path: Vec::new(), why: ReplayFault::Position(error) }
    }
}

/// Formats the error in one line: the moves from the start position, then the reason.
impl fmt::Display for Unproved {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let moves: Vec<&str> = self.path.iter().map(|mv| mv.as_deref().unwrap_or("pass")).collect();
        match &self.why {
            // An invalid start position has no moves to print.
            ReplayFault::Position(_) => {}
            _ if moves.is_empty() => f.write_str("at the start: ")?,
            _ => write!(f, "after {}: ", moves.join(" "))?,
        }
        match &self.why {
            ReplayFault::Position(error) => error.fmt(f),
            ReplayFault::Wrong(why) => f.write_str(why),
            ReplayFault::TooDeep(most) => {
                write!(f, "expected at most {most} moves of the attacker in a line, found more")
            }
            ReplayFault::TooManyPositions(most) => write!(f, "expected at most {most} positions, found more"),
        }
    }
}

impl std::error::Error for Unproved {}
