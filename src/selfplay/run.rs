//! Plays many games in threads and writes them in the order of their numbers.

use super::file::GamesFile;
use super::game;
use super::in_order::in_order;
use super::plan::SelfPlayPlan;
use hasami_api::{Outcome, Side};
use hasami_catalog::Catalog;
use hasami_protocol::Settings;
use hasami_training::{SelfPlayGame, TrainingFormats};
use std::collections::BTreeMap;
use std::path::Path;

/// The state of a run, reported after every game.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct SelfPlayProgress {
    /// Number of games in the file; `moves` counts their moves.
    pub games: u64,
    pub moves: u64,
    /// Results of this run: wins of the first player, draws, wins of the second player.
    pub results: [u64; 3],
}

/// Plays games until the file contains `games` games, or `enough` returns true. `settings` choose the evaluation.
pub fn run(
    catalog: &dyn Catalog,
    formats: &TrainingFormats,
    plan: &SelfPlayPlan,
    settings: &Settings,
    (path, games, threads): (&Path, u64, usize),
    tell: &mut dyn FnMut(&SelfPlayProgress),
    enough: &(dyn Fn() -> bool + Sync),
) -> Result<SelfPlayProgress, String> {
    let mut writer = SelfPlayWriter::open(path, plan, formats)?;
    let numbers = (writer.progress.games..games).take_while(|_| !enough());
    let worker = || {
        let mut engine = catalog.engines(settings)();
        move |number| (number, game::play(catalog, plan, number, engine.as_mut(), enough))
    };
    let mut is_broken_off = false;
    in_order(threads, numbers, worker, |(number, game)| {
        // A later run plays an abandoned game and all games after it again, from their numbers.
        match game? {
            Some(game) if !is_broken_off => writer.add(number, game, tell),
            _ => {
                is_broken_off = true;
                Ok(())
            }
        }
    })?;
    Ok(writer.progress)
}

/// Appends games to a file in the order of their numbers, in whatever order they arrive.
pub struct SelfPlayWriter<'a> {
    file: GamesFile,
    formats: &'a TrainingFormats,
    waiting: BTreeMap<u64, SelfPlayGame>,
    progress: SelfPlayProgress,
}

impl<'a> SelfPlayWriter<'a> {
    /// Creates a file, or opens one of the same plan.
    pub fn open(path: &Path, plan: &SelfPlayPlan, formats: &'a TrainingFormats) -> Result<Self, String> {
        let file = GamesFile::open(path, plan, formats)?;
        let progress = SelfPlayProgress { games: file.games, moves: file.moves, results: [0; 3] };
        Ok(Self { file, formats, waiting: BTreeMap::new(), progress })
    }

    pub fn progress(&self) -> SelfPlayProgress {
        self.progress
    }

    /// Accepts the game with this number. A game that is already in the file is ignored.
    pub fn add(
        &mut self,
        number: u64,
        game: SelfPlayGame,
        tell: &mut dyn FnMut(&SelfPlayProgress),
    ) -> Result<(), String> {
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
