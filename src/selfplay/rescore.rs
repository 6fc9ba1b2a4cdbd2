//! Scores of another network for games that were played.

use super::game::search;
use crate::catalog::Catalog;
use crate::protocol::Settings;
use hasami_api::{Line, Searcher, Start};
use hasami_training::SelfPlayGame;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Mutex, PoisonError};
use std::thread;

/// Searches every position of the games anew to a soft limit of nodes, and puts in the scores. Moves and results stay.
pub fn rescore(
    catalog: &dyn Catalog,
    games: &mut [SelfPlayGame],
    settings: &Settings,
    (nodes, threads): (u64, usize),
) -> Result<(), String> {
    let (next, failed) = (AtomicUsize::new(0), Mutex::new(None));
    let slots: Vec<_> = games.iter_mut().map(Mutex::new).collect();
    thread::scope(|scope| {
        for _ in 0..threads {
            let mut engine = catalog.engines(settings)();
            let (next, slots, failed) = (&next, &slots, &failed);
            scope.spawn(move || {
                while let Some(slot) = slots.get(next.fetch_add(1, Ordering::Relaxed)) {
                    let mut game = slot.lock().unwrap_or_else(PoisonError::into_inner);
                    if let Err(error) = rescore_one(&mut game, engine.as_mut(), nodes) {
                        *failed.lock().unwrap_or_else(PoisonError::into_inner) = Some(error);
                        return;
                    }
                }
            });
        }
    });
    failed.into_inner().unwrap_or_else(PoisonError::into_inner).map_or(Ok(()), Err)
}

fn rescore_one(game: &mut SelfPlayGame, engine: &mut dyn Searcher, nodes: u64) -> Result<(), String> {
    engine.new_game();
    let start = Start { text: Some(game.start.as_str().into()), ..Start::default() };
    let mut line = Line { start, ..Line::default() };
    for played in &mut game.moves {
        played.score = search(engine, &line, nodes)?.1;
        line.moves.push(played.text);
    }
    Ok(())
}
