//! The engine's answers, independent of the protocol.

use hasami_api::{Bound, MateAnswer, MoveText, Score};
use std::time::Duration;

/// An answer for the GUI, which is a line or a block of lines.
#[derive(Clone, PartialEq, Debug)]
pub enum Output {
    Info(Info),
    /// An `info` line that shows only depth, nodes and time, without a variation.
    Effort(Effort),
    /// A message for `info string ...`.
    Message(String),
    /// Human-readable lines, which are written unchanged.
    Text(String),
    Best(BestMove),
    /// The answer to USI's `go mate`.
    Checkmate(MateAnswer),
    /// The answer to `go mate` if no valid position is set.
    MateRefused,
    ReadyOk,
}

#[derive(Clone, PartialEq, Eq, Debug)]
pub enum BestMove {
    Move {
        best: MoveText,
        ponder: Option<MoveText>,
    },
    /// There is no legal move.
    None,
    Resign,
    /// The side to move declares an entering-king win.
    Win,
}

/// An `info` line without a variation.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Effort {
    pub depth: u16,
    pub nodes: u64,
    pub nps: u64,
    pub time: Duration,
}

/// An `info` line with a variation.
#[derive(Clone, PartialEq, Debug)]
pub struct Info {
    pub depth: u16,
    pub seldepth: u16,
    /// Rank of the variation, from 1; `None` if only one variation is shown.
    pub multipv: Option<u16>,
    pub score: Score,
    pub bound: Bound,
    /// Probabilities of win, draw and loss in permille, if the GUI has requested them.
    pub wdl: Option<[u16; 3]>,
    pub nodes: u64,
    pub nps: u64,
    /// How full the transposition table is, in permille.
    pub hashfull: u16,
    /// Number of positions found in endgame tables; not printed if it is 0.
    pub table_hits: u64,
    pub time: Duration,
    pub pv: Vec<MoveText>,
}
