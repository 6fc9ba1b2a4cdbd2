//! The engine's side of the Universal Chess Interface (specification of April 2006).

#![deny(clippy::unwrap_used, clippy::expect_used, clippy::panic)]

use super::words::Words;
use super::{BestMove, Command, Protocol, go, pasted, plain, position, text};
use hasami_api::{MateAnswer, MateUnit, Score, ScoreKind};

/// Commands with arguments; [`plain`] parses all others.
const WITH_ARGUMENTS: [&str; 3] = ["position", "go", "setoption"];
const PLAIN: [&str; 7] = ["uci", "isready", "ucinewgame", "stop", "ponderhit", "quit", "debug"];

/// Parses a command.
pub(super) fn parse(line: &str) -> Command {
    if let Some(position) = pasted::command(Protocol::Uci, line) {
        return position;
    }
    let mut words = Words::new(line);
    // The specification requires that the rest of a line be parsed after an unknown word ("joho debug on").
    while words.peek().is_some_and(|word| !WITH_ARGUMENTS.contains(&word) && !PLAIN.contains(&word)) {
        words.next();
    }
    let mut arguments = words.clone();
    match arguments.next() {
        None => Command::Unknown,
        Some("position") => position::parse(Protocol::Uci, arguments),
        Some("go") => Command::Go(go::parse(Protocol::Uci, arguments)),
        Some("setoption") => text::parse_set_option(arguments),
        Some(_) => plain::parse(words).unwrap_or(Command::Unknown),
    }
}

/// Writes the answer to `go mate`, which in UCI is a `bestmove`.
pub(super) fn write_mate(answer: &MateAnswer) -> String {
    let best = match answer {
        MateAnswer::Mate(moves) => moves.first().map(|&best| BestMove::Move { best, ponder: moves.get(1).copied() }),
        MateAnswer::NoMate | MateAnswer::Unknown => None,
    };
    text::write_best(&best.unwrap_or(BestMove::None), Protocol::Uci)
}

/// Formats a `score`; UCI counts a mate in moves of the side that mates.
pub(super) fn score_words(score: Score) -> String {
    match score.kind() {
        ScoreKind::Cp(cp) => format!("cp {cp}"),
        ScoreKind::Mate(plies) => format!("mate {}", MateUnit::Moves.count(plies)),
    }
}

/// Converts a mate length in moves to a score; the inverse of [`score_words`].
pub(super) fn mate_in_moves(moves: i32) -> Score {
    if moves > 0 { Score::win_in(moves.saturating_mul(2) - 1) } else { Score::loss_in(moves.saturating_mul(-2)) }
}
