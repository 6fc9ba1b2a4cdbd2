//! Prepares a match: reads openings, journal and endgame tables, and checks whether the match can continue with these
//! settings.

#![deny(clippy::unwrap_used, clippy::expect_used, clippy::panic)]

use super::events::{MatchEvent, Watcher};
use super::game::Terms;
use super::journal::{Amendment, Games, JournalPlace, MatchHeader, MatchJournal};
use super::lanes::Lanes;
use super::openings::ReadOpenings;
use super::record::RecordFile;
use super::runner;
use super::schedule::{Pairing, Schedule};
use super::scores::Scores;
use super::settings::{MatchError, MatchSettings};
use hasami_api::{Line, Start};
use hasami_words::files;
use hasami_words::text::difference::{difference, plain};
use hasami_words::text::{At, counted};
use serde_json::Value;
use std::path::Path;
use std::sync::Arc;

/// Reads the openings in playing order and sets their number. Without a file, the only opening is the initial position.
pub fn read_openings(settings: &mut MatchSettings) -> Result<Vec<Line>, MatchError> {
    let rules = settings.rules;
    let ReadOpenings { mut lines, warning } = match &settings.openings {
        None => vec![Line { start: Start { text: None, rules }, moves: Vec::new() }].into(),
        Some(openings) => {
            let read = openings.read(settings.catalog, rules);
            read?
        }
    };
    settings.warning_of_openings = warning.map(|why| why.at("--openings"));
    if let Some(openings) = &settings.openings {
        let first = settings.schedule.first_opening;
        if first >= lines.len() {
            let why = format!("the file has only {}", counted(lines.len(), "opening"));
            return Err(why.at(format!("start={}", first + 1)).at("--openings").into());
        }
        settings.schedule.openings = lines.len();
        let groups = settings.schedule.total().div_ceil(settings.schedule.repeats) as usize;
        let used = (0..lines.len()).cycle().skip(first).take(groups.min(lines.len()));
        openings.settle(settings.catalog, &mut lines, used)?;
    }
    Ok(lines)
}

/// Returns a note that the built-in openings are used, because the settings name no openings.
pub fn opening_note(settings: &MatchSettings, count: usize) -> Option<String> {
    let openings = settings.openings.as_ref().filter(|openings| openings.text.is_some())?;
    Some(format!(
        "openings: {count} positions of {}; --openings FILE names others, --openings startpos none",
        openings.file.display()
    ))
}

/// A journal, its header, and the finished games.
pub type Opened = (MatchJournal, MatchHeader, Games);

/// Returns whether the file has a complete first line. Files that are not journals are rejected later, when they are
/// opened.
fn has_line(path: &Path) -> bool {
    files::read_kept(path, "journal").is_ok_and(|bytes| bytes.unwrap_or_default().contains(&b'\n'))
}

/// Opens a new journal, or the journal of the match to continue. If the journal has no complete first line because the
/// program was killed, the match starts anew.
pub fn open_journal(settings: &MatchSettings) -> Result<Opened, MatchError> {
    let here = std::env::current_dir().unwrap_or_default();
    let is_same = |header: &MatchHeader| same_plan(&header.plan, &settings.plan(), &settings.schedule).is_ok();
    let earlier = settings.journal.last(&here, is_same).filter(|_| settings.resume);
    if let Some(path) = earlier.filter(|path| has_line(path)) {
        let mut opened = MatchJournal::resume(&path, settings.catalog.endings())?;
        same_plan(&opened.1.plan, &settings.plan(), &settings.schedule)?;
        if opened.1.lengths.len() != settings.records.len() {
            return Err("the record files are not the same as before".at("--resume").into());
        }
        amend(&mut opened, settings)?;
        return Ok(opened);
    }
    let header = MatchHeader {
        folder: here.to_string_lossy().into_owned(),
        event: settings.event.clone(),
        site: settings.site.clone(),
        identities: settings.identities.clone(),
        ..MatchHeader::new(settings.plan(), settings.arguments.clone(), lengths(settings))
    };
    let names: Vec<&str> = settings.engines.iter().map(|engine| engine.name.as_str()).collect();
    let now = runner::now().replace(' ', "-").replace(':', "");
    let journal = MatchJournal::create(&settings.journal.new_file(&names, &now), &header)?;
    Ok((journal, header, Vec::new()))
}

