//! Finds engines whose name refers to different programs on different machines.

use crate::machine::MachineStamp;
use crate::schedule::Pairing;
use hasami_api::GameRecord;
use hasami_words::text::listed;
use std::collections::{BTreeMap, BTreeSet};

/// The name that an engine reports, and the first digits of the SHA-256 of its program; empty if unknown.
type Program = [String; 2];

/// For each engine of the match, its programs and the machines that run them.
#[derive(Clone, PartialEq, Debug, Default)]
pub struct EnginePrograms(BTreeMap<String, BTreeMap<Program, BTreeSet<String>>>);

impl EnginePrograms {
    /// Adds the programs that played a game.
    pub fn add(&mut self, machine: &MachineStamp, pairing: Pairing, record: &GameRecord) {
        for (name, engine) in record.players.iter().zip(pairing.engines) {
            let word = |words: &[String]| words.get(engine).cloned().unwrap_or_default();
            let program = [word(&machine.engines), word(&machine.programs)];
            // An engine that failed to start has reported no name.
            if !program[0].is_empty() {
                let known = self.0.entry(name.clone()).or_default();
                known.entry(program).or_default().insert(machine.name.clone());
            }
        }
    }

    /// Returns one line for each engine that is not the same program on all machines.
    pub fn lines(&self) -> impl Iterator<Item = String> + '_ {
        let several = self.0.iter().filter(|(_, programs)| programs.len() > 1);
        several.map(|(name, programs)| {
            let programs: Vec<String> = programs.iter().map(shown).collect();
            format!("{name} is not the same program everywhere: {}", programs.join(", "))
        })
    }
}

fn shown(([name, hash], machines): (&Program, &BTreeSet<String>)) -> String {
    let hash = if hash.is_empty() { String::new() } else { format!(" {hash}") };
    format!("'{name}'{hash} ({})", listed(machines.iter().map(String::as_str)))
}
