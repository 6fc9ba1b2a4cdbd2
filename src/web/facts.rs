//! The facts about machines that programs pass to the page.

use hasami_matches::lender::LenderNews;
use std::time::Duration;

/// A machine that lends slots for searches of the master tree.
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
    pub lenders: Vec<LenderNews>,
}
