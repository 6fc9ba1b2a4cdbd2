//! Fuzzes lists of problems, claims and openings: reading never panics, and every error message is a single line.

use hasami_games::GAMES;
use hasami_matches::openings::OpeningFormat;
use hasami_solve::{claim, problem};

fn one_line<T>(read: Result<T, impl ToString>) -> Option<T> {
    let why = read.as_ref().err().map(ToString::to_string);
    assert!(why.is_none_or(|why| why.lines().count() == 1));
    read.ok()
}

pub fn check(bytes: &[u8]) {
    let text = hasami_words::text::decoded(bytes.to_vec(), hasami_words::text::SHIFT_JIS);
    one_line(claim::parse(&text, "list"));
    for game in GAMES.iter() {
        for problem in one_line(problem::parse(&text, "list", "list", game)).unwrap_or_default() {
            assert!(game.check(&problem.line).is_ok(), "{problem:?}");
        }
        for format in [OpeningFormat::Epd, OpeningFormat::Sfen] {
            for line in one_line(format.read(&text, game)).map(|read| read.lines).unwrap_or_default() {
                _ = game.check_play(&line);
            }
        }
    }
}
