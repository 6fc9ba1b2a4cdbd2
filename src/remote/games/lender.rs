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
pub struct Turns(BTreeMap<String, f64>);

impl Turns {
    /// Returns which of these matches is next. A new match starts with the smallest pass of the others.
    pub fn next(&mut self, open: &[String]) -> Option<String> {
        let here = open.iter().filter_map(|id| self.0.get(id).copied());
        let first = here.reduce(f64::min).unwrap_or(0.0);
        let passes = open.iter().map(|id| (id, *self.0.entry(id.clone()).or_insert(first)));
        passes.min_by(|a, b| a.1.total_cmp(&b.1)).map(|(id, _)| id.clone())
    }

    /// Records that a match of this weight was given a task.
    pub fn took(&mut self, id: &str, weight: u32) {
        if let Some(pass) = self.0.get_mut(id) {
            *pass += 1.0 / f64::from(weight.max(1));
        }
    }

    /// Forgets all matches except these.
    pub fn keep<'a>(&mut self, ids: impl Iterator<Item = &'a String>) {
        let ids: Vec<_> = ids.collect();
        self.0.retain(|id, _| ids.contains(&id));
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
            let ids: Vec<String> = open.iter().map(|(id, _)| id.clone()).collect();
            for _ in 0..tasks {
                let id = turns.next(&ids).unwrap();
                let weight = open.iter().find(|(other, _)| *other == id).unwrap().1;
                turns.took(&id, weight);
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
