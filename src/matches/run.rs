//! The match on this machine: a game begins wherever there is room for one, until the schedule or the SPRT ends it.

#![deny(clippy::unwrap_used, clippy::expect_used, clippy::panic)]

use super::books::MatchBooks;
pub use super::books::Outcomes;
use super::events::Watcher;
use super::log::Log;
use super::runner::GameRunner;
use super::scores::Scores;
use super::settings::{MatchError, MatchSettings};
use super::stats::Sprt;
use super::{report, setup};
use hasami_api::Line;
use std::collections::VecDeque;
use std::sync::atomic::Ordering::Relaxed;

/// Plays the match to its end.
pub fn play(settings: &mut MatchSettings, watch: &mut Watcher<'_>) -> Result<Outcomes, MatchError> {
    settings.check()?;
    let openings = setup::read_openings(settings)?;
    let settings = &*settings;
    let log = match &settings.log {
        None => Log::nowhere(),
        Some(path) => Log::create(path).map_err(|e| MatchError(format!("--log {}: {e}", path.display())))?,
    };
    let terms = setup::terms(settings, settings.keeps_variations())?;
    let mut books = MatchBooks::open(settings, watch)?;
    let mut runner = GameRunner::new(settings, terms, log);
    let outcome = play_all(settings, &openings, &mut books, &mut runner);
    runner.close();
    books.close(outcome)
}

fn play_all(
    settings: &MatchSettings,
    openings: &[Line],
    books: &mut MatchBooks<'_, '_>,
    runner: &mut GameRunner<'_>,
) -> Result<(), MatchError> {
    let mut waiting: VecDeque<u32> = books.missing().collect();
    loop {
        if books.is_decided() || settings.stop.load(Relaxed) {
            return Ok(());
        }
        while runner.count() < settings.concurrency
            && let Some(game) = waiting.pop_front()
        {
            let pairing = settings.schedule.game(game);
            runner.begin(pairing, &openings[pairing.opening.unwrap_or(0)], books)?;
        }
        if runner.count() == 0 {
            return Ok(());
        }
        runner.step(books)?;
    }
}

/// The figures of a match, for the end and for every so many games.
pub fn results(names: &[String], sprt: Option<&Sprt>, scores: &Scores) -> Vec<String> {
    report::block(names, scores, sprt)
}

/// One short line of them.
pub fn short_results(names: &[String], sprt: Option<&Sprt>, scores: &Scores) -> String {
    report::short(names, scores, sprt)
}
