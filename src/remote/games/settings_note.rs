//! How an engine was set on a machine, as a note of its answer: `settings of engine 1: 'owner.Hash=16' 'unset=Bogus'`,
//! in words that are quoted as for a shell. Callers of earlier versions show it like any other note.

use hasami_matches::deviations::{Deviations, SetOption};
use std::fmt;
use std::str::FromStr;

const BEGINNING: &str = "settings of engine ";

/// The settings of one engine.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct SettingsNote {
    /// The index of the engine in the match.
    pub engine: usize,
    pub found: Deviations,
}

impl fmt::Display for SettingsNote {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Deviations { owner, besides, unset, beyond } = &self.found;
        let set = |key: &str, options: &[SetOption]| {
            options.iter().map(|(name, value)| format!("{key}.{}={value}", escaped(name))).collect::<Vec<_>>()
        };
        let left = |key: &str, names: &[String]| names.iter().map(|name| format!("{key}={name}")).collect();
        let words = [set("owner", owner), set("besides", besides), left("unset", unset), left("beyond", beyond)];
        // A word that a shell cannot represent is left out.
        let words = words.concat().into_iter().filter_map(|word| Some(shlex::try_quote(&word).ok()?.into_owned()));
        write!(f, "{BEGINNING}{}: {}", self.engine + 1, words.collect::<Vec<_>>().join(" "))
    }
}

/// The name of an option ends at the first `=`.
fn escaped(name: &str) -> String {
    name.replace('=', "_")
}

/// Fails for any other note.
impl FromStr for SettingsNote {
    type Err = ();

    fn from_str(text: &str) -> Result<Self, ()> {
        let (number, words) = text.strip_prefix(BEGINNING).and_then(|rest| rest.split_once(": ")).ok_or(())?;
        let engine = number.parse::<usize>().ok().and_then(|number| number.checked_sub(1)).ok_or(())?;
        let mut found = Deviations::default();
        for word in shlex::split(words).ok_or(())? {
            let (key, value) = word.split_once('=').ok_or(())?;
            match key.split_once('.') {
                Some(("owner", name)) => found.owner.push((name.to_owned(), value.to_owned())),
                Some(("besides", name)) => found.besides.push((name.to_owned(), value.to_owned())),
                None if key == "unset" => found.unset.push(value.to_owned()),
                None if key == "beyond" => found.beyond.push(value.to_owned()),
                // A key of a later version.
                _ => {}
            }
        }
        Ok(Self { engine, found })
    }
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used)]
    use super::*;
    use proptest::prelude::*;

    fn note(owner: &[(&str, &str)], unset: &[&str]) -> SettingsNote {
        let owner = owner.iter().map(|(name, value)| ((*name).to_owned(), (*value).to_owned())).collect();
        let unset = unset.iter().map(|&name| name.to_owned()).collect();
        SettingsNote { engine: 0, found: Deviations { owner, unset, ..Deviations::default() } }
    }

    #[test]
    fn the_note_is_readable_and_other_notes_are_rejected() {
        let note = note(&[("Move Overhead", "20"), ("Hash", "16")], &["Bogus"]);
        assert_eq!(note.to_string(), "settings of engine 1: 'owner.Move Overhead=20' 'owner.Hash=16' 'unset=Bogus'");
        for other in ["A has little time for a move", "settings of engine 0: ", "settings of engine 1", ""] {
            assert!(other.parse::<SettingsNote>().is_err(), "{other}");
        }
        assert_eq!("settings of engine 3: later.x=1 news=y".parse::<SettingsNote>().unwrap().engine, 2);
    }

    proptest! {
        #[test]
        fn printed_notes_parse_to_the_same_value(name in "[^=\0]{1,9}", value in "[^\0]{0,9}", unset in "[^\0]{1,9}") {
            let note = note(&[(&name, &value)], &[&unset]);
            prop_assert_eq!(note.to_string().parse::<SettingsNote>(), Ok(note));
        }
    }
}
