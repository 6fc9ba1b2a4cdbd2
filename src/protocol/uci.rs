//! The engine's side of the Universal Chess Interface (specification of April 2006).

#![deny(clippy::unwrap_used, clippy::expect_used, clippy::panic)]

use super::words::Words;
use super::{BestMove, Command, Dialect, Output, Protocol, go, pasted, plain, position, text};
use hasami_api::{MateAnswer, MateUnit, Score, ScoreKind};

/// The syntax of UCI.
pub static UCI: Uci = Uci;

pub struct Uci;

/// Commands with arguments; the others are parsed by [`plain`].
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
        // The specification requires to parse the rest of a line after an unknown word ("joho debug on").
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
            Output::Message(message) => text::write_message(message),
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

/// The words of a `score`. UCI counts a mate in moves of the side that mates.
pub(super) fn score_words(score: Score) -> String {
    match score.kind() {
        ScoreKind::Cp(cp) => format!("cp {cp}"),
        ScoreKind::Mate(plies) => format!("mate {}", MateUnit::Moves.count(plies)),
    }
}

/// Converts a mate in moves to plies, as the inverse of [`score_words`].
pub(super) fn mate_in_moves(moves: i32) -> Score {
    if moves > 0 { Score::win_in(moves.saturating_mul(2) - 1) } else { Score::loss_in(moves.saturating_mul(-2)) }
}
