//! `hasami worker --games N`: plays whole games on this machine for other users.

use super::{Lender, tell};
use crate::cli::interrupt::Interrupt;
use hasami_catalog::Games;
use hasami_terminal::Failure;

use clap::ValueEnum;
use hasami_remote::cluster::{machine, network_store};
use hasami_remote::games::host::{AllowedEngine, Fetched, Host, check_name, read_engines};
use hasami_remote::games::load;
use hasami_remote::games::program_hashes::ProgramHashes;
use hasami_remote::games::queue::lending::{ending, lend};
use hasami_words::text::counted;
use hasami_workers::children::ChildSpec;
use hasami_workers::trial;
use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::sync::Arc;
use std::time::Duration;

/// The name of this program's own engine.
const OWN: &str = "hasami";

/// The options for lending whole games.
#[derive(clap::Args)]
pub struct GamesLoan {
    /// Play N games at a time for matches of other users, instead of lending engines to their searches
    /// (docs/guide/games.md)
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u16).range(1..=1024))]
    games: Option<u16>,

    /// An engine that other users may run on this machine, as NAME=CMD (may be repeated); `hasami` is this program
    #[arg(long, value_name = "NAME=CMD", requires = "games")]
    engine: Vec<String>,

    /// TOML file of such engines, as for --children: name = "...", command = "..." and options = { ... }
    #[arg(long, value_name = "FILE", requires = "games")]
    engines: Option<PathBuf>,

    /// Folders of Syzygy tables, for matches that use them for adjudication
    #[arg(long, value_name = "FOLDERS", requires = "games")]
    tb: Option<std::ffi::OsString>,

    /// Fetch engines that the owner of the server has uploaded (`hasami workers --add-engine`), and run them in a sandbox
    #[arg(long, value_name = "HOW", requires = "games", num_args = 0..=1, default_missing_value = "sandbox", require_equals = true)]
    allow_fetched: Option<Sandbox>,

    /// Nodes per second of this machine, for scaled clocks [default: measured at the start]
    #[arg(long, value_name = "NODES", requires = "games", value_parser = clap::value_parser!(u64).range(1..))]
    speed: Option<u64>,
}

#[derive(Clone, Copy, PartialEq, Eq, ValueEnum)]
enum Sandbox {
    /// Run engines in bubblewrap, without network and with no files but the system's libraries
    Sandbox,
    /// Run engines without a sandbox, like any other program of this user
    Plain,
}

impl GamesLoan {
    pub const fn is_wanted(&self) -> bool {
        self.games.is_some()
    }

    fn allowed(&self) -> Result<BTreeMap<String, AllowedEngine>, Failure> {
        let wrong = |why: String| Failure::at("--engine", why);
        let mut engines = match &self.engines {
            None => BTreeMap::new(),
            Some(path) => read_engines(path).map_err(|why| Failure::at("--engines", why))?,
        };
        for word in &self.engine {
            let expected = || wrong(format!("expected NAME=CMD, found '{word}'"));
            let (name, command) = word.split_once('=').ok_or_else(expected)?;
            check_name(name).map_err(wrong)?;
            // In a match, `option.` words set options; here, they would be passed to the engine's program.
            if let Some(option) = command.split_whitespace().find(|word| word.starts_with("option.")) {
                return Err(wrong(format!(
                    "'{option}' is not allowed in a command; set options in a file (--engines FILE: options = {{ NAME = VALUE }})"
                )));
            }
            engines.insert(name.to_owned(), AllowedEngine::of_command(command).map_err(wrong)?);
        }
        Ok(engines)
    }

    /// Starts every engine once, so that errors are found before a match. An engine must start in at least one game.
    fn tried(&self, games: Games, folder: &Path) -> Result<BTreeMap<String, AllowedEngine>, Failure> {
        let mut engines = self.allowed()?;
        for (name, engine) in &engines {
            let launch = engine.launch.clone().in_dir_unless_named(folder);
            let child =
                ChildSpec { options: engine.options.clone(), ..ChildSpec::new(format!("engine {name}"), launch) };
            let mut tries = games.iter().map(|game| trial::start_once(&child, game.played()));
            let first = tries.next().unwrap_or(Ok(Duration::ZERO));
            first.or_else(|why| tries.find_map(Result::ok).ok_or(why)).map_err(Failure::bad_input)?;
        }
        if let Some(own) = AllowedEngine::own() {
            engines.entry(OWN.to_owned()).or_insert(own);
        }
        Ok(engines)
    }

