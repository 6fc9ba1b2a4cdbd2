//! Holds the permissions that a machine's owner grants: engines by name, and options that callers may set.

use super::program_hashes::ProgramHashes;
use super::task::{Conditions, EngineName, EngineOrder, MatchCard, VERSION};
use hasami_catalog::Games;
use hasami_child::Launch;
use hasami_matches::deviations::SetOption;
use hasami_matches::identity::Identities;
use hasami_matches::journal::JournalPlace;
use hasami_matches::machine::MachineStamp;
use hasami_matches::schedule::{Schedule, Tournament};
use hasami_matches::settings::MatchSettings;
use hasami_matches::spec::EngineSpec;
use hasami_words::text::{At, redacted};
use hasami_workers::children::{self, ChildSpec, Children};
use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::sync::atomic::AtomicBool;

/// Prefix of an option value that names a file by its SHA-256.
pub const FILE: &str = "sha256:";

/// Maximum factor by which times are scaled up or down.
const MOST_SCALE: f64 = 10.0;
/// Maximum length of an option value from a caller, in bytes.
const LONGEST_VALUE: usize = 200;

/// An engine that the owner of the machine allows callers to request by name.
#[derive(Clone, PartialEq, Debug)]
pub struct AllowedEngine {
    pub launch: Launch,
    /// The SHA-256 of the engine's program, in hexadecimal, if the program was fetched from the object store.
    sha256: Option<String>,
    /// Options that the owner sets and callers cannot change.
    pub options: Vec<(String, String)>,
}

/// A machine that runs games for others, as its owner has configured it.
pub struct Host {
    pub name: String,
    /// A random number that is drawn when the program starts.
    pub instance: u64,
    pub games: Games,
    pub engines: BTreeMap<String, AllowedEngine>,
    /// Hashes of the engines' programs.
    pub hashes: ProgramHashes,
    /// The folders that contain endgame tables.
    pub tables: Vec<PathBuf>,
    /// How engines from the object store are run; `None` if the owner does not allow them.
    pub fetched: Option<Fetched>,
    /// The folder that holds callers' files, named by their hashes; `None` if the machine fetches no files.
    pub files: Option<PathBuf>,
    /// Speed of one slot, in nodes per second.
    pub speed: u64,
    pub processor: String,
    /// An empty folder in which engines run.
    pub folder: PathBuf,
}

/// How engines from the object store are run.
#[derive(Clone, PartialEq, Debug)]
pub struct Fetched {
    /// The folder that holds the fetched programs, named by their hashes.
    pub folder: PathBuf,
    /// Whether the engines run in a sandbox. Without a sandbox, the engines have the same rights as this program.
    pub is_in_sandbox: bool,
}

impl AllowedEngine {
    /// Returns an engine that the command line `command` starts, without options.
    pub fn of_command(command: &str) -> Result<Self, String> {
        let launch = Launch::parse(command).map_err(|error| error.to_string())?;
        Ok(Self { launch, sha256: None, options: Vec::new() })
    }

    /// Returns this program's own engine.
    pub fn own() -> Option<Self> {
        let path = std::env::current_exe().ok()?.to_str()?.to_owned();
        Some(Self { launch: Launch::from_words(vec![path]).ok()?, sha256: None, options: Vec::new() })
    }
}

/// Reads an engine file, which has the same format as a file for the option Children.
pub fn read_engines(path: &Path) -> Result<BTreeMap<String, AllowedEngine>, String> {
    let wrong = |why: String| why.at(path.display());
    let Children { engines, cluster } = children::read(path)?;
    if cluster.is_some() {
        return Err(wrong("expected [[engine]] tables only, found [cluster]".to_owned()));
    }
    let engine = |ChildSpec { name, launch, options, .. }: ChildSpec| {
        check_name(&name).map_err(wrong)?;
        Ok((name, AllowedEngine { launch, sha256: None, options }))
    };
    engines.into_iter().map(engine).collect()
}

