//! Before the first game: openings, journal, endgame tables; and whether a match may go on as it is told to.

#![deny(clippy::unwrap_used, clippy::expect_used, clippy::panic)]

use super::game::Terms;
use super::journal::{Games, Header, Journal};
use super::record;
use super::run::{Event, Watcher};
use super::schedule::Schedule;
use super::scores::Scores;
use super::settings::{MatchError, Settings};
use hasami_api::{Line, Start};
use serde_json::Value;
use std::sync::Arc;

/// The openings in the order of play; fills in their number. Without a file there is one, the usual start.
pub fn read_openings(settings: &mut Settings) -> Result<Vec<Line>, MatchError> {
    let rules = settings.rules;
    let lines = match &settings.openings {
        None => vec![Line { start: Start { text: None, rules }, moves: Vec::new() }],
        Some(openings) => {
            let read = openings.read(settings.catalog, rules);
            read.map_err(|error| MatchError(format!("--openings: {error}")))?
        }
    };
    if let Some(openings) = &settings.openings {
        let first = settings.schedule.first_opening;
        if first >= lines.len() {
            let found = format!("expected start=1 to start={}, found {}", lines.len(), first + 1);
            return Err(MatchError(format!("--openings: {found}")));
        }
        settings.schedule.openings = lines.len();
        let groups = settings.schedule.total().div_ceil(settings.schedule.repeats) as usize;
        let used = lines.iter().cycle().skip(settings.schedule.first_opening).take(groups.min(lines.len()));
        openings.check(settings.catalog, used).map_err(|error| MatchError(format!("--openings: {error}")))?;
    }
    Ok(lines)
}

/// A journal with its first line and the games that are done.
pub type Opened = (Journal, Header, Games);

/// A new journal, or that of the match that goes on. A match killed before its first line is complete begins anew.
pub fn open_journal(settings: &Settings, watch: &mut Watcher<'_>) -> Result<Opened, MatchError> {
    let has_line = std::fs::read(&settings.journal).is_ok_and(|text| text.contains(&b'\n'));
    if settings.resume && has_line {
        let opened = Journal::resume(&settings.journal)?;
        same_plan(&opened.1.plan, &settings.plan(), &settings.schedule)?;
        if opened.1.lengths.len() != settings.records.len() {
            return Err(MatchError("--resume: expected the same record files as before, found others".into()));
        }
        return Ok(opened);
    }
    let header = Header::new(settings.plan(), settings.arguments.clone(), lengths(settings));
    let journal = Journal::create(&settings.journal, &header)?;
    if let Some(kept) = journal.kept() {
        let text = format!("the earlier journal is kept as {}", kept.display());
        watch(&Event::Note(&text), &Scores::new(false));
    }
    Ok((journal, header, Vec::new()))
}

/// How long the record files are now.
pub fn lengths(settings: &Settings) -> Vec<u64> {
    settings.records.iter().map(|target| record::length(&target.path)).collect()
}

/// A match goes on as it began, but may become longer: then games are only added to the end of the schedule.
fn same_plan(before: &Value, now: &Value, schedule: &Schedule) -> Result<(), MatchError> {
    let (mut before, now) = (before.clone(), now.clone());
    let games = before["schedule"]["games"].as_u64().unwrap_or(0) as u32;
    if games.is_multiple_of(schedule.repeats) && games <= schedule.games {
        before["schedule"]["games"] = now["schedule"]["games"].clone();
    }
    let empty = serde_json::Map::new();
    let keys = before.as_object().unwrap_or(&empty).keys().chain(now.as_object().unwrap_or(&empty).keys());
    match keys.into_iter().find(|key| before[key.as_str()] != now[key.as_str()]) {
        None => Ok(()),
        Some(key) => Err(MatchError(format!(
            "--resume: expected the same {key} as in the journal, {}, found {}",
            before[key.as_str()],
            now[key.as_str()]
        ))),
    }
}

/// What all games are played under.
pub fn terms(settings: &Settings) -> Result<Terms, MatchError> {
    let catalog = settings.catalog;
    let oracle = match settings.tables.as_slice() {
        [] => None,
        folders => Some(Arc::from(catalog.oracle(folders).map_err(|why| MatchError(format!("--tb: {why}")))?)),
    };
    let variations = settings.records.iter().any(|target| target.kind.has_variations());
    Ok(Terms { catalog, rules: settings.adjudication, oracle, variations })
}
