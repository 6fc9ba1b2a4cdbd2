//! Errors for certificates that prove nothing.

use hasami_api::{InvalidPosition, MoveText};
use std::fmt;

/// A claim that was not proved, with the place and the reason.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Unproved {
    /// The moves from the start position to the place where the proof fails; `None` is a pass.
    pub path: Vec<Option<MoveText>>,
    /// The reason why the proof fails.
    pub why: ReplayFault,
}

/// The reason why a replay failed.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum ReplayFault {
    /// The start position is not a position of the game.
    Position(InvalidPosition),
    /// The strategy does not prove the claim: the text says what was expected and what was found.
    Wrong(String),
    /// A line has more moves of the attacker than this limit allows. The certificate may be correct.
    TooDeep(usize),
    /// The replay visits more positions than this limit allows. The certificate may be correct.
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

/// Displays the fault as one line: the moves from the start position, and the reason after them.
impl fmt::Display for Unproved {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let moves: Vec<&str> = self.path.iter().map(|mv| mv.as_deref().unwrap_or("pass")).collect();
        match &self.why {
            // If the start position is invalid, there is no place in a game to be named.
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