/// Checks that callers can request an engine by `name`.
pub fn check_name(name: &str) -> Result<(), String> {
    let is_word = |c: char| c.is_ascii_alphanumeric() || "-_.+".contains(c);
    let is_right = !name.is_empty() && name.len() <= 64 && name.chars().all(is_word) && !name.starts_with(['-', '.']);
    if is_right {
        return Ok(());
    }
    Err(format!("expected a name of letters, digits and - _ . + for an engine, found '{}'", hasami_words::heard(name)))
}

impl Host {
    /// Returns why this machine does not take part in a match, or `None` if it takes part.
    pub fn objection(&self, card: &MatchCard) -> Option<String> {
        if card.version != VERSION {
            return Some(format!("tasks of version {} (not of version {})", card.version, VERSION));
        }
        if self.games.find(&card.game).is_none() {
            return Some(format!("game {}", card.game));
        }
        if card.tables && self.tables.is_empty() {
            return Some("endgame tables, hasami worker --tb".to_owned());
        }
        if card.without.contains(&self.name) {
            return Some("left out by --without".to_owned());
        }
        if !card.files.is_empty() && self.files.is_none() {
            return Some("files, and fetches none".to_owned());
        }
        let missing = card.engines.iter().find(|engine| self.own(engine).is_none() && !self.fetches(engine))?;
        let name = missing.name.as_str();
        Some(match missing.sha256.as_deref().and_then(|sha256| sha256.get(..12)) {
            Some(sha256) => format!("engine {name} of the server ({sha256}), hasami worker --allow-fetched"),
            None => format!("engine {name}, hasami worker --engine {name}=..."),
        })
    }

    /// The owner's engine with the requested name, if the caller accepts this engine.
    fn own(&self, engine: &EngineName) -> Option<&AllowedEngine> {
        let is_it = |own: &&AllowedEngine| !engine.is_exact || engine.sha256.as_ref() == Some(&self.sha256(own));
        self.engines.get(&engine.name).filter(is_it)
    }

    /// Returns true if this machine would take an engine from the object store, rather than use one of its owner's.
    pub(super) fn fetches(&self, engine: &EngineName) -> bool {
        engine.sha256.is_some() && self.fetched.is_some() && self.own(engine).is_none()
    }

    fn engine_of(&self, engine: &EngineName) -> Option<AllowedEngine> {
        let fetched = || self.fetched.as_ref()?.engine(engine.sha256.as_deref()?, self.files.as_deref());
        self.own(engine).cloned().or_else(fetched)
    }

    /// The hash of the engine's program; empty if the hash is not known.
    fn sha256(&self, engine: &AllowedEngine) -> String {
        engine.sha256.clone().unwrap_or_else(|| self.hashes.of(&engine.launch))
    }

    /// The first 12 digits of the SHA-256 of each engine's program, in the match's order of engines.
    pub fn programs(&self, conditions: &Conditions) -> Vec<String> {
        let hash = |order: &EngineOrder| self.engine_of(&order.engine).map(|engine| self.sha256(&engine));
        let short = |hash: String| hash.get(..12).unwrap_or_default().to_owned();
        conditions.engines.iter().map(|order| hash(order).map(short).unwrap_or_default()).collect()
    }

    /// The options that the owner sets, for each engine of the match, in a form that may be shown to others. Files
    /// appear with their names and abbreviated SHA-256, without their folders.
    pub fn owner_options(&self, conditions: &Conditions) -> Vec<Vec<SetOption>> {
        let options = |order: &EngineOrder| {
            let Some(engine) = self.engine_of(&order.engine) else { return Vec::new() };
            let shown = |(name, value): &SetOption| (name.clone(), self.shown_value(&engine.launch, value));
            engine.options.iter().map(shown).collect()
        };
        conditions.engines.iter().map(options).collect()
    }

    fn shown_value(&self, launch: &Launch, value: &str) -> String {
        let path = launch.folder().map_or_else(|| PathBuf::from(value), |folder| folder.join(value));
        let is_path = value.contains(['/', '\\']) && !value.contains("://");
        let Some(name) = Path::new(value).file_name().filter(|_| is_path || path.is_file()) else {
            return redacted(value).into_owned();
        };
        let name = name.to_string_lossy();
        match self.hashes.of_file(path) {
            Some(hash) => format!("{name}@{}", hash.get(..12).unwrap_or(&hash)),
            None => name.into_owned(),
        }
    }