/// Returns notes with the path of a new journal (unless the user named it) and the new name of an earlier journal.
pub fn journal_notes(settings: &MatchSettings, journal: &MatchJournal) -> Vec<String> {
    let is_usual = journal.is_new && matches!(settings.journal, JournalPlace::Usual(_));
    let at = is_usual.then(|| format!("journal: {}", journal.path.display()));
    let kept = journal.kept.as_ref().map(|kept| format!("the earlier journal is kept as {}", kept.display()));
    at.into_iter().chain(kept).collect()
}

/// If the user has raised the number of games, records this in the journal.
fn amend((journal, header, _): &mut Opened, settings: &MatchSettings) -> Result<(), MatchError> {
    let games = settings.schedule.games;
    if header.games() != Some(games) {
        let amended = Amendment { games: Some(games), ..Amendment::default() };
        journal.amend(&amended)?;
        header.amend(amended);
    }
    Ok(())
}

/// Returns the pairing of a game that is in the journal.
pub fn earlier_pairing(settings: &MatchSettings, game: u32) -> Result<Pairing, MatchError> {
    let total = settings.schedule.total();
    if game >= total {
        return Err(format!("journal: game {} is not among the {total} games of the match", u64::from(game) + 1).into());
    }
    Ok(settings.schedule.game(game))
}

/// Returns the current lengths of the record files.
pub fn lengths(settings: &MatchSettings) -> Vec<u64> {
    settings.records.iter().map(RecordFile::length).collect()
}

/// Checks that a match continues with its original plan. Only the number of games may grow; the additional games are
/// appended to the schedule.
fn same_plan(before: &Value, now: &Value, schedule: &Schedule) -> Result<(), MatchError> {
    let (mut before, now) = (before.clone(), now.clone());
    let games = before["schedule"]["games"].as_u64().unwrap_or(0) as u32;
    if games.is_multiple_of(schedule.repeats) && games <= schedule.games {
        before["schedule"]["games"] = now["schedule"]["games"].clone();
    }
    match difference(&before, &now) {
        None => Ok(()),
        Some((place, before, now)) if place == "schedule.games" => Err(format!(
            "a match that goes on may only grow, by whole pairs: the journal is of a match of {} games, but this command says {}",
            plain(before),
            plain(now)
        )
        .at("--games")
        .into()),
        Some((place, was, is)) => {
            let [was, is] = [was, is].map(plain);
            Err(format!("the journal was made with {place} {was}, but this command says {is}").at("--resume").into())
        }
    }
}

/// Returns the processors reserved for the games, if `--affinity` is set and the processors are known.
pub fn lanes(settings: &MatchSettings, watch: &mut Watcher<'_>) -> Result<Option<Lanes>, MatchError> {
    let processors = settings.affinity.as_ref().and_then(|_| hasami_child::processors());
    if settings.affinity.is_some() && processors.is_none() {
        let text = "this system keeps no program on a processor (Linux does); games are played without"
            .to_owned()
            .at("--affinity");
        watch(&MatchEvent::Note(&text), &Scores::new(false));
    }
    Lanes::new(settings, processors).map_err(MatchError::from)
}

/// Returns the conditions shared by all games of the match. `variations` states whether game records contain the
/// engines' variations.
pub fn terms(settings: &MatchSettings, variations: bool) -> Result<Terms, MatchError> {
    let catalog = settings.catalog;
    let oracle = match settings.tables.as_slice() {
        [] => None,
        folders => Some(Arc::from(catalog.oracle(folders).map_err(|why| why.at("--tb"))?)),
    };
    Ok(Terms { catalog, rules: settings.adjudication, oracle, variations })
}
