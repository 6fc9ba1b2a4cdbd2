//! Which rules are on, and how strong: for experiments, that compare a model with and without one of them.

use super::{mates, ripening, temper};

/// The rules of a model. Numbers are strengths, 0 turns their rule off.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct Rules {
    /// [`super::affinity`]
    pub affinity: bool,
    /// [`super::ahead`]
    pub ahead: bool,
    /// [`super::allocation`]
    pub allocation: bool,
    /// [`super::beside`]
    pub beside: bool,
    /// [`super::doubling`]
    pub doubling: bool,
    /// Part of one thread for the solver of [`mates`].
    pub mates: f64,
    /// KiB of news that a worker may tell its team in a task: [`super::team`]. 0: any number.
    pub news: u32,
    /// Part of the time for which a node is searched before it grows: [`ripening`].
    pub ripening: f64,
    /// [`super::speed`]
    pub speed: bool,
    /// [`super::team`]
    pub team: bool,
    /// How much the probabilities of replies are flattened: [`temper`].
    pub temper: f64,
}

impl Rules {
    /// P-GPP as in the papers; a crew of equal workers is the rule of speed without any effect.
    pub const PAPER: Self = Self {
        affinity: false,
        ahead: false,
        allocation: false,
        beside: false,
        doubling: false,
        mates: 0.0,
        news: 0,
        ripening: 0.0,
        speed: true,
        team: false,
        temper: 0.0,
    };

    /// Those that have paid in the virtual cluster, each measured alone (scripts/experiments), and those that only help
    /// workers of other kinds: what others cost stays switchable.
    pub const DEFAULT: Self = Self {
        affinity: true,
        ahead: true,
        beside: true,
        mates: mates::SHARE,
        ripening: ripening::SHARE,
        team: true,
        ..Self::PAPER
    };

    /// Everything that can be on at once where the tree grows: teams keep it small.
    pub const ALL: Self = Self {
        affinity: true,
        ahead: true,
        allocation: true,
        beside: true,
        doubling: true,
        mates: mates::SHARE,
        news: 0,
        ripening: ripening::SHARE,
        speed: true,
        team: false,
        temper: temper::FLATTENING,
    };

    /// Reads `temper=on,mates=0.5`: each word changes one rule of [`Self::DEFAULT`]. `all=off` leaves none. The error
    /// says what was expected and what was found. Words of rules that were removed change nothing: [`Self::removed`].
    pub fn parse(text: &str) -> Result<Self, String> {
        let mut rules = Self::DEFAULT;
        for word in text.split([',', ' ']).filter(|word| !word.is_empty()) {
            rules.set(word).map_err(|expected| format!("TreeRules: expected {expected}, found '{word}'"))?;
        }
        Ok(rules)
    }

    /// One line about the words of a text that belong to rules which were removed; `None`: it has none.
    pub fn removed(text: &str) -> Option<String> {
        let names = text.split([',', ' ']).filter_map(|word| word.split_once('=')).map(|(name, _)| name);
        let removed: Vec<&str> = REMOVED.into_iter().filter(|rule| names.clone().any(|name| name == *rule)).collect();
        let text = || format!("TreeRules: these rules were removed and change nothing: {}", removed.join(", "));
        (!removed.is_empty()).then(text)
    }

    /// The error is what was expected.
    fn set(&mut self, word: &str) -> Result<(), String> {
        let (name, value) = word.split_once('=').ok_or("a rule with its value, such as affinity=off or mates=0.5")?;
        if let Some(switch) = self.switch(name) {
            *switch = on(value).ok_or_else(|| format!("{name}=on or {name}=off"))?;
        } else if let Some((strength, full)) = self.strength(name) {
            *strength = match on(value) {
                Some(true) => full,
                Some(false) => 0.0,
                None => share(value).ok_or_else(|| format!("{name}=on, {name}=off or a number from 0 to 1"))?,
            };
        } else if name == "news" {
            self.news = kib(value).ok_or("news=off or a number of KiB from 1 to 65536")?;
        } else if name == "all" {
            *self = if on(value).ok_or("all=on or all=off")? { Self::ALL } else { Self::PAPER };
        } else if !REMOVED.contains(&name) {
            return Err(format!("one of the rules {}, all", NAMES.join(", ")));
        }
        Ok(())
    }

