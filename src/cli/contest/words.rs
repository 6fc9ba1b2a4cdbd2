//! Parses options of `hasami match` whose values are words such as `elo0=0 elo1=5`.

use super::harmless;
use crate::cli::language;
use hasami_catalog::Catalog;
use hasami_matches::openings::{OpeningFormat, OpeningOrder, Openings};
use hasami_matches::spec;
use hasami_matches::stats::{Sprt, SprtModel};
use hasami_matches::{DrawRule, ResignRule};
use hasami_terminal::Failure;
use hasami_words::text::At;
use std::path::PathBuf;

const OPENING_WORDS: &str = "file, format, order, plies, start, policy";

/// Passes each word of an option to `set` as a key and a value; one argument may contain several words. `set` returns
/// `Some(false)` for an invalid value and `None` for an unknown key.
fn each(
    option: &str,
    arguments: &[String],
    known: &str,
    mut set: impl FnMut(&str, &str) -> Option<bool>,
) -> Result<(), Failure> {
    for word in arguments.iter().flat_map(|argument| pairs_in(argument)) {
        let expected_pair = || wrong(option, format!("expected words like name=value, found '{word}'"));
        let (key, value) = word.split_once('=').ok_or_else(expected_pair)?;
        match set(key, value) {
            Some(true) => {}
            Some(false) => return Err(wrong(option, format!("{key}: expected {}, found '{value}'", expected(key)))),
            None => return Err(wrong(option, spec::unknown_word(known, key))),
        }
    }
    Ok(())
}

/// Splits `file=a b.epd order=random` only at known words, because file names may contain spaces.
fn pairs_in(argument: &str) -> Vec<&str> {
    let is_start = |at: usize| argument[..at].ends_with(char::is_whitespace);
    let is_pair = |at: usize| argument[at..].split_whitespace().next().is_some_and(|word| word.contains('='));
    let starts = argument.char_indices().map(|(at, _)| at).filter(|&at| is_start(at) && is_pair(at));
    let mut begin = 0;
    let mut pairs: Vec<&str> = Vec::new();
    for end in starts.chain([argument.len()]) {
        pairs.push(argument[begin..end].trim());
        begin = end;
    }
    pairs.retain(|pair| !pair.is_empty());
    pairs
}

/// Describes the values that a word accepts, for error messages.
fn expected(key: &str) -> &'static str {
    match key {
        "order" => "sequential or random",
        "model" => "normalized, logistic or bayesian",
        "format" => "a format of openings of this game",
        "policy" => "round or default",
        "twosided" | "penta" => "true or false",
        _ => "a number",
    }
}

fn wrong(option: &str, why: String) -> Failure {
    Failure::at(format!("--{option}"), why)
}

/// Parses a value and stores it in `place`.
fn put<T: std::str::FromStr>(place: &mut T, value: &str) -> Option<bool> {
    Some(value.parse().map(|read| *place = read).is_ok())
}

pub fn sprt(arguments: &[String]) -> Result<Option<Sprt>, Failure> {
    if arguments.is_empty() {
        return Ok(None);
    }
    let mut sprt = Sprt::default();
    each("sprt", arguments, "elo0, elo1, alpha, beta, model", |key, value| match key {
        "elo0" => put(&mut sprt.elo0, value),
        "elo1" => put(&mut sprt.elo1, value),
        "alpha" => put(&mut sprt.alpha, value),
        "beta" => put(&mut sprt.beta, value),
        "model" => {
            let models = [SprtModel::Normalized, SprtModel::Logistic, SprtModel::Bayesian];
            let found = models.into_iter().find(|model| model.word() == value);
            Some(found.map(|model| sprt.model = model).is_some())
        }
        _ => None,
    })?;
    Ok(Some(sprt))
}

/// Returns whether the SPRT uses BayesElo, which counts single games instead of pairs.
pub fn is_bayesian(arguments: &[String]) -> bool {
    sprt(arguments).is_ok_and(|sprt| sprt.is_some_and(|sprt| sprt.model == SprtModel::Bayesian))
}

pub fn pairs(arguments: &[String]) -> Result<bool, Failure> {
    let mut pairs = true;
    each("report", arguments, "penta", |key, value| match key {
        "penta" => put(&mut pairs, value),
        _ => None,
    })?;
    Ok(pairs)
}

