//! Tests the errors for invalid command lines.
#![allow(clippy::unwrap_used)]

use hasami_games::GAMES;
use hasami_terminal::in_one_line;

#[test]
fn wrong_arguments_are_reported_in_one_line() {
    for (line, wanted) in [
        ("solve --time x", "invalid value 'x' for '--time <SECONDS>': expected seconds above 0 and up to"),
        ("solve --nodse", "unexpected argument '--nodse' found; tip: a similar argument exists: '--nodes'"),
        ("perft", "the following required arguments were not provided: <DEPTH>"),
        ("selfplay --game go", "invalid value 'go' for '--game <GAME>' [possible values: chess, shogi]"),
        ("fly", "unrecognized subcommand 'fly'"),
    ] {
        let words = ["hasami"].into_iter().chain(line.split(' '));
        let error = super::command(GAMES).try_get_matches_from(words).unwrap_err();
        assert!(in_one_line(&error).starts_with(wanted), "{line}: {}", in_one_line(&error));
    }
}
