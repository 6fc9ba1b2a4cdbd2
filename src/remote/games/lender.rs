//! Machines that offer to run games: what they announce, and which match gets the next slot of such a machine.

use super::host::Host;
use super::running::RunningGame;
use hasami_words::{heard, heard_field};
use serde::{Deserialize, Serialize};
use std::collections::BTreeMap;

/// The announcement that a machine sends to all callers at regular intervals.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
pub struct LenderNews {
    /// A random number that is drawn when the program starts.
    pub id: u64,
    #[serde(deserialize_with = "heard_field")]
    pub name: String,
    #[serde(deserialize_with = "heard_field")]
    pub processor: String,
    #[serde(deserialize_with = "heard_field")]
    pub version: String,
    pub speed: u64,
    /// Engines that the machine's owner allows.
    #[serde(deserialize_with = "heard_field")]
    pub engines: Vec<String>,
    /// Whether the machine also runs engines from the object store.
    pub fetches: bool,
    /// Number of games that the machine plays at the same time.
    pub games: u32,
    /// Number of games in progress.
    pub busy: u32,
    /// The matches in which the machine does not take part, by name, each with the reason.
    pub objections: BTreeMap<String, String>,
    /// Seconds since the machine began to offer games.
    pub seconds: u64,
    /// Number of games that have ended in this time.
    pub finished: u64,
    /// The games in progress.
    pub running: Vec<RunningGame>,
}

impl LenderNews {
    pub fn of(host: &Host, games: usize) -> Self {
        Self {
            id: host.instance,
            name: host.name.clone(),
            processor: host.processor.clone(),
            version: env!("CARGO_PKG_VERSION").to_owned(),
            speed: host.speed,
            engines: host.engines.keys().cloned().collect(),
            fetches: host.fetched.is_some(),
            games: games as u32,
            busy: 0,
            objections: BTreeMap::new(),
            seconds: 0,
            finished: 0,
            running: Vec::new(),
        }
    }

    /// The machine's reason for not taking part in the match of this name.
    pub fn objection(&self, id: &str) -> Option<String> {
        self.objections.get(id).map(|why| heard(why))
    }
}

/// Shares a machine among matches by weight. The method is stride scheduling (Waldspurger and Weihl 1995): every task
/// of a match advances the match's virtual time ("pass") by the inverse of its weight, and the match with the smallest
/// pass is next.
#[derive(Default)]
pub struct Turns {
    passes: BTreeMap<String, f64>,
    weights: BTreeMap<String, u32>,
}

impl Turns {
    /// Returns which of these matches is next. A new match starts with the smallest pass of the others.
    pub fn next(&mut self, open: &[(String, u32)]) -> Option<String> {
        let here = open.iter().filter_map(|(id, _)| self.passes.get(id).copied());
        let first = here.fold(f64::INFINITY, f64::min);
        let first = if first.is_finite() { first } else { 0.0 };
        for (id, weight) in open {
            self.passes.entry(id.clone()).or_insert(first);
            self.weights.insert(id.clone(), (*weight).max(1));
        }
        let ahead = |id: &String| self.passes.get(id).copied().unwrap_or(0.0);
        open.iter().map(|(id, _)| id).min_by(|a, b| ahead(a).total_cmp(&ahead(b))).cloned()
    }

    /// Records that a match was given a task.
    pub fn took(&mut self, id: &str) {
        let weight = self.weights.get(id).copied().unwrap_or(1);
        if let Some(pass) = self.passes.get_mut(id) {
            *pass += 1.0 / f64::from(weight);
        }
    }

    /// Forgets all matches except these.
    pub fn keep<'a>(&mut self, ids: impl Iterator<Item = &'a String>) {
        let ids: Vec<_> = ids.collect();
        self.passes.retain(|id, _| ids.contains(&id));
        self.weights.retain(|id, _| ids.contains(&id));
    }
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used)]
    use super::*;

    #[test]
    fn matches_share_a_machine_by_their_weights() {
        let (mut turns, mut counts) = (Turns::default(), BTreeMap::<String, u32>::new());
        let mut open = vec![("a".to_owned(), 1), ("b".to_owned(), 3)];
        let mut play = |turns: &mut Turns, open: &[(String, u32)], tasks: u32| {
            counts.clear();
            for _ in 0..tasks {
                let id = turns.next(open).unwrap();
                turns.took(&id);
                *counts.entry(id).or_default() += 1;
            }
            counts.clone().into_values().collect::<Vec<_>>()
        };
        assert_eq!(play(&mut turns, &open, 400), [100, 300]);
        // A match that starts later gets its share from then on, and no compensation for the time before.
        open.push(("c".to_owned(), 4));
        assert_eq!(play(&mut turns, &open, 80), [10, 30, 40]);
        assert_eq!(turns.next(&[]), None);
    }
}
