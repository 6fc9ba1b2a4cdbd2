//! Warnings, shown before the first game, about conditions that make the result misleading.

use super::control::TimeControl;
use super::settings::MatchSettings;
use super::spec::EngineSpec;
use hasami_api::Line;
use hasami_words::text::{At, counted};
use std::time::Duration;

/// With less time per move than this, starting a search and communicating through two pipes take a considerable share.
const SHORT_MOVE: Duration = Duration::from_millis(20);

/// Returns all warnings, one line each. `cores` is the machine's number of cores.
pub fn warnings(settings: &MatchSettings, openings: &[Line], cores: usize) -> Vec<String> {
    let mut found = Vec::from_iter(settings.warning_of_openings.clone());
    found.extend(repeated_games(settings, openings.len()));
    found.extend(settings.engines.iter().filter_map(short_time));
    found.extend(crowded_cores(settings, cores));
    found
}

/// Returns an error if games would certainly repeat: without openings, two engines that are limited by nodes or depth
/// alone play the same games again, and the result is meaningless.
pub fn certain_repeats(settings: &MatchSettings) -> Option<String> {
    let schedule = &settings.schedule;
    let games = if schedule.no_swap { 1 } else { 2 };
    let are_same = settings.engines.iter().all(|engine| is_deterministic(&engine.control) && threads(engine) == 1);
    let is_certain = settings.openings.is_none() && schedule.games > games && are_same;
    is_certain.then(|| format!("without a file of openings (--openings FILE) or a clock, engines that are limited by nodes or depth alone play the same {games} games again and again (--games {games} plays them once)"))
}

/// Returns a warning if games will be played from the same position with the same colours.
fn repeated_games(settings: &MatchSettings, openings: usize) -> Option<String> {
    let schedule = &settings.schedule;
    let (games, colours) = (schedule.games, if schedule.no_swap { 1 } else { 2 });
    let is_certain = settings.engines.iter().all(|engine| is_deterministic(&engine.control));
    let repeat = if is_certain {
        "engines that are limited by nodes or depth alone will play the same games again".to_owned()
    } else {
        "games may repeat".to_owned()
    }
    .to_string();
    if settings.openings.is_none() {
        return (games > colours)
            .then_some(format!("no --openings: all games of each two engines are from one position; {repeat}"));
    }
    // Each opening is played `repeats` times; the openings are reused after the last one.
    let needed = schedule.total().div_ceil(schedule.repeats.max(1)) as usize;
    let is_worth_a_word = schedule.encounters().len() == 1 && is_certain && !schedule.is_open();
    (is_worth_a_word && needed > openings).then(|| {
        let count = |count: usize| counted(count, "opening").to_string();
        format!("{} where {games} games take {}; {repeat}", count(openings), count(needed)).at("--openings")
    })
}

fn is_deterministic(control: &TimeControl) -> bool {
    !control.is_timed()
}

fn short_time(engine: &EngineSpec) -> Option<String> {
    let pace = engine.control.pace().filter(|pace| *pace < SHORT_MOVE && !engine.virtual_clock)?;
    let margin = engine.control.margin();
    (margin < SHORT_MOVE).then(|| {
        format!("{} ms a move ({}) is little more than a pipe and a busy machine take; expect losses on time, or give a timemargin", pace.as_millis(), engine.control).at(&engine.name)
    })
}

/// Returns a warning if more threads search at the same time than the machine has cores. Without clocks, too many
/// threads only make the match longer.
fn crowded_cores(settings: &MatchSettings, cores: usize) -> Option<String> {
    let clocked = settings.engines.iter().filter(|engine| engine.control.is_timed() && !engine.virtual_clock);
    let threads = clocked.clone().map(threads).max()?;
    let ponders = clocked.clone().any(|engine| engine.ponder);
    let games = settings.concurrency.min(settings.schedule.total() as usize);
    let wanted = games * threads * if ponders { 2 } else { 1 };
    (wanted > cores).then(|| {
        let (games, threads) = (counted(games, "game"), counted(threads, "thread"));
        let sides = if ponders { " and side" } else { "" };
        format!("{wanted} cores are needed for {games} at a time with {threads} per game{sides}, but there are {cores}; clocks will run while engines wait").at("--concurrency")
    })
}

/// Returns the number of threads that an engine's options set, or 1: the engine's own default is not known yet.
pub fn threads(engine: &EngineSpec) -> usize {
    let set = engine.options.iter().find(|(name, _)| name.eq_ignore_ascii_case("Threads"));
    set.and_then(|(_, value)| value.parse().ok()).unwrap_or(1).max(1)
}

#[cfg(test)]
#[allow(clippy::unwrap_used)]
mod tests {
    use super::*;
    use crate::spec::EngineDraft;

    fn engine(words: &str) -> EngineSpec {
        let mut draft = EngineDraft::default();
        draft.read(&[words.to_owned()]).unwrap();
        draft.finish().unwrap()
    }

    #[test]
    fn short_clocks_are_reported_with_their_numbers() {
        let short = engine("name=a cmd=x tc=0.2+0.001");
        assert!(short_time(&short).unwrap().to_string().starts_with("a: 6 ms a move (0.2+0.001) is little"));
        for enough in ["cmd=x tc=10+0.1", "cmd=x tc=0.2+0.001 timemargin=100", "cmd=x nodes=5", "cmd=x st=0.05"] {
            assert_eq!(short_time(&engine(enough)), None, "{enough}");
        }
    }
}
