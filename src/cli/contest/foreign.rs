//! Words of fastchess, cutechess-cli (old ones and forks included) and c-chess-cli that mean nothing here: each with the reason, and the word that does the job.

use crate::cli::Failure;
use crate::words::Message;
use std::ffi::OsString;

/// Options, without dashes.
const OPTIONS: &[(&str, &str)] = &[
    ("autosaveinterval", "every game is in the journal as soon as it ends; --resume goes on with it"),
    ("book", "openings come from --openings FILE, the same for both sides; BookFile is an option of engines"),
    ("bookdepth", "--openings plies=N"),
    ("bookmode", "openings come from games and positions (--openings), not from Polyglot books"),
    ("both", "its newer name is --each"),
    ("check-mate-pvs", "variations are always checked; what is wrong with them is among the faults of the report"),
    ("config", "--file FILE.toml describes a match; the journal keeps how far it is, and --resume goes on with it"),
    ("crc32", "files have no checksums; the journal tells a line that was cut off by itself"),
    ("debug", "--log FILE writes every line to and from the engines"),
    ("engines", "there is no list of engines; --engine FILE.toml reads a file of them"),
    (
        "epdout",
        "--pgn FILE (--sfen FILE where there is no PGN) writes the games; a reader of these has the last positions",
    ),
    ("gauntlet", "--tournament gauntlet"),
    ("livepgnout", "--pgn FILE has each game as soon as it ends; --web shows them while they are played"),
    ("outcome", "every game has its line with result and reason; --quiet leaves these out"),
    ("outcomeinterval", "every game has its line; --quiet leaves these out"),
    ("output", "reports are those of fastchess; --json FILE is for programs"),
    ("pgndepth", "--openings plies=N"),
    ("pgnin", "--openings FILE.pgn: games begin with the moves of these"),
    ("quick", "say --engine cmd=A --engine cmd=B --openings BOOK --each tc=10+0.1"),
    ("randomseed", "its newer name is --srand N"),
    ("resultformat", "reports are those of fastchess; --json FILE is for programs"),
    ("sample", "hasami selfplay writes positions to learn from"),
    ("scoreinterval", "--ratinginterval N prints the result after every N games"),
    ("show-latency", "--log FILE has every line; clocks run from writing go to the arrival of bestmove"),
    ("strict", "--on-crash stop ends the match at a crash or hang; warnings are in the report and in --json FILE"),
    ("strikes", "an engine that crashes or hangs loses the game; --on-crash says whether the match goes on"),
    ("tbadjudicate", "tables decide every position that they know (--tb)"),
    ("tbignore50", "tables decide by the rules that are played, the fifty-move rule included (--tb)"),
    ("tbpieces", "tables decide every position that they know; --tb names folders with fewer of them"),
    ("tcecadj", "--draw and --resign end games by their scores"),
    ("testEnv", "there is no other output for servers; --json FILE is for programs"),
    (
        "tournamentfile",
        "--file FILE.toml describes a match; the journal keeps how far it is, and --resume goes on with it",
    ),
    ("tournamenttype", "its newer name is --tournament"),
    ("version", "hasami --version says it"),
    ("wait", "engines get isready before each game, and there is nothing else to wait for"),
];

/// Words of an engine.
const ENGINE_WORDS: &[(&str, &str)] = &[
    ("conf", "there is no list of engines; --engine FILE.toml reads a file of them"),
    ("stderr", "what an engine says there last is told where it ends; cmd=\"sh -c 'exec engine 2>FILE'\" keeps it"),
    ("initstr", "option.NAME=VALUE sets options; other lines have no place in UCI and USI"),
    ("trust", "results are judged by the rules; nothing is taken on trust"),
    ("book", "openings come from --openings, the same for both sides"),
    ("bookdepth", "--openings plies=N"),
    ("tscale", "--startup-ms, --ucinewgame-ms, --ping-ms and --silence-ms say how long engines are waited for"),
    // Alone: it may be a word of a command line.
    ("debug", "--log FILE writes every line to and from the engines"),
    ("whitepov", "UCI and USI have scores for the side to move; such an engine breaks its protocol"),
];

