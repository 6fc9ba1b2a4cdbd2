//! The program's answers, before they are written in a dialect.

use hasami_api::{Bound, MateAnswer, MoveText, Score};
use hasami_words::Message;
use std::time::Duration;

/// One line (or block) for the GUI.
#[derive(Clone, PartialEq, Debug)]
pub enum Output {
    Info(Info),
    /// How far a search is that has no line to show.
    Effort(Effort),
    /// `info string ...`
    Message(Message),
    /// Lines for a person, as they are.
    Text(String),
    Best(BestMove),
    /// USI's answer to `go mate`.
    Checkmate(MateAnswer),
    /// The same where no position stands that could be solved.
    MateRefused,
    ReadyOk,
}

/// The choice of the side to move.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum BestMove {
    Move {
        best: MoveText,
        ponder: Option<MoveText>,
    },
    /// No legal move.
    None,
    Resign,
    /// Declaration of a win by an entered king.
    Win,
}

/// One `info` line without a variation.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Effort {
    pub depth: u16,
    pub nodes: u64,
    pub nps: u64,
    pub time: Duration,
}

/// One `info` line with a variation.
#[derive(Clone, PartialEq, Debug)]
pub struct Info {
    pub depth: u16,
    pub seldepth: u16,
    /// `Some(k)` only when several lines are shown.
    pub multipv: Option<u16>,
    pub score: Score,
    pub bound: Bound,
    /// Win, draw, loss in permille, when asked for.
    pub wdl: Option<[u16; 3]>,
    pub nodes: u64,
    pub nps: u64,
    /// Permille.
    pub hashfull: u16,
    /// Positions that endgame tables knew; 0 is not shown.
    pub table_hits: u64,
    pub time: Duration,
    pub pv: Vec<MoveText>,
}
