//! The engines of a match: their limits, their options as they were set, and the programs behind their names.

use super::with_brackets;
use crate::deviations::{Deviations, OptionsPlayed, SetOption};
use serde_json::Value;

/// An engine of a plan with its identity and its deviations on each machine. A machine has several deviations if its
/// options changed during the match.
pub(super) struct EngineConditions<'a> {
    pub spec: &'a Value,
    pub identity: String,
    pub machines: Vec<(String, Vec<Deviations>)>,
}

impl EngineConditions<'_> {
    fn name(&self) -> &str {
        self.spec["name"].as_str().unwrap_or("?")
    }

    fn asked(&self) -> Vec<SetOption> {
        let options = self.spec["options"].as_array().map_or(&[][..], Vec::as_slice);
        let option = |option: &Value| Some((option[0].as_str()?.to_owned(), option[1].as_str()?.to_owned()));
        options.iter().filter_map(option).collect()
    }

    /// Lines such as `new: 10+0.1 Hash=16 (New 1.1, new 0123456789ab)`, followed by the lines about options that were
    /// set on some machines only.
    pub fn lines(&self) -> Vec<String> {
        let asked = self.asked();
        let played = |found: &Vec<Deviations>| found.iter().map(|found| found.applied(&asked)).collect::<Vec<_>>();
        let machines: Vec<(&str, Vec<OptionsPlayed>)> =
            self.machines.iter().map(|(name, found)| (name.as_str(), played(found))).collect();
        let all: Vec<OptionsPlayed> = machines.iter().flat_map(|(_, played)| played.clone()).collect();
        let common = match &all[..] {
            [] => Deviations::default().applied(&asked),
            all => OptionsPlayed::common(all),
        };
        let mut lines = vec![self.whole(&common)];
        let differs = |(name, played): (&str, Vec<OptionsPlayed>)| {
            (name.to_owned(), played.iter().map(|one| one.without(&common)).collect::<Vec<_>>())
        };
        let differing: Vec<_> = machines.into_iter().map(differs).collect();
        if differing.iter().any(|(_, played)| played.iter().any(|one| *one != OptionsPlayed::default())) {
            lines.extend(by_options(differing).into_iter().map(|(names, played)| self.on(&names, &played)));
        }
        lines
    }

    fn whole(&self, options: &OptionsPlayed) -> String {
        let margin = self.spec["margin_ms"].as_u64().filter(|margin| *margin > 0);
        let margin = margin.map(|margin| format!(" timemargin={margin}")).unwrap_or_default();
        let ponder = if self.spec["ponder"] == true { " ponder" } else { "" };
        let control = self.spec["control"].as_str().unwrap_or("?");
        let set: String = options.set.iter().map(|option| format!(" {}", shown(option))).collect();
        let left: String = left(options).iter().map(|left| format!(", {left}")).collect();
        let limits = format!("{control}{margin}{ponder}{set}{left}");
        format!("{}: {}", self.name(), with_brackets(&limits, &self.identity))
    }

    /// A line such as `new on attic, barn: Hash=16`. An empty machine name stands for the machine of the match.
    fn on(&self, machines: &[String], played: &[OptionsPlayed]) -> String {
        let one = |options: &OptionsPlayed| {
            let set = options.set.iter().map(shown).collect::<Vec<_>>().join(" ");
            let parts: Vec<String> = Some(set).filter(|set| !set.is_empty()).into_iter().chain(left(options)).collect();
            if parts.is_empty() { "nothing further".to_owned() } else { parts.join(", ") }
        };

        let options = played.iter().map(one).collect::<Vec<_>>().join(" or ");
        let here = |name: &String| name.is_empty();
        if machines.iter().any(here) {
            return format!("{}: {options}", self.name());
        }
        format!("{} on {}: {options}", self.name(), machines.join(", "))
    }
}

/// Groups machines with the same options.
fn by_options(machines: Vec<(String, Vec<OptionsPlayed>)>) -> Vec<(Vec<String>, Vec<OptionsPlayed>)> {
    let mut groups: Vec<(Vec<String>, Vec<OptionsPlayed>)> = Vec::new();
    for (name, played) in machines {
        match groups.iter_mut().find(|(_, other)| *other == played) {
            Some((names, _)) => names.push(name),
            None => groups.push((vec![name], played)),
        }
    }
    groups
}

fn shown((name, value): &SetOption) -> String {
    format!("{name}={value}")
}

/// Describes options that could not be set, and options whose values are outside the declared range.
fn left(options: &OptionsPlayed) -> Vec<String> {
    let parts = [("not set", &options.unset), ("beyond what the engine declares", &options.beyond)];
    let parts = parts.into_iter().filter(|(_, options)| !options.is_empty());
    let part = |(what, options): (&str, &Vec<SetOption>)| {
        format!("{what}: {}", options.iter().map(shown).collect::<Vec<_>>().join(" "))
    };
    parts.map(part).collect()
}
