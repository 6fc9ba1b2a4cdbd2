//! Describes a match for other machines: engines by name and files by hash, but nothing that exists only on this
//! machine.

use super::host::{FILE, check_name, check_option};
use super::queue::objects::{self, StoredEngine};
use super::remote_match::Machines;
use super::task::{Conditions, EngineName, MatchCard, VERSION};
use crate::cluster::machine;
use hasami_matches::settings::{MatchError, MatchSettings};
use hasami_words::text::{At, redacted};
use std::collections::BTreeSet;
use std::path::Path;

/// An engine's file may be named by a prefix of its hash that has at least this many digits.
const LEAST_HASH: usize = 8;

/// The description ([`MatchCard`]) and the conditions of a match, as other machines receive them.
pub struct MatchPlace {
    pub(super) card: MatchCard,
    pub(super) conditions: Conditions,
}

impl MatchPlace {
    /// Looks up the engines in the object store, and uploads the files that options name.
    pub fn new(settings: &MatchSettings, machines: &Machines) -> Result<Self, MatchError> {
        check_options(settings)?;
        let stored = objects::list(&machines.access)?;
        let names = settings.engines.iter().map(|spec| engine_name(spec.launch.words(), &stored));
        let names: Vec<EngineName> = names.collect::<Result<_, String>>()?;
        let mut conditions = Conditions::of(settings, &names, machines.reference_speed);
        let mut files = BTreeSet::new();
        for (name, value) in conditions.engines.iter_mut().flat_map(|engine| &mut engine.options) {
            if Path::new(value).is_file() {
                let wrong = |why: String| MatchError::from(why.at(format!("option.{name}={value}")));
                let bytes = std::fs::read(&*value).map_err(|error| wrong(error.to_string()))?;
                let sha256 = objects::add_file(&machines.access, &bytes).map_err(wrong)?;
                *value = format!("{FILE}{sha256}");
                files.insert(sha256);
            }
        }
        let title = settings.engines.iter().map(|spec| spec.name.as_str()).collect::<Vec<_>>().join(" vs ");
        let engines: BTreeSet<EngineName> = names.into_iter().collect();
        let card = MatchCard {
            version: VERSION,
            title,
            game: settings.catalog.name().to_owned(),
            weight: machines.weight,
            engines: engines.into_iter().collect(),
            tables: conditions.tables,
            files: files.into_iter().collect(),
            without: machines.without.clone(),
            caller: machine(),
        };
        Ok(Self { card, conditions })
    }
}

/// Fails if machines would refuse the value of an option. File names are accepted, since the files are uploaded.
fn check_options(settings: &MatchSettings) -> Result<(), String> {
    for spec in &settings.engines {
        for (name, value) in &spec.options {
            let is_file = Path::new(value).is_file();
            if let (false, Err(_)) = (is_file, check_option(name, value)) {
                let found = if Path::new(value).is_dir() { "a folder" } else { "no file of this name" };
                let why = format!(
                    "expected a file of this machine, which travels to the others, or a number or a plain word, found {found}"
                );
                return Err(why.at(format!("option.{name}={}", redacted(value))).at(&spec.name));
            }
        }
    }
    Ok(())
}

/// Resolves the command of an engine, which must be a name that the machines know: an engine that their owners allow,
/// or an engine in the object store. `NAME@HASH` requires the engine from the store on every machine.
fn engine_name(words: &[String], stored: &[StoredEngine]) -> Result<EngineName, String> {
    let expected = |found: &str| {
        format!(
            "expected cmd=NAME, an engine that the owners of the machines allow or that 'hasami workers --engines' lists, found '{found}'"
        )
    };
    let [word] = words else { return Err(expected(&words.join(" "))) };
    let (name, hash) = word.split_once('@').map_or((word.as_str(), None), |(name, hash)| (name, Some(hash)));
    check_name(name).map_err(|_| expected(word))?;
    let found = stored.iter().find(|engine| engine.name == name);
    if let Some(hash) = hash {
        let hash = hash.to_ascii_lowercase();
        let is_right = |engine: &&StoredEngine| hash.len() >= LEAST_HASH && engine.sha256.starts_with(&hash);

        let at = format!("cmd={word}");
        let found = found.ok_or_else(|| format!("expected {LEAST_HASH} characters or more of the SHA-256 of an engine that 'hasami workers --engines' lists, found none").at(&at))?;
        let other = || {
            format!(
                "expected {LEAST_HASH} characters or more of the SHA-256 of the engine of this name, {}",
                found.sha256
            )
            .at(&at)
        };
        Some(found).filter(is_right).ok_or_else(other)?;
    }
    let sha256 = found.map(|engine| engine.sha256.clone());
    Ok(EngineName { name: name.to_owned(), sha256, is_exact: hash.is_some() })
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used)]
    use super::*;

    #[test]
    fn engine_names_are_resolved_in_the_store_and_may_require_a_hash() {
        let sha256 = "1a2b3c4d5e6f".repeat(5) + "7788";
        let stored = [StoredEngine { name: "foo".into(), sha256: sha256.clone(), bytes: 1 }];
        let name = |word: &str| engine_name(&[word.to_owned()], &stored);
        let foo = EngineName { name: "foo".into(), sha256: Some(sha256), is_exact: false };
        assert_eq!(name("foo").as_ref(), Ok(&foo));
        let exact = EngineName { is_exact: true, ..foo };
        assert_eq!(name("foo@1a2b3c4d").as_ref(), Ok(&exact));
        assert_eq!(name("foo@1A2B3C4D"), Ok(exact), "hashes may be written in upper case");
        assert_eq!(name("bar").unwrap().sha256, None);
        for (word, found) in [
            ("foo@1a2b", "expected 8 characters or more"),
            ("foo@99999999", "the engine of this name, 1a2b3c"),
            ("bar@1a2b3c4d", "found none"),
            ("/bin/foo", "expected cmd=NAME"),
        ] {
            let error = name(word).unwrap_err();
            assert!(error.contains(found), "{error}");
        }
    }
}