    /// The factor by which all times are multiplied on this machine.
    pub fn scale(&self, reference: Option<u64>) -> f64 {
        let scale = reference.map_or(1.0, |reference| reference as f64 / self.speed.max(1) as f64);
        scale.clamp(1.0 / MOST_SCALE, MOST_SCALE)
    }

    pub fn stamp(&self) -> MachineStamp {
        MachineStamp {
            name: self.name.clone(),
            instance: self.instance,
            processor: self.processor.clone(),
            version: env!("CARGO_PKG_VERSION").to_owned(),
            speed: self.speed,
            scale: 1.0,
            ..MachineStamp::default()
        }
    }

    /// Returns the settings for playing a match's games, or the reason why this machine cannot play them.
    pub fn settings(&self, conditions: &Conditions, stop: Arc<AtomicBool>) -> Result<MatchSettings, String> {
        let catalog = self.games.find(&conditions.game).ok_or_else(|| no_game(&conditions.game))?;
        let scale = self.scale(conditions.reference_speed);
        let engines: Vec<EngineSpec> =
            conditions.engines.iter().map(|order| self.engine(order, scale)).collect::<Result<_, String>>()?;
        let settings = MatchSettings {
            catalog,
            rules: conditions.rules,
            schedule: Schedule { tournament: Tournament::RoundRobin, engines: engines.len(), ..Schedule::default() },
            engines,
            openings: None,
            warning_of_openings: None,
            concurrency: 1,
            pairs: true,
            sprt: None,
            adjudication: conditions.adjudication,
            tables: if conditions.tables { self.tables.clone() } else { Vec::new() },
            stops_on_crash: false,
            patience: conditions.patience,
            records: Vec::new(),
            json: None,
            svg: None,
            journal: JournalPlace::Named(PathBuf::new()),
            affinity: None,
            stop,
            resume: false,
            log: None,
            event: String::new(),
            site: String::new(),
            arguments: Vec::new(),
            identities: Identities::default(),
        };
        settings.check().map_err(|error| error.to_string())?;
        Ok(settings)
    }

    /// The path of a caller's file that was fetched earlier.
    pub fn file(&self, sha256: &str) -> Result<String, String> {
        let path = self.files.as_ref().filter(|_| is_hash(sha256)).map(|folder| folder.join(sha256));
        let path = path.filter(|path| path.is_file()).and_then(|path| Some(path.to_str()?.to_owned()));
        path.ok_or_else(|| format!("the file {} is not here", hasami_words::heard(sha256)))
    }

    fn engine(&self, order: &EngineOrder, scale: f64) -> Result<EngineSpec, String> {
        let name = &order.engine.name;
        let allowed = self.engine_of(&order.engine).ok_or_else(|| format!("this machine has no engine '{name}'"))?;
        let mut options = Vec::new();
        for (option, value) in &order.options {
            let is_owner_s = allowed.options.iter().any(|(other, _)| other.eq_ignore_ascii_case(option));
            let value = match value.strip_prefix(FILE) {
                Some(sha256) => self.file(sha256)?,
                None => check_option(option, value).map(|()| value.clone()).map_err(|why| why.at(name))?,
            };
            if !is_owner_s {
                options.push((option.clone(), value));
            }
        }
        options.extend(allowed.options);
        Ok(EngineSpec {
            name: order.name.clone(),
            launch: allowed.launch.in_dir_unless_named(&self.folder),
            protocol: order.protocol,
            control: order.control.for_machine(scale),
            ponder: order.ponder,
            options,
            offers: Vec::new(),
            restart: order.restart,
            virtual_clock: false,
        })
    }
}

impl Fetched {
    pub fn path(&self, sha256: &str) -> PathBuf {
        self.folder.join(sha256)
    }

