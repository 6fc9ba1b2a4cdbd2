//! What whoever runs something tells the page of machines; the same where the page is absent.

use hasami_matches::archive_folder::ArchivedFacts;
use hasami_words::{Language, Message};
use std::path::{Path, PathBuf};
use std::time::{Duration, SystemTime};

/// What a machine lends.
#[derive(Clone, Debug)]
pub struct WorkerFacts {
    pub name: String,
    pub place: String,
    pub threads: u32,
    pub children: Vec<String>,
    pub games: Vec<&'static str>,
    /// Whole games instead of threads and engines of the tree.
    pub loan: Option<LoanFacts>,
}

/// Whole games that a machine lends.
#[derive(Clone, PartialEq, Debug, Default)]
pub struct LoanFacts {
    /// Unique on the server.
    pub id: String,
    pub name: String,
    pub version: String,
    pub processor: String,
    /// Games at a time, and those that run.
    pub games: u32,
    pub busy: u32,
    /// Nodes a second of one game.
    pub speed: u64,
    pub engines: Vec<String>,
    /// Plays with engines of the object store, too.
    pub fetches: bool,
    pub up: Duration,
    /// Games that are over since then.
    pub finished: u64,
    /// `None`: an older program, which does not tell them.
    pub running: Option<Vec<RunningFacts>>,
}

/// A game that a machine plays.
#[derive(Clone, PartialEq, Debug, Default)]
pub struct RunningFacts {
    /// Of its match.
    pub title: String,
    /// The machine of whoever wants it.
    pub caller: String,
    /// From 1.
    pub game: u64,
    /// `None`: self-play.
    pub players: Option<[String; 2]>,
    pub plies: u32,
    /// `None`: its engines are coming up.
    pub since: Option<Duration>,
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
    pub lost: Vec<(String, Duration, Message)>,
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

/// A tuning that was played, from its journal.
#[derive(Clone, PartialEq, Debug)]
pub struct ArchivedTuning {
    pub path: PathBuf,
    pub changed: SystemTime,
    /// The word of the game.
    pub game: &'static str,
    pub facts: TuningFacts,
    /// All options in a line.
    pub short: String,
    /// Those of its games: a line each, by language.
    pub conditions: [Vec<String>; Language::ALL.len()],
}

/// What a journal of a folder is of.
#[derive(Clone, PartialEq, Debug)]
pub enum ArchivedRun {
    Match(ArchivedFacts),
    Tuning(Box<ArchivedTuning>),
}

impl ArchivedRun {
    pub fn path(&self) -> &Path {
        match self {
            Self::Match(facts) => &facts.path,
            Self::Tuning(tuning) => &tuning.path,
        }
    }

    pub const fn changed(&self) -> SystemTime {
        match self {
            Self::Match(facts) => facts.changed,
            Self::Tuning(tuning) => tuning.changed,
        }
    }
}

/// Who is there.
#[derive(Clone, PartialEq, Debug, Default)]
pub struct ClusterFacts {
    pub machines: Vec<MachineFacts>,
    pub masters: Vec<MasterFacts>,
    /// Machines that lend whole games.
    pub lenders: Vec<LoanFacts>,
}
