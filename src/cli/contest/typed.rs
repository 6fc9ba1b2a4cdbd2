//! The command line of a match as it was typed: groups of words, dashes of other tools, and what a journal keeps of it.

use super::super::{Failure, place};
use super::MatchArgs;
use crate::catalog::Games;
use crate::matches::journal::{self, JournalPlace};
use crate::words::Message;
use clap::{CommandFactory, FromArgMatches};
use std::path::{Path, PathBuf};

/// What clap's derive does not keep of a command line.
#[derive(Default)]
pub struct Groups {
    /// The arguments of several `--engine`, which it flattens.
    pub engines: Vec<Vec<String>>,
    /// All arguments behind the word `match`, with those of a file that describes the match.
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

/// fastchess and cutechess write `-engine`, `-openings` with one dash.
pub fn with_two_dashes(argument: std::ffi::OsString) -> std::ffi::OsString {
    match argument.to_str() {
        Some(text) if text.len() > 2 && text.starts_with('-') && text.as_bytes()[1].is_ascii_lowercase() => {
            format!("-{text}").into()
        }
        _ => argument,
    }
}

/// The journal of the last match that was begun in this folder, or the one that is named.
pub fn last_journal(place: &JournalPlace) -> Result<PathBuf, Failure> {
    let here = std::env::current_dir()?;
    place.last(&here, |_| true).ok_or_else(|| Failure::at("--resume", Message::new("expected-match-here")))
}

/// The command line that is kept in a journal.
pub fn kept(games: Games, journal: &Path) -> Result<(MatchArgs, Groups), Failure> {
    let header = journal::read_header(journal).map_err(|error| Failure::at("--resume", error))?;
    let matches = place::with_games(MatchLine::command(), games).try_get_matches_from(&header.arguments)?;
    let mut contest = MatchLine::from_arg_matches(&matches)?.contest;
    contest.resume = Some(None);
    Ok((contest, Groups::of(&matches, header.arguments)))
}
