//! Scores existing games with another network.

use super::game::search;
use hasami_api::{Line, Searcher, Start};
use hasami_catalog::Catalog;
use hasami_protocol::Settings;
use hasami_training::SelfPlayGame;

/// Returns a worker that searches every position of a game again, to a soft limit of nodes, and replaces the scores.
/// The moves and the result of the game are kept.
pub fn rescorer(
    catalog: &dyn Catalog,
    settings: &Settings,
    nodes: u64,
) -> impl FnMut(SelfPlayGame) -> Result<SelfPlayGame, String> {
    let mut engine = catalog.engines(settings)();
    move |game| rescore_one(game, engine.as_mut(), nodes)
}

fn rescore_one(mut game: SelfPlayGame, engine: &mut dyn Searcher, nodes: u64) -> Result<SelfPlayGame, String> {
    engine.new_game();
    let start = Start { text: Some(game.start.as_str().into()), ..Start::default() };
    let mut line = Line { start, ..Line::default() };
    for played in &mut game.moves {
        played.score = search(engine, &line, nodes)?.1;
        line.moves.push(played.text);
    }
    Ok(game)
}
