//! A GUI's command, after parsing.

use super::Protocol;
use hasami_api::{Line, MoveText, Side, Start};
use hasami_words::Message;
use std::time::Duration;

/// One line from the GUI.
#[derive(Clone, PartialEq, Debug)]
pub enum Command {
    /// `uci` or `usi`: introduce yourself.
    Hello,
    IsReady,
    NewGame,
    SetOption {
        name: String,
        value: Option<String>,
    },
    /// Not yet checked against the rules.
    Position(Line),
    /// The same from a person, for whoever knows the game.
    TypedPosition(TypedLine),
    /// A position that cannot be read: what was expected and what was found.
    BadPosition(Message),
    Go(Go),
    Stop,
    /// The expected move was played. USI's early ponder brings the clock along.
    PonderHit(Option<Clock>),
    GameOver,
    Debug(bool),
    Quit,
    /// A known command that makes no sense: what was expected and what was found, for `info string`.
    Bad(String),
    /// Blank or unknown: both protocols want it ignored.
    Unknown,
}

/// A start position, and moves as a person has typed them: each in the protocol's notation or as players write it, perhaps
/// with numbers and without blanks between them.
#[derive(Clone, PartialEq, Debug, Default)]
pub struct TypedLine {
    pub start: Start,
    pub moves: String,
}

/// The time that is left. Missing fields: no such limit.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct Clock {
    /// Indexed by [`Side::index`].
    pub time: [Option<Duration>; 2],
    pub increment: [Duration; 2],
    /// The increment of this move is not in the time yet: it is added when the turn begins.
    pub adds_first: bool,
    /// USI: seconds for every move once the time is used up.
    pub byoyomi: Duration,
    pub moves_to_go: Option<u32>,
}

impl Clock {
    /// UCI tells the time with the increment of this move, USI without it.
    pub fn told_in(self, protocol: Protocol) -> Self {
        Self { adds_first: protocol == Protocol::Usi && self.increment != [Duration::ZERO; 2], ..self }
    }

    pub fn time_of(&self, side: Side) -> Option<Duration> {
        self.time[side.index()]
    }

    pub fn increment_of(&self, side: Side) -> Duration {
        self.increment[side.index()]
    }

    /// Says nothing about time.
    pub fn is_empty(&self) -> bool {
        self.time == [None, None] && self.byoyomi.is_zero() && self.increment == [Duration::ZERO; 2]
    }
}

/// How long a mate search may take.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum MateLimit {
    /// UCI: a mate in so many moves of the side to move.
    Moves(u32),
    /// USI: so long.
    Time(Duration),
    Infinite,
}

/// Words of a `go` that the protocol does not have.
#[derive(Clone, PartialEq, Debug, Default)]
pub struct UnreadWords {
    /// Moves of `searchmoves` as a person writes them, for whoever knows the game.
    pub moves: Vec<String>,
    /// Those that nobody knows.
    pub unknown: Vec<String>,
}

/// `go` with all its words.
#[derive(Clone, PartialEq, Debug, Default)]
pub struct Go {
    pub clock: Clock,
    pub move_time: Option<Duration>,
    /// At least so long, at random, and at most half as long again (YaneuraOu's `rtime`).
    pub random_time: Option<Duration>,
    pub depth: Option<u16>,
    pub nodes: Option<u64>,
    pub mate: Option<MateLimit>,
    pub infinite: bool,
    pub ponder: bool,
    pub search_moves: Vec<MoveText>,
    /// Words that are none of the protocol, if there are any.
    pub unread: Option<Box<UnreadWords>>,
    pub perft: Option<u32>,
}

impl Go {
    /// The same search for who does not know limits of depth and nodes: until `stop`.
    pub fn without_limits(self) -> Self {
        Self { depth: None, nodes: None, infinite: self.mate.is_none(), ..self }
    }
}
