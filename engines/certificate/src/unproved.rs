//! Errors for certificates that prove nothing.

use crate::certificate::Plies;
use hasami_api::{InvalidPosition, MoveText, ParseMoveError};
use std::fmt;

/// A claim that was not proved, with the place and the reason.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Unproved {
    /// The moves from the start position to the place where the proof fails; `None` is a pass.
    pub path: Vec<Option<MoveText>>,
    /// The reason why the proof fails.
    pub why: Box<ReplayFault>,
}

/// The limit that ended a replay.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum VerifyLimit {
    /// The limit of positions, [`crate::VerifyLimits::positions`].
    Positions,
    /// The limit of depth, [`crate::VerifyLimits::depth`], or the capacity of a game's history.
    Depth,
}

/// The reason why a replay failed.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum ReplayFault {
    /// The start position is not a position of the game.
    Position(InvalidPosition),
    /// A move of the strategy is illegal.
    Move(ParseMoveError),
    /// A move is not spelled as in the protocol.
    Spelling {
        /// The spelling of the protocol.
        expected: MoveText,
        /// The spelling of the certificate.
        found: MoveText,
    },
    /// A move of the attacker does not give check although only checks count.
    Quiet,
    /// The proof contains quiet moves although only checks count.
    NotByChecks,
    /// A quiet move has no proof of the mate that it threatens.
    NoThreat,
    /// The game has ended, but not by mate.
    OtherEnd,
    /// The strategy has no answer to this defence.
    Unanswered(MoveText),
    /// The brinkmate takes more plies than claimed.
    Longer {
        /// Number of plies in the claim.
        claimed: u16,
        /// Number of plies by the strategy.
        found: u16,
    },
    /// The strategy has no reply to the attack.
    NoReply {
        /// Whether the defender has no legal reply either.
        is_mate: bool,
    },
    /// The reply of the strategy is impossible, because the attack mates.
    Mated,
    /// The reply of the strategy is a pass, but the king is in check.
    PassInCheck,
    /// A line has more moves of the attacker than this limit allows.
    TooDeep(usize),
    /// The replay visits more positions than this limit allows.
    TooManyPositions(u64),
}

impl Unproved {
    pub(crate) fn of_position(error: InvalidPosition) -> Self {
        Self { path: Vec::new(), why: Box::new(ReplayFault::Position(error)) }
    }

    /// Returns the limit that ended the replay, if one did. The certificate may then still be correct.
    pub fn limit(&self) -> Option<VerifyLimit> {
        match *self.why {
            ReplayFault::TooManyPositions(_) => Some(VerifyLimit::Positions),
            ReplayFault::TooDeep(_) => Some(VerifyLimit::Depth),
            _ => None,
        }
    }

    /// Returns the moves of the path as text, separated by blanks.
    pub fn moves(&self) -> String {
        let words: Vec<&str> = self.path.iter().map(|mv| mv.as_deref().unwrap_or("pass")).collect();
        words.join(" ")
    }
}

/// Displays the fault as one line: the moves from the start position, and the reason after them.
impl fmt::Display for Unproved {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match &*self.why {
            // An invalid start position has no place in the game.
            ReplayFault::Position(error) => error.fmt(f),
            why if self.path.is_empty() => write!(f, "at the start: {why}"),
            why => write!(f, "after {}: {why}", self.moves()),
        }
    }
}

impl std::error::Error for Unproved {}

impl fmt::Display for ReplayFault {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Position(error) => error.fmt(f),
            Self::Move(error) => error.fmt(f),
            Self::Spelling { expected, found } => {
                write!(f, "expected {expected} as the protocol writes it, found {found}")
            }
            Self::Quiet => f.write_str("expected a check, found a quiet move"),
            Self::NotByChecks => f.write_str("expected a mate by checks, found a brinkmate"),
            Self::NoThreat => f.write_str("expected a proof of the mate that it threatens, found none"),
            Self::OtherEnd => f.write_str("expected a mate, found another end of the game"),
            Self::Unanswered(defence) => write!(f, "expected an answer to {defence}, found none"),
            Self::Longer { claimed, found } => {
                write!(f, "expected a brinkmate of at most {}, found one of {}", Plies(*claimed), Plies(*found))
            }
            Self::NoReply { is_mate: true } => f.write_str("expected a reply, found mate"),
            Self::NoReply { is_mate: false } => f.write_str("expected a reply, found none"),
            Self::Mated => f.write_str("expected a legal move, found mate"),
            Self::PassInCheck => f.write_str("expected a legal move, found a pass in check"),
            Self::TooDeep(depth) => {
                write!(f, "expected at most {depth} moves of the attacker in a line, found more")
            }
            Self::TooManyPositions(most) => write!(f, "expected at most {most} positions, found more"),
        }
    }
}
