//! Options of fastchess and cutechess that change only the output; a match warns about them and ignores them. An option
//! that could change a result is rejected as unknown.

use std::ffi::OsString;

/// Names of the ignored options, without dashes.
const OPTIONS: [&str; 16] = [
    "autosaveinterval",
    "check-mate-pvs",
    "crc32",
    "debug",
    "epdout",
    "force-concurrency",
    "livepgnout",
    "outcome",
    "outcomeinterval",
    "output",
    "quick",
    "resultformat",
    "scoreinterval",
    "show-latency",
    "testEnv",
    "wait",
];

/// Words of `--pgn` and `--log` that select details of the output.
const FILE_WORDS: [&str; 12] = [
    "compress",
    "hashfull",
    "latency",
    "level",
    "match_line",
    "min",
    "notation",
    "nps",
    "pv",
    "realtime",
    "seldepth",
    "tbhits",
];

/// Removes the ignored options with their values from the arguments, and returns a warning for each removed option.
pub fn without(arguments: &[OsString]) -> (Vec<OsString>, Vec<String>) {
    let (mut kept, mut warnings) = (Vec::new(), Vec::new());
    let mut is_left_out = false;
    for argument in arguments {
        if let Some(name) = argument.to_str().and_then(|text| text.strip_prefix("--")) {
            is_left_out = OPTIONS.contains(&name.split('=').next().unwrap_or_default());
            warnings.extend(is_left_out.then(|| format!("--{name} changes nothing here and is left out")));
        }
        if !is_left_out {
            kept.push(argument.clone());
        }
    }
    (kept, warnings)
}

/// Returns whether `key` is an ignored word of `--pgn` or `--log`.
pub fn is_file_word(key: &str) -> bool {
    FILE_WORDS.contains(&key)
}

#[cfg(test)]
mod tests {
    use super::super::typed::MatchLine;
    use super::*;
    use clap::CommandFactory;

    fn words(line: &str) -> Vec<OsString> {
        line.split(' ').map(OsString::from).collect()
    }

    #[test]
    fn options_that_only_show_something_are_left_out_and_reported() {
        let line = "--engine cmd=a --wait 100 --games 2 --output format=fastchess --show-latency --autosaveinterval=5 --each nodes=9";
        let (kept, warnings) = without(&words(line));
        assert_eq!(kept, words("--engine cmd=a --games 2 --each nodes=9"));
        let warnings: Vec<String> = warnings.iter().map(ToString::to_string).collect();
        assert_eq!(warnings.len(), 4);
        assert_eq!(warnings[0], "--wait changes nothing here and is left out");
        let plain = words("--engine cmd=wait name=output --games 2");
        assert_eq!(without(&plain), (plain.clone(), Vec::new()));
    }

    #[test]
    fn no_option_of_this_program_is_left_out() {
        let command = MatchLine::command();
        for argument in command.get_arguments() {
            let aliases = argument.get_all_aliases().unwrap_or_default();
            assert!(aliases.iter().chain(&argument.get_long()).all(|name| !OPTIONS.contains(name)), "{argument}");
        }
    }
}
