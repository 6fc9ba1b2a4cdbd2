//! Describes workers that this program does not start: slots on other machines, provided by a [`Cluster`]. The driver
//! is passed a function that joins a cluster, so this crate does not depend on how machines are reached.

use crate::membership::Membership;
use crate::{Bus, NoticeSender, Worker};
use hasami_catalog::Catalog;
use hasami_nnue::Network;
use hasami_tree::event::{Arrivals, WorkerId};
use std::path::Path;

/// Maximum number of bytes of table entries that one search sends, in total, to a search group that spans several
/// machines. The measurements in scripts/experiments show what smaller limits cost.
pub const NEWS_BUDGET: u32 = 384;

/// A cluster that an engine has joined. The slots of the cluster are offered as [`crate::WorkerNotice::SlotOffer`].
/// Dropping a `Cluster` gives all its slots back.
pub trait Cluster: Send {
    /// Returns true if the machines that were already in the cluster have had time to offer their slots.
    fn is_settled(&self) -> bool;

    /// Whether further workers may still join.
    fn arrivals(&self) -> Arrivals;

    /// Returns statistics on the cluster, or `None` if another thread has locked them.
    fn figures(&self) -> Option<PoolFigures>;

    /// Announces that the next tasks belong to another game.
    fn new_game(&self);

    /// Gives all slots back to their machines.
    fn end(&mut self);
}

/// An engine that is to join a cluster.
pub struct Joining<'a> {
    pub membership: &'a Membership,
    pub catalog: &'static dyn Catalog,
    /// The network that the workers of the cluster must also use.
    pub network: Option<&'a Network>,
    /// The network's file, if the options name one.
    pub file: Option<&'a Path>,
    pub events: NoticeSender,
    /// Carries news within each search group of the worker pool.
    pub bus: Bus,
}

/// Starts joining a cluster and returns at once.
pub type Join = fn(Joining<'_>) -> Result<Box<dyn Cluster>, String>;

/// A slot that becomes a worker once the worker pool gives it a number. [`crate::WorkerNotice::Left`] follows if the
/// slot is lost before it gets a number.
pub struct SlotOffer {
    pub name: String,
    pub accept: Box<dyn FnOnce(WorkerId) -> Box<dyn Worker> + Send>,
}

/// Metrics of a cluster that an engine has joined. Counters start at zero when the engine joins.
#[derive(Clone, PartialEq, Eq, Default, Debug)]
pub struct PoolFigures {
    /// Number of worker nodes that have lent slots to this engine; `slots` counts those slots.
    pub machines: u64,
    pub slots: u64,
    /// Number of worker nodes that were lost.
    pub lost: u64,
    /// Number of messages that have not been sent yet.
    pub waiting: u64,
    pub is_connected: bool,
}