    fn engine(&self, sha256: &str, files: Option<&Path>) -> Option<AllowedEngine> {
        let path = is_hash(sha256).then(|| self.path(sha256))?;
        let words = if self.is_in_sandbox { sandboxed(&path, files) } else { vec![path.to_str()?.to_owned()] };
        Some(AllowedEngine {
            launch: Launch::from_words(words).ok()?,
            sha256: Some(sha256.to_owned()),
            options: Vec::new(),
        })
    }
}

/// The error when a caller requests a game that this program does not play.
pub(super) fn no_game(found: &str) -> String {
    format!("this program does not play '{found}'")
}

pub fn is_hash(text: &str) -> bool {
    text.len() == 64 && text.chars().all(|c| c.is_ascii_digit() || ('a'..='f').contains(&c))
}

/// Returns the command line of a sandbox without network access. The engine sees only the system's libraries, its own
/// file and the files of callers, all read-only, and no other processes.
fn sandboxed(path: &Path, files: Option<&Path>) -> Vec<String> {
    const SANDBOX: &str = "bwrap --unshare-all --die-with-parent --new-session --clearenv --ro-bind /usr /usr \
                           --ro-bind-try /lib /lib --ro-bind-try /lib64 /lib64 --ro-bind-try /etc/ld.so.cache \
                           /etc/ld.so.cache --proc /proc --dev /dev --tmpfs /tmp --chdir /tmp";
    let words = SANDBOX.split_whitespace().map(str::to_owned);
    let files = files.map(|folder| folder.display().to_string());
    let files = files.into_iter().flat_map(|folder| ["--ro-bind-try".to_owned(), folder.clone(), folder]);
    let engine = ["--ro-bind".to_owned(), path.display().to_string(), "/engine".to_owned(), "/engine".to_owned()];
    words.chain(files).chain(engine).collect()
}

/// Checks an option that a caller sets. Callers may set an option to a number, an on/off value or a plain word. Only
/// the owner may set an option to a text that could name a file or a server.
pub(super) fn check_option(name: &str, value: &str) -> Result<(), String> {
    let is_plain = |text: &str| text.len() <= LONGEST_VALUE && !text.chars().any(char::is_control);
    let is_number = value.parse::<f64>().is_ok();
    let is_place = value.contains(['/', '\\', ':', '~', '$', '%']) || value.contains('.');
    if !is_plain(name) || !is_plain(value) || (is_place && !is_number) {
        let value = hasami_words::heard(value);
        return Err(format!(
            "expected a number or a plain word for option {}, found '{value}'",
            hasami_words::heard(name)
        ));
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used)]
    use super::*;

    #[test]
    fn options_that_name_files_are_reserved_for_the_owner() {
        for (value, is_right) in [
            ("16", true),
            ("-0.25", true),
            ("true", true),
            ("Slow Mover", true),
            ("", true),
            ("/etc/passwd", false),
            ("net.nnue", false),
            ("nats://host", false),
            ("C:\\x", false),
            ("a\nquit", false),
        ] {
            assert_eq!(check_option("Debug Log File", value).is_ok(), is_right, "{value}");
        }
    }

    #[test]
    fn engines_of_a_file_have_names_and_commands() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("engines.toml");
        std::fs::write(
            &path,
            "[[engine]]\nname = 'stockfish'\ncommand = '/usr/games/stockfish'\noptions = { Hash = 16 }\n\
             [[engine]]\nname = 'new-1.2'\ncommand = ['./new', 'x y']\n",
        )
        .unwrap();
        let engines = read_engines(&path).unwrap();
        assert_eq!(engines["stockfish"].options, [("Hash".to_owned(), "16".to_owned())]);
        assert_eq!(engines["new-1.2"].launch.words().len(), 2);
        for (text, word) in [
            ("[[engine]]\nname = 'a'\n", "command"),
            ("[[engine]]\nname = 'a b'\ncommand = 'x'\n", "found 'a b'"),
            ("[[engine]]\ncommand = 'x'\n[cluster]\n", "found [cluster]"),
            ("[a\n", "engines.toml:1: "),
        ] {
            std::fs::write(&path, text).unwrap();
            let error = read_engines(&path).unwrap_err();
            assert!(error.contains(word), "{error}");
        }
    }
}
