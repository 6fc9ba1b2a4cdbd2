//! A cluster that searches positions one by one, without memory between them.

use super::{ClusterPlan, ClusterTally, VirtualCluster};
use hasami_api::{Line, MoveText};
use hasami_catalog::Catalog;
use hasami_protocol::{BestMove, Command, Go, Output, Settings};
use std::io;
use std::time::Duration;

/// Time after which all messages of the last search have certainly arrived.
const REST: Duration = Duration::from_secs(3600);

/// The cluster of a series of searches.
pub struct Trial(VirtualCluster);

/// The result of a search.
pub struct TrialOutcome {
    /// The best move; `None` if there is no legal move.
    pub best: Option<MoveText>,
    /// Time of the search on the virtual clock.
    pub time: Duration,
    pub tally: ClusterTally,
}

impl TrialOutcome {
    pub fn seconds(&self) -> f64 {
        self.time.as_secs_f64()
    }
}

impl Trial {
    /// Creates the cluster. Settings that the manager cannot use are an error, because the manager would search with
    /// other settings.
    pub fn new(catalog: &'static dyn Catalog, settings: &Settings, plan: ClusterPlan) -> io::Result<Self> {
        // No worker may continue after the end of a search.
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
