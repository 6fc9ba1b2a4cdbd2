//! The commands of a GUI after parsing.

use super::Protocol;
use super::position::PositionError;
use hasami_api::{Line, MoveText, Side, Start};
use std::time::Duration;

/// A command of the GUI, sent as one line.
#[derive(Clone, PartialEq, Debug)]
pub enum Command {
    /// The greeting: `uci` or `usi`.
    Hello,
    IsReady,
    NewGame,
    SetOption {
        name: String,
        value: Option<String>,
    },
    /// A position, not yet checked against the rules.
    Position(Line),
    /// A position typed by a person, which must be parsed with the rules of the game.
    TypedPosition(TypedLine),
    /// A position that cannot be parsed, with what was expected and what was found.
    BadPosition(PositionError),
    Go(Go),
    Stop,
    /// The expected move was played. In USI, the command may contain the clock (early ponder).
    PonderHit(Option<Clock>),
    GameOver,
    Debug(bool),
    Quit,
    /// A known command with invalid arguments, with what was expected and what was found, for `info string`.
    Bad(String),
    /// A blank or unknown line, which both protocols require to be ignored.
    Unknown,
}

/// A start position, and moves as a person has typed them: each move in the notation of the protocol or of players,
/// possibly numbered and without blanks in between.
#[derive(Clone, PartialEq, Debug, Default)]
pub struct TypedLine {
    pub start: Start,
    pub moves: String,
}

/// The clocks of a game; a missing field means that the limit does not exist.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct Clock {
    /// The time left to each side, indexed by [`Side::index`].
    pub time: [Option<Duration>; 2],
    pub increment: [Duration; 2],
    /// Whether the increment for this move is added when the turn begins, so that the time does not include it yet.
    pub adds_first: bool,
    /// Time for every move once the main time is used up (USI).
    pub byoyomi: Duration,
    pub moves_to_go: Option<u32>,
}

impl Clock {
    /// Marks the clock as sent by the protocol: the time includes the increment of this move in UCI, but not in USI.
    pub fn told_in(self, protocol: Protocol) -> Self {
        Self { adds_first: protocol == Protocol::Usi && self.increment != [Duration::ZERO; 2], ..self }
    }

    pub fn time_of(&self, side: Side) -> Option<Duration> {
        self.time[side.index()]
    }

    pub fn increment_of(&self, side: Side) -> Duration {
        self.increment[side.index()]
    }

    /// Returns whether the clock contains no time at all.
    pub fn is_empty(&self) -> bool {
        self.time == [None, None] && self.byoyomi.is_zero() && self.increment == [Duration::ZERO; 2]
    }
}

/// The limit of a mate search.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum MateLimit {
    /// Find a mate in this number of moves of the side to move (UCI).
    Moves(u32),
    /// Search for at most this time (USI).
    Time(Duration),
    Infinite,
}

/// Words of a `go` that are not part of the protocol.
#[derive(Clone, PartialEq, Debug, Default)]
pub struct UnreadWords {
    /// Moves after `searchmoves` in the notation of players, to be parsed with the rules of the game.
    pub moves: Vec<String>,
    /// Unknown words.
    pub unknown: Vec<String>,
}

/// `go` with its arguments.
#[derive(Clone, PartialEq, Debug, Default)]
pub struct Go {
    pub clock: Clock,
    pub move_time: Option<Duration>,
    /// Minimum time for the move (YaneuraOu's `rtime`); the actual time is random, at most 1.5 times this value.
    pub random_time: Option<Duration>,
    pub depth: Option<u16>,
    pub nodes: Option<u64>,
    pub mate: Option<MateLimit>,
    pub infinite: bool,
    pub ponder: bool,
    pub search_moves: Vec<MoveText>,
    /// Words that are not part of the protocol, if there are any.
    pub unread: Option<Box<UnreadWords>>,
    pub perft: Option<u32>,
}

impl Go {
    /// Returns this search without limits of depth and nodes, so that it continues until `stop`.
    pub fn without_limits(self) -> Self {
        Self { depth: None, nodes: None, infinite: self.mate.is_none(), ..self }
    }
}
