//! Defines the messages with which callers request games and machines answer. Each message is self-contained and
//! encoded as JSON.

use hasami_api::{Line, Rules};
use hasami_matches::control::TimeControl;
use hasami_matches::deviations::Deviations;
use hasami_matches::faults::FaultKind;
use hasami_matches::machine::MachineStamp;
use hasami_matches::record::stored::Stored;
use hasami_matches::schedule::Pairing;
use hasami_matches::settings::MatchSettings;
use hasami_matches::{Adjudication, Patience};
use hasami_protocol::Protocol;
use hasami_words::heard_field;
use serde::{Deserialize, Serialize};
use std::fmt::Display;

/// The version of the messages. A machine with another version leaves tasks to other machines. Raise the version
/// whenever a type within a message changes, even one from another crate, such as `Line` or `Rules`.
pub const VERSION: u32 = 4;

/// The description of a match, from which a machine decides whether to take part.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
pub struct MatchCard {
    pub version: u32,
    /// The title that users see.
    #[serde(deserialize_with = "heard_field")]
    pub title: String,
    /// The name of the game, such as `chess`.
    pub game: String,
    /// Weight of the match when machines are shared among several matches.
    pub weight: u32,
    pub engines: Vec<EngineName>,
    /// Whether machines need endgame tables.
    pub tables: bool,
    /// Files in the object store that the tasks refer to by hash, such as networks.
    pub files: Vec<String>,
    /// Machines whose games are not wanted.
    pub without: Vec<String>,
    /// The name of the caller's machine, to be shown to users.
    #[serde(deserialize_with = "heard_field")]
    pub caller: String,
}

/// Identifies an engine in such a way that the owner of a machine can allow or refuse it.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Debug, Serialize, Deserialize)]
pub struct EngineName {
    pub name: String,
    /// The hash of the file in the object store, in hexadecimal; `None` if a machine must already have the engine.
    pub sha256: Option<String>,
    /// Whether exactly the file with this hash is required, even if the machine's owner allows an engine of the same
    /// name.
    pub is_exact: bool,
}

/// Games from one opening, usually the two games of a pair.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
pub struct GamesTask {
    pub conditions: Conditions,
    /// The opening, which may start from a Chess960 position even if the match follows the standard rules.
    pub opening: Line,
    /// The games, which do not refer to the list of openings, since machines do not have that list.
    pub games: Vec<Pairing>,
}

/// The settings that all games of a match have in common. A machine keeps its engines running while the conditions stay
/// the same.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
pub struct Conditions {
    pub game: String,
    pub rules: Rules,
    pub engines: Vec<EngineOrder>,
    pub adjudication: Adjudication,
    pub tables: bool,
    pub patience: Patience,
    pub variations: bool,
    /// The machine speed, in nodes per second, that the times are meant for. Times are scaled on faster and slower
    /// machines.
    pub reference_speed: Option<u64>,
}

/// An engine that takes part in the games.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
pub struct EngineOrder {
    /// The engine's name in the match.
    pub name: String,
    pub engine: EngineName,
    pub protocol: Option<Protocol>,
    pub control: TimeControl,
    pub ponder: bool,
    pub options: Vec<(String, String)>,
    pub restart: bool,
}

/// The answer to a task.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
pub struct Answer {
    pub machine: MachineStamp,
    pub content: AnswerContent,
}

#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
pub enum AnswerContent {
    Games {
        games: Vec<(u32, Stored)>,
        /// Faults of engines that did not end a game.
        faults: Vec<(usize, FaultKind, String)>,
        notes: Vec<String>,
        /// For each engine of the match, the differences between its options on the answering machine and those that
        /// the match requested.
        settings: Vec<Deviations>,
    },
    /// The machine leaves the task to other machines, because it cannot play the task for the given reason.
    Refused(String),
}

impl Answer {
    pub fn refusal(machine: MachineStamp, why: impl Display) -> Self {
        Self { machine, content: AnswerContent::Refused(why.to_string()) }
    }

    pub fn games(&self) -> usize {
        match &self.content {
            AnswerContent::Games { games, .. } => games.len(),
            AnswerContent::Refused(_) => 0,
        }
    }
}

impl Conditions {
    /// Returns the conditions of a match. `names` holds the names that machines know the engines by.
    pub fn of(settings: &MatchSettings, names: &[EngineName], reference_speed: Option<u64>) -> Self {
        let engines = settings.engines.iter().zip(names).map(|(spec, engine)| EngineOrder {
            name: spec.name.clone(),
            engine: engine.clone(),
            protocol: spec.protocol,
            control: spec.control.clone(),
            ponder: spec.ponder,
            options: spec.options.clone(),
            restart: spec.restart,
        });
        Self {
            game: settings.catalog.name().to_owned(),
            rules: Rules { max_moves: 0, ..settings.rules },
            engines: engines.collect(),
            adjudication: settings.adjudication,
            tables: !settings.tables.is_empty(),
            patience: settings.patience,
            variations: settings.keeps_variations(),
            reference_speed,
        }
    }
}
