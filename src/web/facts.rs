//! The data about machines that programs pass to the web page.

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
    /// Nodes per second in the slot's last long task; `None` if unknown.
    pub speed: Option<u64>,
    /// The name of the master that uses the slot, and the game that the master plays; `None` if the slot is free.
    pub owner: Option<(String, String)>,
    /// The time since the slot began its current task; `None` if it has no task.
    pub busy: Option<Duration>,
}

/// An engine that uses slots of the cluster.
#[derive(Clone, PartialEq, Debug, Default)]
pub struct MasterFacts {
    pub name: String,
    pub version: String,
    pub game: String,
    pub slots: u32,
    /// The machines that the master has lost: name, time since the loss, and reason for the loss.
    pub lost: Vec<(String, Duration, String)>,
}

#[derive(Clone, PartialEq, Debug, Default)]
pub struct ClusterFacts {
    pub machines: Vec<MachineFacts>,
    pub masters: Vec<MasterFacts>,
    /// Machines that lend whole games.
    pub lenders: Vec<LenderNews>,
}
