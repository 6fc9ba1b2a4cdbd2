//! Formats the conditions of a match as text: enough to repeat the match and to judge its result.

use super::ArchivedMatch;
use crate::adjudicate::AdjudicationRules;
use crate::deviations::Deviations;
use crate::identity::Identities;
use crate::journal::JournalGame;
use crate::machine::MachineStamp;
use crate::schedule::Tournament;
use crate::stats::Sprt;
use hasami_words::text::visible;
use serde::Deserialize;
use serde_json::Value;
use std::collections::{BTreeMap, BTreeSet};

impl ArchivedMatch {
    /// Returns one line per engine with its limits and options, then the game with its openings and rules, then the
    /// SPRT. Games of the machines in `without` are ignored.
    pub fn conditions(&self, without: &[String]) -> Vec<String> {
        let identities = self.identities(without);
        let specs = specs(&self.header.plan);
        let mut lines = Vec::new();
        for (engine, spec) in specs.iter().enumerate() {
            lines.push(engine_line(spec, &identities.engine(engine)));
            lines.extend(self.deviations(engine, name_of(spec), without, &identities));
        }
        lines.extend(self.scaled_clocks(specs, without));
        lines.push(self.game_line(&identities));
        lines.extend(self.report.sprt.as_ref().map(sprt));
        let versions = identities.versions();
        lines.extend((!versions.is_empty()).then(|| format!("Match tool: hasami {versions}")));
        lines.iter().map(|line| visible(line)).collect()
    }

    /// Returns a line with the clock factor of each machine, if clocks were scaled.
    fn scaled_clocks(&self, specs: &[Value], without: &[String]) -> Option<String> {
        let machines = || self.counted(without).filter_map(|played| played.machine.as_ref());
        let shown: BTreeSet<_> = machines().map(|machine| format!("{} x {:.2}", machine.name, machine.scale)).collect();
        let is_scaled = specs.iter().filter_map(|spec| spec["control"].as_str()).any(has_clock)
            && machines().any(|machine| machine.scale != 1.0);
        is_scaled.then(|| format!("Clocks scaled: {}", Vec::from_iter(shown).join(", ")))
    }

    /// Iterates over all games except those played on the machines in `without`.
    fn counted(&self, without: &[String]) -> impl Iterator<Item = &JournalGame> {
        self.games.iter().filter(|played| is_counted(played.machine.as_ref(), without))
    }

    /// Returns lines such as `new on attic, barn: options of its owner: Hash=16, not set: Bogus`, one for each
    /// deviation from the options of the match. The lines do not name the machine that runs the match.
    fn deviations(&self, engine: usize, name: &str, without: &[String], identities: &Identities) -> Vec<String> {
        let games = self.pairings().filter(|(pairing, _)| pairing.engines.contains(&engine));
        let machines = games.map(|(_, played)| played.machine.as_ref());
        let counted = machines.filter(|machine| is_counted(*machine, without));
        let machines: BTreeSet<&str> = counted.map(|machine| machine.map_or("", |machine| &machine.name)).collect();
        let mut groups: BTreeMap<&Deviations, Vec<&str>> = BTreeMap::new();
        for machine in machines {
            for found in identities.deviations(engine, machine).filter(|found| !found.is_empty()) {
                groups.entry(found).or_default().push(machine);
            }
        }
        let line = |(found, machines): (&Deviations, Vec<&str>)| match machines[..] {
            ["", ..] => format!("{name}: {found}"),
            _ => format!("{name} on {}: {found}", machines.join(", ")),
        };
        groups.into_iter().map(line).collect()
    }

    /// Returns the identities of the engines according to the journal and to the machines that played the games.
    fn identities(&self, without: &[String]) -> Identities {
        let engines = specs(&self.header.plan);
        let command = |engine: usize| engines.get(engine).map(|spec| spec["command"][0].as_str().unwrap_or("program"));
        let mut known = Identities::default();
        for machine in self.counted(without).filter_map(|game| game.machine.as_ref()) {
            known.absorb(Identities::of_machine(machine, command));
        }
        known.absorb(self.header.identities.clone());
        known
    }

    fn game_line(&self, identities: &Identities) -> String {
        let plan = &self.header.plan;
        let openings = openings(&plan["openings"], self.report.schedule.first_opening, &identities.openings());
        games(plan, self.order(), openings)
    }

    /// Describes each setting of the schedule that is not the default.
    fn order(&self) -> Vec<String> {
        let schedule = &self.report.schedule;

        let tournament = match schedule.tournament {
            Tournament::Pair => None,
            Tournament::Gauntlet => Some(format!("gauntlet of {}", schedule.seeds)),
            Tournament::RoundRobin => Some("round robin".to_owned()),
        };
        let repeats = (schedule.repeats != 2).then(|| format!("{} games per opening", schedule.repeats));
        let first = schedule.no_swap.then(|| "the first engine begins".to_owned());
        let second = schedule.reverse.then(|| "the second engine begins".to_owned());
        [tournament, repeats, first, second].into_iter().flatten().collect()
    }
}

