//! The arguments of `hasami match`. Options of fastchess and cutechess keep their names.

mod described;
pub mod file_only;
mod harmless;
mod tournament;
mod tuning;
mod typed;
mod view;
mod words;

use super::cluster;
use super::interrupt::Interrupt;
use super::machines::MachineArgs;
use super::web::{self, WebArgs};
use clap::ValueEnum;
pub use described::expand as described;
pub use harmless::without as without_harmless;
use hasami_api::{Format, Rules};
use hasami_catalog::{Catalog, Games};
use hasami_matches::identity::Identities;
use hasami_matches::journal::JournalPlace;
use hasami_matches::openings::Openings;
use hasami_matches::record::RecordFile;
use hasami_matches::settings::MatchSettings;
use hasami_matches::spec::{EngineDraft, EngineSpec, SpecError};
use hasami_matches::{Adjudication, Patience, warnings};
use hasami_terminal::{Failure, place};
use hasami_words::text::counted;
use std::fmt::Display;
use std::io::Write;
use std::path::PathBuf;
use std::sync::Arc;
use std::thread;
use std::time::{Duration, Instant};
use tournament::TournamentKind;
pub use typed::{Groups, with_two_dashes};
use view::View;

/// Play matches between engines: Elo, SPRT, tournaments
///
/// An engine is described by words, such as name=a cmd="a --x" tc=10+0.1 option.Hash=16 (docs/guide/match.md lists all
/// words). Options of fastchess and cutechess with a single dash are also accepted.
#[derive(clap::Args)]
pub struct MatchArgs {
    /// Description of an engine by the words name, cmd, args, dir, protocol, tc, byoyomi, st, movetime, nodes, depth,
    /// timemargin, ponder, restart, clock, weight, option.NAME
    #[arg(long = "engine", value_name = "WORDS", num_args = 1..)]
    engines: Vec<String>,

    /// Words that apply to every engine; an engine's own words override them
    #[arg(long, value_name = "WORDS", num_args = 1..)]
    each: Vec<String>,

    /// TOML file that describes the match, with any option of this command (without dashes) and some rarely used
    /// options that have no flag (docs/guide/match.md)
    #[arg(long, value_name = "FILE.toml")]
    file: Option<PathBuf>,

    /// NATS server through which other machines lend workers to the engines that can use them (docs/guide/cluster.md)
    #[arg(long, value_name = "URL")]
    connect: Option<String>,

    #[command(flatten)]
    pub machines: MachineArgs,

    #[command(flatten)]
    web: WebArgs,

    /// The game
    #[arg(long, default_value = place::ANY_GAME)]
    game: String,

    /// Chess: standard or fischerandom
    #[arg(long, value_enum, default_value_t)]
    variant: Variant,

    /// An option of the game that concerns its rules (may be repeated)
    #[arg(long = "rule", value_name = "NAME=VALUE")]
    own_rules: Vec<String>,

