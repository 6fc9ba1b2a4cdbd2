//! The player of a game under a virtual clock: a cluster, or a child engine that plays alone.

use hasami_lab::virtual_cluster::{SingleChild, VirtualCluster};
use hasami_protocol::{Command, Output, Settings};
use hasami_terminal::Failure;
use hasami_tree::event::Time;
use std::time::Duration;

/// A cluster, or a child engine that plays alone.
pub enum VirtualPlayer {
    Cluster(Box<VirtualCluster>),
    Alone(Box<SingleChild>),
}

impl VirtualPlayer {
    /// Carries out a command; for `go`, returns once the best move has been sent.
    pub fn command(&mut self, command: Command, say: &mut dyn FnMut(Output)) -> Result<(), Failure> {
        match self {
            Self::Alone(alone) => alone.command(command, say).map_err(Failure::no_answer),
            Self::Cluster(cluster) => {
                cluster.command(command, say);
                self.check()
            }
        }
    }

    /// Advances the virtual clock by `time`, as if the opponent were thinking.
    pub fn pass(&mut self, time: Duration, say: &mut dyn FnMut(Output)) -> Result<(), Failure> {
        match self {
            Self::Cluster(cluster) => cluster.pass(time, say),
            Self::Alone(alone) => alone.pass(time),
        }
        self.check()
    }

    pub fn configure(&mut self, settings: &Settings, say: &mut dyn FnMut(Output)) {
        if let Self::Cluster(cluster) = self {
            cluster.configure(settings, say);
        }
    }

    pub fn now(&self) -> Time {
        match self {
            Self::Cluster(cluster) => cluster.now(),
            Self::Alone(alone) => alone.now(),
        }
    }

    /// The cluster; `None` for a child engine that plays alone.
    pub fn cluster(&self) -> Option<&VirtualCluster> {
        match self {
            Self::Cluster(cluster) => Some(cluster),
            Self::Alone(_) => None,
        }
    }

    fn check(&self) -> Result<(), Failure> {
        match self {
            Self::Cluster(cluster) => cluster.fault().map_or(Ok(()), |why| Err(Failure::no_answer(why.to_owned()))),
            Self::Alone(_) => Ok(()),
        }
    }
}
