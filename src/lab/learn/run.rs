//! Turns games into samples, and searches those positions that are not in the journal yet.

#![deny(clippy::unwrap_used, clippy::expect_used, clippy::panic)]

use super::children;
use super::journal::LearningJournal;
use super::positions::{LearningGames, Pick};
use super::ranking::Ranking;
use super::sample::{ExcludedPositions, RankSample};
use hasami_api::{Line, MoveText};
use hasami_catalog::Catalog;
use hasami_matches::spec::EngineSpec;
use hasami_protocol::Go;
use serde_json::{Value, json};
use std::collections::BTreeSet;
use std::path::PathBuf;
use std::time::Duration;

/// The plan of a run: the games to learn from, the engine, and its limits.
pub struct LearningPlan {
    pub catalog: &'static dyn Catalog,
    pub files: Vec<PathBuf>,
    pub pick: Pick,
    pub engine: EngineSpec,
    /// Number of variations to request; all other moves are "out of rank".
    pub multipv: u16,
    pub nodes: u64,
    /// Number of engines that run at the same time.
    pub concurrency: usize,
    pub journal: PathBuf,
}

pub enum LearningEvent<'a> {
    /// The journal has been opened, and no search has begun.
    Opened {
        done: usize,
        total: usize,
    },
    Searched,
    /// A warning, for example about an engine that misbehaved; the run continues.
    Note(&'a str),
}

/// The samples of a run, the engine's name, and the numbers of games and positions.
pub struct LearningResult {
    /// The name that the engine reports.
    pub engine: String,
    pub games: usize,
    pub positions: usize,
    pub samples: Vec<RankSample>,
    pub left_out: ExcludedPositions,
}

/// A position to search, with its index in the list of positions.
pub(crate) struct RankingRequest {
    pub at: usize,
    pub line: Line,
}

/// A message from an engine that searches positions.
pub(crate) enum RankingNotice {
    Name(String),
    Searched(SearchedPosition),
    Note(String),
}

/// The result of the search of a position.
pub(crate) struct SearchedPosition {
    pub at: usize,
    pub ranking: Ranking,
    /// The move that the engine would play.
    pub played: Option<MoveText>,
    /// Time from the `go` command to the engine's answer.
    pub used: Duration,
    /// Number of nodes in the engine's last `info` line.
    pub nodes: u64,
}

/// A callback for the engines' messages; an error that it returns ends the run.
pub(crate) type Listener<'a> = dyn FnMut(RankingNotice) -> Result<(), String> + 'a;

/// The conditions under which engines in child processes search positions.
pub struct SearchConditions {
    pub catalog: &'static dyn Catalog,
    /// Number of variations to request from the engine.
    pub multipv: u16,
    /// The limit of each search.
    pub go: Go,
    /// Number of engines that run at the same time.
    pub concurrency: usize,
}

impl LearningPlan {
    fn conditions(&self) -> SearchConditions {
        let Self { catalog, multipv, nodes, concurrency, .. } = *self;
        SearchConditions { catalog, multipv, go: Go { nodes: Some(nodes), ..Go::default() }, concurrency }
    }

    /// The conditions that must be the same when a run continues an existing journal.
    fn identity(&self) -> Value {
        let engine = &self.engine;
        json!({
            "game": self.catalog.name(), "engine": engine.launch.to_string(), "options": engine.options,
            "restart": engine.restart, "nodes": self.nodes, "multipv": self.multipv,
        })
    }
}

/// Searches every selected position that is not in the journal, and returns the samples.
pub fn run(plan: &LearningPlan, watch: &mut dyn FnMut(&LearningEvent<'_>)) -> Result<LearningResult, String> {
    let games = LearningGames::read(&plan.files, plan.catalog, plan.pick)?;
    let (mut journal, mut rankings) = LearningJournal::open(&plan.journal, &plan.identity(), &games)?;
    games.warnings.iter().for_each(|why| watch(&LearningEvent::Note(why)));
    watch(&LearningEvent::Opened { done: rankings.len(), total: games.positions.len() });
    let question = |(at, position)| RankingRequest { at, line: games.line(position) };
    let missing = games.positions.iter().enumerate().filter(|(at, _)| !rankings.contains_key(at));
    let questions: Vec<RankingRequest> = missing.map(question).collect();
    let mut found = Vec::new();
    let mut notes = BTreeSet::new();
    let mut hear = |heard| {
        match heard {
            RankingNotice::Name(name) => journal.set_name(&name)?,
            RankingNotice::Searched(SearchedPosition { at, ranking, .. }) => {
                journal.add(&games.positions[at], &ranking)?;
                found.push((at, ranking));
                watch(&LearningEvent::Searched);
            }
            RankingNotice::Note(text) => {
                if notes.insert(text.to_string()) {
                    watch(&LearningEvent::Note(&text));
                }
            }
        }
        Ok(())
    };
    if !questions.is_empty() {
        children::search(&plan.conditions(), &plan.engine, questions, &mut hear)?;
    }
    rankings.extend(found);
    let engine = journal.name().unwrap_or_default().to_owned();
    let (samples, left_out) = RankSample::select(&games, &rankings, plan.multipv)?;
    Ok(LearningResult { engine, games: games.lines.len(), positions: games.positions.len(), samples, left_out })
}