/// Returns the match conditions that follow from a plan and the identities of its engines.
pub fn of_plan(plan: &Value, identities: &Identities) -> Vec<String> {
    let engine = |(engine, spec)| engine_line(spec, &identities.engine(engine));
    let mut lines: Vec<String> = specs(plan).iter().enumerate().map(engine).collect();
    lines.push(games(plan, Vec::new(), openings(&plan["openings"], 0, &identities.openings())));
    let versions = identities.versions();
    lines.extend((!versions.is_empty()).then(|| format!("Match tool: hasami {versions}")));
    lines.iter().map(|line| visible(line)).collect()
}

fn specs(plan: &Value) -> &[Value] {
    plan["engines"].as_array().map_or(&[][..], Vec::as_slice)
}

fn is_counted(machine: Option<&MachineStamp>, without: &[String]) -> bool {
    machine.is_none_or(|machine| !without.contains(&machine.name))
}

/// Returns whether a time control contains a clock. Node and ply limits do not depend on the speed of a machine.
fn has_clock(control: &str) -> bool {
    control.split(", ").any(|part| part != "-" && !part.ends_with(" nodes") && !part.ends_with(" plies"))
}

fn name_of(spec: &Value) -> &str {
    spec["name"].as_str().unwrap_or("?")
}

/// Returns a line such as `new: 10+0.1 Hash=16 (New 1.1, new 0123456789ab)`.
fn engine_line(spec: &Value, identity: &str) -> String {
    let margin = spec["margin_ms"].as_u64().filter(|margin| *margin > 0);
    let margin = margin.map(|margin| format!(" timemargin={margin}")).unwrap_or_default();
    let ponder = if spec["ponder"] == true { " ponder" } else { "" };
    let options = spec["options"].as_array().map_or(&[][..], Vec::as_slice);
    let option = |option: &Value| Some(format!(" {}={}", option[0].as_str()?, option[1].as_str()?));
    let options: String = options.iter().filter_map(option).collect();
    let limits = format!("{}{margin}{ponder}{options}", spec["control"].as_str().unwrap_or("?"));
    format!("{}: {}", name_of(spec), with_brackets(&limits, identity))
}

/// Appends `more` in brackets, unless it is empty.
fn with_brackets(text: &str, more: &str) -> String {
    if more.is_empty() { text.to_owned() } else { format!("{text} ({more})") }
}

fn games(plan: &Value, order: Vec<String>, openings: String) -> String {
    let mut parts = vec![plan["game"].as_str().unwrap_or("?").to_owned()];
    if plan["chess960"] == true {
        parts.push("fischerandom".to_owned());
    }
    let rule = plan["entering_king"].as_str().filter(|word| *word != "None");
    // Journals contain the internal name of the entering-king rule, which begins with `Csa`; the option's value begins
    // with `CSA`.
    parts.extend(rule.map(|word| format!("entering king {}", word.replacen("Csa", "CSA", 1))));
    parts.extend(order);
    parts.push(openings);
    let rules = AdjudicationRules::deserialize(&plan["adjudication"]).unwrap_or_default();
    parts.push(AdjudicationRules { max_plies: 0, ..rules }.to_string());
    parts.extend((rules.max_plies > 0).then(|| format!("at most {} plies", rules.max_plies)));
    let has_tables = plan["tables"].as_array().is_some_and(|folders| !folders.is_empty());
    parts.extend(has_tables.then(|| "endgame tables".to_owned()));
    parts.retain(|part| !part.is_empty());
    parts.join(", ")
}

/// Formats the openings, as in `openings book.epd (random, seed 1, 0123456789ab)`.
fn openings(plan: &Value, first: usize, hash: &str) -> String {
    let (Some(file), Some(order)) = (plan["file"].as_str(), plan["order"].as_str()) else {
        return "no openings".to_owned();
    };
    let mut parts = vec![order.to_owned()];
    let seed = plan["seed"].as_u64().filter(|_| order == "random");
    parts.extend(seed.map(|seed| format!("seed {seed}")));
    parts.extend(plan["plies"].as_u64().map(|plies| format!("plies={plies}")));
    parts.extend((first > 0).then(|| format!("start={}", first + 1)));
    parts.extend((!hash.is_empty()).then(|| hash.to_owned()));
    with_brackets(&format!("openings {file}"), &parts.join(", "))
}

fn sprt(sprt: &Sprt) -> String {
    format!("SPRT {sprt} {}, alpha {}, beta {}", sprt.model.word(), sprt.alpha, sprt.beta)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn nodes_and_plies_are_no_clocks() {
        for (control, is_timed) in
            [("10+0.1", true), ("1000 nodes, 0.5/move", true), ("1000 nodes, 9 plies", false), ("-", false)]
        {
            assert_eq!(has_clock(control), is_timed, "{control}");
        }
    }
}