    /// Returns the folders of endgame tables, or an error if no game can use endgame tables.
    fn tables(&self, games: Games) -> Result<Vec<PathBuf>, Failure> {
        let Some(text) = &self.tb else { return Ok(Vec::new()) };
        let folders: Vec<PathBuf> = std::env::split_paths(text).collect();
        let opened: Vec<_> = games.iter().map(|game| game.oracle(&folders)).collect();
        let can_use = opened.iter().any(Result::is_ok);
        match opened.into_iter().find_map(Result::err).filter(|_| !can_use) {
            Some(why) => Err(Failure::at("--tb", why)),
            None => Ok(folders),
        }
    }

    fn fetched(&self, cache: Option<&PathBuf>) -> Result<Option<Fetched>, Failure> {
        let Some(sandbox) = self.allow_fetched else { return Ok(None) };
        let refused = |why: &str| Failure::at("--allow-fetched", why);
        let folder = cache.ok_or_else(|| refused("this user has no cache folder (HOME)"))?.join("engines");
        let is_in_sandbox = sandbox == Sandbox::Sandbox;
        if is_in_sandbox && !has_bubblewrap() {
            return Err(refused(
                "bubblewrap (bwrap) is missing or may not make a sandbox; --allow-fetched=plain does without",
            ));
        }
        Ok(Some(Fetched { folder, is_in_sandbox }))
    }
}

/// Returns whether bubblewrap is installed and this user may use it.
fn has_bubblewrap() -> bool {
    let tried = Command::new("bwrap")
        .args(["--unshare-all", "--ro-bind", "/", "/", "--proc", "/proc", "--dev", "/dev", "true"])
        .stdin(Stdio::null())
        .stdout(Stdio::null())
        .stderr(Stdio::null())
        .status();
    tried.is_ok_and(|status| status.success())
}

impl Lender {
    /// Plays games for other machines until Ctrl-C or SIGTERM.
    pub(super) fn lend_games(&self, games: Games) -> Result<(), Failure> {
        let access = self.connection.access()?;
        let count = usize::from(self.loan.games.unwrap_or(1));
        let folder = tempfile::Builder::new().prefix("hasami-games-").tempdir()?;
        let host = Arc::new(self.host(games, count, folder.path())?);
        let names: Vec<&str> = host.engines.keys().map(String::as_str).collect();
        let (name, games_at_once) = (&host.name, counted(count, "game"));
        tell(&format!("{name}: {games_at_once} at a time for {access} with {}", names.join(", ")));
        tell(&format!("{name}: {}, {} nodes/s per game", host.processor, host.speed));
        let (end, ended) = ending();
        let _interrupt = Interrupt::then(end);
        lend(&access, Arc::clone(&host), (count, self.login_patience), ended, &tell).map_err(super::failure)
    }

    fn host(&self, games: Games, count: usize, folder: &Path) -> Result<Host, Failure> {
        let cache = self.networks.clone().or_else(network_store::usual_folder);
        let cache = cache.and_then(|networks| Some(networks.parent()?.to_owned()));
        let tables = self.loan.tables(games)?;
        let engines = self.loan.tried(games, folder)?;
        let speed = self.loan.speed.unwrap_or_else(|| load::speed(games.first(), count));
        Ok(Host {
            name: self.name.clone().unwrap_or_else(machine),
            instance: rand::random(),
            games,
            engines,
            hashes: ProgramHashes::default(),
            tables,
            fetched: self.loan.fetched(cache.as_ref())?,
            files: cache.filter(|_| !self.no_fetch).map(|cache| cache.join("files")),
            speed,
            processor: load::processor(),
            folder: folder.to_owned(),
        })
    }
}
