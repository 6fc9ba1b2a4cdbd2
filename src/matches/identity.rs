//! Identifies the engines and files of a match: the names that engines report, the options that were actually set, and
//! the SHA-256 of each file. If a match continues with other engines or files, both the old and the new identities are
//! kept.

use super::deviations::Deviations;
use super::machine::MachineStamp;
use super::settings::MatchSettings;
use super::spec::EngineSpec;
use hasami_words::files;
use serde::{Deserialize, Serialize};
use std::collections::BTreeMap;
use std::path::{Path, PathBuf};

/// Number of hexadecimal digits in a shortened hash, as output and machines' reports contain it.
const DIGITS: usize = 12;

/// The identities of a match. Except for `engines`, every list, also in [`EngineIdentity`], holds each value once,
/// sorted by first appearance.
#[derive(Clone, PartialEq, Eq, Debug, Default, Serialize, Deserialize)]
pub struct Identities {
    /// Versions of this program.
    #[serde(default)]
    versions: Vec<String>,
    /// The identities of the engines, in the match's engine order.
    #[serde(default)]
    engines: Vec<EngineIdentity>,
    /// Hashes of the openings file: several if the file changed during the match.
    #[serde(default)]
    openings: Vec<String>,
}

/// The names, files and deviations that identify an engine.
#[derive(Clone, PartialEq, Eq, Debug, Default, Serialize, Deserialize)]
pub struct EngineIdentity {
    /// The names that the engine reported, with its version.
    #[serde(default)]
    names: Vec<String>,
    /// A label and a hash for the engine's program, for each of its scripts, and for each file that its options name.
    #[serde(default)]
    files: Vec<(String, String)>,
    /// Deviations from the options of the match, by machine name (empty for this machine).
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    deviations: Vec<(String, Deviations)>,
}

impl Identities {
    /// Collects the identities of a match's engines and files. If `is_remote` is set, other machines run the engines.
    pub fn of(settings: &MatchSettings, is_remote: bool) -> Self {
        let mut known = KnownHashes::default();
        let openings = settings.openings.as_ref().and_then(|openings| known.of(openings.file.clone()));
        let engine = |spec: &EngineSpec| EngineIdentity {
            files: files(spec, is_remote, &mut known),
            ..EngineIdentity::default()
        };
        Self {
            versions: vec![env!("CARGO_PKG_VERSION").to_owned()],
            engines: settings.engines.iter().map(engine).collect(),
            openings: openings.into_iter().collect(),
        }
    }

    pub fn is_empty(&self) -> bool {
        self == &Self::default()
    }

    /// Adds new entries, and returns whether at least one was added.
    pub fn absorb(&mut self, other: Self) -> bool {
        self.engines.resize_with(self.engines.len().max(other.engines.len()), EngineIdentity::default);
        let mut is_new = add_new(&mut self.versions, other.versions);
        is_new |= add_new(&mut self.openings, other.openings);
        for (mine, theirs) in self.engines.iter_mut().zip(other.engines) {
            is_new |= add_new(&mut mine.names, theirs.names);
            is_new |= add_new(&mut mine.files, theirs.files);
            is_new |= add_new(&mut mine.deviations, theirs.deviations);
        }
        is_new
    }

    /// Creates the identity of an engine that reported the name `own_name`.
    pub fn with_name(engine: usize, own_name: &str) -> Self {
        Self::with_engine(engine, EngineIdentity { names: vec![own_name.to_owned()], ..EngineIdentity::default() })
    }

    /// Creates the identity of an engine with its deviations on `machine` (empty for this machine).
    pub fn with_deviations(engine: usize, machine: &str, found: Deviations) -> Self {
        let deviations = vec![(machine.to_owned(), found)];
        Self::with_engine(engine, EngineIdentity { deviations, ..EngineIdentity::default() })
    }

    /// Returns the deviations of an engine on a machine, in order of discovery.
    pub fn deviations<'a>(&'a self, engine: usize, machine: &'a str) -> impl Iterator<Item = &'a Deviations> {
        let all = self.engines.get(engine).into_iter().flat_map(|engine| &engine.deviations);
        all.filter(move |(name, _)| name == machine).map(|(_, found)| found)
    }

