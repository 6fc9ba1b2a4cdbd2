//! Warnings before the first game about conditions under which the result may be misleading.

use super::control::TimeControl;
use super::settings::MatchSettings;
use super::spec::EngineSpec;
use hasami_api::Line;
use hasami_words::text::{At, counted};
use std::fs;
use std::path::{Path, PathBuf};
use std::time::Duration;

/// If the time per move is less than this, starting a search and communicating through two pipes take a considerable
/// part of it.
const SHORT_MOVE: Duration = Duration::from_millis(20);

/// Options for the time that an engine reserves for communication with the GUI, in milliseconds.
const OVERHEADS: [&str; 4] = ["Move Overhead", "MoveOverhead", "NetworkDelay", "NetworkDelay2"];

/// All warnings, one line each. `cores` is the number of cores of the machine.
pub fn warnings(settings: &MatchSettings, openings: &[Line], cores: usize) -> Vec<String> {
    let mut found = Vec::from_iter(settings.warning_of_openings.clone());
    found.extend(repeated_games(settings, openings.len()));
    found.extend(settings.engines.iter().filter_map(short_time));
    found.extend(settings.engines.iter().filter_map(long_overhead));
    found.extend(crowded_cores(settings, cores));
    found.extend(same_engines(&settings.engines));
    found
}

/// The error about games that will certainly repeat: two engines limited by nodes or depth alone repeat their games if
/// nothing else differs, so the result would mean nothing.
pub fn certain_repeats(settings: &MatchSettings) -> Option<String> {
    let schedule = &settings.schedule;
    let games = if schedule.no_swap { 1 } else { 2 };
    let are_same = settings.engines.iter().all(|engine| is_deterministic(&engine.control) && threads(engine) == 1);
    let is_certain = settings.openings.is_none() && schedule.games > games && are_same;
    is_certain.then(|| format!("expected a file of openings (--openings FILE) or a clock: engines that are limited by nodes or depth alone play the same {games} games again and again (--games {games} plays them once)"))
}

/// A warning about games from the same position with the same colours.
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
    // Each opening is played `repeats` times; after the last opening the first one is used again.
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

/// A warning that the overhead set by the user leaves no time to think.
fn long_overhead(engine: &EngineSpec) -> Option<String> {
    let pace = engine.control.pace().filter(|_| !engine.virtual_clock)?;
    let is_overhead = |name: &str| OVERHEADS.iter().any(|known| known.eq_ignore_ascii_case(name));
    let (name, value) = engine.options.iter().find(|(name, _)| is_overhead(name))?;
    let overhead = Duration::from_millis(value.parse().ok()?);
    (overhead >= pace).then(|| {
        format!("{name}={value} is as long as a move may take ({} ms of {})", pace.as_millis(), engine.control)
            .at(&engine.name)
    })
}

/// A warning that more threads search at the same time than the machine has cores. Without clocks this only costs time.
fn crowded_cores(settings: &MatchSettings, cores: usize) -> Option<String> {
    let clocked = settings.engines.iter().filter(|engine| engine.control.is_timed() && !engine.virtual_clock);
    let threads = clocked.clone().map(threads).max()?;
    let ponders = clocked.clone().any(|engine| engine.ponder);
    let games = settings.concurrency.min(settings.schedule.total() as usize);
    let wanted = games * threads * if ponders { 2 } else { 1 };
    (wanted > cores).then(|| {
        if ponders { format!("{games} games at a time with {} each, both sides of which think want {wanted} cores, found {cores}; clocks will run while engines wait", counted(threads, "thread")) } else { format!("{games} games at a time with {} each want {wanted} cores, found {cores}; clocks will run while engines wait", counted(threads, "thread")) }.to_string().at("--concurrency")
    })
}

/// The number of threads set by an engine's options. Other settings are unknown before the engine has started.
pub fn threads(engine: &EngineSpec) -> usize {
    let set = engine.options.iter().find(|(name, _)| name.eq_ignore_ascii_case("Threads"));
    set.and_then(|(_, value)| value.parse().ok()).unwrap_or(1).max(1)
}

