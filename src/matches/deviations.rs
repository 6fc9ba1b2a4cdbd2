//! Differences between the requested and the actual options of an engine: options set by the owner of a machine,
//! options set by this program, and options that could not be set.

use hasami_protocol::client::Settled;
use serde::{Deserialize, Serialize};
use std::fmt;

/// The name of an option and its value.
pub type SetOption = (String, String);

/// The deviations of one engine on one machine.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Debug, Default, Serialize, Deserialize)]
pub struct Deviations {
    /// Options that the machine's owner sets, which override those of the match.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub owner: Vec<SetOption>,
    /// Options that this program adds because the match leaves little time per move.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub besides: Vec<SetOption>,
    /// Names of options that the engine does not have.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub unset: Vec<String>,
    /// Names of options whose values are outside the range that the engine declares.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub beyond: Vec<String>,
}

impl Deviations {
    pub fn of(settled: &Settled) -> Self {
        let Settled { unset, beyond, besides } = settled.clone();
        Self { owner: Vec::new(), besides, unset, beyond }
    }

    /// Adds the options that the machine's owner sets differently from the match.
    #[must_use]
    pub fn with_owner(self, options: &[SetOption], asked: &[SetOption]) -> Self {
        let is_asked = |(name, value): &&SetOption| {
            asked.iter().any(|(other, wanted)| other.eq_ignore_ascii_case(name) && wanted == value)
        };
        Self { owner: options.iter().filter(|option| !is_asked(option)).cloned().collect(), ..self }
    }

    pub fn is_empty(&self) -> bool {
        self == &Self::default()
    }
}

/// Formats deviations as in `options of its owner: Hash=16, not set: Bogus`.
impl fmt::Display for Deviations {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let set = |options: &[SetOption]| {
            options.iter().map(|(name, value)| format!("{name}={value}")).collect::<Vec<_>>().join(" ")
        };
        let parts = [
            ("options of its owner", set(&self.owner)),
            ("options of this program", set(&self.besides)),
            ("not set", self.unset.join(" ")),
            ("beyond what the engine declares", self.beyond.join(" ")),
        ];
        let parts = parts.iter().filter(|(_, options)| !options.is_empty());
        f.write_str(&parts.map(|(what, options)| format!("{what}: {options}")).collect::<Vec<_>>().join(", "))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn options(text: &str) -> Vec<SetOption> {
        let pairs = text.split_whitespace().filter_map(|word| word.split_once('='));
        pairs.map(|(name, value)| (name.to_owned(), value.to_owned())).collect()
    }

    #[test]
    fn options_of_the_owner_and_options_that_are_not_set_are_named() {
        let settled = Settled {
            unset: vec!["Bogus".to_owned(), "Other".to_owned()],
            beyond: vec!["Style".to_owned()],
            besides: options("NetworkDelay=20"),
        };
        let asked = options("Hash=64 Threads=1 Bogus=3 Style=9");
        let found = Deviations::of(&settled).with_owner(&options("hash=16 Threads=1 Other=x"), &asked);
        assert_eq!(found.owner, options("hash=16 Other=x"), "a value equal to the requested one is no deviation");
        let text = "options of its owner: hash=16 Other=x, options of this program: NetworkDelay=20, \
                    not set: Bogus Other, beyond what the engine declares: Style";
        assert_eq!(found.to_string(), text);
        assert_eq!(Deviations::default().to_string(), "");
    }
}
