//! Commands of a GUI in parsed form.

use super::Protocol;
use super::position::PositionError;
use hasami_api::{Line, MoveText, Side, Start};
use std::time::Duration;

/// A command that the GUI sends as one line.
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
    /// A `position` command that cannot be parsed.
    BadPosition(PositionError),
    Go(Go),
    Stop,
    /// The opponent has played the expected move. In USI, `ponderhit` may contain the clock (early ponder).
    PonderHit(Option<Clock>),
    GameOver,
    Debug(bool),
    Quit,
    /// A known command with invalid arguments; the text is an error message for `info string`.
    Bad(String),
    /// An empty or unknown line, which both protocols require engines to ignore.
    Unknown,
}

/// A start position, and moves as a person typed them: in the protocol's or the players' notation, with or without move
/// numbers, and not always separated by spaces.
#[derive(Clone, PartialEq, Debug, Default)]
pub struct TypedLine {
    pub start: Start,
    pub moves: String,
}

/// The clocks of a game. `None` or zero in a field means that this limit does not exist.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct Clock {
    /// The time left to each side, indexed by [`Side::index`].
    pub time: [Option<Duration>; 2],
    pub increment: [Duration; 2],
    /// Whether the clock adds the increment when a turn begins, so that `time` does not include the increment for this
    /// move.
    pub adds_first: bool,
    /// Time for every move once the main time is used up (USI).
    pub byoyomi: Duration,
    pub moves_to_go: Option<u32>,
}

impl Clock {
    /// Records the protocol that sent the clock: only in UCI does the remaining time include the increment for this
    /// move.
    pub fn sent_by(self, protocol: Protocol) -> Self {
        Self { adds_first: protocol == Protocol::Usi && self.increment != [Duration::ZERO; 2], ..self }
    }

    pub fn time_of(&self, side: Side) -> Option<Duration> {
        self.time[side.index()]
    }

    pub fn increment_of(&self, side: Side) -> Duration {
        self.increment[side.index()]
    }

    /// Returns true if the clock sets no time limit.
    pub fn is_empty(&self) -> bool {
        self.time == [None, None] && self.byoyomi.is_zero() && self.increment == [Duration::ZERO; 2]
    }
}

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum MateLimit {
    /// Find a mate in at most this many moves of the side to move (UCI).
    Moves(u32),
    /// Search for at most this time (USI).
    Time(Duration),
    Infinite,
}

/// Words of a `go` that are not part of the protocol.
#[derive(Clone, PartialEq, Debug, Default)]
pub struct UnreadWords {
    /// Moves after `searchmoves` in the players' notation, which only the game's rules can parse.
    pub moves: Vec<String>,
    /// Unknown words.
    pub unknown: Vec<String>,
}

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
    /// Words of the `go` that are not part of the protocol; `None` if there are none.
    pub unread: Option<Box<UnreadWords>>,
    pub perft: Option<u32>,
}

impl Go {
    /// Returns this `go` without its depth and node limits, so that the search continues until `stop`.
    pub fn without_limits(self) -> Self {
        Self { depth: None, nodes: None, infinite: self.mate.is_none(), ..self }
    }
}
