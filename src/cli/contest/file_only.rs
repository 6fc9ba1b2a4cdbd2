//! Rarely used options that a match file may contain, but not the command line.

use clap::{Arg, Command};
use hasami_terminal::Failure;
use std::ffi::OsString;

/// File-only options of `hasami match`, by their identifiers.
const OF_MATCH: [&str; 6] = ["own_rules", "seeds", "silence_ms", "search_ms", "share", "reference_speed"];

/// The options of `hasami match` that `hasami tune` also accepts on the command line.
const FLAGS_OF_TUNE: [&str; 18] = [
    "engines",
    "each",
    "file",
    "games",
    "concurrency",
    "openings",
    "seed",
    "draw",
    "resign",
    "maxmoves",
    "servers",
    "machines_creds",
    "machines_ca",
    "game",
    "journal",
    "svg",
    "ratinginterval",
    "log",
];

/// Help texts of options whose meaning differs between `hasami tune` and `hasami match`.
const HELP_OF_TUNE: [(&str, &str); 5] = [
    (
        "file",
        "TOML file that describes the tuning, with any option of this command (without dashes) and any of `hasami match` \
         (docs/guide/match.md)",
    ),
    ("games", "Number of games per iteration [default: 2]"),
    ("ratinginterval", "Print the values after every N iterations"),
    ("seed", "Seed of all random choices"),
    ("svg", "Write a picture of the values over the iterations, as SVG"),
];

/// Hides file-only options from the command tree's help and completions.
pub fn hidden(command: Command) -> Command {
    let of_match =
        |argument: Arg| if OF_MATCH.contains(&argument.get_id().as_str()) { argument.hide(true) } else { argument };
    let own = own_of_tune(&command);
    let of_tune = |argument: Arg| {
        let id = argument.get_id().as_str();
        let is_flag = FLAGS_OF_TUNE.contains(&id) || own.iter().any(|known| known == id);
        match HELP_OF_TUNE.iter().find(|(other, _)| *other == id) {
            Some((_, help)) => argument.help(help),
            None => argument.hide(!is_flag),
        }
    };
    command.mut_subcommand("match", |job| job.mut_args(of_match)).mut_subcommand("tune", |job| job.mut_args(of_tune))
}

/// Returns the options of `hasami tune` that `hasami match` does not have.
fn own_of_tune(command: &Command) -> Vec<String> {
    let ids = |name: &str| {
        let job = command.find_subcommand(name).into_iter();
        job.flat_map(Command::get_arguments).map(|argument| argument.get_id().to_string()).collect::<Vec<_>>()
    };
    let of_match = ids("match");
    ids("tune").into_iter().filter(|id| !of_match.contains(id)).collect()
}

/// Rejects a file-only option on the command line. The error tells the user to set the option in the file.
pub fn refuse(typed: &[OsString], command: &Command) -> Result<(), Failure> {
    let names = typed.iter().filter_map(|word| word.to_str()?.strip_prefix("--"));
    for name in names.map(|word| word.split('=').next().unwrap_or(word)) {
        if super::described::option(command, name).is_some_and(Arg::is_hide_set) {
            return Err(Failure::bad_input(if name == "resume" {
                "--resume is not needed: the same command in the same folder continues its tuning".to_owned()
            } else {
                format!(
                    "--{name} is not a flag: write it into the file of --file, as `{name} = ...` (docs/guide/match.md)"
                )
            }));
        }
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;
    use hasami_games::GAMES;

    fn flags(job: &str) -> Vec<String> {
        let command = crate::cli::command(GAMES);
        let job = command.find_subcommand(job).into_iter();
        let shown = job.flat_map(Command::get_arguments).filter(|argument| !argument.is_hide_set());
        shown.filter_map(|argument| argument.get_long().map(str::to_owned)).collect()
    }

    #[test]
    fn only_options_that_are_often_set_are_flags() {
        let (of_match, of_tune) = (flags("match"), flags("tune"));
        assert!(of_match.len() <= 45, "{}: {of_match:?}", of_match.len());
        assert!(of_tune.len() <= 25, "{}: {of_tune:?}", of_tune.len());
        for id in OF_MATCH.iter().chain(&FLAGS_OF_TUNE) {
            let command = crate::cli::command(GAMES);
            let job = command.find_subcommand("match").into_iter();
            assert!(job.flat_map(Command::get_arguments).any(|argument| argument.get_id() == *id), "{id}");
        }
    }

    #[test]
    fn an_option_of_the_file_is_refused_on_the_command_line() {
        let command = crate::cli::command(GAMES);
        let refused = |job: &str, line: &str| {
            let words: Vec<OsString> = line.split(' ').map(OsString::from).collect();
            let job = command.find_subcommand(job);
            job.and_then(|job| refuse(&words, job).err()).map(|failure| failure.to_string()).unwrap_or_default()
        };
        let why =
            "--silence-ms is not a flag: write it into the file of --file, as `silence-ms = ...` (docs/guide/match.md)";
        assert_eq!(refused("match", "--engine cmd=a --silence-ms=5"), why);
        assert!(refused("tune", "--games 4 --tb x").starts_with("--tb is not a flag"));
        assert!(refused("tune", "--resume").starts_with("--resume is not needed: the same command"));
        assert_eq!(refused("match", "--games 4 --tb x --quiet"), "");
    }
}
