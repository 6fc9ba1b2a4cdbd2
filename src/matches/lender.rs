//! The announcements of a machine that plays games for other machines.

use hasami_words::{heard, heard_field};
use serde::{Deserialize, Serialize};
use std::collections::BTreeMap;

/// The announcement that a lending machine regularly sends to all machines that run matches.
#[derive(Clone, PartialEq, Debug, Default, Serialize, Deserialize)]
pub struct LenderNews {
    /// A random number that is drawn when the lending program starts.
    pub id: u64,
    #[serde(deserialize_with = "heard_field")]
    pub name: String,
    #[serde(deserialize_with = "heard_field")]
    pub processor: String,
    #[serde(deserialize_with = "heard_field")]
    pub version: String,
    pub speed: u64,
    /// Names of the engines that the machine's owner allows.
    #[serde(deserialize_with = "heard_field")]
    pub engines: Vec<String>,
    /// Whether the machine also runs engines from the object store.
    pub fetches: bool,
    /// Maximum number of concurrent games.
    pub games: u32,
    /// Number of games in progress.
    pub busy: u32,
    /// The matches that the machine refuses to take part in, by name, with the reason.
    pub objections: BTreeMap<String, String>,
    /// Seconds since the machine began to offer games.
    pub seconds: u64,
    /// Number of games that have ended since the machine began to offer games.
    pub finished: u64,
    pub running: Vec<RunningGame>,
}

#[derive(Clone, PartialEq, Debug, Default, Serialize, Deserialize)]
pub struct RunningGame {
    /// The name of the match in the queue of games.
    pub of: String,
    pub key: u64,
    /// The title of the match; `caller` is the name of the machine that runs it.
    #[serde(deserialize_with = "heard_field")]
    pub title: String,
    #[serde(deserialize_with = "heard_field")]
    pub caller: String,
    /// The number of the game in the match, from 0.
    pub game: u32,
    #[serde(deserialize_with = "heard_field")]
    pub players: [String; 2],
    /// Seconds since the game began; `None` while the engines are starting.
    pub seconds: Option<u64>,
    pub plies: u32,
}

impl LenderNews {
    /// Formats the id of the machine for users.
    pub fn shown_id(&self) -> String {
        format!("{:016x}", self.id)
    }

    /// Returns the machine's reason for not taking part in the match `id`.
    pub fn objection(&self, id: &str) -> Option<String> {
        self.objections.get(id).map(|why| heard(why))
    }
}
