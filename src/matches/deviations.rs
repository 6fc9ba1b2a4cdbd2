//! Differences between the options of an engine and those that the match asks for: options set by the owner of a
//! machine, options set by this program, and options that could not be set.

use hasami_protocol::client::Settled;
use serde::{Deserialize, Serialize};

/// An option and its value.
pub type SetOption = (String, String);

/// The deviations of one engine on one machine.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Debug, Default, Serialize, Deserialize)]
pub struct Deviations {
    /// Options that the owner of the machine sets, overriding the match.
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

/// All options of an engine, grouped by whether they could be set.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Debug, Default)]
pub struct OptionsPlayed {
    pub set: Vec<SetOption>,
    pub unset: Vec<SetOption>,
    pub beyond: Vec<SetOption>,
}

impl Deviations {
    /// The deviations of an engine on this machine.
    pub fn of(settled: &Settled) -> Self {
        let Settled { unset, beyond, besides } = settled.clone();
        Self { owner: Vec::new(), besides, unset, beyond }
    }

    /// Adds the options of the machine's owner, except those that the match sets to the same values.
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

    /// Applies the deviations to the options that the match asks for.
    pub fn applied(&self, asked: &[SetOption]) -> OptionsPlayed {
        let mut all: Vec<SetOption> = Vec::new();
        for option in asked.iter().chain(&self.owner).chain(&self.besides) {
            match all.iter_mut().find(|(name, _)| name.eq_ignore_ascii_case(&option.0)) {
                Some(other) => other.1.clone_from(&option.1),
                None => all.push(option.clone()),
            }
        }
        let is_in = |list: &[String], (name, _): &SetOption| list.iter().any(|other| other.eq_ignore_ascii_case(name));
        let (unset, all): (Vec<_>, Vec<_>) = all.into_iter().partition(|option| is_in(&self.unset, option));
        let (beyond, set) = all.into_iter().partition(|option| is_in(&self.beyond, option));
        OptionsPlayed { set, unset, beyond }
    }
}

impl OptionsPlayed {
    /// The options that all elements have in common.
    pub fn common(all: &[Self]) -> Self {
        let shared = |part: fn(&Self) -> &Vec<SetOption>| {
            let is_everywhere = |option: &&SetOption| all.iter().all(|other| part(other).contains(option));
            all.first().into_iter().flat_map(part).filter(is_everywhere).cloned().collect()
        };
        Self { set: shared(|one| &one.set), unset: shared(|one| &one.unset), beyond: shared(|one| &one.beyond) }
    }

    /// The options that are not in `other`.
    #[must_use]
    pub fn without(&self, other: &Self) -> Self {
        let left = |mine: &[SetOption], theirs: &[SetOption]| {
            mine.iter().filter(|option| !theirs.contains(option)).cloned().collect()
        };
        Self {
            set: left(&self.set, &other.set),
            unset: left(&self.unset, &other.unset),
            beyond: left(&self.beyond, &other.beyond),
        }
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
    fn owner_options_win_and_missing_options_are_not_set() {
        let asked = options("Hash=64 Threads=1 Bogus=3 Style=9");
        let settled = Settled {
            unset: vec!["Bogus".to_owned(), "Other".to_owned()],
            beyond: vec!["Style".to_owned()],
            besides: options("NetworkDelay=20"),
        };
        let found = Deviations::of(&settled).with_owner(&options("hash=16 Threads=1 Other=x"), &asked);
        assert_eq!(found.owner, options("hash=16 Other=x"), "a value equal to the requested one is no deviation");
        let played = found.applied(&asked);
        assert_eq!(played.set, options("Hash=16 Threads=1 NetworkDelay=20"));
        assert_eq!((played.unset, played.beyond), (options("Bogus=3 Other=x"), options("Style=9")));
        assert_eq!(Deviations::default().applied(&asked).set, asked);
    }

    #[test]
    fn options_common_to_all_machines_are_listed_once() {
        let asked = options("Hash=64 Bogus=3");
        let unset = Deviations { unset: vec!["Bogus".to_owned()], ..Deviations::default() };
        let owned = Deviations { owner: options("Hash=16"), ..unset.clone() };
        let all = [unset.applied(&asked), owned.applied(&asked)];
        let common = OptionsPlayed::common(&all);
        assert_eq!((&common.set, &common.unset), (&Vec::new(), &options("Bogus=3")));
        assert_eq!(all.each_ref().map(|one| one.without(&common).set), [options("Hash=64"), options("Hash=16")]);
        assert_eq!(OptionsPlayed::common(&[]), OptionsPlayed::default());
    }
}
