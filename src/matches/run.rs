//! Plays a match on this machine, until the schedule or the SPRT ends the match.

#![deny(clippy::unwrap_used, clippy::expect_used, clippy::panic)]

use super::events::Watcher;
use super::log::Log;
use super::recorder::MatchRecorder;
pub use super::recorder::Outcomes;
use super::runner::GameRunner;
use super::settings::{MatchError, MatchSettings};
use super::setup;
use hasami_api::Line;
use hasami_words::text::At;
use std::collections::VecDeque;
use std::sync::atomic::Ordering::Relaxed;

pub fn play(settings: &mut MatchSettings, watch: &mut Watcher<'_>) -> Result<Outcomes, MatchError> {
    settings.check()?;
    let openings = setup::read_openings(settings)?;
    let settings = &*settings;
    let log = match &settings.log {
        None => Log::nowhere(),
        Some(path) => Log::create(path).map_err(|error| error.at(format!("--log {}", path.display())))?,
    };
    // Reports missing files and invalid settings before an earlier journal is renamed.
    let terms = setup::terms(settings, settings.keeps_variations())?;
    let lanes = setup::lanes(settings, watch)?;
    let mut recorder = MatchRecorder::open(settings, &openings, Some(cores()), watch)?;
    let mut runner = GameRunner::new(settings, terms, log, lanes);
    let outcome = play_all(settings, &openings, &mut recorder, &mut runner);
    runner.close();
    recorder.close(outcome)
}

fn play_all(
    settings: &MatchSettings,
    openings: &[Line],
    recorder: &mut MatchRecorder<'_, '_>,
    runner: &mut GameRunner<'_>,
) -> Result<(), MatchError> {
    let mut waiting: VecDeque<u32> = recorder.missing().collect();
    loop {
        if recorder.is_decided() || settings.stop.load(Relaxed) {
            return Ok(());
        }
        while runner.count() < settings.concurrency
            && let Some(game) = waiting.pop_front()
        {
            let pairing = settings.schedule.game(game);
            runner.begin(pairing, &openings[pairing.opening.unwrap_or(0)], recorder)?;
        }
        if runner.count() == 0 {
            return Ok(());
        }
        runner.step(recorder)?;
    }
}

/// Returns the number of cores of this machine that the match may use.
fn cores() -> usize {
    std::thread::available_parallelism().map_or(1, usize::from)
}
