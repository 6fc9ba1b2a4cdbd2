//! Many games in threads, written in the order of their numbers.

use super::file::GamesFile;
use super::game;
use super::plan::SelfPlayPlan;
use crate::catalog::Catalog;
use crate::protocol::Settings;
use crossbeam_channel::{Receiver, bounded};
use hasami_api::{Outcome, Side};
use hasami_training::{SelfPlayGame, TrainingFormats};
use std::collections::BTreeMap;
use std::path::Path;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::thread;

/// Games that may be finished before an earlier one is, for each thread.
const AHEAD: u64 = 64;

/// The state of a run, told after every game.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct SelfPlayProgress {
    /// Games and moves in the file.
    pub games: u64,
    pub moves: u64,
    /// Of this run: wins of the first player, draws, wins of the second.
    pub results: [u64; 3],
}

type Finished = (u64, Result<SelfPlayGame, String>);

/// Plays until the file holds so many games, or `enough` says so. `settings` say how the engine evaluates.
pub fn run(
    catalog: &dyn Catalog,
    formats: &TrainingFormats,
    plan: &SelfPlayPlan,
    settings: &Settings,
    (path, games, threads): (&Path, u64, usize),
    tell: &mut dyn FnMut(&SelfPlayProgress),
    enough: &(dyn Fn() -> bool + Sync),
) -> Result<SelfPlayProgress, String> {
    let mut file = GamesFile::open(path, plan, formats)?;
    let (next, written, quit) = (AtomicU64::new(file.games), AtomicU64::new(file.games), AtomicBool::new(false));
    let (sender, finished) = bounded::<Finished>(threads);
    thread::scope(|scope| {
        for _ in 0..threads {
            let (sender, next, written, quit) = (sender.clone(), &next, &written, &quit);
            let mut engine = catalog.engines(settings)();
            scope.spawn(move || {
                loop {
                    let is_over = || quit.load(Ordering::Relaxed) || enough();
                    let number = next.fetch_add(1, Ordering::Relaxed);
                    if number >= games || is_over() {
                        return;
                    }
                    // One game that takes long must not make the others pile up.
                    while number > written.load(Ordering::Relaxed) + AHEAD * threads as u64 && !is_over() {
                        thread::park_timeout(std::time::Duration::from_millis(20));
                    }
                    let game = game::play(catalog, plan, number, engine.as_mut());
                    if sender.send((number, game)).is_err() {
                        return;
                    }
                }
            });
        }
        drop(sender);
        let done = write(&mut file, formats, finished, &written, tell);
        quit.store(true, Ordering::Relaxed);
        done
    })
}

/// Appends what is finished, every game after those before it.
fn write(
    file: &mut GamesFile,
    formats: &TrainingFormats,
    finished: Receiver<Finished>,
    written: &AtomicU64,
    tell: &mut dyn FnMut(&SelfPlayProgress),
) -> Result<SelfPlayProgress, String> {
    let mut progress = SelfPlayProgress { games: file.games, moves: file.moves, results: [0; 3] };
    let (mut waiting, mut bytes) = (BTreeMap::new(), Vec::new());
    for (number, game) in finished {
        waiting.insert(number, game?);
        while let Some(game) = waiting.remove(&file.games) {
            bytes.clear();
            (formats.write_game)(&game, &mut bytes).map_err(|error| error.to_string())?;
            file.append(&bytes, game.moves.len())?;
            let result = match game.outcome {
                Outcome::Win(Side::First) => 0,
                Outcome::Win(Side::Second) => 2,
                Outcome::Draw | Outcome::Unfinished => 1,
            };
            progress.results[result] += 1;
            (progress.games, progress.moves) = (file.games, file.moves);
            written.store(file.games, Ordering::Relaxed);
            tell(&progress);
        }
    }
    Ok(progress)
}
