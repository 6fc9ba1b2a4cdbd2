//! Parses the `info` lines of child engines.

#![deny(clippy::unwrap_used, clippy::expect_used, clippy::panic)]

use super::Reply;
use crate::words::Words;
use crate::{Protocol, moves, uci, usi};
use hasami_api::{Bound, MoveText, Score};
use hasami_words::heard;
use std::time::Duration;

/// The contents of an `info` line. Missing fields are `None` or empty.
#[derive(Clone, PartialEq, Debug, Default)]
pub struct ChildInfo {
    pub depth: Option<u16>,
    pub seldepth: Option<u16>,
    pub multipv: Option<u16>,
    pub score: Option<Score>,
    /// Whether the score is exact or a bound; [`Bound::Exact`] if there is no score.
    pub bound: Bound,
    /// Probabilities of win, draw and loss, in permille.
    pub wdl: Option<[u16; 3]>,
    pub nodes: Option<u64>,
    pub nps: Option<u64>,
    /// How full the transposition table is, in permille.
    pub hashfull: Option<u16>,
    /// Number of positions found in endgame tables.
    pub table_hits: Option<u64>,
    pub time: Option<Duration>,
    /// The move being searched.
    pub current: Option<MoveText>,
    /// The moves before the first word that is not a move, such as `resign` or `rep_draw` in lines of shogi engines.
    pub pv: Vec<MoveText>,
    /// The text after the keyword `string`.
    pub message: Option<String>,
}

/// Parses the arguments of `info`. Unknown words, and the numbers after them, are skipped.
pub(super) fn parse(protocol: Protocol, mut words: Words<'_>) -> Reply {
    let mut info = ChildInfo::default();
    while let Some(word) = words.next() {
        if word == "string" {
            info.message = Some(words.rest().to_owned());
            break;
        }
        key(protocol, &mut info, word, &mut words);
    }
    let message_only = ChildInfo { message: info.message.take(), ..ChildInfo::default() };
    if info == ChildInfo::default() {
        return message_only.message.map_or(Reply::Other, |text| Reply::Message(heard(&text)));
    }
    info.message = message_only.message;
    Reply::Info(info)
}

fn key(protocol: Protocol, info: &mut ChildInfo, word: &str, words: &mut Words<'_>) {
    match word {
        "depth" => info.depth = words.number(),
        "seldepth" => info.seldepth = words.number(),
        "multipv" => info.multipv = words.number(),
        "score" => score(protocol, info, words),
        // Some engines do not write `lowerbound` or `upperbound` directly after the score.
        "lowerbound" => info.bound = Bound::Lower,
        "upperbound" => info.bound = Bound::Upper,
        "wdl" => info.wdl = triple(words),
        "nodes" => info.nodes = words.number(),
        "nps" => info.nps = words.number(),
        "hashfull" => info.hashfull = words.number(),
        "tbhits" => info.table_hits = words.number(),
        "time" => info.time = words.number().map(Duration::from_millis),
        "currmove" => info.current = next_move(protocol, words),
        "pv" => info.pv = std::iter::from_fn(|| next_move(protocol, words)).collect(),
        _ => {}
    }
}

/// Parses `cp <x>` or `mate <y>`. Words after the score (bounds, `wdl`) are parsed like other keys.
fn score(protocol: Protocol, info: &mut ChildInfo, words: &mut Words<'_>) {
    match words.peek() {
        Some("cp") => {
            words.next();
            info.score = words.number().map(Score::cp);
        }
        Some("mate") => {
            words.next();
            info.score = mate(protocol, words);
        }
        _ => {}
    }
}

/// Parses the length of a mate. USI allows a bare sign if the length is unknown.
fn mate(protocol: Protocol, words: &mut Words<'_>) -> Option<Score> {
    if let Some(number) = words.number() {
        return Some(match protocol {
            Protocol::Uci => uci::mate_in_moves(number),
            Protocol::Usi => usi::mate_in_plies(number),
        });
    }
    let unknown = match words.peek()? {
        "+" => Score::win_in(Score::MAX_PLIES),
        "-" => Score::loss_in(Score::MAX_PLIES),
        _ => return None,
    };
    words.next();
    Some(unknown)
}

fn triple(words: &mut Words<'_>) -> Option<[u16; 3]> {
    Some([words.number()?, words.number()?, words.number()?])
}

fn next_move(protocol: Protocol, words: &mut Words<'_>) -> Option<MoveText> {
    let m = moves::read(protocol, words.peek()?)?;
    words.next();
    Some(m)
}
