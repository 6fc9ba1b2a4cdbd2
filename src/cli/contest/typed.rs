//! Preprocesses the command line of a match: groups the words of each engine, accepts single dashes as in other tools,
//! and restores the command line that a journal stores.

use super::super::language;
use super::MatchArgs;
use super::described::option;
use clap::{Command, CommandFactory, FromArgMatches};
use hasami_catalog::Games;
use hasami_matches::journal::{self, JournalPlace};
use hasami_terminal::{Failure, place};
use std::path::{Path, PathBuf};

/// Information about a command line that clap's derive macros discard.
#[derive(Default)]
pub struct Groups {
    /// The arguments of each `--engine`, which clap merges into one list.
    pub engines: Vec<Vec<String>>,
    /// All arguments after the word `match`, including those of a match file.
    pub arguments: Vec<String>,
}

impl Groups {
    pub fn of(matches: &clap::ArgMatches, arguments: Vec<String>) -> Self {
        let groups = matches.get_occurrences::<String>("engines").into_iter().flatten();
        Self { engines: groups.map(|words| words.cloned().collect()).collect(), arguments }
    }
}

#[derive(clap::Parser)]
#[command(no_binary_name = true)]
pub(super) struct MatchLine {
    #[command(flatten)]
    contest: MatchArgs,
}

/// Adds a second dash to options such as `-engine` and `-openings`, which have a single dash in fastchess and
/// cutechess.
pub fn with_two_dashes(argument: std::ffi::OsString) -> std::ffi::OsString {
    match argument.to_str() {
        Some(text) if text.len() > 2 && text.starts_with('-') && text.as_bytes()[1].is_ascii_lowercase() => {
            format!("-{text}").into()
        }
        _ => argument,
    }
}

/// Returns the journal of the last match that was begun in the current folder.
pub fn last_journal(place: &JournalPlace) -> Result<PathBuf, Failure> {
    let here = std::env::current_dir()?;
    place.last(&here, |_| true).ok_or_else(|| {
        Failure::at(
            "--resume",
            "no match was begun in this folder; --resume FILE names the journal of another".to_owned(),
        )
    })
}

/// Parses the command line that a journal stores. Options that the user gave with `--resume` (`typed`) override those
/// of the journal.
pub fn kept(games: Games, journal: &Path, typed: &[String]) -> Result<(MatchArgs, Groups), Failure> {
    let header = journal::read_header(journal).map_err(|error| Failure::at("--resume", error))?;
    let command = place::with_games(MatchLine::command(), games);
    let read = |arguments: Vec<String>| -> Result<(MatchArgs, Groups), clap::Error> {
        let matches = command.clone().try_get_matches_from(&arguments)?;
        let mut contest = MatchLine::from_arg_matches(&matches)?.contest;
        contest.resume = Some(None);
        Ok((contest, Groups::of(&matches, arguments)))
    };
    // Journals of earlier versions also contain the language of the user who began the match.
    let arguments = language::without(header.arguments.clone());
    let (begun, _) = read(arguments.clone())?;
    let longer = header.games().and_then(|games| begun.lengthened(games));
    let now = replaced(&arguments, &Vec::from_iter(longer), &command);
    Ok(read(replaced(&now, typed, &command))?)
}

/// Splits a command line into options with their values, each with the identifier of the option.
fn options<'a>(arguments: &'a [String], command: &Command) -> Vec<(Option<String>, &'a [String])> {
    let id = |words: &[String]| {
        let name = words[0].strip_prefix("--")?.split('=').next()?;
        Some(option(command, name)?.get_id().to_string())
    };
    arguments.chunk_by(|_, next| !next.starts_with("--")).map(|words| (id(words), words)).collect()
}

/// Replaces options of the stored command line by those that the user has typed now. `--resume` and `--journal` are
/// dropped, because the journal has already been found.
fn replaced(kept: &[String], typed: &[String], command: &Command) -> Vec<String> {
    let mut new = options(typed, command);
    new.retain(|(id, _)| !matches!(id.as_deref(), Some("resume" | "journal")));
    let mut all = options(kept, command);
    all.retain(|(id, _)| id.is_none() || new.iter().all(|(other, _)| other != id));
    all.into_iter().chain(new).flat_map(|(_, words)| words.iter().cloned()).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn list(text: &str) -> Vec<String> {
        text.split_whitespace().map(str::to_owned).collect()
    }

    #[test]
    fn what_is_typed_beside_resume_takes_the_place_of_what_is_kept() {
        let kept = list("--engine cmd=a name=A --engine cmd=b --games 4 --srand=3 --each nodes=9 --journal x --quiet");
        let replaced = |typed: &str| replaced(&kept, &list(typed), &MatchLine::command()).join(" ");
        assert_eq!(replaced("--resume y"), kept.join(" "));
        let wanted = "--engine cmd=a name=A --engine cmd=b --each nodes=9 --journal x --quiet --games=8 --seed 4";
        assert_eq!(replaced("--resume y --games=8 --seed 4"), wanted);
        assert!(replaced("--each nodes=7 --resume").ends_with("--journal x --quiet --each nodes=7"));
    }
}
