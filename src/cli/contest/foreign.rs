//! Words of fastchess and cutechess-cli that mean nothing here: each with the reason, and the word that does the job.

use crate::cli::Failure;
use std::ffi::OsString;

/// Options, without dashes.
const OPTIONS: &[(&str, &str)] = &[
    ("autosaveinterval", "every game is in the journal as soon as it ends; --resume goes on with it"),
    ("bookmode", "openings come from games and positions (--openings), not from Polyglot books"),
    ("both", "its newer name is --each"),
    ("check-mate-pvs", "variations are always checked; what is wrong with them is among the faults of the report"),
    ("config", "the journal keeps the match; --resume goes on with it"),
    ("crc32", "files have no checksums; the journal tells a line that was cut off by itself"),
    ("debug", "--log FILE writes every line to and from the engines"),
    ("engines", "there is no list of engines; --engine FILE.toml reads a file of them"),
    (
        "epdout",
        "--pgn FILE (--sfen FILE where there is no PGN) writes the games; a reader of these has the last positions",
    ),
    ("outcomeinterval", "every game has its line; --quiet leaves these out"),
    ("output", "reports are those of fastchess; --json FILE is for programs"),
    ("quick", "say --engine cmd=A --engine cmd=B --openings BOOK --each tc=10+0.1"),
    ("resultformat", "reports are those of fastchess; --json FILE is for programs"),
    ("scoreinterval", "--ratinginterval N prints the result after every N games"),
    ("show-latency", "--log FILE has every line; clocks run from writing go to the arrival of bestmove"),
    ("strict", "--on-crash stop ends the match at a crash or hang; warnings are in the report and in --json FILE"),
    ("tbadjudicate", "tables decide every position that they know (--tb)"),
    ("tbignore50", "tables decide by the rules that are played, the fifty-move rule included (--tb)"),
    ("tbpieces", "tables decide every position that they know; --tb names folders with fewer of them"),
    ("testEnv", "there is no other output for servers; --json FILE is for programs"),
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
    ("append", "games are added to a file that is there; name another one"),
    ("nodes", "records have the nodes of each move"),
    ("timeleft", "records have the clock after each move"),
];

fn find(table: &'static [(&str, &str)], word: &str) -> Option<&'static str> {
    table.iter().find(|(known, _)| *known == word).map(|(_, reason)| *reason)
}

/// Refuses the first option that means nothing here.
pub fn check(arguments: &[OsString]) -> Result<(), Failure> {
    for argument in arguments {
        let word = argument.to_str().and_then(|text| text.strip_prefix("--")).unwrap_or_default();
        let word = word.split('=').next().unwrap_or_default();
        if let Some(reason) = find(OPTIONS, word) {
            return Err(Failure::bad_input(format!("--{word} has no meaning here: {reason}")));
        }
    }
    Ok(())
}

/// Why a word of `--engine` or `--each` is refused, with a value or without.
pub fn engine_word(arguments: &[String]) -> Result<(), Failure> {
    for word in arguments.iter().flat_map(|argument| argument.split_whitespace()) {
        let key = word.split('=').next().unwrap_or_default();
        if let Some(reason) = find(ENGINE_WORDS, key) {
            return Err(Failure::bad_input(format!("--engine: {key} has no meaning here: {reason}")));
        }
    }
    Ok(())
}

/// Why a word of `--pgn` or `--log` is refused.
pub fn file_word(word: &str) -> Option<&'static str> {
    find(FILE_WORDS, word.split('=').next().unwrap_or_default())
}

#[cfg(test)]
#[allow(clippy::unwrap_used)]
mod tests {
    use super::super::typed::MatchLine;
    use super::*;
    use crate::matches::spec::EngineDraft;
    use clap::CommandFactory;

    /// Every option of fastchess (July 2026) and of cutechess-cli 1.5, but `-help`, and some that older ones had.
    const THEIRS: &str = "autosaveinterval bookmode both check-mate-pvs compliance concurrency config crc32 debug draw each \
        engine engines epdout event force-concurrency games log maxmoves noswap openings outcomeinterval output pgnout \
        ping-ms quick ratinginterval recover repeat report resign resultformat reverse rounds scoreinterval seeds \
        show-latency site sprt srand startup-ms strict tb tbadjudicate tbignore50 tbpieces testEnv tournament \
        ucinewgame-ms use-affinity variant version wait";

    /// Words of an engine of fastchess (July 2026) and of cutechess-cli 1.5, but `option.NAME` and `debug`, which may be a
    /// word of a command line.
    const THEIR_ENGINES: &str = "cmd name arg args tc timemargin st nodes restart plies depth proto dir ponder conf initstr \
        stderr trust book bookdepth whitepov tscale";

    #[test]
    fn every_option_of_the_others_is_taken_or_refused_by_name() {
        let command = MatchLine::command();
        let is_taken = |word: &str| {
            let names = |argument: &clap::Arg| {
                let aliases = argument.get_all_aliases().unwrap_or_default();
                argument.get_long() == Some(word) || aliases.contains(&word)
            };
            word == "compliance" || command.get_arguments().any(names)
        };
        for word in THEIRS.split_whitespace() {
            assert!(is_taken(word) != find(OPTIONS, word).is_some(), "{word}");
        }
        for (word, _) in OPTIONS {
            assert!(THEIRS.split_whitespace().any(|theirs| theirs == *word), "{word}");
        }
    }

    #[test]
    fn every_word_of_their_engines_is_taken_or_refused_by_name() {
        let is_unknown = |word: &str| {
            EngineDraft::default().set(word, "1").is_err_and(|error| error.0.starts_with("expected one of"))
        };
        for word in THEIR_ENGINES.split_whitespace() {
            assert_eq!(is_unknown(word), find(ENGINE_WORDS, word).is_some(), "{word}");
        }
        for (word, _) in ENGINE_WORDS {
            assert!(THEIR_ENGINES.split_whitespace().any(|theirs| theirs == *word), "{word}");
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
    }
}