pub fn draw(arguments: &[String]) -> Result<Option<DrawRule>, Failure> {
    let mut rule = DrawRule { move_number: 0, move_count: 1, score: 0 };
    each("draw", arguments, "movenumber, movecount, score", |key, value| match key {
        "movenumber" => put(&mut rule.move_number, value),
        "movecount" => put(&mut rule.move_count, value),
        "score" => put(&mut rule.score, value),
        _ => None,
    })?;
    Ok((!arguments.is_empty()).then_some(rule))
}

pub fn resign(arguments: &[String]) -> Result<Option<ResignRule>, Failure> {
    let mut rule = ResignRule { move_count: 1, score: 0, two_sided: false };
    each("resign", arguments, "movecount, score, twosided", |key, value| match key {
        "movecount" => put(&mut rule.move_count, value),
        "score" => put(&mut rule.score, value),
        "twosided" => put(&mut rule.two_sided, value),
        _ => None,
    })?;
    Ok((!arguments.is_empty()).then_some(rule))
}

/// The value of `--openings` for games that begin at the usual start position.
const USUAL_START: &str = "startpos";

/// Returns the openings in a file (`FILE` or `file=FILE ...`), or the built-in ones if no file is named; `None` if all
/// games begin with the initial position.
pub fn openings(arguments: &[String], seed: u64, game: &dyn Catalog) -> Result<Option<Openings>, Failure> {
    if arguments == [USUAL_START] {
        return Ok(None);
    }
    let built_in = Openings::built_in(game);
    if arguments.is_empty() {
        return Ok(built_in);
    }
    let mut openings = Openings { seed, ..built_in.unwrap_or_else(|| Openings::of_file(PathBuf::new())) };
    let plain: Vec<String> = with_file(arguments);
    each("openings", &plain, OPENING_WORDS, |key, value| match key {
        "file" => {
            (openings.file, openings.text) = (value.into(), None);
            Some(true)
        }
        "format" => {
            openings.format = OpeningFormat::from_word(game, value);
            Some(openings.format.is_some())
        }
        "order" => {
            openings.order = if value == "random" { OpeningOrder::Random } else { OpeningOrder::Sequential };
            Some(matches!(value, "sequential" | "random"))
        }
        "plies" => Some(value.parse().map(|plies| openings.plies = Some(plies)).is_ok()),
        // `first_opening` parses the number after `start=`.
        "start" => Some(value.parse::<usize>().is_ok_and(|start| start > 0)),
        // The values `round` and `default` of the cutechess word `policy` select what this program does by default.
        "policy" => Some(value == "round" || value == "default"),
        _ => None,
    })?;
    if openings.file.as_os_str().is_empty() {
        return Err(wrong("openings", "expected file=..., found none".to_owned()));
    }
    Ok(Some(openings))
}

/// Rewrites a word without `=` as the value of `file=`.
fn with_file(arguments: &[String]) -> Vec<String> {
    let named = |word: &String| if word.contains('=') { word.clone() } else { format!("file={word}") };
    arguments.iter().map(named).collect()
}

/// Returns the number after `start=` in `--openings`, converted to count from 0.
pub fn first_opening(arguments: &[String]) -> Option<usize> {
    let words = arguments.iter().flat_map(|argument| argument.split_whitespace());
    words.filter_map(|word| word.strip_prefix("start=")).find_map(|value| value.parse::<usize>().ok()?.checked_sub(1))
}

/// Returns the file that an option names (`FILE` or `file=FILE`). Any other words of the option are meant for other
/// match tools and are ignored.
pub fn file(option: &'static str, arguments: &[String]) -> Result<Option<PathBuf>, Failure> {
    let mut file = None;
    for word in arguments {
        match word.split_once('=') {
            // In cutechess, `fi` restricts the file to finished games, as this program always does.
            None if word == "fi" && file.is_some() => {}
            None if word == "min" && file.is_some() => {
                language::tell(&"min changes nothing here and is left out".at(format!("--{option}")));
            }
            None | Some(("file", _)) => file = Some(PathBuf::from(word.strip_prefix("file=").unwrap_or(word))),
            // Words such as `append` have no effect: games are always appended, with nodes and clocks.
            Some(("append" | "nodes" | "timeleft" | "engine" | "realtime", "true")) | Some(("notation", "san")) => {}
            Some((key, _)) if harmless::is_file_word(key) => {
                language::tell(&format!("{word} changes nothing here and is left out").at(format!("--{option}")));
            }
            Some(_) => return Err(wrong(option, format!("expected file=..., found '{word}'"))),
        }
    }
    if file.is_none() && !arguments.is_empty() {
        return Err(wrong(option, "expected file=..., found none".to_owned()));
    }
    Ok(file)
}