    /// Number of games per pairing; with --rounds, per pairing and round [default: 2]
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u32).range(1..=10_000_000))]
    games: Option<u32>,

    /// Number of rounds; each round has a new opening for every pairing
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u32).range(1..=10_000_000))]
    rounds: Option<u32>,

    /// Play each opening N times [default: twice, with both colours]
    #[arg(long, value_name = "N", num_args = 0..=1, value_parser = clap::value_parser!(u32).range(1..=1000))]
    repeat: Option<Option<u32>>,

    /// Play each opening once
    #[arg(long, conflicts_with = "repeat")]
    no_repeat: bool,

    /// The engine that is named first always has the first move
    #[arg(long, alias = "no-swap")]
    noswap: bool,

    /// The engine named second has the first move in the first game
    #[arg(long)]
    reverse: bool,

    /// Number of games at the same time
    #[arg(long, value_name = "N", default_value_t = 1, value_parser = clap::value_parser!(u16).range(1..=1024))]
    concurrency: u16,

    /// Pin the engines of each game to their own processors (Linux), taken from a list such as 3,5,7-11 [default: all]
    #[arg(long, visible_alias = "use-affinity", value_name = "CPUS", num_args = 0..=1)]
    affinity: Option<Option<String>>,

    /// A file of openings (EPD, PGN, SFEN, CSA, KIF), or words: file=.. format=.. order=sequential|random plies=..
    /// start=..; or `startpos` for no openings [default: the built-in openings]
    #[arg(long, value_name = "FILE", num_args = 1..)]
    openings: Vec<String>,

    /// Seed of the random order of openings
    #[arg(long, visible_alias = "srand", value_name = "N", default_value_t = 1)]
    pub seed: u64,

    /// Type of tournament [default: pair for two engines, roundrobin for more]
    #[arg(long, value_enum)]
    tournament: Option<TournamentKind>,

    /// Number of engines that play the gauntlet against all others
    #[arg(long, value_name = "N", default_value_t = 1)]
    seeds: usize,

    /// Stop the match by an SPRT: elo0=.. elo1=.. alpha=.. beta=.. model=normalized|logistic|bayesian
    #[arg(long, value_name = "WORDS", num_args = 1..)]
    sprt: Vec<String>,

    /// Compute the results from pairs of games: penta=true|false
    #[arg(long, value_name = "WORDS", num_args = 1..)]
    report: Vec<String>,

    /// Adjudicate draws: movenumber=.. movecount=.. score=..
    #[arg(long, value_name = "WORDS", num_args = 1..)]
    draw: Vec<String>,

    /// Adjudicate losses: movecount=.. score=.. twosided=true|false
    #[arg(long, value_name = "WORDS", num_args = 1..)]
    resign: Vec<String>,

    /// Adjudicate a draw after N moves (shogi: plies); 0: never
    #[arg(long, visible_alias = "max-moves", value_name = "N", default_value_t = 0)]
    maxmoves: u32,

    /// Folders of Syzygy tables for adjudication
    #[arg(long, value_name = "FOLDERS")]
    tb: Option<std::ffi::OsString>,

    /// Consequence when an engine crashes or hangs in a game
    #[arg(long, value_enum, default_value_t)]
    on_crash: Crash,

    /// Score a crash as a loss and continue the match, like --on-crash forfeit
    #[arg(long)]
    recover: bool,

    /// Write the games as PGN; for a FOLDER/, one file per game
    #[arg(long, visible_alias = "pgnout", value_name = "FILE", num_args = 1..)]
    pgn: Vec<String>,

    /// Write the games in the format of the file extension, such as x.kif or x.csa; for any other name, put the format
    /// in front, as in csa=FOLDER/ (may be repeated)
    #[arg(long = "record", value_name = "[FORMAT=]FILE")]
    records: Vec<String>,

    /// Write a summary as JSON
    #[arg(long, value_name = "FILE")]
    json: Option<PathBuf>,

    /// Write a picture of the result over the games, as SVG
    #[arg(long, value_name = "FILE")]
    svg: Option<PathBuf>,

    /// File that records the match (or the tuning), so that it can be continued [default: a file for each in the user's
    /// state folder, ~/.local/state/hasami/matches (or tunings)]
    #[arg(long, value_name = "FILE")]
    pub journal: Option<PathBuf>,

    /// Continue the match of the journal; if no engines are given, the journal's command line is used, and options
    /// given now override its options
    #[arg(long, value_name = "JOURNAL", num_args = 0..=1)]
    resume: Option<Option<PathBuf>>,

    /// Write every line sent to and received from the engines
    #[arg(long, value_name = "FILE", num_args = 1..)]
    log: Vec<String>,

    /// Name of the event, for the records
    #[arg(long, value_name = "NAME", default_value = "hasami match")]
    event: String,

    /// Place of the event, for the records
    #[arg(long, value_name = "NAME", default_value = "?")]
    site: String,

    /// Print the result after every N games; 0: only at the end
    #[arg(long, value_name = "N", default_value_t = 10)]
    pub ratinginterval: u32,

    /// Longest time without output while an engine starts, in milliseconds
    #[arg(long, value_name = "MS", default_value_t = 120_000)]
    startup_ms: u64,

    /// Longest time for an engine to prepare a game (ucinewgame), in milliseconds
    #[arg(long, value_name = "MS", default_value_t = 120_000)]
    ucinewgame_ms: u64,

    /// Longest time for an engine to answer isready, in milliseconds
    #[arg(long, value_name = "MS", default_value_t = 120_000)]
    ping_ms: u64,

    /// Longest time between two lines of a search without a clock, in milliseconds
    #[arg(long, value_name = "MS", default_value_t = 120_000)]
    silence_ms: u64,

    /// Longest time of a search without a clock (by nodes or depth), in milliseconds
    #[arg(long, value_name = "MS", default_value_t = 3_600_000)]
    search_ms: u64,

    /// Do not print a line for each game
    #[arg(long)]
    quiet: bool,
}