/// Warnings about engines that differ only in their names, one line per group.
fn same_engines(engines: &[EngineSpec]) -> Vec<String> {
    let mut groups: Vec<Vec<&EngineSpec>> = Vec::new();
    for engine in engines {
        match groups.iter_mut().find(|group| is_same(group[0], engine)) {
            Some(group) => group.push(engine),
            None => groups.push(vec![engine]),
        }
    }
    let line = |group: Vec<&EngineSpec>| {
        let names: Vec<&str> = group.iter().map(|engine| engine.name.as_str()).collect();
        let (last, others) = names.split_last().filter(|(_, others)| !others.is_empty())?;
        Some(format!(
            "{} and {last} are the same program with the same options and limits: they are equally strong",
            others.join(", ")
        ))
    };
    groups.into_iter().filter_map(line).collect()
}

fn is_same(first: &EngineSpec, second: &EngineSpec) -> bool {
    let sorted = |engine: &EngineSpec| {
        let mut options = engine.options.clone();
        options.sort();
        options
    };
    let [a, b] = [first, second].map(|engine| engine.launch.words());
    a[1..] == b[1..]
        && (first.control == second.control && first.ponder == second.ponder)
        && sorted(first) == sorted(second)
        && (a[0] == b[0] || is_same_file(Path::new(&a[0]), Path::new(&b[0])))
}

/// Returns whether two paths lead to the same file or to identical copies.
fn is_same_file(first: &Path, second: &Path) -> bool {
    let real = |path: &Path| -> Option<PathBuf> { fs::canonicalize(path).ok() };
    let (Some(first), Some(second)) = (real(first), real(second)) else { return false };
    let length = |path: &Path| fs::metadata(path).ok().filter(|found| found.is_file()).map(|found| found.len());
    first == second
        || (length(&first).is_some() && length(&first) == length(&second) && {
            let text = |path: &Path| fs::read(path).ok();
            text(&first).is_some_and(|bytes| text(&second) == Some(bytes))
        })
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
    fn engines_that_differ_only_in_name_are_reported_once() {
        let folder = tempfile::tempdir().unwrap();
        let (first, copy, other) =
            (folder.path().join("first"), folder.path().join("copy"), folder.path().join("other"));
        fs::write(&first, "program").unwrap();
        fs::copy(&first, &copy).unwrap();
        fs::write(&other, "another").unwrap();
        let of = |name: &str, path: &Path, more: &str| {
            engine(&format!("name={name} cmd='{}' nodes=5 {more}", path.display()))
        };
        let engines = [
            of("a", &first, "option.Hash=1 option.Threads=1"),
            of("b", &copy, "option.Threads=1 option.Hash=1"),
            of("c", &other, "option.Threads=1 option.Hash=1"),
            of("d", &first, "option.Threads=2 option.Hash=1"),
            of("e", &first, "option.Hash=1 option.Threads=1 depth=3"),
        ];
        let told = same_engines(&engines);
        assert!(told.len() == 1 && told[0].to_string().starts_with("a and b are the same program"), "{told:?}");
    }

    #[test]
    fn short_clocks_are_reported_with_their_numbers() {
        let short = engine("name=a cmd=x tc=0.2+0.001");
        assert!(short_time(&short).unwrap().to_string().starts_with("a: 6 ms a move (0.2+0.001) is little"));
        for enough in ["cmd=x tc=10+0.1", "cmd=x tc=0.2+0.001 timemargin=100", "cmd=x nodes=5", "cmd=x st=0.05"] {
            assert_eq!(short_time(&engine(enough)), None, "{enough}");
        }
        let kept = engine("name=a cmd=x st=0.1 \"option.Move Overhead=100\"");
        assert_eq!(
            long_overhead(&kept).unwrap().to_string(),
            "a: Move Overhead=100 is as long as a move may take (100 ms of 0.1/move)"
        );
        assert_eq!(long_overhead(&engine("cmd=x st=0.1 option.MoveOverhead=50")), None);
    }
}
