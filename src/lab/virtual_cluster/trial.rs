//! A virtual cluster that searches positions one after the other, each with empty tables.

use super::{ClusterPlan, ClusterTally, VirtualCluster};
use hasami_api::{Line, MoveText};
use hasami_catalog::Catalog;
use hasami_protocol::{BestMove, Command, Go, Output, Settings};
use std::io;
use std::time::Duration;

/// Virtual time after which all messages of the previous search have certainly arrived.
const REST: Duration = Duration::from_secs(3600);

/// A virtual cluster for a series of independent searches.
pub struct Trial(VirtualCluster);

pub struct TrialOutcome {
    /// The best move; `None` if there is no legal move.
    pub best: Option<MoveText>,
    /// How long the search took on the virtual clock.
    pub time: Duration,
    pub tally: ClusterTally,
}

impl TrialOutcome {
    pub fn seconds(&self) -> f64 {
        self.time.as_secs_f64()
    }
}

impl Trial {
    /// Creates the cluster. Unusable settings are an error, because the manager would replace them with other values.
    pub fn new(catalog: &'static dyn Catalog, settings: &Settings, plan: ClusterPlan) -> io::Result<Self> {
        // Without pondering, no worker continues after the end of a search.
        let settings = Settings { ponder: false, ..settings.clone() };
        let mut doubt = None;
        let mut hear = |said| {
            if let Output::Message(why) = said {
                doubt = doubt.take().or(Some(why));
            }
        };
        let cluster = VirtualCluster::new(catalog, &settings, plan, &mut hear)?;
        doubt.map_or(Ok(Self(cluster)), |why| Err(io::Error::new(io::ErrorKind::InvalidInput, why)))
    }

    pub fn search(&mut self, line: &Line, go: Go) -> TrialOutcome {
        let cluster = &mut self.0;
        let mut best = None;
        let mut hear = |said| {
            if let Output::Best(BestMove::Move { best: played, .. }) = said {
                best = Some(played);
            }
        };
        cluster.pass(REST, &mut hear);
        cluster.command(Command::NewGame, &mut hear);
        cluster.command(Command::Position(line.clone()), &mut hear);
        let (began, before) = (cluster.now(), cluster.tally());
        cluster.command(Command::Go(go), &mut hear);
        TrialOutcome { best, time: cluster.now().saturating_sub(began), tally: cluster.tally() - before }
    }
}
