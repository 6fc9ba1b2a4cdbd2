//! The conditions of a match as lines: what somebody needs who wants to play it again, or to judge its result.

use super::ArchivedMatch;
use crate::matches::adjudicate::AdjudicationRules;
use crate::matches::identity::Identities;
use crate::matches::schedule::Tournament;
use crate::matches::stats::Sprt;
use crate::text::visible;
use serde::Deserialize;
use serde_json::Value;
use std::collections::BTreeSet;

impl ArchivedMatch {
    /// Engines with their limits and options, the game with its openings and rules, the test: a line each.
    pub fn conditions(&self) -> Vec<String> {
        let identities = self.identities();
        let engines = self.header.plan["engines"].as_array().map_or(&[][..], Vec::as_slice);
        let mut lines: Vec<String> =
            engines.iter().enumerate().map(|(index, spec)| engine(spec, &identities.engine(index))).collect();
        lines.push(self.game_line(&identities));
        lines.extend(self.sprt.as_ref().map(sprt));
        let versions = identities.versions();
        lines.extend((!versions.is_empty()).then(|| format!("Match tool: hasami {versions}")));
        lines.iter().map(|line| visible(line)).collect()
    }

    /// What the journal says, and what the machines of the games say of their engines.
    fn identities(&self) -> Identities {
        let (mut names, mut programs) = (BTreeSet::new(), BTreeSet::new());
        for machine in self.games.iter().filter_map(|game| game.machine.as_ref()) {
            names.extend(machine.engines.iter().map(String::as_str).enumerate());
            programs.extend(machine.programs.iter().map(String::as_str).enumerate());
        }
        let mut known = self.header.identities.clone();
        let engines = self.header.plan["engines"].as_array().map_or(0, Vec::len);
        let is_told = |(engine, text): &(usize, &str)| *engine < engines && !text.is_empty();
        for (engine, name) in names.into_iter().filter(is_told) {
            known.absorb(Identities::with_name(engine, name));
        }
        for (engine, hash) in programs.into_iter().filter(is_told) {
            let command = self.header.plan["engines"][engine]["command"][0].as_str().unwrap_or("program");
            known.absorb(Identities::with_file(engine, command.split('@').next().unwrap_or(command), hash));
        }
        known
    }

    fn game_line(&self, identities: &Identities) -> String {
        let plan = &self.header.plan;
        games(plan, self.order(), &openings(&plan["openings"], self.schedule.first_opening, &identities.openings()))
    }

    /// Who meets whom and how often, where it is not the usual way.
    fn order(&self) -> Vec<String> {
        let schedule = &self.schedule;
        let tournament = match schedule.tournament {
            Tournament::Pair => None,
            Tournament::Gauntlet => Some(format!("gauntlet of {}", schedule.seeds)),
            Tournament::RoundRobin => Some("round robin".to_owned()),
            Tournament::Knockout => Some("knockout".to_owned()),
            Tournament::Swiss => Some(format!("Swiss system of {} rounds", schedule.rounds)),
        };
        let repeats = (schedule.repeats != 2).then(|| format!("{} games an opening", schedule.repeats));
        let first = schedule.no_swap.then(|| "the first engine begins".to_owned());
        let second = schedule.reverse.then(|| "the second engine begins".to_owned());
        [tournament, repeats, first, second].into_iter().flatten().collect()
    }
}

/// The same of games with this plan of which nothing else is known.
pub fn of_plan(plan: &Value) -> Vec<String> {
    let engines = plan["engines"].as_array().map_or(&[][..], Vec::as_slice);
    let mut lines: Vec<String> = engines.iter().map(|spec| engine(spec, "")).collect();
    lines.push(games(plan, Vec::new(), &openings(&plan["openings"], 0, "")));
    lines.iter().map(|line| visible(line)).collect()
}

fn games(plan: &Value, order: Vec<String>, openings: &str) -> String {
    let mut parts = vec![plan["game"].as_str().unwrap_or("?").to_owned()];
    if plan["chess960"] == true {
        parts.push("fischerandom".to_owned());
    }
    let rule = plan["entering_king"].as_str().filter(|word| *word != "None");
    parts.extend(rule.map(|word| format!("entering king {word}")));
    parts.extend(order);
    parts.push(openings.to_owned());
    let rules = AdjudicationRules::deserialize(&plan["adjudication"]).unwrap_or_default();
    parts.push(rules.to_string());
    let has_tables = plan["tables"].as_array().is_some_and(|folders| !folders.is_empty());
    parts.extend(has_tables.then(|| "endgame tables".to_owned()));
    parts.retain(|part| !part.is_empty());
    parts.join(", ")
}

/// `new: 10+0.1 Hash=16 (New 1.1, new 0123456789ab)`.
fn engine(spec: &Value, identity: &str) -> String {
    let options = spec["options"].as_array().map_or(&[][..], Vec::as_slice);
    let option = |option: &Value| Some(format!(" {}={}", option[0].as_str()?, option[1].as_str()?));
    let options: String = options.iter().filter_map(option).collect();
    let margin = spec["margin_ms"].as_u64().filter(|margin| *margin > 0);
    let margin = margin.map(|margin| format!(" timemargin={margin}")).unwrap_or_default();
    let ponder = if spec["ponder"] == true { " ponder" } else { "" };
    let identity = if identity.is_empty() { String::new() } else { format!(" ({identity})") };
    let word = |key: &str| spec[key].as_str().unwrap_or("?").to_owned();
    format!("{}: {}{margin}{ponder}{options}{identity}", word("name"), word("control"))
}

/// `openings book.epd (random, seed 1, 0123456789ab)`.
fn openings(plan: &Value, first: usize, hash: &str) -> String {
    let (Some(file), Some(order)) = (plan["file"].as_str(), plan["order"].as_str()) else {
        return "no openings".to_owned();
    };
    let mut words = vec![order.to_owned()];
    let seed = plan["seed"].as_u64().filter(|_| order == "random");
    words.extend(seed.map(|seed| format!("seed {seed}")));
    words.extend(plan["plies"].as_u64().map(|plies| format!("plies={plies}")));
    words.extend((first > 0).then(|| format!("start={}", first + 1)));
    words.extend((!hash.is_empty()).then(|| hash.to_owned()));
    format!("openings {file} ({})", words.join(", "))
}

fn sprt(sprt: &Sprt) -> String {
    format!("SPRT {sprt} {}, alpha {}, beta {}", sprt.model.word(), sprt.alpha, sprt.beta)
}
