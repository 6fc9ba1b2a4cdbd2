//! Reads the journals of finished and running matches for display.

pub mod conditions;

use super::by_machine::MachineResults;
use super::faults;
use super::journal::{self, JournalGame, MatchHeader};
use super::report::MatchReport;
use super::schedule::{Pairing, Schedule};
use super::scores::{FinishedGame, Scores};
use super::stats::Sprt;
use hasami_catalog::{GameRules, Games};
use hasami_words::heard;
use hasami_words::text::At;
use serde::Deserialize;
use serde_json::Value;
use std::path::{Path, PathBuf};

/// A match as recorded in its journal.
pub struct ArchivedMatch {
    pub path: PathBuf,
    pub catalog: &'static dyn GameRules,
    header: MatchHeader,
    report: MatchReport,
    pub games: Vec<JournalGame>,
    /// The pairings of `games`, in the same order.
    pairings: Vec<Pairing>,
}

impl ArchivedMatch {
    /// Reads the journal of a finished or running match.
    pub fn read(path: &Path, games: Games) -> Result<Self, String> {
        let (header, finished) = journal::read(path, &|header| {
            let name = header.plan["game"].as_str().unwrap_or_default();
            games.find(name).map(|game| game.endings())
        })
        .map_err(|error| error.to_string())?;
        let wrong =
            |what: &'static str| format!("expected {}, found none", what).at(format!("journal {}", path.display()));
        let catalog = header.plan["game"].as_str().and_then(|name| games.find(name)).ok_or_else(|| wrong("a game"))?;
        let schedule = Schedule::deserialize(&header.plan["schedule"]).ok().filter(Schedule::is_sound);
        let engines = header.plan["engines"].as_array().map_or(0, Vec::len);
        let schedule = schedule.filter(|schedule| schedule.engines == engines).ok_or_else(|| wrong("a schedule"))?;
        let sprt = Option::<Sprt>::deserialize(&header.plan["sprt"]).map_err(|_| wrong("a test"))?;
        let (mut games, pairings) = met(&schedule, finished);
        for JournalGame { record, machine, .. } in &mut games {
            record.site = machine.as_ref().map_or_else(|| header.site.clone(), ToString::to_string);
            record.event.clone_from(&header.event);
        }
        let name = |engine: &Value| heard(engine["name"].as_str().unwrap_or("?"));
        let names = header.plan["engines"].as_array().into_iter().flatten().map(name).collect();
        let report = MatchReport { names, sprt, schedule };
        Ok(Self { path: path.to_owned(), catalog, header, report, games, pairings })
    }

    /// Iterates over the finished games and their pairings.
    pub fn pairings(&self) -> impl Iterator<Item = (Pairing, &JournalGame)> {
        self.pairings.iter().copied().zip(&self.games)
    }

    /// Returns the results without the games of the machines in `without`.
    fn results(&self, without: &[String]) -> (Scores, MachineResults) {
        let mut scores = Scores::new(self.report.schedule.has_pairs());
        let mut machines = MachineResults::default();
        for (pairing, JournalGame { record, machine, .. }) in self.pairings() {
            if machine.as_ref().is_some_and(|machine| without.contains(&machine.name)) {
                continue;
            }
            scores.add(FinishedGame { pairing, outcome: record.outcome, ending: record.ending });
            machines.add(machine.as_ref(), pairing, record);
        }
        (scores, machines)
    }

    /// Returns the result and its conditions, as lines for a commit message, without the games of the machines in
    /// `without`.
    pub fn block(&self, without: &[String]) -> Vec<String> {
        let (scores, machines) = self.results(without);
        if scores.games().is_empty() {
            let why = if without.is_empty() {
                "no games yet".to_owned()
            } else {
                format!("no games without those of {}", without.join(", "))
            };
            return vec![why.at(self.title()).to_string()];
        }
        let mut lines = self.report.results(&scores);
        // A journal records only the faults that cost games.
        lines.extend(faults::lines(&self.report.names, &scores, &[]));
        if let Some(total) = self.report.schedule.wanted().filter(|&total| (self.games.len() as u32) < total) {
            lines.push(format!("{} of at most {total} games", self.games.len()).to_string());
        }
        lines.extend(self.conditions(without));
        if !without.is_empty() {
            lines.push(format!("Without the games of: {}", without.join(", ")).to_string());
        }
        lines.extend(machines.lines());
        lines
    }

    /// Iterates over the names of the machines that played the games, one name per game; games played on the machine
    /// that runs the match are skipped.
    pub fn machines(&self) -> impl Iterator<Item = &str> {
        self.games.iter().filter_map(|played| Some(played.machine.as_ref()?.name.as_str()))
    }

    /// Returns the result in one line, without the games of the machines in `without`.
    pub fn short(&self, without: &[String]) -> String {
        self.report.short(&self.results(without).0)
    }

    pub fn title(&self) -> String {
        self.report.names.join(" vs ")
    }
}

/// Returns the games that are in the schedule, and their pairings.
fn met(schedule: &Schedule, games: Vec<JournalGame>) -> (Vec<JournalGame>, Vec<Pairing>) {
    let known = games.into_iter().filter(|played| played.game < schedule.total());
    known.map(|played| (schedule.game(played.game), played)).map(|(pairing, played)| (played, pairing)).unzip()
}

/// Reads the journal `path`, or all journals in the folder `path`. Files in the folder that are not journals are
/// skipped.
pub fn find(path: &Path, games: Games) -> Result<Vec<ArchivedMatch>, String> {
    if path.exists() && !path.is_dir() {
        return Ok(vec![ArchivedMatch::read(path, games)?]);
    }
    let wrong =
        |error: std::io::Error| format!("cannot read a journal or a folder of journals: {error}").at(path.display());
    let entries = std::fs::read_dir(path).map_err(wrong)?;
    let mut files: Vec<PathBuf> = entries.flatten().map(|entry| entry.path()).filter(|path| path.is_file()).collect();
    files.sort();
    Ok(files.iter().filter_map(|file| ArchivedMatch::read(file, games).ok()).collect())
}
