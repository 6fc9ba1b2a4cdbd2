//! Parsing and formatting functions that UCI and USI share.

#![deny(clippy::unwrap_used, clippy::expect_used, clippy::panic)]

use super::words::Words;
use super::{BestMove, Command, Effort, Info, Protocol, uci, usi};
use hasami_api::Bound;
use std::fmt::Write;
use std::time::Duration;

/// Parses the arguments of `setoption`: `name <words> [value <anything>]`. The value is not changed, but `<empty>`
/// means an empty value in both protocols.
pub(super) fn parse_set_option(mut words: Words<'_>) -> Command {
    if words.next() != Some("name") {
        return Command::Bad("setoption: expected 'name ...' after it".into());
    }
    let mut name = String::new();
    let mut value = None;
    while let Some(word) = words.next() {
        if word == "value" {
            value = Some(if words.rest() == "<empty>" { String::new() } else { words.rest().to_owned() });
            break;
        }
        if !name.is_empty() {
            name.push(' ');
        }
        name.push_str(word);
    }
    if name.is_empty() {
        return Command::Bad("setoption: expected the name of an option, found none".into());
    }
    Command::SetOption { name, value }
}

pub(super) fn write_set_option(name: &str, value: Option<&str>) -> String {
    match value {
        None => format!("setoption name {name}"),
        Some("") => format!("setoption name {name} value <empty>"),
        Some(value) => format!("setoption name {name} value {value}"),
    }
}

/// No speed is printed for searches shorter than this.
const SHORTEST: Duration = Duration::from_millis(2);

/// Writes an `info` line with a variation.
pub(super) fn write_info(info: &Info, protocol: Protocol) -> String {
    let mut out = format!("info depth {} seldepth {}", info.depth, info.seldepth);
    // Writing to a `String` cannot fail.
    if let Some(multipv) = info.multipv {
        let _ = write!(out, " multipv {multipv}");
    }
    out.push_str(" score ");
    out.push_str(&match protocol {
        Protocol::Uci => uci::score_words(info.score),
        Protocol::Usi => usi::score_words(info.score),
    });
    if let (Some([win, draw, loss]), Protocol::Uci) = (info.wdl, protocol) {
        let _ = write!(out, " wdl {win} {draw} {loss}");
    }
    out.push_str(match info.bound {
        Bound::Exact => "",
        Bound::Lower => " lowerbound",
        Bound::Upper => " upperbound",
    });
    let _ = write!(out, " nodes {}", info.nodes);
    out.push_str(&speed_words(info.nps, info.time));
    let _ = write!(out, " hashfull {} time {}", info.hashfull, millis(info.time));
    if info.table_hits > 0 {
        let _ = write!(out, " tbhits {}", info.table_hits);
    }
    if !info.pv.is_empty() {
        out.push_str(" pv");
    }
    for m in &info.pv {
        out.push(' ');
        out.push_str(m);
    }
    out
}

pub(super) fn write_effort(effort: &Effort) -> String {
    let &Effort { depth, nodes, nps, time } = effort;
    format!("info depth {depth} nodes {nodes}{} time {}", speed_words(nps, time), millis(time))
}

/// Formats the speed as `nps`; empty if the search was too short to measure its speed.
fn speed_words(nps: u64, time: Duration) -> String {
    if time < SHORTEST { String::new() } else { format!(" nps {nps}") }
}

/// Converts a time to milliseconds; at least 1, because programs divide by `time`.
fn millis(time: Duration) -> u128 {
    time.as_millis().max(1)
}

/// Writes a message as one `info string` line.
pub(super) fn write_message(message: &str) -> String {
    format!("info string {}", ascii(message).trim())
}

/// Writes the `bestmove` line. UCI can express neither a resignation nor a declared win.
pub(super) fn write_best(best: &BestMove, protocol: Protocol) -> String {
    match (best, protocol) {
        (BestMove::Move { best, ponder: None }, _) => format!("bestmove {best}"),
        (BestMove::Move { best, ponder: Some(ponder) }, _) => format!("bestmove {best} ponder {ponder}"),
        (_, Protocol::Uci) => "bestmove (none)".into(),
        (BestMove::Win, Protocol::Usi) => "bestmove win".into(),
        (BestMove::None | BestMove::Resign, Protocol::Usi) => "bestmove resign".into(),
    }
}

pub(super) fn introduce(protocol: Protocol, options: &str) -> String {
    let version = env!("CARGO_PKG_VERSION");
    let ok = protocol.greeting_ok();
    ascii_lines(&format!("id name Hasami {version}\nid author the Hasami developers\n{options}{ok}"))
}

/// Replaces all characters except printable ASCII: some clients decode our lines as Shift-JIS, and a newline would
/// split the line.
pub(super) fn ascii(text: &str) -> String {
    text.chars().map(|c| if c.is_ascii_control() { ' ' } else { printable(c) }).collect()
}

fn ascii_lines(text: &str) -> String {
    text.chars().map(|c| if c == '\n' { c } else { printable(c) }).collect()
}

fn printable(c: char) -> char {
    if c == ' ' || c.is_ascii_graphic() { c } else { '?' }
}
