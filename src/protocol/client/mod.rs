//! The GUI's side of both protocols: writes commands to child engines and parses their replies.
//!
//! Child engines are not trusted and may send any bytes. Invalid output of a child becomes [`Reply::Other`] or is
//! skipped.

#![deny(clippy::unwrap_used, clippy::expect_used, clippy::panic)]

mod complaints;
mod config;
mod effort;
mod engine;
mod info;

#[cfg(test)]
mod tests;

use super::position::quoted;
use super::words::Words;
use super::{BestMove, Command, Go, MateLimit, Protocol, go, moves as notation, position, text};
pub use complaints::{SAYS, is_complaint};
pub use config::{EngineConfig, PlayedGame, Role, Settled, no_option};
pub use effort::{keeps_depth, keeps_nodes};
pub use engine::{ClientEvent, EngineClient, Owed, SearchId};
use hasami_api::{Goal, MateAnswer, MoveText, Task};
use hasami_words::heard;
pub use info::ChildInfo;
use serde::{Deserialize, Serialize};
use std::fmt;
use std::time::Duration;

/// A line that a child engine has printed.
#[derive(Clone, PartialEq, Debug)]
pub enum Reply {
    /// `id name ...`
    Name(String),
    /// `id author ...`
    Author(String),
    Option(ChildOption),
    /// `uciok` or `usiok`, which ends the answer to the greeting.
    HelloOk,
    /// `uciok` from an engine that should speak USI, or `usiok` from one that should speak UCI.
    OtherHelloOk,
    ReadyOk,
    /// An `info` line that contains more than a string.
    Info(ChildInfo),
    /// `info string ...`, or a line that begins with "error", which some engines print before they exit.
    Message(String),
    Best(BestMove),
    /// USI's answer to `go mate`.
    Checkmate(MateAnswer),
    /// The search has ended without a usable answer (an unreadable move, `checkmate notimplemented`). The text is an
    /// error message.
    NoAnswer(String),
    /// An empty or unknown line.
    Other,
}

/// An option that a child declares.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub struct ChildOption {
    /// The name of the option, which may contain spaces, even in USI.
    pub name: String,
    /// The type of the option: `check`, `spin`, `combo`, `button`, `string`, `filename`.
    pub kind: String,
    pub default: Option<String>,
    /// Minimum and maximum of a `spin` option, if the engine declares them.
    pub range: [Option<i64>; 2],
    /// Values of a `combo` option.
    pub values: Vec<String>,
}

/// Prints the declaration in the syntax of UCI.
impl fmt::Display for ChildOption {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "option name {} type {}", self.name, self.kind)?;
        self.default.iter().try_for_each(|value| write!(f, " default {value}"))?;
        for (word, limit) in ["min", "max"].into_iter().zip(self.range) {
            limit.iter().try_for_each(|limit| write!(f, " {word} {limit}"))?;
        }
        self.values.iter().try_for_each(|value| write!(f, " var {value}"))
    }
}

impl ChildOption {
    /// If the declaration does not allow `value`, returns a description of the allowed values.
    pub fn refuses(&self, value: &str) -> Option<String> {
        let is_number = |text: &str| text.parse::<i64>().is_ok();
        match self.kind.as_str() {
            "check" => (!["true", "false"].contains(&value)).then(|| "true or false".to_owned()),
            "combo" if !self.values.is_empty() => {
                let is_known = self.values.iter().any(|known| known.eq_ignore_ascii_case(value));
                (!is_known).then(|| format!("one of {}", heard(&self.values.join(", "))))
            }
            "spin" if !is_number(value) => Some("a number".to_owned()),
            "spin" => {
                let number = value.parse::<i64>().unwrap_or_default();
                match self.range {
                    [Some(least), _] if number < least => Some(format!("a number of at least {least}")),
                    [_, Some(most)] if number > most => Some(format!("a number of at most {most}")),
                    _ => None,
                }
            }
            _ => None,
        }
    }

