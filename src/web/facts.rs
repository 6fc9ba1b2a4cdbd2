//! The facts about machines that programs pass to the page.

use std::time::Duration;

/// A machine that lends whole games.
#[derive(Clone, PartialEq, Debug, Default)]
pub struct LoanFacts {
    /// An id that is unique on the server.
    pub id: String,
    pub name: String,
    pub version: String,
    pub processor: String,
    /// Number of games that it can play at the same time; `busy` is the number of games in progress.
    pub games: u32,
    pub busy: u32,
    /// Nodes per second of one game.
    pub speed: u64,
    pub engines: Vec<String>,
    /// Whether the machine can fetch engines from the object store.
    pub fetches: bool,
    pub up: Duration,
    /// Number of games finished since the machine was started.
    pub finished: u64,
    pub running: Vec<RunningFacts>,
}

/// A game in progress on a machine.
#[derive(Clone, PartialEq, Debug, Default)]
pub struct RunningFacts {
    /// The title of the match.
    pub title: String,
    /// The machine that requested the game.
    pub caller: String,
    /// Number of the game, from 1.
    pub game: u64,
    pub players: [String; 2],
    pub plies: u32,
    /// The duration of the game so far; `None` while its engines are starting.
    pub since: Option<Duration>,
}

/// A machine that lends slots of the tree.
#[derive(Clone, PartialEq, Debug, Default)]
pub struct MachineFacts {
    /// An id that is unique in the cluster.
    pub id: String,
    pub name: String,
    pub version: String,
    pub up: Duration,
    pub slots: Vec<SlotFacts>,
}

/// An engine that a machine lends.
#[derive(Clone, PartialEq, Debug, Default)]
pub struct SlotFacts {
    pub engine: String,
    pub network: Option<String>,
    /// Nodes per second of the slot's last long task, if known.
    pub speed: Option<u64>,
    /// The name of the master that uses the slot, and its game.
    pub owner: Option<(String, String)>,
    /// The duration of the slot's current task so far.
    pub busy: Option<Duration>,
}

/// An engine that uses the cluster.
#[derive(Clone, PartialEq, Debug, Default)]
pub struct MasterFacts {
    pub name: String,
    pub version: String,
    pub game: String,
    pub slots: u32,
    /// Machines that the master has lost: name, time since the loss, and reason.
    pub lost: Vec<(String, Duration, String)>,
}

/// The members of a cluster.
#[derive(Clone, PartialEq, Debug, Default)]
pub struct ClusterFacts {
    pub machines: Vec<MachineFacts>,
    pub masters: Vec<MasterFacts>,
    /// Machines that lend whole games.
    pub lenders: Vec<LoanFacts>,
}