/// Words of `--pgn` and `--log`.
const FILE_WORDS: &[(&str, &str)] = &[
    ("min", "records keep clocks, scores and depths; leave them out with a reader of PGN"),
    ("match_line", "--log FILE has every line of the engines"),
    ("level", "--log FILE has every line, whatever its level"),
    ("compress", "the log is plain text; gzip it afterwards"),
    ("latency", "records have the time of each move"),
    ("nps", "records have the nodes and the time of each move"),
    ("seldepth", "records have the depth of each move"),
    ("hashfull", "--log FILE has every line of the engines"),
    ("tbhits", "--log FILE has every line of the engines"),
    ("notation", "PGN has its own notation, SAN; --sfen FILE writes moves as the protocol does"),
    (
        "pv",
        "CSA and KIF have the engines' variations (--record), PGN has none; --log FILE has every line of the engines",
    ),
    ("append", "games are added to a file that is there; name another one"),
    ("nodes", "records have the nodes of each move"),
    ("timeleft", "records have the clock after each move"),
];

/// Words of `--openings`.
const OPENING_WORDS: &[(&str, &str)] =
    &[("policy=encounter", "each round begins with the next opening, the same for all who meet in it")];

/// Why this word is refused.
pub fn no_meaning(word: &str, reason: &str) -> Message {
    let key = word.trim_start_matches('-').split('=').next().unwrap_or_default();
    Message::new("no-meaning").with("word", word).with("key", key).with("reason", reason)
}

/// Values of options: `--OPTION VALUE`.
const VALUES: &[(&str, &str, &str)] = &[(
    "tournament",
    "pyramid",
    "expected pair, gauntlet or roundrobin; roundrobin has the same pairs of engines in another order",
)];

fn find(table: &'static [(&str, &str)], word: &str) -> Option<&'static str> {
    table.iter().find(|(known, _)| *known == word).map(|(_, reason)| *reason)
}

/// Refuses the first option that means nothing here.
pub fn check(arguments: &[OsString]) -> Result<(), Failure> {
    for argument in arguments {
        let word = argument.to_str().and_then(|text| text.strip_prefix("--")).unwrap_or_default();
        let word = word.split('=').next().unwrap_or_default();
        if let Some(reason) = find(OPTIONS, word) {
            return Err(Failure::bad_input(no_meaning(&format!("--{word}"), reason)));
        }
    }
    VALUES
        .iter()
        .filter(|(option, value, _)| has_value(arguments, option, value))
        .try_for_each(|(option, value, reason)| Err(Failure::at(format!("--{option}"), no_meaning(value, reason))))
}

fn has_value(arguments: &[OsString], option: &str, value: &str) -> bool {
    let (option, whole) = (format!("--{option}"), format!("--{option}={value}"));
    let is_pair = |pair: &[OsString]| pair[0].to_str() == Some(&option) && pair[1].to_str() == Some(value);
    arguments.windows(2).any(is_pair) || arguments.iter().any(|word| word.to_str() == Some(&whole))
}

/// Why a word of `--engine` or `--each` is refused, with a value or without.
pub fn engine_word(arguments: &[String]) -> Result<(), Failure> {
    let words = arguments.iter().flat_map(|argument| argument.split_whitespace());
    for word in words.filter(|word| *word != "debug" || arguments.iter().any(|argument| argument == word)) {
        let key = word.split('=').next().unwrap_or_default();
        if let Some(reason) = find(ENGINE_WORDS, key) {
            return Err(Failure::at("--engine", no_meaning(key, reason)));
        }
    }
    Ok(())
}

/// Why a word of `--openings` is refused.
pub fn opening_word(word: &str) -> Result<(), Failure> {
    let refused = |reason| Err(Failure::at("--openings", no_meaning(word, reason)));
    find(OPENING_WORDS, word).map_or(Ok(()), refused)
}

/// Why a word of `--pgn` or `--log` is refused.
pub fn file_word(word: &str) -> Option<&'static str> {
    find(FILE_WORDS, word.split('=').next().unwrap_or_default())
}

#[cfg(test)]
#[allow(clippy::unwrap_used)]
mod tests {
    use super::super::typed::MatchLine;
    use super::super::words;
    use super::*;
    use crate::matches::spec::EngineDraft;
    use crate::words::{Language, Words};
    use clap::CommandFactory;

