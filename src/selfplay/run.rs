//! Plays many games in threads and writes them to the game file, ordered by number.

use super::file::GamesFile;
use super::game;
use super::in_order::in_order;
use super::plan::SelfPlayPlan;
use hasami_api::{Outcome, Side};
use hasami_catalog::Catalog;
use hasami_protocol::Settings;
use hasami_training::TrainingFormats;
use std::path::Path;

/// The progress of a self-play run, reported after every game.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct SelfPlayProgress {
    /// Number of games in the game file; `moves` is their total number of moves.
    pub games: u64,
    pub moves: u64,
    /// Results in this run: wins by the first player, draws, and wins by the second player.
    pub results: [u64; 3],
}

/// Plays games until the game file has `games` games or `enough` returns true. `settings` selects the evaluation.
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
    let mut progress = SelfPlayProgress { games: file.games, moves: file.moves, results: [0; 3] };
    let numbers = (file.games..games).take_while(|_| !enough());
    let worker = || {
        let mut engine = catalog.engines(settings)();
        move |number| game::play(catalog, plan, number, engine.as_mut(), enough)
    };
    let (mut is_broken_off, mut bytes) = (false, Vec::new());
    in_order(threads, numbers, worker, |game| {
        // A later run plays an abandoned game and all games after it again.
        let Some(game) = game?.filter(|_| !is_broken_off) else {
            is_broken_off = true;
            return Ok::<(), String>(());
        };
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
        tell(&progress);
        Ok(())
    })?;
    Ok(progress)
}
