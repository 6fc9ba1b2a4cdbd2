//! The answers of the engine, independent of a protocol.

use hasami_api::{Bound, MateAnswer, MoveText, Score};
use std::time::Duration;

/// An answer for the GUI, which is a line or a block of lines.
#[derive(Clone, PartialEq, Debug)]
pub enum Output {
    Info(Info),
    /// The progress of a search that has no variation to show.
    Effort(Effort),
    /// A message for `info string ...`.
    Message(String),
    /// Lines for a person, written unchanged.
    Text(String),
    Best(BestMove),
    /// The answer to USI's `go mate`.
    Checkmate(MateAnswer),
    /// The answer to `go mate` if there is no position to solve.
    MateRefused,
    ReadyOk,
}

/// The move, or the decision of the side to move.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum BestMove {
    Move {
        best: MoveText,
        ponder: Option<MoveText>,
    },
    /// There is no legal move.
    None,
    Resign,
    /// The side to move declares a win by an entered king.
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
    /// Rank of the line from 1; only set if several lines are shown.
    pub multipv: Option<u16>,
    pub score: Score,
    pub bound: Bound,
    /// Probabilities of win, draw and loss in permille, if requested.
    pub wdl: Option<[u16; 3]>,
    pub nodes: u64,
    pub nps: u64,
    /// Share of the transposition table in use, in permille.
    pub hashfull: u16,
    /// Number of positions found in endgame tables; 0 is not shown.
    pub table_hits: u64,
    pub time: Duration,
    pub pv: Vec<MoveText>,
}