    /// Clamps a number to the range that the child declares.
    fn nearest(&self, value: &str) -> String {
        let (Ok(number), "spin") = (value.parse::<i64>(), self.kind.as_str()) else { return value.to_owned() };
        let least = self.range[0].map_or(number, |least| number.max(least));
        self.range[1].map_or(least, |most| least.min(most)).to_string()
    }
}

/// Approximate number of nodes that a mate engine searches per millisecond.
const MATE_NODES: u64 = 200;

/// Shortest time limit for a mate engine: that of the first probe of a leaf (`tree/rules/mate_probes.rs`). Further
/// probes get longer limits.
const SHORTEST_MATE: Duration = Duration::from_millis(50);

/// Parses one line, with or without its trailing newline.
pub fn parse(protocol: Protocol, line: &str) -> Reply {
    let mut words = Words::new(line);
    match words.next() {
        Some("info") => info::parse(protocol, words),
        Some("bestmove") => best(protocol, words),
        Some("checkmate") => checkmate(words),
        Some("option") => option(words).map_or(Reply::Other, Reply::Option),
        Some("id") => match words.next() {
            Some("name") => Reply::Name(heard(words.rest())),
            Some("author") => Reply::Author(heard(words.rest())),
            _ => Reply::Other,
        },
        Some("readyok") => Reply::ReadyOk,
        Some(word) if word == protocol.greeting_ok() => Reply::HelloOk,
        Some(word) if word == protocol.other().greeting_ok() => Reply::OtherHelloOk,
        Some(word) if is_complaint(word, false) || refuses(line, protocol.greeting()) => {
            Reply::Message(heard(line.trim()))
        }
        _ => Reply::Other,
    }
}

fn best(protocol: Protocol, mut words: Words<'_>) -> Reply {
    Reply::Best(match words.next() {
        Some("(none)" | "0000" | "null" | "none" | "NULL") => BestMove::None,
        Some("resign") => BestMove::Resign,
        Some("win") => BestMove::Win,
        Some(word) => match notation::read(protocol, word) {
            Some(best) => {
                let ponder = words.next().filter(|&word| word == "ponder").and_then(|_| words.next());
                BestMove::Move { best, ponder: ponder.and_then(|word| notation::read(protocol, word)) }
            }
            None => return Reply::NoAnswer(format!("bestmove: expected a move, found {}", quoted(word))),
        },
        None => return Reply::NoAnswer("bestmove: expected a move, found nothing".into()),
    })
}

fn checkmate(mut words: Words<'_>) -> Reply {
    let answer = match words.peek() {
        Some("nomate") => MateAnswer::NoMate,
        // YaneuraOu's mate engine answers `none` if it ran out of memory or nodes.
        Some("timeout" | "none") => MateAnswer::Unknown,
        Some("notimplemented") => return Reply::NoAnswer("checkmate: the engine solves no mates".into()),
        Some(_) => match words.try_fold(Vec::new(), add_move) {
            Ok(moves) => MateAnswer::Mate(moves),
            Err(found) => return Reply::NoAnswer(format!("checkmate: expected moves, found {found}")),
        },
        None => return Reply::NoAnswer("checkmate: expected moves, found nothing".into()),
    };
    Reply::Checkmate(answer)
}

fn add_move(mut moves: Vec<MoveText>, word: &str) -> Result<Vec<MoveText>, String> {
    moves.push(notation::read(Protocol::Usi, word).ok_or_else(|| quoted(word))?);
    Ok(moves)
}

