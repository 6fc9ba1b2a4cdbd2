//! Who plays: a cluster, or one child by itself.

use hasami_lab::virtual_cluster::{SingleChild, VirtualCluster};
use hasami_protocol::{Command, Output, Settings};
use hasami_terminal::Failure;
use hasami_tree::event::Time;
use std::time::Duration;

/// See the module.
pub enum VirtualPlayer {
    Cluster(Box<VirtualCluster>),
    Alone(Box<SingleChild>),
}

impl VirtualPlayer {
    /// A `go` is answered before this returns.
    pub fn command(&mut self, command: Command, say: &mut dyn FnMut(Output)) -> Result<(), Failure> {
        match self {
            Self::Alone(alone) => alone.command(command, say).map_err(Failure::no_answer),
            Self::Cluster(cluster) => {
                cluster.command(command, say);
                self.check()
            }
        }
    }

    /// The opponent thinks so long.
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

    /// Who has a tree to tell of.
    pub fn cluster_mut(&mut self) -> Option<&mut VirtualCluster> {
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
