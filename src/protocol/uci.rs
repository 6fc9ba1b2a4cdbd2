//! The Universal Chess Interface (text of April 2006), from the engine's side.

#![deny(clippy::unwrap_used, clippy::expect_used, clippy::panic)]

use super::words::Words;
use super::{BestMove, Command, Dialect, Output, Protocol, go, pasted, plain, position, text};
use hasami_api::{MateAnswer, MateUnit, Score, ScoreKind};

/// The way in which UCI is written.
pub static UCI: Uci = Uci;

pub struct Uci;

/// Commands that take arguments; see [`plain`] for the others.
const WITH_ARGUMENTS: [&str; 3] = ["position", "go", "setoption"];
const PLAIN: [&str; 7] = ["uci", "isready", "ucinewgame", "stop", "ponderhit", "quit", "debug"];

impl Dialect for Uci {
    fn protocol(&self) -> Protocol {
        Protocol::Uci
    }

    fn parse(&self, line: &str) -> Command {
        if let Some(position) = pasted::command(Protocol::Uci, line) {
            return position;
        }
        let mut words = Words::new(line);
        // The UCI text: after an unknown word, try to read the rest of the line ("joho debug on").
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

    fn format(&self, output: &Output) -> String {
        match output {
            Output::Info(info) => text::write_info(info, Protocol::Uci),
            Output::Effort(effort) => text::write_effort(effort),
            Output::Message(message) => text::write_message(&message.to_string()),
            Output::Text(text) => text.clone(),
            Output::Best(best) => text::write_best(best, "(none)"),
            // UCI answers `go mate` with a move.
            Output::Checkmate(MateAnswer::Mate(moves)) => text::write_best(
                &moves.first().map_or(BestMove::None, |&best| BestMove::Move { best, ponder: moves.get(1).copied() }),
                "(none)",
            ),
            Output::Checkmate(_) | Output::MateRefused => text::write_best(&BestMove::None, "(none)"),
            Output::ReadyOk => "readyok".into(),
        }
    }
}

/// `score`'s words. UCI counts a mate in moves of the side that mates.
pub(super) fn score_words(score: Score) -> String {
    match score.kind() {
        ScoreKind::Cp(cp) => format!("cp {cp}"),
        ScoreKind::Mate(plies) => format!("mate {}", MateUnit::Moves.count(plies)),
    }
}

/// The inverse of [`score_words`] for a mate: plies from moves.
pub(super) fn mate_in_moves(moves: i32) -> Score {
    if moves > 0 { Score::win_in(moves.saturating_mul(2) - 1) } else { Score::loss_in(moves.saturating_mul(-2)) }
}
