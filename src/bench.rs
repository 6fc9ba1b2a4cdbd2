//! A fixed amount of searching: the node count is the same on every machine, the time tells its speed.

use crate::catalog::Catalog;
use crate::protocol::Settings;
use hasami_api::{Limits, Line, Start, Stop, Task, TaskError};
use std::time::{Duration, Instant};

/// `game<TAB>position` lines.
const POSITIONS: &str = include_str!("bench/positions.tsv");

/// Plies each position is searched to unless told otherwise.
pub const DEPTH: u16 = 11;

/// What one position cost.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Figure {
    pub position: &'static str,
    pub nodes: u64,
    pub took: Duration,
}

/// The fixed positions of a game.
pub fn positions(game: &str) -> impl Iterator<Item = &'static str> {
    POSITIONS.lines().filter(|line| !line.starts_with('#')).filter_map(move |line| {
        let (name, position) = line.split_once('\t')?;
        (name == game).then_some(position)
    })
}

/// Searches every position of the game to `depth` with one sequential engine that forgets everything in between, and
/// tells what each cost.
pub fn run(catalog: &dyn Catalog, depth: u16, tell: &mut dyn FnMut(&Figure)) -> Result<Vec<Figure>, TaskError> {
    let mut engine = catalog.engines(&Settings { hash_mb: 16, threads: 1, ..Settings::default() })();
    let mut figures = Vec::new();
    for position in positions(catalog.name()) {
        engine.new_game();
        let line = Line { start: Start { text: Some(position.into()), ..Start::default() }, moves: Vec::new() };
        let limits = Limits { depth: Some(depth), ..Limits::default() };
        let mut nodes = 0;
        let begun = Instant::now();
        engine.search(&Task { line, limits, ..Task::default() }, &Stop::new(), &mut |report| nodes = report.nodes)?;
        let figure = Figure { position, nodes, took: begun.elapsed() };
        tell(&figure);
        figures.push(figure);
    }
    Ok(figures)
}
