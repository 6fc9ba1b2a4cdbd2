//! From games to rankings: what the journal does not hold yet is searched.

#![deny(clippy::unwrap_used, clippy::expect_used, clippy::panic)]

use super::journal::LearningJournal;
use super::positions::{LearningGames, Pick};
use super::ranking::Ranking;
use super::sample::{LeftOut, RankSample};
use super::{LearnError, children, own};
use hasami_api::Line;
use hasami_catalog::Catalog;
use hasami_matches::spec::EngineSpec;
use hasami_protocol::Settings;
use hasami_words::Message;
use serde_json::{Value, json};
use std::collections::BTreeSet;
use std::path::PathBuf;

/// Who searches.
#[derive(Clone, Debug)]
pub enum LearningEngine {
    /// The sequential engine of this program.
    Own(Box<Settings>),
    Child(Box<EngineSpec>),
}

/// The samples to learn from.
pub struct LearningPlan {
    pub catalog: &'static dyn Catalog,
    pub files: Vec<PathBuf>,
    pub pick: Pick,
    pub engine: LearningEngine,
    /// Lines to ask for; the moves beyond are "out of rank".
    pub multipv: u16,
    /// For each position.
    pub nodes: u64,
    /// Engines at the same time.
    pub concurrency: usize,
    pub journal: PathBuf,
}

/// News for the person at the terminal.
pub enum LearningEvent<'a> {
    /// Before the first search.
    Opened {
        done: usize,
        total: usize,
    },
    Searched,
    /// An engine does what it should not, and the work goes on.
    Note(&'a Message),
}

/// The finding.
pub struct LearningResult {
    /// The engine's name for itself.
    pub engine: String,
    pub games: usize,
    pub positions: usize,
    pub samples: Vec<RankSample>,
    pub left_out: LeftOut,
}

/// A position to be searched, by its index.
pub(super) struct RankingRequest {
    pub at: usize,
    pub line: Line,
}

/// Reports of those who search.
pub(super) enum RankingNotice {
    Name(String),
    Ranking { at: usize, ranking: Ranking },
    Note(Message),
}

/// Takes what was heard; an error ends the work.
pub(super) type Ear<'a> = dyn FnMut(RankingNotice) -> Result<(), LearnError> + 'a;

impl LearningPlan {
    /// Facts that must be the same when a run goes on.
    fn identity(&self) -> Value {
        let (engine, options) = match &self.engine {
            LearningEngine::Own(settings) => (json!("hasami"), json!({ "hash_mb": settings.hash_mb })),
            LearningEngine::Child(spec) => (json!(spec.launch.to_string()), json!(spec.options)),
        };
        let restart = matches!(&self.engine, LearningEngine::Child(spec) if spec.restart);
        json!({
            "game": self.catalog.name(), "engine": engine, "options": options, "restart": restart,
            "nodes": self.nodes, "multipv": self.multipv,
        })
    }
}

/// Searches every position of the games and gives what can be learned from.
pub fn run(plan: &LearningPlan, watch: &mut dyn FnMut(&LearningEvent<'_>)) -> Result<LearningResult, LearnError> {
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
            RankingNotice::Ranking { at, ranking } => {
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
        match &plan.engine {
            LearningEngine::Own(settings) => own::search(plan, settings, questions, &mut hear)?,
            LearningEngine::Child(spec) => children::search(plan, spec, questions, &mut hear)?,
        }
    }
    rankings.extend(found);
    let engine = journal.name().unwrap_or_default().to_owned();
    let (samples, left_out) = RankSample::select(&games, &rankings, plan.multipv)?;
    Ok(LearningResult { engine, games: games.lines.len(), positions: games.positions.len(), samples, left_out })
}
