//! Many games in threads, written in the order of their numbers.

use super::file::GamesFile;
use super::game;
use super::plan::SelfPlayPlan;
use crate::catalog::Catalog;
use crate::protocol::Settings;
use crate::words::Message;
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

type Finished = (u64, Result<SelfPlayGame, Message>);

/// Plays until the file holds so many games, or `enough` says so. `settings` say how the engine evaluates.
pub fn run(
    catalog: &dyn Catalog,
    formats: &TrainingFormats,
    plan: &SelfPlayPlan,
    settings: &Settings,
    (path, games, threads): (&Path, u64, usize),
    tell: &mut dyn FnMut(&SelfPlayProgress),
    enough: &(dyn Fn() -> bool + Sync),
) -> Result<SelfPlayProgress, Message> {
    let mut writer = SelfPlayWriter::open(path, plan, formats)?;
    let begun = writer.progress.games;
    let (next, written, quit) = (AtomicU64::new(begun), AtomicU64::new(begun), AtomicBool::new(false));
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
                    // A game that is given up is played again from its number by whoever goes on.
                    let game = game::play(catalog, plan, number, engine.as_mut(), &is_over);
                    let Some(game) = game.transpose() else { return };
                    if sender.send((number, game)).is_err() {
                        return;
                    }
                }
            });
        }
        drop(sender);
        let done = write(&mut writer, finished, &written, tell);
        quit.store(true, Ordering::Relaxed);
        done
    })
}

/// Appends what is finished.
fn write(
    writer: &mut SelfPlayWriter<'_>,
    finished: Receiver<Finished>,
    written: &AtomicU64,
    tell: &mut dyn FnMut(&SelfPlayProgress),
) -> Result<SelfPlayProgress, Message> {
    for (number, game) in finished {
        writer.add(number, game?, tell)?;
        written.store(writer.progress.games, Ordering::Relaxed);
    }
    Ok(writer.progress)
}

/// Appends games to a file, every game after those before it, in whatever order they come.
pub struct SelfPlayWriter<'a> {
    file: GamesFile,
    formats: &'a TrainingFormats,
    waiting: BTreeMap<u64, SelfPlayGame>,
    progress: SelfPlayProgress,
}

impl<'a> SelfPlayWriter<'a> {
    /// Begins a file, or goes on with one of the same plan.
    pub fn open(path: &Path, plan: &SelfPlayPlan, formats: &'a TrainingFormats) -> Result<Self, Message> {
        let file = GamesFile::open(path, plan, formats)?;
        let progress = SelfPlayProgress { games: file.games, moves: file.moves, results: [0; 3] };
        Ok(Self { file, formats, waiting: BTreeMap::new(), progress })
    }

    pub fn progress(&self) -> SelfPlayProgress {
        self.progress
    }

    /// Takes in the game of this number; one that is there already changes nothing.
    pub fn add(
        &mut self,
        number: u64,
        game: SelfPlayGame,
        tell: &mut dyn FnMut(&SelfPlayProgress),
    ) -> Result<(), Message> {
        if number >= self.file.games {
            self.waiting.insert(number, game);
        }
        let mut bytes = Vec::new();
        while let Some(game) = self.waiting.remove(&self.file.games) {
            bytes.clear();
            (self.formats.write_game)(&game, &mut bytes).map_err(|error| error.to_string())?;
            self.file.append(&bytes, game.moves.len())?;
            let result = match game.outcome {
                Outcome::Win(Side::First) => 0,
                Outcome::Win(Side::Second) => 2,
                Outcome::Draw | Outcome::Unfinished => 1,
            };
            self.progress.results[result] += 1;
            (self.progress.games, self.progress.moves) = (self.file.games, self.file.moves);
            tell(&self.progress);
        }
        Ok(())
    }
}
