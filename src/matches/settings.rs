//! Everything that a match is told before it begins.

use super::adjudicate;
use super::identity::Identities;
use super::journal::JournalPlace;
use super::lanes::Affinity;
use super::openings::Openings;
use super::record::RecordFile;
use super::schedule::{Schedule, Tournament};
use super::spec::EngineSpec;
use super::stats::Sprt;
use super::talk::Patience;
use hasami_api::Rules;
use hasami_catalog::Catalog;
use hasami_protocol::Protocol;
use hasami_words::text::redacted;
use hasami_words::{Message, Words};
use serde_json::{Value, json};
use std::path::PathBuf;
use std::sync::Arc;
use std::sync::atomic::AtomicBool;

/// The consequence when an engine crashes or hangs in a game.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub enum OnCrash {
    /// It loses the game, and is started again for the next one.
    #[default]
    Forfeit,
    /// It is started again and goes on with the game; after [`RESTARTS`] of them in one game it loses it.
    Restart,
    /// The match ends with an error.
    Stop,
}

/// See [`OnCrash::Restart`].
pub const RESTARTS: u32 = 3;

/// See the module.
pub struct MatchSettings {
    pub catalog: &'static dyn Catalog,
    /// Rules of the game; the limit of moves is among [`Self::adjudication`].
    pub rules: Rules,
    pub engines: Vec<EngineSpec>,
    /// Its number of openings is filled in when they are read.
    pub schedule: Schedule,
    pub openings: Option<Openings>,
    /// Filled in when they are read.
    pub warning_of_openings: Option<Message>,
    pub concurrency: usize,
    /// Engines are kept on processors.
    pub affinity: Option<Affinity>,
    /// Figures and tests by pairs of games.
    pub pairs: bool,
    pub sprt: Option<Sprt>,
    pub adjudication: adjudicate::AdjudicationRules,
    /// Folders of endgame tables.
    pub tables: Vec<PathBuf>,
    pub on_crash: OnCrash,
    pub patience: Patience,
    pub records: Vec<RecordFile>,
    /// Summary of the match.
    pub json: Option<PathBuf>,
    /// Picture of the result over the games.
    pub svg: Option<PathBuf>,
    pub journal: JournalPlace,
    /// Once set the match ends, with its report; whoever sets it wakes the thread that plays.
    pub stop: Arc<AtomicBool>,
    /// Go on with the match of the journal.
    pub resume: bool,
    pub log: Option<PathBuf>,
    pub event: String,
    pub site: String,
    /// What stands behind the names of engines and files, kept in the journal as well.
    pub identities: Identities,
    /// The command line, kept in the journal.
    pub arguments: Vec<String>,
    /// Those of the picture.
    pub words: &'static Words,
}

/// A match that cannot be played, or not to its end: one line.
#[derive(Debug, thiserror::Error)]
#[error("{0}")]
pub struct MatchError(pub Message);

impl<T: Into<Message>> From<T> for MatchError {
    fn from(why: T) -> Self {
        Self(why.into())
    }
}

impl MatchSettings {
    /// Two games of one opening are counted as a pair.
    pub fn pairs(&self) -> bool {
        self.pairs && self.schedule.has_pairs()
    }

    /// A record keeps the engines' variations.
    pub fn keeps_variations(&self) -> bool {
        self.records.iter().any(|target| target.kind.has_variations())
    }

    /// Options that exclude each other.
    pub fn check(&self) -> Result<(), MatchError> {
        let wrong = |why: Message| Err(MatchError(why));
        let protocol = self.catalog.dialect().protocol();
        if self.engines.len() < 2 {
            return wrong(Message::new("expected-two-engines-or-more").with("found", self.engines.len()));
        }
        if self.schedule.tournament == Tournament::Pair && self.engines.len() > 2 {
            return wrong(
                Message::new("expected-two-engines").with("found", self.engines.len()).at("--tournament pair"),
            );
        }
        for (index, engine) in self.engines.iter().enumerate() {
            if self.engines[..index].iter().any(|other| other.name == engine.name) {
                return wrong(Message::new("expected-own-name").with("name", engine.name.as_str()));
            }
            if engine.protocol.is_some_and(|other| other != protocol) && protocol == Protocol::Uci {
                return wrong(Message::new("expected-uci").at(engine.name.as_str()));
            }
            engine.control.check(protocol).map_err(|why| MatchError(why.at(engine.name.as_str())))?;
        }
        if let Some(sprt) = &self.sprt {
            sprt.check().map_err(|why| MatchError(why.at("--sprt")))?;
            if self.engines.len() != 2 {
                return wrong(Message::new("expected-two-engines").with("found", self.engines.len()).at("--sprt"));
            }
        }
        match self.records.iter().find(|target| !target.kind.is_of(self.catalog)) {
            Some(target) => {
                let why = Message::new("expected-record-format").with("game", self.catalog.name());
                wrong(why.with("found", target.kind.word()))
            }
            None => Ok(()),
        }
    }

    /// All that decides which games are played and how they are counted: must be the same when a match goes on. Goes into
    /// files, so without passwords.
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
            // In the plan of every game, as in journals of earlier versions; the rule of the game overwrites it.
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
