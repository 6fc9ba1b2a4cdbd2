//! Switches and strengths of the rules, which let experiments compare the model with and without a rule.

use super::{expansion_delay, mate_probes};

/// The rules of a model. A number is the strength of its rule, and 0 turns the rule off.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct TreeRules {
    /// Hash affinity: when a node's best move gets its own node, the worker follows the move there, and another worker
    /// takes the remaining moves. The worker needs only a third of the nodes to search its best move, because its table
    /// contains the lines below that move.
    pub affinity: bool,
    /// [`super::anticipation`]
    pub anticipation: bool,
    /// [`super::pv_inference`]
    pub pv_inference: bool,
    /// Share of one processor for the solver ([`mate_probes`]).
    pub mate_probes: f64,
    /// Limit, in KiB, of the table entries that a worker may send to its group per task ([`super::groups`]); 0 for no
    /// limit.
    pub shared_entries: u32,
    /// Share of the search time that is spent on a node before it is expanded ([`expansion_delay`]).
    pub expansion_delay: f64,
    /// [`super::speed`]
    pub speed: bool,
    /// [`super::groups`]
    pub groups: bool,
}

/// The error for a word in the option `TreeRules` that names no rule, or gives a value that the rule does not accept.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
#[error("TreeRules: expected {expected}, found '{found}'")]
pub struct UnknownRule {
    pub expected: String,
    pub found: String,
}

impl TreeRules {
    /// P-GPP as published. The speed rule is on, because it has no effect if all workers are equally fast.
    pub const PAPER: Self = Self {
        affinity: false,
        anticipation: false,
        pv_inference: false,
        mate_probes: 0.0,
        shared_entries: 0,
        expansion_delay: 0.0,
        speed: true,
        groups: false,
    };

    /// The default: rules that have each proved useful in the virtual cluster (scripts/experiments), and rules for
    /// kinds of workers that the virtual cluster does not have.
    pub const DEFAULT: Self = Self {
        affinity: true,
        anticipation: true,
        pv_inference: true,
        mate_probes: mate_probes::SHARE,
        expansion_delay: expansion_delay::SHARE,
        groups: true,
        ..Self::PAPER
    };

    /// All rules that can be combined in a growing tree. Groups are off, because they keep the tree small.
    pub const ALL: Self = Self { groups: false, ..Self::DEFAULT };

    /// Parses a list such as `anticipation=off,mate-probes=0.5`. Each word changes one rule of [`Self::DEFAULT`], and
    /// `all=off` stands for [`Self::PAPER`].
    pub fn parse(text: &str) -> Result<Self, UnknownRule> {
        let mut rules = Self::DEFAULT;
        for word in text.split([',', ' ']).filter(|word| !word.is_empty()) {
            rules.set(word).map_err(|expected| UnknownRule { expected, found: word.to_owned() })?;
        }
        Ok(rules)
    }

    /// Applies one word of the option `TreeRules`. On failure, returns a description of the valid words.
    fn set(&mut self, word: &str) -> Result<(), String> {
        let example = "a rule with its value, such as affinity=off or mate-probes=0.5";
        let (name, value) = word.split_once('=').ok_or(example)?;
        let switch = || format!("{name}=on or {name}=off");
        if let Some(flag) = self.switch(name) {
            *flag = on(value).ok_or_else(switch)?;
        } else if let Some((strength, full)) = self.strength(name) {
            *strength = match on(value) {
                Some(true) => full,
                Some(false) => 0.0,
                None => share(value).ok_or_else(|| format!("{name}=on, {name}=off or a number from 0 to 1"))?,
            };
        } else if name == "shared-entries" {
            self.shared_entries = kib(value).ok_or_else(|| format!("{name}=off or a number of KiB from 1 to 65536"))?;
        } else if name == "all" {
            *self = if on(value).ok_or_else(switch)? { Self::ALL } else { Self::PAPER };
        } else {
            return Err(format!("one of the rules {}, all", NAMES.join(", ")));
        }
        Ok(())
    }

