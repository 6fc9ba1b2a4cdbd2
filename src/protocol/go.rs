//! Parses and writes `go` and USI's `ponderhit`.
//!
//! Every `go` must be answered by a `bestmove`, so unreadable words in a `go` are reported and skipped.

#![deny(clippy::unwrap_used, clippy::expect_used, clippy::panic)]

use super::words::Words;
use super::{Clock, Go, MateLimit, Protocol, moves};
use std::fmt::Write;
use std::time::Duration;

/// This limit, in moves, means a mate of any length.
const ANY_MATE: u32 = 1_000;

/// Parses the arguments of `go`.
pub(super) fn parse(protocol: Protocol, mut words: Words<'_>) -> Go {
    let mut go = Go::default();
    let mut in_moves = false;
    while let Some(word) = words.next() {
        let known =
            clock_word(protocol, &mut go.clock, word, &mut words) || limit_word(protocol, &mut go, word, &mut words);
        if known {
            in_moves = word == "searchmoves";
        } else if !in_moves {
            go.unread.get_or_insert_default().unknown.push(word.to_owned());
        } else if let Some(m) = moves::read(protocol, word) {
            go.search_moves.push(m);
        } else {
            go.unread.get_or_insert_default().moves.push(word.to_owned());
        }
    }
    go.clock = go.clock.sent_by(protocol);
    go
}

/// Parses the clock that USI's `ponderhit` may contain.
pub(super) fn parse_clock(protocol: Protocol, mut words: Words<'_>) -> Option<Clock> {
    let mut clock = Clock::default();
    while let Some(word) = words.next() {
        clock_word(protocol, &mut clock, word, &mut words);
    }
    (!clock.is_empty()).then(|| clock.sent_by(protocol))
}

/// Parses a time in milliseconds. Negative times, which GUIs send for clocks that have run out, count as 0.
fn millis(words: &mut Words<'_>) -> Option<Duration> {
    words.number::<u64>().map(Duration::from_millis)
}

/// Parses a clock key such as `wtime` with its number; returns false if `word` is no clock key.
fn clock_word(protocol: Protocol, clock: &mut Clock, word: &str, words: &mut Words<'_>) -> bool {
    for (side, [time, increment]) in protocol.clock_words().iter().enumerate() {
        if word == *time {
            clock.time[side] = millis(words).or(clock.time[side]);
            return true;
        }
        if word == *increment {
            clock.increment[side] = millis(words).unwrap_or_default();
            return true;
        }
    }
    match word {
        "byoyomi" => clock.byoyomi = millis(words).unwrap_or_default(),
        "movestogo" => clock.moves_to_go = words.number().filter(|&moves| moves > 0),
        _ => return false,
    }
    true
}

/// Parses any other key of `go`; returns false if `word` is none.
fn limit_word(protocol: Protocol, go: &mut Go, word: &str, words: &mut Words<'_>) -> bool {
    match word {
        "depth" => go.depth = words.number(),
        "nodes" => go.nodes = words.number(),
        "movetime" => go.move_time = millis(words),
        "rtime" => go.random_time = millis(words),
        "perft" => go.perft = words.number(),
        "mate" => go.mate = Some(mate_limit(protocol, words)),
        "infinite" => go.infinite = true,
        "ponder" => go.ponder = true,
        "searchmoves" => {}
        _ => return false,
    }
    true
}

/// Parses the limit of `go mate`. In UCI, `go mate` has a number of moves as its limit; without a number, a mate of any
/// length ends the search. In USI, `go mate` has a number of milliseconds or `infinite` as its limit; without a limit,
/// `infinite` is assumed.
fn mate_limit(protocol: Protocol, words: &mut Words<'_>) -> MateLimit {
    if words.peek() == Some("infinite") {
        words.next();
    }
    match protocol {
        Protocol::Uci => MateLimit::Moves(words.number().unwrap_or(ANY_MATE)),
        Protocol::Usi => millis(words).map_or(MateLimit::Infinite, MateLimit::Time),
    }
}

/// Writes the whole `go` command.
pub(super) fn write(protocol: Protocol, go: &Go) -> String {
    let mut out = String::from("go");
    if go.ponder {
        out.push_str(" ponder");
    }
    write_clock(protocol, &go.clock, &mut out);
    let mut number = |word: &str, value: Option<u64>| {
        if let Some(value) = value {
            // Writing to a `String` cannot fail.
            let _ = write!(out, " {word} {value}");
        }
    };
    number("movetime", go.move_time.map(in_millis));
    number("rtime", go.random_time.map(in_millis));
    number("depth", go.depth.map(u64::from));
    number("nodes", go.nodes);
    number("perft", go.perft.map(u64::from));
    match go.mate {
        None => {}
        Some(MateLimit::Moves(moves)) => number("mate", Some(moves.into())),
        Some(MateLimit::Time(time)) => number("mate", Some(in_millis(time))),
        Some(MateLimit::Infinite) => out.push_str(" mate infinite"),
    }
    if go.infinite {
        out.push_str(" infinite");
    }
    if !go.search_moves.is_empty() {
        out.push_str(" searchmoves");
    }
    for m in &go.search_moves {
        out.push(' ');
        out.push_str(m);
    }
    out
}

/// Converts a time to milliseconds, saturating at `u64::MAX`.
fn in_millis(time: Duration) -> u64 {
    time.as_millis().try_into().unwrap_or(u64::MAX)
}

/// Writes the clock, with a space before each word. In USI, either byoyomi or increments are sent, never both.
pub(super) fn write_clock(protocol: Protocol, clock: &Clock, out: &mut String) {
    let mut number = |word: &str, value: u64| {
        let _ = write!(out, " {word} {value}");
    };
    let words = protocol.clock_words();
    for (side, [time, _]) in words.iter().enumerate() {
        if let Some(left) = clock.time[side] {
            number(time, in_millis(left));
        }
    }
    for (side, [_, increment]) in words.iter().enumerate() {
        if clock.increment != [Duration::ZERO; 2] {
            number(increment, in_millis(clock.increment[side]));
        }
    }
    if !clock.byoyomi.is_zero() {
        number("byoyomi", in_millis(clock.byoyomi));
    }
    if let Some(moves) = clock.moves_to_go {
        number("movestogo", moves.into());
    }
}