#[derive(Clone, Copy, PartialEq, Eq, Default, ValueEnum)]
enum Variant {
    #[default]
    Standard,
    #[value(alias = "chess960")]
    Fischerandom,
}

#[derive(Clone, Copy, Default, ValueEnum)]
enum Crash {
    /// The engine loses the game
    #[default]
    Forfeit,
    /// The match ends
    Stop,
}

/// Rejects engines that are given as bare commands, as in `match a b`; the error explains how to name engines.
pub fn check_named(arguments: &[std::ffi::OsString]) -> Result<(), Failure> {
    let bare = arguments.iter().take_while(|word| !word.to_string_lossy().starts_with('-'));
    let names: Vec<String> = bare.map(|word| word.to_string_lossy().into_owned()).collect();
    let Some(first) = names.first() else { return Ok(()) };
    let second = names.get(1).map_or("OTHER", String::as_str);
    Err(Failure::bad_input(format!(
        "engines are named with --engine and have a limit: --engine cmd={first} --engine cmd={second} --each tc=10+0.1"
    )))
}

impl MatchArgs {
    pub fn run(&self, games: Games, groups: &Groups, out: &mut dyn Write) -> Result<(), Failure> {
        let journal = self.journal_place()?;
        if self.resume.is_some() && self.engines.is_empty() {
            let journal = typed::last_journal(&journal)?;
            let (contest, groups) = typed::kept(games, &journal, &groups.arguments)?;
            return contest.play(games, &groups, JournalPlace::Named(journal), out);
        }
        self.play(games, groups, journal, out)
    }

    fn journal_place(&self) -> Result<JournalPlace, Failure> {
        let named = self.resume.clone().flatten().or_else(|| self.journal.clone()).map(JournalPlace::Named);
        named.or_else(JournalPlace::usual).ok_or_else(|| {
            Failure::bad_input("there is no home folder for the journal; name a journal with --journal FILE")
        })
    }

    fn play(&self, games: Games, groups: &Groups, journal: JournalPlace, out: &mut dyn Write) -> Result<(), Failure> {
        let mut settings = self.settings(games, groups, journal)?;
        if self.resume.is_none() {
            warnings::certain_repeats(&settings).map_or(Ok(()), |why| Err(Failure::bad_input(why)))?;
        }
        settings.identities = Identities::of(&settings, self.machines.is_remote());
        let page = self.web.open()?;
        let player = thread::current();
        let interrupt = Interrupt::then(move || player.unpark());
        settings.stop = interrupt.flag();
        let began = Instant::now();
        let mut view = View::new(out, self.ratinginterval, self.quiet, &settings, page);
        let outcome = self.machines.play(&mut settings, &mut |event, scores| view.see(event, scores));
        let page = view.close();
        let outcomes = outcome.map_err(Failure::bad_input)?;
        view::conclude(out, &settings, (&outcomes, began.elapsed()))?;
        if interrupt.is_pressed() {
            return Err(Failure::no_answer(format!(
                "ended by {} after {}; it goes on with: hasami match --resume {}",
                interrupt.signal(),
                counted(outcomes.scores.games().len(), "game"),
                outcomes.journal.display()
            )));
        }
        Ok(web::stay(page, &interrupt, out)?)
    }

