//! The settings of a match.

use super::adjudicate;
use super::identity::Identities;
use super::journal::JournalError;
use super::journal::JournalPlace;
use super::lanes::Affinity;
use super::openings::Openings;
use super::openings::OpeningsError;
use super::record::RecordFile;
use super::schedule::{Schedule, Tournament};
use super::spec::EngineSpec;
use super::stats::Sprt;
use super::talk::Patience;
use hasami_api::Rules;
use hasami_catalog::{GameError, GameRules};
use hasami_protocol::Protocol;
use hasami_words::files::FileError;
use hasami_words::text::{At, redacted};
use serde_json::{Value, json};
use std::path::PathBuf;
use std::sync::Arc;
use std::sync::atomic::AtomicBool;

pub struct MatchSettings {
    pub catalog: &'static dyn GameRules,
    /// Rules of the game; the ply limit is in [`Self::adjudication`].
    pub rules: Rules,
    pub engines: Vec<EngineSpec>,
    /// The schedule of the match. The number of openings is unknown until they are read.
    pub schedule: Schedule,
    pub openings: Option<Openings>,
    /// A warning about the openings; known once they are read.
    pub warning_of_openings: Option<String>,
    pub concurrency: usize,
    /// The processors that engines are pinned to, if any.
    pub affinity: Option<Affinity>,
    /// Whether results and the SPRT are computed from pairs of games.
    pub pairs: bool,
    pub sprt: Option<Sprt>,
    pub adjudication: adjudicate::AdjudicationRules,
    /// Folders with endgame tables.
    pub tables: Vec<PathBuf>,
    /// Whether the match ends with an error when an engine crashes or hangs in a game; otherwise the engine loses the
    /// game, and is restarted for the next game.
    pub stops_on_crash: bool,
    pub patience: Patience,
    pub records: Vec<RecordFile>,
    /// Output file for the summary of the match.
    pub json: Option<PathBuf>,
    /// Output file for the chart of the result.
    pub svg: Option<PathBuf>,
    pub journal: JournalPlace,
    /// Flag that ends the match with its usual report. The thread that sets the flag must wake the playing thread.
    pub stop: Arc<AtomicBool>,
    /// Whether to continue the match recorded in the journal.
    pub resume: bool,
    pub log: Option<PathBuf>,
    pub event: String,
    pub site: String,
    /// The identities of engines and files, which are also stored in the journal.
    pub identities: Identities,
    /// The command line, which is stored in the journal.
    pub arguments: Vec<String>,
}

/// The reason why a match cannot be played or completed, in one line.
#[derive(Debug, thiserror::Error)]
pub enum MatchError {
    #[error("{0}")]
    Settings(String),
    #[error("--openings: {0}")]
    Openings(#[from] OpeningsError),
    #[error(transparent)]
    Journal(#[from] JournalError),
    #[error(transparent)]
    Game(#[from] GameError),
    #[error(transparent)]
    File(#[from] FileError),
    /// An engine, a machine or a file failed.
    #[error("{0}")]
    Failed(String),
}

impl MatchError {
    /// Creates the error for the engine called `name`, which cannot play. The end of its process explains too little
    /// on its own.
    pub fn unusable(name: &str, why: &str) -> Self {
        let why = if why.starts_with("ended") { why.at("the engine is not usable") } else { why.to_owned() };
        Self::Failed(why.at(name))
    }
}

impl From<String> for MatchError {
    fn from(why: String) -> Self {
        Self::Failed(why)
    }
}

impl MatchSettings {
    /// Returns whether two games of one opening count as a pair.
    pub fn pairs(&self) -> bool {
        self.pairs && self.schedule.has_pairs()
    }

    /// Returns whether some record file contains the engines' variations.
    pub fn keeps_variations(&self) -> bool {
        self.records.iter().any(|target| target.format.has_variations)
    }

    /// Returns an error if two options exclude each other.
    pub fn check(&self) -> Result<(), MatchError> {
        let wrong = |why: String| Err(MatchError::Settings(why));
        let protocol = self.catalog.protocol();
        if self.engines.len() < 2 {
            return wrong(format!("a match needs at least two engines, not {}", self.engines.len()));
        }
        if self.schedule.tournament == Tournament::Pair && self.engines.len() > 2 {
            return wrong(format!("needs two engines, not {}", self.engines.len()).at("--tournament pair"));
        }
        for (index, engine) in self.engines.iter().enumerate() {
            if self.engines[..index].iter().any(|other| other.name == engine.name) {
                return wrong(format!("two engines are named '{}'; every engine needs a unique name", engine.name));
            }
            if engine.protocol.is_some_and(|other| other != protocol) && protocol == Protocol::Uci {
                return wrong("the game needs an engine that speaks uci, not usi".at(&engine.name));
            }
            engine.control.check(protocol).map_err(|why| MatchError::Settings(why.at(&engine.name)))?;
        }
        if let Some(sprt) = &self.sprt {
            sprt.check().map_err(|why| MatchError::Settings(why.at("--sprt")))?;
            if self.engines.len() != 2 {
                return wrong(format!("needs two engines, not {}", self.engines.len()).at("--sprt"));
            }
        }
        match self.records.iter().find(|target| !self.catalog.formats().contains(&target.format)) {
            Some(target) => {
                wrong(format!("--{} is not a record format of {}", target.format.word, self.catalog.name()))
            }
            None => Ok(()),
        }
    }

    /// Returns the plan: all settings that decide which games are played and how they count. The plan must not change
    /// when a match continues. Passwords are redacted, because the plan is written to files.
    pub fn plan(&self) -> Value {
        let shown = |(name, value): &(String, String)| (name.clone(), redacted(value).into_owned());
        let engine = |spec: &EngineSpec| {
            json!({
                "name": spec.name,
                "command": spec.launch.words().iter().map(|word| redacted(word)).collect::<Vec<_>>(),
                "control": spec.control.to_string(),
                "margin_ms": spec.control.margin().as_millis() as u64,
                "ponder": spec.ponder,
                "options": spec.options.iter().map(shown).collect::<Vec<_>>(),
            })
        };
        let openings = self.openings.as_ref().map(|openings| {
            json!({
                "file": openings.file,
                "order": openings.order,
                "seed": openings.seed,
                "plies": openings.plies,
            })
        });
        let mut plan = json!({
            "game": self.catalog.name(),
            "chess960": self.rules.chess960,
            // Every plan contains `entering_king`, for compatibility with journals of earlier versions; the game's own
            // rule overwrites it.
            "entering_king": "None",
            "engines": self.engines.iter().map(engine).collect::<Vec<_>>(),
            "schedule": self.schedule,
            "openings": openings,
            "sprt": self.sprt,
            "adjudication": self.adjudication,
            "tables": self.tables,
        });
        if let Some((name, chosen)) = self.catalog.own_rule(self.rules) {
            plan[name] = chosen.into();
        }
        plan
    }
}
