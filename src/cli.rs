//! The command line. Without arguments, the program runs as an engine.
//!
//! Exit codes: 0 for success, 1 for a search that ended without an answer, 2 for bad input (explained in one line on
//! stderr).

#![deny(clippy::unwrap_used, clippy::expect_used, clippy::panic)]

mod analyse;
mod bench;
mod brinkmate;
mod cluster;
mod colours;
mod completions;
mod compliance;
mod contest;
mod data;
mod doctor;
mod interrupt;
mod language;
#[cfg(feature = "cluster")]
mod lent_games;
mod machines;
mod net;
mod notation;
mod perft;
mod results;
mod selfplay;
mod settable;
mod solve;
mod teach;
#[cfg(test)]
mod tests;
mod train;
mod tune;
mod verify;
mod web;
#[cfg(feature = "cluster")]
mod worker;
#[cfg(feature = "cluster")]
mod workers;

use crate::session;
use clap::{CommandFactory, FromArgMatches, Parser, Subcommand};
use contest::Groups;
use hasami_catalog::Games;
use hasami_terminal::{Failure, place, processor};
use hasami_words::Words;
use language::LanguageArgs;
use std::ffi::OsString;
use std::io::{self, Write};
use std::process::ExitCode;
use time::OffsetDateTime;
use time::macros::format_description;

/// Parallel chess and shogi engine playing from a master game tree
///
/// Without a subcommand, the program runs as an engine; the first input line (`uci` or `usi`) chooses the game.
#[derive(Parser)]
#[command(name = "hasami", version, disable_help_subcommand = false, max_term_width = 100)]
struct Arguments {
    #[command(subcommand)]
    job: Option<Subcommands>,

    #[command(flatten)]
    language: LanguageArgs,
}

#[derive(Subcommand)]
enum Subcommands {
    Analyse(analyse::Analyse),
    Bench(bench::Bench),
    Brinkmate(brinkmate::Brinkmate),
    Compliance(compliance::Compliance),
    Data(data::Data),
    Doctor(doctor::Doctor),
    #[command(name = "match")]
    Match(Box<contest::MatchArgs>),
    Net(net::Net),
    Perft(perft::Perft),
    Results(results::Results),
    #[command(name = "selfplay")]
    SelfPlay(selfplay::SelfPlay),
    Solve(solve::Solve),
    Teach(teach::Teach),
    Train(train::Train),
    Tune(Box<tune::Tune>),
    Verify(verify::Verify),
    #[cfg(feature = "cluster")]
    Worker(worker::Lender),
    #[cfg(feature = "cluster")]
    Workers(workers::List),
    Completions(completions::Completions),
}

/// Runs the program: parses the arguments, runs the subcommand, and converts its result to an exit code.
pub fn main(games: Games) -> ExitCode {
    let given = arguments();
    let read = processor::check().and_then(|()| parse(games, given));
    let outcome = read.and_then(|(arguments, groups)| match arguments.job {
        None => engine(games),
        Some(job) => run(&job, games, &groups, language::words(arguments.language.language), &mut io::stdout().lock()),
    });
    let Err(failure) = outcome else { return ExitCode::SUCCESS };
    failure.report(&command(games))
}

/// Returns the user's command line. As in other match tools, `-engine` after `hasami match` means `--engine`.
fn arguments() -> Vec<OsString> {
    let typed = language::typed();
    let is_match = typed.get(1).is_some_and(|word| word == "match" || word == "tune");
    let plain = move |argument| if is_match { contest::with_two_dashes(argument) } else { argument };
    plain_help(typed).into_iter().map(plain).collect()
}

/// Rewrites `hasami help --help`, which clap rejects, as `hasami help`.
fn plain_help(mut words: Vec<OsString>) -> Vec<OsString> {
    if words.get(1).is_some_and(|word| word == "help") {
        words.retain(|word| word != "--help" && word != "-h");
    }
    words
}