    fn settings(&self, games: Games, groups: &Groups, journal: JournalPlace) -> Result<MatchSettings, Failure> {
        let catalog = place::catalog(games, &self.game)?;
        place::check_castling("--variant fischerandom", self.variant == Variant::Fischerandom, catalog, games)?;
        let engines = self.engines(groups)?;
        Ok(MatchSettings {
            schedule: self.schedule(engines.len()),
            openings: self.opening_file(catalog)?,
            warning_of_openings: None,
            concurrency: usize::from(self.concurrency),
            affinity: self.affinity()?,
            pairs: self.pairs()?,
            sprt: words::sprt(&self.sprt)?,
            adjudication: Adjudication {
                draw: words::draw(&self.draw)?,
                resign: words::resign(&self.resign)?,
                max_plies: self.maxmoves.saturating_mul(catalog.plies_per_move()),
            },
            tables: self.tb.as_ref().map(|text| std::env::split_paths(text).collect()).unwrap_or_default(),
            stops_on_crash: matches!(self.on_crash, Crash::Stop) && !self.recover,
            patience: self.patience(),
            records: self.records(catalog)?,
            json: self.json.clone(),
            svg: self.svg.clone(),
            resume: self.resume.is_some(),
            log: words::file("log", &self.log)?,
            event: self.event.clone(),
            site: self.site.clone(),
            arguments: groups.arguments.clone(),
            identities: Identities::default(),
            rules: self.rules(catalog)?,
            journal,
            stop: Arc::default(),
            catalog,
            engines,
        })
    }

    fn engines(&self, groups: &Groups) -> Result<Vec<EngineSpec>, Failure> {
        let failed = |option: &str, error: SpecError| Failure::at(format!("--{option}"), error);
        let mut each = EngineDraft::default();
        each.read(&self.each).map_err(|error| failed("each", error))?;
        let mut engines = Vec::new();
        for words in &groups.engines {
            let mut draft = each.clone();
            draft.read(words).map_err(|error| failed("engine", error))?;
            engines.push(draft.finish().map_err(|error| failed("engine", error))?);
        }
        // The cluster's servers must be reachable, because every engine that can join the cluster will.
        if let Some(servers) = self.connect.as_deref() {
            cluster::reach(servers)?;
            engines.iter_mut().for_each(|engine| engine.offers.push(("Cluster".to_owned(), servers.to_owned())));
        }
        Ok(engines)
    }

    fn opening_file(&self, game: &dyn Catalog) -> Result<Option<Openings>, Failure> {
        // The built-in openings begin at the usual start position, so they are not used for other variants.
        let is_usual = self.variant != Variant::Fischerandom;
        if self.openings.is_empty() && !is_usual { Ok(None) } else { words::openings(&self.openings, self.seed, game) }
    }

    fn pairs(&self) -> Result<bool, Failure> {
        let wanted = words::pairs(&self.report)?;
        Ok(wanted && !words::is_bayesian(&self.sprt))
    }

    fn patience(&self) -> Patience {
        let millis = Duration::from_millis;
        Patience {
            start: millis(self.startup_ms),
            new_game: millis(self.ucinewgame_ms),
            ping: millis(self.ping_ms),
            silence: millis(self.silence_ms),
            search: millis(self.search_ms),
            stop: Patience::default().stop.min(millis(self.ping_ms)),
        }
    }

    fn records(&self, game: &dyn Catalog) -> Result<Vec<RecordFile>, Failure> {
        let pgn = words::file("pgn", &self.pgn)?;
        // A record format that the game does not support is rejected later, together with other invalid settings.
        let pgn = pgn.map(|path| RecordFile { format: game.format("pgn").unwrap_or(Format::new("pgn")), path });
        let others = self.records.iter().map(|record| RecordFile::named(game, record).map_err(Failure::bad_input));
        pgn.map(Ok).into_iter().chain(others).collect()
    }

    /// Returns the rules that `--rule` and `--variant` select for the match.
    fn rules(&self, game: &dyn Catalog) -> Result<Rules, Failure> {
        let mut settings = hasami_protocol::Settings::default();
        let options = game.options();
        // In shogi, `EnteringKingRule` decides when a player may declare an entering-king win; `--rule` may override
        // this default.
        if options.is_offered("EnteringKingRule") {
            options.apply(&mut settings, "EnteringKingRule", Some("CSARule27")).map_err(Failure::bad_input)?;
        }
        for word in &self.own_rules {
            let wrong = |why: &dyn Display| Failure::at("--rule", why);
            let (name, value) =
                word.split_once('=').ok_or_else(|| wrong(&format!("expected NAME=VALUE, found '{word}'")))?;
            options.apply(&mut settings, name, Some(value)).map_err(|why| wrong(&why))?;
        }
        Ok(Rules { chess960: self.variant == Variant::Fischerandom, ..settings.rules })
    }
}