#[cfg(test)]
#[allow(clippy::unwrap_used)]
mod tests {
    use super::*;

    fn chess() -> &'static dyn Catalog {
        hasami_games::GAMES.first()
    }

    fn list(text: &[&str]) -> Vec<String> {
        text.iter().map(|&word| word.to_owned()).collect()
    }

    #[test]
    fn words_come_in_one_argument_or_in_many() {
        let one = sprt(&list(&["elo0=-3 elo1=1 model=logistic"])).unwrap();
        let many = sprt(&list(&["elo0=-3", "elo1=1", "model=logistic"])).unwrap();
        assert_eq!(one, many);
        assert_eq!(one.unwrap().model, SprtModel::Logistic);
        assert_eq!(draw(&[]).unwrap(), None);
        let rule = draw(&list(&["movenumber=34 movecount=8 score=20"])).unwrap().unwrap();
        assert_eq!(rule, DrawRule { move_number: 34, move_count: 8, score: 20 });
        assert!(resign(&list(&["movecount=3", "score=600", "twosided=true"])).unwrap().unwrap().two_sided);
    }

    #[test]
    fn openings_are_a_file_or_words() {
        assert_eq!(openings(&list(&["book.epd"]), 1, chess()).unwrap().unwrap().file, PathBuf::from("book.epd"));
        let words = list(&["file=x.pgn", "format=pgn", "order=random", "plies=8", "start=3"]);
        let found = openings(&words, 9, chess()).unwrap().unwrap();
        assert_eq!(
            (found.order, found.plies, found.seed, found.text, first_opening(&words)),
            (OpeningOrder::Random, Some(8), 9, None, Some(2))
        );
        for words in [&["a b.epd"][..], &["file=a b.epd"], &["file=a b.epd order=random"], &["file=a b.epd", "plies=8"]]
        {
            assert_eq!(
                openings(&list(words), 1, chess()).unwrap().unwrap().file,
                PathBuf::from("a b.epd"),
                "{words:?}"
            );
        }
        assert_eq!(file("pgn", &list(&["file=a.pgn", "append=true"])).unwrap(), Some("a.pgn".into()));
        assert_eq!(file("log", &list(&["a.log"])).unwrap(), Some("a.log".into()));
    }

    #[test]
    fn without_a_file_the_openings_are_those_inside_the_program() {
        for words in [&[][..], &["order=random"], &["plies=4", "start=3"]] {
            let found = openings(&list(words), 9, chess()).unwrap().unwrap();
            assert_eq!((found.file, found.text.is_some()), (PathBuf::from("built-in chess_openings.epd"), true));
            assert_eq!(found.order == OpeningOrder::Random, words == ["order=random"]);
        }
        assert_eq!(openings(&list(&["startpos"]), 9, chess()).unwrap(), None);
    }

    #[test]
    fn bad_words_are_named() {
        let text = |error: Failure| error.to_string();
        assert_eq!(
            text(sprt(&list(&["elo2=1"])).unwrap_err()),
            "--sprt: expected one of elo0, elo1, alpha, beta, model, found 'elo2'"
        );
        assert_eq!(text(draw(&list(&["score=x"])).unwrap_err()), "--draw: score: expected a number, found 'x'");
        assert_eq!(
            text(resign(&list(&["score"])).unwrap_err()),
            "--resign: expected words like name=value, found 'score'"
        );
        assert!(
            openings(&list(&["order=wild"]), 1, chess()).is_err()
                && openings(&list(&["x", "start=0"]), 1, chess()).is_err()
        );
        assert_eq!(file("pgn", &list(&["x.pgn", "notation=lan", "nps=true", "min"])).unwrap(), Some("x.pgn".into()));
        let refused = text(file("pgn", &list(&["x.pgn", "bogus=1"])).unwrap_err());
        assert!(refused.starts_with("--pgn: expected file=..."), "{refused}");
        assert_eq!(file("pgn", &list(&["x.pgn", "fi"])).unwrap(), Some("x.pgn".into()));
    }
}