/// Parses `name <words> type <word> [default <words>] [min ..] [max ..] [var ..]`.
fn option(mut words: Words<'_>) -> Option<ChildOption> {
    words.next().filter(|&word| word == "name")?;
    let name = words.joined_until("type");
    let kind = words.next()?.to_owned();
    // Each word belongs to the key before it. The default of a `string` option may contain any words, even keys.
    let is_key = |word: &str| ["min", "max", "var"].contains(&word) && kind != "string";
    let mut groups: Vec<(&str, Vec<&str>)> = Vec::new();
    for word in words {
        match groups.last_mut() {
            None => groups.push((word, Vec::new())),
            Some(_) if is_key(word) => groups.push((word, Vec::new())),
            Some((_, values)) => values.push(word),
        }
    }
    let of =
        |key: &'static str| groups.iter().filter(move |(word, _)| *word == key).map(|(_, values)| values.join(" "));
    let (default, values) = (of("default").next(), of("var").collect());
    let range = ["min", "max"].map(|key| of(key).next().and_then(|text| text.parse().ok()));
    (!name.is_empty()).then_some(ChildOption { name, kind, default, range, values })
}

/// Returns whether `line` reports that the engine does not understand the greeting.
pub fn refuses(line: &str, greeting: &str) -> bool {
    const WORDS: [&str; 6] = ["unknown", "invalid", "unrecogni", "no such", "not found", "error"];
    let line = line.to_ascii_lowercase();
    let mut words = line.split(|c: char| !c.is_ascii_alphanumeric());
    words.any(|word| word == greeting) && WORDS.iter().any(|word| line.contains(word))
}

/// Writes a command for a child engine, without a trailing newline; `None` if the protocol does not have the command.
pub fn write(protocol: Protocol, command: &Command) -> Option<String> {
    Some(match command {
        Command::Hello => protocol.greeting().into(),
        Command::IsReady => "isready".into(),
        Command::NewGame => protocol.new_game().into(),
        Command::SetOption { name, value } => text::write_set_option(name, value.as_deref()),
        Command::Position(line) => position::write(protocol, line),
        Command::Go(go) => go::write(protocol, go),
        Command::Stop => "stop".into(),
        Command::PonderHit(clock) => {
            let mut out = String::from("ponderhit");
            if let (Protocol::Usi, Some(clock)) = (protocol, clock) {
                go::write_clock(protocol, clock, &mut out);
            }
            out
        }
        Command::GameOver if protocol == Protocol::Usi => "gameover draw".into(),
        Command::Debug(on) => format!("debug {}", if *on { "on" } else { "off" }),
        Command::Quit => "quit".into(),
        Command::GameOver
        | Command::Bad(_)
        | Command::BadPosition(_)
        | Command::TypedPosition(_)
        | Command::Unknown => return None,
    })
}

/// Converts a task to a `go` for a child; a task without a limit becomes an infinite search. Neither protocol can
/// express [`Task::except`], and USI cannot express a limit on the length of a mate.
pub fn go_for(protocol: Protocol, task: &Task) -> Go {
    let limits = task.limits;
    let moves = limits.mate.map(|plies| u32::from(plies).div_ceil(2).max(1));
    let mate = match (task.goal, protocol) {
        (Goal::Best | Goal::MateWithin, Protocol::Usi) => None,
        (Goal::Best | Goal::MateWithin, Protocol::Uci) => moves.map(MateLimit::Moves),
        // USI's `go mate` has no node limit, so the number of nodes is converted to a time limit.
        (Goal::Mate | Goal::MateByAnyMoves | Goal::Mated, Protocol::Usi) => {
            Some(limits.nodes.map_or(MateLimit::Infinite, |nodes| {
                MateLimit::Time(Duration::from_millis(nodes / MATE_NODES).max(SHORTEST_MATE))
            }))
        }
        (_, Protocol::Uci) => Some(MateLimit::Moves(moves.unwrap_or(u32::from(u8::MAX)))),
    };
    Go {
        depth: limits.depth,
        nodes: limits.nodes.filter(|_| !matches!((mate, protocol), (Some(_), Protocol::Usi))),
        mate,
        infinite: limits.depth.is_none() && limits.nodes.is_none() && mate.is_none(),
        search_moves: task.only.clone(),
        ..Go::default()
    }
}
