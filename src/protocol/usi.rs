//! The engine's side of the Universal Shogi Interface (draft with Shogidokoro's extensions).

#![deny(clippy::unwrap_used, clippy::expect_used, clippy::panic)]

use super::words::Words;
use super::{Command, Protocol, go, pasted, position, text};
use hasami_api::{MateAnswer, MoveText, Score, ScoreKind};

/// Parses a command.
pub(super) fn parse(line: &str) -> Command {
    let mut words = Words::new(line);
    match words.next() {
        Some("position") => position::parse(Protocol::Usi, words),
        Some("go") => Command::Go(go::parse(Protocol::Usi, words)),
        Some("ponderhit") => Command::PonderHit(go::parse_clock(Protocol::Usi, words)),
        Some("setoption") => text::parse_set_option(words),
        // `gameover` may have the argument `win`, `lose` or `draw`, which is ignored.
        Some("gameover") => Command::GameOver,
        Some("debug") => match (words.next(), words.is_empty()) {
            (Some("on"), true) => Command::Debug(true),
            (Some("off"), true) => Command::Debug(false),
            _ => Command::Unknown,
        },
        Some(word) if words.is_empty() && plain(word) != Command::Unknown => plain(word),
        _ => pasted::command(Protocol::Usi, line).unwrap_or(Command::Unknown),
    }
}

/// Parses the commands without arguments.
fn plain(word: &str) -> Command {
    match word {
        "usi" => Command::Hello,
        "isready" => Command::IsReady,
        "usinewgame" => Command::NewGame,
        "stop" => Command::Stop,
        "quit" => Command::Quit,
        _ => Command::Unknown,
    }
}

/// Writes the answer to `go mate`.
pub(super) fn write_mate(answer: &MateAnswer) -> String {
    match answer {
        MateAnswer::Mate(moves) if !moves.is_empty() => {
            moves.iter().fold(String::from("checkmate"), |line, m: &MoveText| line + " " + m)
        }
        // GUIs could not parse `checkmate` without moves.
        MateAnswer::Mate(_) | MateAnswer::NoMate => "checkmate nomate".into(),
        MateAnswer::Unknown => "checkmate timeout".into(),
    }
}

/// Formats a `score`; USI counts a mate in plies. A side that is already mated gets `-0`, because GUIs take a 0 without
/// a sign for a win.
pub(super) fn score_words(score: Score) -> String {
    match score.kind() {
        ScoreKind::Cp(cp) => format!("cp {cp}"),
        ScoreKind::Mate(0) => "mate -0".into(),
        ScoreKind::Mate(plies) => format!("mate {plies}"),
    }
}

/// Converts a mate length in plies to a score; the inverse of [`score_words`].
pub(super) fn mate_in_plies(plies: i32) -> Score {
    if plies > 0 { Score::win_in(plies) } else { Score::loss_in(plies.saturating_neg()) }
}
