//! From games to rankings: what the journal does not hold yet is searched.

#![deny(clippy::unwrap_used, clippy::expect_used, clippy::panic)]

use super::journal::Journal;
use super::positions::{Games, Pick};
use super::ranking::Ranking;
use super::sample::{LeftOut, Sample};
use super::{LearnError, children, own};
use crate::arena::spec::EngineSpec;
use crate::catalog::Catalog;
use crate::protocol::Settings;
use hasami_api::Line;
use serde_json::{Value, json};
use std::collections::BTreeSet;
use std::path::PathBuf;

/// Who searches.
#[derive(Clone, Debug)]
pub enum Engine {
    /// The sequential engine of this program.
    Own(Box<Settings>),
    Child(Box<EngineSpec>),
}

/// What is to be learned from.
pub struct Plan {
    pub catalog: &'static dyn Catalog,
    pub files: Vec<PathBuf>,
    pub pick: Pick,
    pub engine: Engine,
    /// Lines to ask for; the moves beyond are "out of rank".
    pub multipv: u16,
    /// For each position.
    pub nodes: u64,
    /// Engines at the same time.
    pub concurrency: usize,
    pub journal: PathBuf,
}

/// What the person at the terminal may want to see.
pub enum Event<'a> {
    /// Before the first search.
    Opened {
        done: usize,
        total: usize,
    },
    Searched,
    /// An engine does what it should not, and the work goes on.
    Note(&'a str),
}

/// What was found.
pub struct Found {
    /// What the engine calls itself.
    pub engine: String,
    pub games: usize,
    pub positions: usize,
    pub samples: Vec<Sample>,
    pub left_out: LeftOut,
}

/// A position to be searched, by its index.
pub(super) struct Question {
    pub at: usize,
    pub line: Line,
}

/// What is heard of those who search.
pub(super) enum Heard {
    Name(String),
    Ranking { at: usize, ranking: Ranking },
    Note(String),
}

/// Takes what was heard; an error ends the work.
pub(super) type Ear<'a> = dyn FnMut(Heard) -> Result<(), LearnError> + 'a;

impl Plan {
    /// What must be the same when a run goes on.
    fn identity(&self) -> Value {
        let (engine, options) = match &self.engine {
            Engine::Own(settings) => (json!("hasami"), json!({ "hash_mb": settings.hash_mb })),
            Engine::Child(spec) => (json!(spec.launch.to_string()), json!(spec.options)),
        };
        let restart = matches!(&self.engine, Engine::Child(spec) if spec.restart);
        json!({
            "game": self.catalog.name(), "engine": engine, "options": options, "restart": restart,
            "nodes": self.nodes, "multipv": self.multipv,
        })
    }
}

/// Searches every position of the games and gives what can be learned from.
pub fn run(plan: &Plan, watch: &mut dyn FnMut(&Event<'_>)) -> Result<Found, LearnError> {
    let games = Games::read(&plan.files, plan.catalog, plan.pick)?;
    let (mut journal, mut rankings) = Journal::open(&plan.journal, &plan.identity(), &games)?;
    watch(&Event::Opened { done: rankings.len(), total: games.positions.len() });
    let question = |(at, position)| Question { at, line: games.line(position) };
    let missing = games.positions.iter().enumerate().filter(|(at, _)| !rankings.contains_key(at));
    let questions: Vec<Question> = missing.map(question).collect();
    let mut found = Vec::new();
    let mut notes = BTreeSet::new();
    let mut hear = |heard| {
        match heard {
            Heard::Name(name) => journal.set_name(&name)?,
            Heard::Ranking { at, ranking } => {
                journal.add(&games.positions[at], &ranking)?;
                found.push((at, ranking));
                watch(&Event::Searched);
            }
            Heard::Note(text) => {
                if notes.insert(text.clone()) {
                    watch(&Event::Note(&text));
                }
            }
        }
        Ok(())
    };
    if !questions.is_empty() {
        match &plan.engine {
            Engine::Own(settings) => own::search(plan, settings, questions, &mut hear)?,
            Engine::Child(spec) => children::search(plan, spec, games.has_chess960(), questions, &mut hear)?,
        }
    }
    rankings.extend(found);
    let engine = journal.name().unwrap_or_default().to_owned();
    let (samples, left_out) = Sample::select(&games, &rankings, plan.multipv)?;
    Ok(Found { engine, games: games.lines.len(), positions: games.positions.len(), samples, left_out })
}
