//! Searches fixed positions. Every machine searches the same number of nodes; only the search time differs.

use hasami_api::{Goal, Limits, Line, Start, Stop, Task, TaskError};
use hasami_catalog::Catalog;
use hasami_protocol::Settings;
use std::time::{Duration, Instant};

/// Positions for the search, as lines of `game<TAB>position`.
const POSITIONS: &str = include_str!("bench/positions.tsv");

/// Positions for the mate solver, as lines of `game<TAB>position`.
const MATES: &str = include_str!("bench/mates.tsv");

/// Node limit of the mate solver for each position; most positions need fewer nodes.
const MATE_NODES: u64 = 60_000;

/// Default search depth in plies.
pub const DEPTH: u16 = 11;

#[derive(Clone, PartialEq, Eq, Debug)]
pub struct BenchFigure {
    pub position: &'static str,
    pub nodes: u64,
    pub took: Duration,
}

/// The positions of one game for the search benchmark.
pub fn positions(game: &str) -> impl Iterator<Item = &'static str> {
    of_game(POSITIONS, game)
}

fn of_game(list: &'static str, game: &str) -> impl Iterator<Item = &'static str> {
    list.lines().filter(|line| !line.starts_with('#')).filter_map(move |line| {
        let (name, position) = line.split_once('\t')?;
        (name == game).then_some(position)
    })
}

/// Searches every benchmark position of the game to `depth` plies with one sequential engine, which is reset before
/// each position, and passes the nodes and time of each position to `tell`.
pub fn run(
    catalog: &dyn Catalog,
    depth: u16,
    tell: &mut dyn FnMut(&BenchFigure),
) -> Result<Vec<BenchFigure>, TaskError> {
    let mut engine = catalog.engines(&catalog.with_network(&settings()))();
    let limits = Limits { depth: Some(depth), ..Limits::default() };
    measure(positions(catalog.name()), tell, |line| {
        engine.new_game();
        let mut nodes = 0;
        engine.search(&Task { line, limits, ..Task::default() }, &Stop::new(), &mut |report| nodes = report.nodes)?;
        Ok(nodes)
    })
}

/// Searches each mate position of the game for a mate by checks, within a fixed number of nodes.
pub fn run_mates(catalog: &dyn Catalog, tell: &mut dyn FnMut(&BenchFigure)) -> Result<Vec<BenchFigure>, TaskError> {
    let mut solver = catalog.mate_solver(&settings());
    let limits = Limits { nodes: Some(MATE_NODES), ..Limits::default() };
    measure(of_game(MATES, catalog.name()), tell, |line| {
        let (task, mut nodes) = (Task { line, goal: Goal::Mate, limits, ..Task::default() }, 0);
        solver.search(&task, &Stop::new(), &mut |report| nodes = report.nodes)?;
        Ok(nodes)
    })
}

fn settings() -> Settings {
    Settings { hash_mb: 16, threads: 1, ..Settings::default() }
}

fn measure(
    positions: impl Iterator<Item = &'static str>,
    tell: &mut dyn FnMut(&BenchFigure),
    mut search: impl FnMut(Line) -> Result<u64, TaskError>,
) -> Result<Vec<BenchFigure>, TaskError> {
    let mut figures = Vec::new();
    for position in positions {
        let line = Line { start: Start { text: Some(position.into()), ..Start::default() }, moves: Vec::new() };
        let begun = Instant::now();
        let nodes = search(line)?;
        let figure = BenchFigure { position, nodes, took: begun.elapsed() };
        tell(&figure);
        figures.push(figure);
    }
    Ok(figures)
}