    fn switch(&mut self, name: &str) -> Option<&mut bool> {
        Some(match name {
            "affinity" => &mut self.affinity,
            "ahead" => &mut self.ahead,
            "allocation" => &mut self.allocation,
            "beside" => &mut self.beside,
            "doubling" => &mut self.doubling,
            "speed" => &mut self.speed,
            "team" => &mut self.team,
            _ => return None,
        })
    }

    fn strength(&mut self, name: &str) -> Option<(&mut f64, f64)> {
        Some(match name {
            "mates" => (&mut self.mates, Self::ALL.mates),
            "ripening" => (&mut self.ripening, Self::ALL.ripening),
            "temper" => (&mut self.temper, Self::ALL.temper),
            _ => return None,
        })
    }
}

/// The rules by name, as [`Rules::parse`] reads them.
const NAMES: [&str; 11] =
    ["affinity", "ahead", "allocation", "beside", "doubling", "mates", "news", "ripening", "speed", "team", "temper"];

/// Rules that lost whenever they were measured.
const REMOVED: [&str; 4] = ["finale", "others", "retract", "trust"];

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
        assert_eq!(Rules::parse("").unwrap(), Rules::DEFAULT);
        assert_eq!(Rules::parse("all=on").unwrap(), Rules::ALL);
        assert_eq!(Rules::parse("all=off").unwrap(), Rules::PAPER);
        let rules = Rules::parse("temper=on,mates=0.5 affinity=off").unwrap();
        assert_eq!(rules, Rules { temper: temper::FLATTENING, mates: 0.5, affinity: false, ..Rules::DEFAULT });
        assert_eq!(Rules::parse("news=2").unwrap(), Rules { news: 2, ..Rules::DEFAULT });
        assert_eq!(Rules::parse("all=off,ripening=on").unwrap(), Rules { ripening: ripening::SHARE, ..Rules::PAPER });
    }

    #[test]
    fn nonsense_is_refused() {
        for text in ["temper", "temper=2", "mates=nan", "affinity=0.5", "colour=on", "all=maybe", "="] {
            let error = Rules::parse(text).unwrap_err();
            assert!(error.contains(text), "{error}");
        }
    }

    #[test]
    fn errors_say_what_the_rule_takes() {
        for (text, expected) in [
            ("affinity=0.5", "TreeRules: expected affinity=on or affinity=off, found 'affinity=0.5'"),
            ("temper=2", "TreeRules: expected temper=on, temper=off or a number from 0 to 1, found 'temper=2'"),
            ("news=0", "TreeRules: expected news=off or a number of KiB from 1 to 65536, found 'news=0'"),
            ("all=0.5", "TreeRules: expected all=on or all=off, found 'all=0.5'"),
        ] {
            assert_eq!(Rules::parse(text).unwrap_err(), expected);
        }
        let unknown = Rules::parse("colour=on").unwrap_err();
        assert!(unknown.starts_with("TreeRules: expected one of the rules affinity, "), "{unknown}");
    }

    #[test]
    fn words_of_removed_rules_change_nothing_and_are_told() {
        let text = "trust=0.5,team=off retract=off";
        assert_eq!(Rules::parse(text).unwrap(), Rules { team: false, ..Rules::DEFAULT });
        let told = "TreeRules: these rules were removed and change nothing: retract, trust";
        assert_eq!(Rules::removed(text).as_deref(), Some(told));
        assert_eq!(Rules::removed("team=off"), None);
    }

    #[test]
    fn every_name_is_that_of_a_rule() {
        for name in NAMES {
            Rules::parse(&format!("{name}=off")).unwrap();
        }
    }
}