    /// Converts what a machine reports about its engines to identities. `word` returns the command of an engine, or
    /// `None` if the engine does not exist.
    pub fn of_machine<'a>(machine: &MachineStamp, word: impl Fn(usize) -> Option<&'a str>) -> Self {
        let text_of = |texts: &[String], engine: usize| texts.get(engine).filter(|text| !text.is_empty()).cloned();
        let identity = |(engine, word): (usize, &str)| EngineIdentity {
            names: Vec::from_iter(text_of(&machine.engines, engine)),
            files: Vec::from_iter(
                text_of(&machine.programs, engine)
                    .map(|hash| (word.split('@').next().unwrap_or(word).to_owned(), hash)),
            ),
            ..EngineIdentity::default()
        };
        let engines = (0..).map_while(|engine| Some((engine, word(engine)?))).map(identity);
        Self { engines: engines.collect(), ..Self::default() }
    }

    fn with_engine(engine: usize, found: EngineIdentity) -> Self {
        let mut engines = vec![EngineIdentity::default(); engine];
        engines.push(found);
        Self { engines, ..Self::default() }
    }

    /// Formats an identity as in `Hasami 0.1.0, hasami 0123456789ab, EvalFile fedcba987654`; empty if nothing is known.
    pub fn engine(&self, engine: usize) -> String {
        let Some(found) = self.engines.get(engine) else { return String::new() };
        let names = (!found.names.is_empty()).then(|| found.names.join(" or "));
        let files = found.files.iter().map(|(word, hash)| format!("{word} {}", short(hash)));
        names.into_iter().chain(files).collect::<Vec<_>>().join(", ")
    }

    /// Returns the hash of the openings file; empty if unknown.
    pub fn openings(&self) -> String {
        self.openings.iter().map(|hash| short(hash)).collect::<Vec<_>>().join(" or ")
    }

    /// Returns the versions of this program; empty if unknown.
    pub fn versions(&self) -> String {
        self.versions.join(", ")
    }
}

/// Appends the entries that are not in the list yet, and returns whether at least one was appended.
fn add_new<T: PartialEq>(list: &mut Vec<T>, entries: Vec<T>) -> bool {
    let before = list.len();
    for entry in entries {
        if !list.contains(&entry) {
            list.push(entry);
        }
    }
    list.len() > before
}

fn short(hash: &str) -> &str {
    hash.get(..DIGITS).unwrap_or(hash)
}

/// Returns the files of an engine. Unreadable files are omitted, because the engine itself will report them.
fn files(spec: &EngineSpec, is_remote: bool, known: &mut KnownHashes) -> Vec<(String, String)> {
    let folder = spec.launch.folder();
    let beside = |name: &str| folder.map_or_else(|| PathBuf::from(name), |folder| folder.join(name));
    let mut found = Vec::new();
    let mut add = |word: &str, path: Option<PathBuf>| {
        if let Some(hash) = path.and_then(|path| known.of(path)) {
            found.push((word.to_owned(), hash));
        }
    };
    let words = if is_remote { &[][..] } else { spec.launch.words() };
    for (index, word) in words.iter().enumerate() {
        let shown = Path::new(word).file_name().map_or_else(|| word.into(), |name| name.to_string_lossy());
        add(&shown, if index == 0 { spec.launch.program_file() } else { Some(beside(word)) });
    }
    for (name, value) in &spec.options {
        add(name, Some(if is_remote { PathBuf::from(value) } else { beside(value) }));
    }
    found
}

/// Caches hashes, because engines often share a program or a network, which may be large.
#[derive(Default)]
struct KnownHashes(BTreeMap<PathBuf, Option<String>>);

impl KnownHashes {
    fn of(&mut self, path: PathBuf) -> Option<String> {
        if let Some(known) = self.0.get(&path) {
            return known.clone();
        }
        let found = files::sha256(&path).ok();
        self.0.insert(path, found.clone());
        found
    }
}

#[cfg(test)]
#[allow(clippy::unwrap_used)]
mod tests {
    use super::*;

    #[test]
    fn new_entries_are_kept_once() {
        let mut known = Identities::with_name(1, "Engine 1");
        let files = vec![("net".to_owned(), "0123456789abcdef0123".to_owned())];
        let net = EngineIdentity { files, ..EngineIdentity::default() };
        assert!(known.absorb(Identities::with_engine(1, net)));
        assert!(!known.absorb(Identities::with_name(1, "Engine 1")));
        assert!(known.absorb(Identities::with_name(1, "Engine 2")) && !known.is_empty());
        assert_eq!(known.engine(1), "Engine 1 or Engine 2, net 0123456789ab");
        assert_eq!((known.engine(0), known.engine(7), known.openings()), Default::default());
    }
}
