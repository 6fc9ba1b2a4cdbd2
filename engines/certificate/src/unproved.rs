//! Why a replay proves nothing.

use crate::certificate::Plies;
use hasami_api::{InvalidPosition, MoveText, ParseMoveError};
use std::fmt;

/// A claim that is not proved: where the replay ended, and why.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Unproved {
    /// The moves from the start to where it ended; `None` is a pass.
    pub path: Vec<Option<MoveText>>,
    /// What ended it.
    pub why: Box<ReplayFault>,
}

/// The limit that ended a replay.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum VerifyLimit {
    /// [`crate::VerifyLimits::positions`]
    Positions,
    /// [`crate::VerifyLimits::depth`], or what a game's history can hold.
    Depth,
}

/// What ends a replay.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum ReplayFault {
    /// The certificate is of no position of the game.
    Position(InvalidPosition),
    /// A move of the strategy that cannot be played.
    Move(ParseMoveError),
    /// The right move in other letters than those of the protocol.
    Spelling {
        /// As the protocol writes it.
        expected: MoveText,
        /// As the certificate does.
        found: MoveText,
    },
    /// The attacker's move gives no check where only checks count.
    Quiet,
    /// Quiet moves were needed where only checks count.
    NotByChecks,
    /// A quiet move without a proof of the mate that it threatens.
    NoThreat,
    /// The game has ended, but not by a mate.
    OtherEnd,
    /// This defence has no answer.
    Unanswered(MoveText),
    /// A brinkmate that takes more plies than are claimed.
    Longer {
        /// By the certificate.
        claimed: u16,
        /// By its strategy.
        found: u16,
    },
    /// The attack has no reply.
    NoReply {
        /// And there is no legal one.
        is_mate: bool,
    },
    /// The reply of the strategy cannot be, because the attack mates.
    Mated,
    /// The reply of the strategy is a pass, and the king in check.
    PassInCheck,
    /// More moves of the attacker in one line than are allowed.
    TooDeep(usize),
    /// More positions than are allowed.
    TooManyPositions(u64),
}

impl Unproved {
    pub(crate) fn of_position(error: InvalidPosition) -> Self {
        Self { path: Vec::new(), why: Box::new(ReplayFault::Position(error)) }
    }

    /// Where a limit ended the replay, the certificate may still be right.
    pub fn limit(&self) -> Option<VerifyLimit> {
        match *self.why {
            ReplayFault::TooManyPositions(_) => Some(VerifyLimit::Positions),
            ReplayFault::TooDeep(_) => Some(VerifyLimit::Depth),
            _ => None,
        }
    }

    /// The moves of the path in one text.
    pub fn moves(&self) -> String {
        let words: Vec<&str> = self.path.iter().map(|mv| mv.as_deref().unwrap_or("pass")).collect();
        words.join(" ")
    }
}

/// One line: the moves from the start to where it happens, and what is wrong there.
impl fmt::Display for Unproved {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match &*self.why {
            // There is no start.
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
