//! Tests single lines of UCI and USI: commands and answers.

#![allow(clippy::unwrap_used)]

mod gaps;
mod identity;
mod output;
mod uci;
mod usi;

use super::*;
use hasami_api::{Line, MoveText, Start};
use proptest::prelude::*;
use proptest::test_runner::RngSeed;
use std::time::Duration;

const PROTOCOLS: [Protocol; 2] = [Protocol::Uci, Protocol::Usi];

/// The options of an engine whose game declares no options of its own.
fn options(protocol: Protocol) -> option::Options {
    option::Options { protocol, own: &[], numbers: Vec::new }
}

/// Runs a property test on the same cases in every run, and prints a failing case in full.
fn fixed() -> ProptestConfig {
    ProptestConfig { rng_seed: RngSeed::Fixed(1), failure_persistence: None, cases: 512, ..ProptestConfig::default() }
}

fn moves(text: &str) -> Vec<MoveText> {
    text.split_whitespace().map(|m| m.parse().unwrap()).collect()
}

fn position(start: Option<&str>, played: &str) -> Command {
    let start = Start { text: start.map(Into::into), ..Start::default() };
    Command::Position(Line { start, moves: moves(played) })
}

fn ms(millis: u64) -> Duration {
    Duration::from_millis(millis)
}

fn is_bad(command: &Command) -> bool {
    matches!(command, Command::Bad(_) | Command::BadPosition(_))
}

/// The vocabulary of random lines: keywords of both protocols and some other words.
const WORDS: &str = "uci usi isready ucinewgame usinewgame setoption name value position startpos fen sfen moves go \
    wtime btime winc binc byoyomi movestogo depth nodes mate movetime infinite ponder searchmoves stop ponderhit \
    gameover debug on quit info score cp lowerbound pv multipv wdl string bestmove checkmate nomate option type \
    default min max var id (none) resign e2e4 e7e8q 7g7f P*5e 2b3c+ 0 -1 300 99999999999999999999 \
    -99999999999999999999 1.5 + - \u{fffd} \u{feff} \0 8/8/8/8/8/8/8/8 w b 4k4/9/9/9/9/9/9/9/4K4";

fn word() -> impl Strategy<Value = &'static str> {
    prop::sample::select(WORDS.split(' ').collect::<Vec<_>>())
}

proptest! {
    #![proptest_config(fixed())]

    #[test]
    fn no_line_of_any_characters_panics(line in any::<String>()) {
        for protocol in PROTOCOLS {
            protocol.parse(&line);
            client::parse(protocol, &line);
        }
    }

    #[test]
    fn no_line_of_known_words_panics(words in prop::collection::vec(word(), 0..12), blank in " {0,2}") {
        let line = words.join(&format!(" {blank}"));
        for protocol in PROTOCOLS {
            protocol.parse(&line);
            client::parse(protocol, &line);
        }
    }
}
