//! The results of a tuning on the disk: the plan in the first line, then one line an iteration.

use super::spsa::{Spsa, SpsaPlan};
use crate::files;
use serde::{Deserialize, Serialize};
use std::fs::{File, OpenOptions};
use std::io::Write;
use std::path::{Path, PathBuf};

/// See the module.
pub struct TuningJournal {
    file: File,
    path: PathBuf,
}

#[derive(Serialize, Deserialize)]
struct Header {
    plan: SpsaPlan,
    /// The games: engines, time control, openings, adjudication.
    conditions: serde_json::Value,
}

#[derive(Serialize, Deserialize)]
struct Row {
    iteration: u32,
    /// Wins less losses of the first point.
    balance: f64,
    games: u32,
}

impl TuningJournal {
    /// Begins a journal, or goes on with one of the same plan: the walk so far comes with it. A last line that is cut off is
    /// dropped.
    pub fn open(path: &Path, plan: SpsaPlan, conditions: serde_json::Value) -> Result<(Self, Spsa), String> {
        let failed = |error: std::io::Error| format!("{}: {error}", path.display());
        let read = files::read_kept(path, "journal").map_err(|why| format!("{}: {why}", path.display()))?;
        let text = String::from_utf8_lossy(&read.unwrap_or_default()).into_owned();
        let whole = text.rfind('\n').map_or("", |end| &text[..=end]);
        let spsa = replay(whole, &plan, &conditions).map_err(|why| format!("{}, {why}", path.display()))?;
        let mut options = OpenOptions::new();
        let file = options.create(true).truncate(false).write(true).open(path).map_err(failed)?;
        file.set_len(whole.len() as u64).map_err(failed)?;
        drop(file);
        let file = OpenOptions::new().append(true).open(path).map_err(failed)?;
        let mut journal = Self { file, path: path.to_path_buf() };
        if whole.is_empty() {
            journal.write(&Header { plan, conditions })?;
        }
        Ok((journal, spsa))
    }

    /// The result of an iteration, on the disk before it counts.
    pub fn add(&mut self, iteration: u32, balance: f64, games: u32) -> Result<(), String> {
        self.write(&Row { iteration, balance, games })
    }

    fn write(&mut self, line: &impl Serialize) -> Result<(), String> {
        let text = serde_json::to_string(line).map_err(|error| error.to_string())? + "\n";
        let written = self.file.write_all(text.as_bytes()).and_then(|()| self.file.sync_data());
        written.map_err(|error| format!("{}: {error}", self.path.display()))
    }
}

/// The walk of a journal with this text, which must be of this plan and these conditions.
pub fn replay(text: &str, plan: &SpsaPlan, conditions: &serde_json::Value) -> Result<Spsa, String> {
    let refused = |line: usize, why: String| format!("line {line}: {why}");
    let mut spsa = Spsa::new(plan.clone());
    let mut lines = text.lines();
    if let Some(first) = lines.next() {
        let found: Header = serde_json::from_str(first).map_err(|error| refused(1, error.to_string()))?;
        if (&found.plan, &found.conditions) != (plan, conditions) {
            let why = "expected the parameters and conditions of this command, found other ones";
            return Err(refused(1, why.into()));
        }
    }
    for (line, number) in lines.zip(2..) {
        let row: Row = serde_json::from_str(line).map_err(|error| refused(number, error.to_string()))?;
        let next = spsa.next();
        if row.iteration != next.number {
            return Err(refused(number, format!("expected iteration {}, found {}", next.number, row.iteration)));
        }
        spsa.learn(&next, row.balance);
    }
    Ok(spsa)
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used)]
    use super::*;

    fn plan() -> SpsaPlan {
        SpsaPlan { options: vec!["A=5,0,10,1".parse().unwrap()], iterations: 20, rate: 0.5, seed: 3 }
    }

    #[test]
    fn a_broken_tuning_goes_on_as_if_it_had_never_stopped() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("tune.jsonl");
        let balances = [1.0, -2.0, 0.0, 2.0, 1.0, -1.0];
        let (mut journal, mut whole) = TuningJournal::open(&path, plan(), serde_json::json!({"tc": "1+0"})).unwrap();
        for balance in balances {
            let next = whole.next();
            journal.add(next.number, balance, 2).unwrap();
            whole.learn(&next, balance);
        }
        std::fs::write(&path, std::fs::read_to_string(&path).unwrap() + "{\"iteration\":6,\"bal").unwrap();
        let (mut journal, again) = TuningJournal::open(&path, plan(), serde_json::json!({"tc": "1+0"})).unwrap();
        assert_eq!(again.path(), whole.path());
        journal.add(6, 1.0, 2).unwrap();
        let (_, again) = TuningJournal::open(&path, plan(), serde_json::json!({"tc": "1+0"})).unwrap();
        assert_eq!(again.done(), 7);
        let other = TuningJournal::open(&path, plan(), serde_json::json!({"tc": "2+0"}));
        assert!(other.is_err_and(|why| why.contains("expected the parameters and conditions")));
    }
}
