//! The results of a tuning on disk: the plan in the first line, followed by one line per iteration.

use super::spsa::{Spsa, SpsaPlan};
use hasami_words::files;
use hasami_words::text::difference::{difference, plain};
use hasami_words::text::{At, json_fault, whole_lines};
use serde::{Deserialize, Serialize};
use std::fmt::Display;
use std::fs::{File, OpenOptions};
use std::io::{Seek, SeekFrom, Write};
use std::path::{Path, PathBuf};

/// The open journal of a tuning.
pub struct TuningJournal {
    file: File,
    path: PathBuf,
}

#[derive(Serialize, Deserialize)]
struct Header {
    plan: SpsaPlan,
    /// The conditions of the games: engines, time control, openings, adjudication.
    conditions: serde_json::Value,
}

#[derive(Serialize, Deserialize)]
struct Row {
    iteration: u32,
    /// Wins minus losses of the engine that played with the values of the first point.
    balance: f64,
    games: u32,
}

impl TuningJournal {
    /// Creates a journal, or opens one with the same plan and returns the state of its tuning. An incomplete last line
    /// is removed.
    pub fn open(path: &Path, plan: SpsaPlan, conditions: serde_json::Value) -> Result<(Self, Spsa), String> {
        let failed = |error: std::io::Error| error.at(path.display());
        if let Some(folder) = path.parent().filter(|folder| !folder.as_os_str().is_empty()) {
            std::fs::create_dir_all(folder).map_err(failed)?;
        }
        let mut options = OpenOptions::new();
        let mut file = options.create(true).truncate(false).read(true).write(true).open(path).map_err(failed)?;
        let at = |why: &dyn Display| why.at(path.display());
        files::lock(&file).map_err(|why| at(&why))?;
        // The file may have grown since [`Self::read`] was called.
        let bytes = files::read_open(&mut file, "journal", files::MOST_INPUT).map_err(|why| at(&why))?;
        let text = String::from_utf8_lossy(&bytes).into_owned();
        let whole = whole_lines(&text);
        let spsa = replay(whole, &plan, &conditions).map_err(|why| at(&why))?;
        file.set_len(whole.len() as u64).map_err(failed)?;
        file.seek(SeekFrom::End(0)).map_err(failed)?;
        let mut journal = Self { file, path: path.to_path_buf() };
        if whole.is_empty() {
            journal.write(&Header { plan, conditions })?;
        }
        Ok((journal, spsa))
    }

    /// Returns the tuning that a journal records; a tuning without iterations if the file does not exist. Fails if the
    /// journal has another plan or other conditions.
    pub fn read(path: &Path, plan: &SpsaPlan, conditions: &serde_json::Value) -> Result<Spsa, String> {
        let file = path.display().to_string();
        let read = files::read_kept(path, "journal").map_err(|why| why.at(&file))?;
        let text = String::from_utf8_lossy(&read.unwrap_or_default()).into_owned();
        replay(whole_lines(&text), plan, conditions).map_err(|why| why.at(&file))
    }

    /// Adds the result of an iteration and waits until the result is on disk.
    pub fn add(&mut self, iteration: u32, balance: f64, games: u32) -> Result<(), String> {
        self.write(&Row { iteration, balance, games })
    }

    fn write(&mut self, line: &impl Serialize) -> Result<(), String> {
        let text = serde_json::to_string(line).map_err(|error| error.to_string())? + "\n";
        let written = self.file.write_all(text.as_bytes()).and_then(|()| self.file.sync_data());
        written.map_err(|error| error.at(self.path.display()))
    }
}

impl Header {
    fn check(&self, plan: &SpsaPlan, conditions: &serde_json::Value) -> Result<(), String> {
        let json = |plan: &SpsaPlan| serde_json::to_value(plan).map_err(|error| error.to_string());
        let (before, now) = (json(&self.plan)?, json(plan)?);
        let found = difference(&before, &now).or_else(|| difference(&self.conditions, conditions));
        found.map_or(Ok(()), |(place, before, now)| {
            Err(format!("the journal was made with {place} {}, but this command says {}", plain(before), plain(now)))
        })
    }
}

fn refused(line: usize, why: String) -> String {
    why.at(format!("line {line}"))
}

fn not_a_tuning(error: &serde_json::Error) -> String {
    refused(1, format!("expected the journal of a tuning, found {}", json_fault(error)))
}

/// Returns the tuning that a journal's text records. Fails if the journal has another plan or other conditions.
pub fn replay(text: &str, plan: &SpsaPlan, conditions: &serde_json::Value) -> Result<Spsa, String> {
    let mut spsa = Spsa::new(plan.clone());
    let mut lines = text.lines();
    if let Some(first) = lines.next() {
        let found: Header = serde_json::from_str(first).map_err(|error| not_a_tuning(&error))?;
        found.check(plan, conditions).map_err(|why| refused(1, why))?;
    }
    for (line, number) in lines.zip(2..) {
        let wrong = |error| format!("expected an iteration, found {}", json_fault(&error));
        let row: Row = serde_json::from_str(line).map_err(|error| refused(number, wrong(error)))?;
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
    fn an_interrupted_tuning_continues_as_if_it_had_not_stopped() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("tune.jsonl");
        let balances = [1.0, -2.0, 0.0, 2.0, 1.0, -1.0];
        let (mut journal, mut whole) = TuningJournal::open(&path, plan(), serde_json::json!({"tc": "1+0"})).unwrap();
        for balance in balances {
            let next = whole.next();
            journal.add(next.number, balance, 2).unwrap();
            whole.learn(&next, balance);
        }
        let busy = TuningJournal::open(&path, plan(), serde_json::json!({"tc": "1+0"})).err().unwrap().to_string();
        assert!(busy.ends_with("tune.jsonl: cannot write the file: another run is using it"), "{busy}");
        drop(journal);
        std::fs::write(&path, std::fs::read_to_string(&path).unwrap() + "{\"iteration\":6,\"bal").unwrap();
        let (mut journal, again) = TuningJournal::open(&path, plan(), serde_json::json!({"tc": "1+0"})).unwrap();
        assert_eq!(again.path(), whole.path());
        journal.add(6, 1.0, 2).unwrap();
        drop(journal);
        let (_, again) = TuningJournal::open(&path, plan(), serde_json::json!({"tc": "1+0"})).unwrap();
        assert_eq!(again.done(), 7);
        let other = TuningJournal::open(&path, plan(), serde_json::json!({"tc": "2+0"}));
        assert!(other.is_err_and(|why| {
            why.to_string().ends_with("line 1: the journal was made with tc 1+0, but this command says 2+0")
        }));
        let longer = SpsaPlan { iterations: 40, ..plan() };
        let other = TuningJournal::open(&path, longer, serde_json::json!({"tc": "1+0"}));
        assert!(other.is_err_and(|why| {
            why.to_string().ends_with("the journal was made with iterations 20, but this command says 40")
        }));
    }
}