    /// Tool, place and word of each line.
    fn theirs(place: &str) -> Vec<&'static str> {
        let lines = include_str!("../../../tests/data/matches/foreign_words.txt").lines();
        let fields = lines.filter(|line| !line.starts_with('#')).map(|line| line.split(' ').collect::<Vec<_>>());
        let found: Vec<&str> =
            fields.filter_map(|fields| fields.get(2).copied().filter(|_| fields[1] == place)).collect();
        assert!(!found.is_empty(), "{place}");
        found
    }

    fn key(word: &'static str) -> &'static str {
        word.split('=').next().unwrap()
    }

    #[test]
    fn every_option_of_the_others_is_taken_or_refused_by_name() {
        let command = MatchLine::command();
        let is_taken = |word: &str| {
            let names = |argument: &clap::Arg| {
                let aliases = argument.get_all_aliases().unwrap_or_default();
                argument.get_long() == Some(word) || aliases.contains(&word)
            };
            ["compliance", "help"].contains(&word) || command.get_arguments().any(names)
        };
        let theirs = theirs("option");
        for word in &theirs {
            assert!(is_taken(word) != find(OPTIONS, word).is_some(), "{word}");
        }
        for (word, _) in OPTIONS {
            assert!(theirs.contains(word), "{word}");
        }
    }

    #[test]
    fn every_word_of_their_engines_is_taken_or_refused_by_name() {
        let is_unknown = |word: &str| {
            EngineDraft::default().set(word, "1").is_err_and(|error| error.to_string().starts_with("expected one of"))
        };
        let theirs: Vec<&str> = theirs("engine").into_iter().map(key).collect();
        for word in &theirs {
            assert_eq!(is_unknown(word), find(ENGINE_WORDS, word).is_some(), "{word}");
            assert_eq!(engine_word(&[(*word).to_owned()]).is_err(), find(ENGINE_WORDS, word).is_some(), "{word}");
        }
        for (word, _) in ENGINE_WORDS {
            assert!(theirs.contains(word), "{word}");
        }
    }

    #[test]
    fn every_word_of_their_files_and_rules_is_taken_or_refused_by_name() {
        let refused = |outcome: Result<(), Failure>, word: &str| match outcome {
            Ok(()) => false,
            Err(why) => {
                assert!(why.to_string().contains(" has no meaning here: "), "{word}: {why}");
                true
            }
        };
        let files = theirs("file");
        for word in &files {
            refused(words::file("pgn", &["x".to_owned(), (*word).to_owned()]).map(drop), word);
        }
        for (word, _) in FILE_WORDS {
            assert!(files.iter().any(|theirs| key(theirs) == *word), "{word}");
        }
        for place in ["draw", "resign", "sprt", "report"] {
            assert!(theirs(place).into_iter().all(|word| !refused(words::check(place, word), word)), "{place}");
        }
        let chess = crate::games::GAMES.first();
        for word in theirs("openings") {
            let found = words::openings(&["file=x".to_owned(), word.to_owned()], 1, chess).map(drop);
            assert_eq!(refused(found, word), word == "policy=encounter", "{word}");
        }
    }

    #[test]
    fn every_reason_is_said_in_japanese() {
        let values = VALUES.iter().map(|(_, value, reason)| (value, reason));
        let tables = [OPTIONS, ENGINE_WORDS, FILE_WORDS, OPENING_WORDS];
        for (word, reason) in tables.into_iter().flatten().map(|(word, reason)| (word, reason)).chain(values) {
            let japanese = no_meaning(word, reason).said(Words::of(Language::Japanese));
            // A reason that is no more than what to write instead is the same in both.
            assert!(reason.starts_with("--") || !japanese.contains(reason), "{word}: {japanese}");
        }
    }

    #[test]
    fn refusals_say_what_to_do_instead() {
        let refused = check(&["--wait".into(), "100".into()]).unwrap_err().to_string();
        assert!(refused.starts_with("--wait has no meaning here: engines get isready"), "{refused}");
        assert!(check(&["--games".into(), "wait".into()]).is_ok());
        let refused = engine_word(&["cmd=x whitepov".into()]).unwrap_err().to_string();
        assert!(refused.starts_with("--engine: whitepov has no meaning here: UCI and USI"), "{refused}");
        assert!(engine_word(&["cmd=x option.book=y".into()]).is_ok());
        assert!(engine_word(&["cmd=x debug".into()]).is_ok(), "a word of the command line");
        assert!(engine_word(&["cmd=x".into(), "debug".into()]).is_err());
        let refused = check(&["--config".into(), "file=a.json".into()]).unwrap_err().to_string();
        assert!(refused.contains("--file FILE.toml") && refused.contains("--resume"), "{refused}");
    }
}