    fn switch(&mut self, name: &str) -> Option<&mut bool> {
        Some(match name {
            "affinity" => &mut self.affinity,
            "anticipation" => &mut self.anticipation,
            "pv-inference" => &mut self.pv_inference,
            "speed" => &mut self.speed,
            "groups" => &mut self.groups,
            _ => return None,
        })
    }

    fn strength(&mut self, name: &str) -> Option<(&mut f64, f64)> {
        Some(match name {
            "mate-probes" => (&mut self.mate_probes, Self::ALL.mate_probes),
            "expansion-delay" => (&mut self.expansion_delay, Self::ALL.expansion_delay),
            _ => return None,
        })
    }
}

/// The names of the rules, as [`TreeRules::parse`] reads them.
const NAMES: [&str; 8] =
    ["affinity", "anticipation", "expansion-delay", "groups", "mate-probes", "pv-inference", "shared-entries", "speed"];

fn share(value: &str) -> Option<f64> {
    value.parse().ok().filter(|share| (0.0..=1.0).contains(share))
}

fn kib(value: &str) -> Option<u32> {
    if value == "off" { Some(0) } else { value.parse().ok().filter(|kib| (1..=65536).contains(kib)) }
}

fn on(value: &str) -> Option<bool> {
    match value {
        "on" => Some(true),
        "off" => Some(false),
        _ => None,
    }
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used)]
    use super::*;

    #[test]
    fn every_rule_can_be_switched_alone() {
        assert_eq!(TreeRules::parse("").unwrap(), TreeRules::DEFAULT);
        assert_eq!(TreeRules::parse("all=on").unwrap(), TreeRules::ALL);
        assert_eq!(TreeRules::parse("all=off").unwrap(), TreeRules::PAPER);
        let rules = TreeRules::parse("speed=off,mate-probes=0.5 affinity=off").unwrap();
        assert_eq!(rules, TreeRules { speed: false, mate_probes: 0.5, affinity: false, ..TreeRules::DEFAULT });
        assert_eq!(
            TreeRules::parse("shared-entries=2").unwrap(),
            TreeRules { shared_entries: 2, ..TreeRules::DEFAULT }
        );
        assert_eq!(
            TreeRules::parse("all=off,expansion-delay=on").unwrap(),
            TreeRules { expansion_delay: expansion_delay::SHARE, ..TreeRules::PAPER }
        );
    }

    #[test]
    fn nonsense_is_refused() {
        for text in [
            "mate-probes",
            "mate-probes=2",
            "mate-probes=nan",
            "team=off",
            "affinity=0.5",
            "colour=on",
            "all=maybe",
            "=",
        ] {
            let error = TreeRules::parse(text).unwrap_err().to_string();
            assert!(error.contains(text), "{error}");
        }
    }

    #[test]
    fn errors_say_what_the_rule_takes() {
        for (text, expected) in [
            ("affinity=0.5", "TreeRules: expected affinity=on or affinity=off, found 'affinity=0.5'"),
            (
                "mate-probes=2",
                "TreeRules: expected mate-probes=on, mate-probes=off or a number from 0 to 1, found 'mate-probes=2'",
            ),
            (
                "shared-entries=0",
                "TreeRules: expected shared-entries=off or a number of KiB from 1 to 65536, found 'shared-entries=0'",
            ),
            ("all=0.5", "TreeRules: expected all=on or all=off, found 'all=0.5'"),
        ] {
            assert_eq!(TreeRules::parse(text).unwrap_err().to_string(), expected);
        }
        let unknown = TreeRules::parse("colour=on").unwrap_err().to_string();
        assert!(unknown.starts_with("TreeRules: expected one of the rules affinity, "), "{unknown}");
    }

    #[test]
    fn every_name_is_that_of_a_rule() {
        for name in NAMES {
            TreeRules::parse(&format!("{name}=off")).unwrap();
        }
    }
}
