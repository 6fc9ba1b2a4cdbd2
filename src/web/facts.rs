//! What whoever runs something tells the page of machines; the same where the page is absent.

use std::time::Duration;

/// What a machine lends.
#[derive(Clone, Debug)]
pub struct WorkerFacts {
    pub name: String,
    pub place: String,
    pub threads: u32,
    pub children: Vec<String>,
    pub games: Vec<&'static str>,
}

/// A machine that lends.
#[derive(Clone, PartialEq, Debug, Default)]
pub struct MachineFacts {
    /// Unique in the cluster.
    pub id: String,
    pub name: String,
    pub version: String,
    pub up: Duration,
    pub slots: Vec<SlotFacts>,
}

/// One engine that it lends.
#[derive(Clone, PartialEq, Debug, Default)]
pub struct SlotFacts {
    pub engine: String,
    pub network: Option<String>,
    /// Nodes a second of its last long task, where that is known.
    pub speed: Option<u64>,
    /// The master that has it, and its game.
    pub owner: Option<(String, String)>,
    /// How long it has been at its task.
    pub busy: Option<Duration>,
}

/// An engine that uses the cluster.
#[derive(Clone, PartialEq, Debug, Default)]
pub struct MasterFacts {
    pub name: String,
    pub version: String,
    pub game: String,
    pub slots: u32,
    /// Machines whose values it has checked: name; confirmed, contradicted; set aside.
    pub checked: Vec<(String, [u32; 2], bool)>,
    /// Machines that it has lost: name, how long ago, why.
    pub lost: Vec<(String, Duration, String)>,
}

/// An option that is tuned, as far as its walk has come.
#[derive(Clone, PartialEq, Debug, Default)]
pub struct TunedFacts {
    pub name: String,
    pub start: f64,
    pub low: f64,
    pub high: f64,
    /// Where the walk is.
    pub value: f64,
    /// The mean of the walk's last half, and its standard error.
    pub estimate: (f64, f64),
    /// By iterations: the walk.
    pub walk: Vec<(f64, f64)>,
    /// By iterations: the estimate at that time, with its standard error.
    pub estimates: Vec<(f64, f64, f64)>,
}

/// A tuning.
#[derive(Clone, PartialEq, Debug, Default)]
pub struct TuningFacts {
    pub engine: String,
    pub done: u32,
    pub iterations: u32,
    /// Games of one iteration.
    pub games: u32,
    pub options: Vec<TunedFacts>,
}

/// Who is there.
#[derive(Clone, PartialEq, Debug, Default)]
pub struct ClusterFacts {
    pub machines: Vec<MachineFacts>,
    pub masters: Vec<MasterFacts>,
}
