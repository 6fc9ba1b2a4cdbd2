//! Provides workers on other machines (docs/guide/cluster.md, docs/design/cluster.md).
//!
//! A *worker node* is a `hasami worker` with *slots*, each of which runs the program's own engine or a child engine. A
//! *master* is an engine with the option `Cluster` and a *node pool*, which holds the slots that worker nodes give to
//! the master. Each use of a slot by a master is a *lease*. Masters and worker nodes are pure state machines
//! ([`node_pool`], [`worker_node`]) that turn messages and times into effects. The module [`wire`] defines the messages
//! of masters and worker nodes, [`names`] defines their identities and subjects, and [`shares`] divides slots among
//! masters. The module [`teams`] exchanges the news of search groups, and [`channel`] makes delivery reliable where
//! necessary. The NATS server decides which user may publish under which name (docs/design/cluster.md). The modules
//! [`client`] and [`solver_slots`] (masters), [`node_runtime`] (worker nodes) and [`discovery`] (listing of members)
//! run the state machines on a [`mod@transport`], which is NATS, or an in-memory broker in tests.

mod cell;
pub mod channel;
mod client;
pub mod discovery;
mod membership;
pub mod names;
#[cfg(feature = "cluster")]
mod nats;
mod network_fetch;
pub mod network_store;
pub mod node_pool;
pub mod node_runtime;
mod patience;
pub mod quota;
mod shares;
mod slot_numbers;
pub mod solver_slots;
mod teams;
mod tombstones;
pub mod transport;
pub mod wire;
pub mod worker_node;

pub use client::join;
pub use client::{ClusterClient, MasterNetwork};
pub use membership::{identity, machine, transport};
pub use names::NetworkId;
#[cfg(feature = "cluster")]
pub use nats::{Access, RefusedLogin, Unconnected};
pub use node_pool::MasterIdentity;
pub use teams::ROUND as NEWS_ROUND;
pub use transport::Transport;

#[cfg(test)]
mod tests;