fn parse(games: Games, mut arguments: Vec<OsString>) -> Result<(Arguments, Groups), Failure> {
    let command = command(games);
    let job = arguments.get(1).and_then(|word| word.to_str()).filter(|word| ["match", "tune"].contains(word));
    if let Some(command) = job.and_then(|job| command.find_subcommand(job)) {
        let (plain, warnings) = contest::without_harmless(&arguments[2..]);
        warnings.iter().for_each(|line| language::tell(line));
        arguments.splice(2.., plain);
        if command.get_name() == "match" {
            contest::check_named(&arguments[2..])?;
        }
        contest::file_only::refuse(&arguments[2..], command)?;
        let described = contest::described(&arguments[2..], command)?;
        arguments.splice(2.., described);
    }
    if arguments.get(1).is_some_and(|word| word == "solve" || word == "brinkmate") {
        let expanded = settable::expand(&arguments[2..]);
        arguments.splice(2.., expanded);
    }
    let typed = arguments.iter().skip(2).map(|word| word.to_string_lossy().into_owned()).collect();
    let typed = language::without(typed);
    let matches = command.try_get_matches_from(arguments)?;
    let found = ["match", "tune"].into_iter().find_map(|job| matches.subcommand_matches(job));
    let groups = found.map(|matches| Groups::of(matches, typed)).unwrap_or_default();
    Ok((Arguments::from_arg_matches(&matches)?, groups))
}

fn run(
    job: &Subcommands,
    games: Games,
    groups: &Groups,
    words: &'static Words,
    out: &mut impl Write,
) -> Result<(), Failure> {
    match job {
        Subcommands::Analyse(job) => job.run(games, words, out)?,
        Subcommands::Bench(job) => job.run(games, out)?,
        Subcommands::Brinkmate(job) => job.run(games, words, out)?,
        Subcommands::Compliance(job) => job.run(games, out)?,
        Subcommands::Data(job) => job.run(games, out)?,
        Subcommands::Doctor(job) => job.run(games, out)?,
        Subcommands::Match(job) => job.run(games, groups, out)?,
        Subcommands::Net(job) => job.run(games, out)?,
        Subcommands::Perft(job) => job.run(games, out)?,
        Subcommands::Results(job) => job.run(games, out)?,
        Subcommands::SelfPlay(job) => job.run(games, out)?,
        Subcommands::Solve(job) => job.run(games, words, out)?,
        Subcommands::Teach(job) => job.run(games, out)?,
        Subcommands::Train(job) => job.run(games, out)?,
        Subcommands::Tune(job) => job.run(games, groups, out)?,
        Subcommands::Verify(job) => job.run(games, words, out)?,
        #[cfg(feature = "cluster")]
        Subcommands::Worker(job) => job.run(games)?,
        #[cfg(feature = "cluster")]
        Subcommands::Workers(job) => job.run(out)?,
        Subcommands::Completions(job) => job.run(games, out)?,
    }
    out.flush()?;
    Ok(())
}

/// Runs the engine, which speaks UCI or USI on stdin and stdout.
fn engine(games: Games) -> Result<(), Failure> {
    start_log();
    Ok(session::run_stdio(games)?)
}

/// Logs warnings and errors to stderr, or what `RUST_LOG` selects.
fn start_log() {
    let format = format_description!("[year]-[month]-[day]T[hour]:[minute]:[second]Z");
    env_logger::Builder::new()
        .filter_level(log::LevelFilter::Warn)
        .parse_default_env()
        .format(move |out, record| {
            let now = OffsetDateTime::now_utc().format(&format).unwrap_or_default();
            writeln!(out, "[{now} {:5} {}] {}", record.level(), record.target(), record.args())
        })
        .init();
}

/// Returns clap's command tree, with rarely used options hidden from help.
fn command(games: Games) -> clap::Command {
    settable::hidden(contest::file_only::hidden(place::with_games(Arguments::command(), games)))
}
