//! The conditions of a match as lines of text, by which the match can be repeated and its result judged.

mod clocks;
mod engines;

use super::ArchivedMatch;
use crate::adjudicate::AdjudicationRules;
use crate::deviations::Deviations;
use crate::identity::Identities;
use crate::journal::JournalGame;
use crate::machine::MachineStamp;
use crate::schedule::Tournament;
use crate::stats::Sprt;
use engines::EngineConditions;
use hasami_words::text::visible;
use serde::Deserialize;
use serde_json::Value;
use std::collections::BTreeSet;

impl ArchivedMatch {
    /// One line per engine with its limits and options, then the game with its openings and rules, then the SPRT. Games
    /// of the machines in `without` are ignored.
    pub fn conditions(&self, without: &[String]) -> Vec<String> {
        let identities = self.identities(without);
        let specs = specs(&self.header.plan);
        let mut lines = Vec::new();
        for (engine, spec) in specs.iter().enumerate() {
            let (identity, machines) = (identities.engine(engine), self.machines_of(engine, without, &identities));
            lines.extend(EngineConditions { spec, identity, machines }.lines());
        }
        let controls: Vec<&str> = specs.iter().filter_map(|spec| spec["control"].as_str()).collect();
        lines.extend(clocks::line(self.counted(without).filter_map(|played| played.machine.as_ref()), &controls));
        lines.push(self.game_line(&identities));
        lines.extend(self.sprt.as_ref().map(sprt));
        let versions = identities.versions();
        lines.extend((!versions.is_empty()).then(|| format!("Match tool: hasami {versions}")));
        lines.iter().map(|line| visible(line)).collect()
    }

    /// The games that were not played on the machines in `without`.
    fn counted(&self, without: &[String]) -> impl Iterator<Item = &JournalGame> {
        self.games.iter().filter(|played| is_counted(played.machine.as_ref(), without))
    }

    /// The machines on which an engine has played, each with the deviations from the options that the match asked for.
    fn machines_of(
        &self,
        engine: usize,
        without: &[String],
        identities: &Identities,
    ) -> Vec<(String, Vec<Deviations>)> {
        let games = self.pairings().filter(|(pairing, _)| pairing.engines.contains(&engine));
        let games = games.filter(|(_, played)| is_counted(played.machine.as_ref(), without));
        let names = games.map(|(_, played)| played.machine.as_ref().map_or("", |machine| machine.name.as_str()));
        let names: BTreeSet<&str> = names.collect();
        let found = |name: &str| {
            let found: Vec<_> = identities.deviations(engine, name).cloned().collect();
            (name.to_owned(), if found.is_empty() { vec![Deviations::default()] } else { found })
        };
        names.into_iter().map(found).collect()
    }

    /// The identities of the engines according to the journal and to the machines that played the games.
    fn identities(&self, without: &[String]) -> Identities {
        let (mut names, mut programs) = (BTreeSet::new(), BTreeSet::new());
        for machine in self.counted(without).filter_map(|game| game.machine.as_ref()) {
            names.extend(machine.engines.iter().map(String::as_str).enumerate());
            programs.extend(machine.programs.iter().map(String::as_str).enumerate());
        }
        // The program of an engine is listed before its other files.
        let mut known = Identities::default();
        let engines = specs(&self.header.plan);
        let is_told = |(engine, text): &(usize, &str)| *engine < engines.len() && !text.is_empty();
        for (engine, hash) in programs.into_iter().filter(is_told) {
            let command = engines[engine]["command"][0].as_str().unwrap_or("program");
            known.absorb(Identities::with_file(engine, command.split('@').next().unwrap_or(command), hash));
        }
        known.absorb(self.header.identities.clone());
        for (engine, name) in names.into_iter().filter(is_told) {
            known.absorb(Identities::with_name(engine, name));
        }
        known
    }

    fn game_line(&self, identities: &Identities) -> String {
        let plan = &self.header.plan;
        let openings = openings(&plan["openings"], self.schedule.first_opening, &identities.openings());
        games(plan, self.order(), openings)
    }

    /// Tournament type and number of games, where they are not the defaults.
    fn order(&self) -> Vec<String> {
        let schedule = &self.schedule;

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

/// The conditions of games that are described only by their plan and by the programs behind the names.
pub fn of_plan(plan: &Value, identities: &Identities) -> Vec<String> {
    let engine = |(engine, spec)| {
        let identity = identities.engine(engine);
        EngineConditions { spec, identity, machines: Vec::new() }.lines()
    };
    let mut lines: Vec<String> = specs(plan).iter().enumerate().flat_map(engine).collect();
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
    parts.extend(rule.map(|word| format!("entering king {word}")));
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

/// The line about openings, such as `openings book.epd (random, seed 1, 0123456789ab)`.
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
