//! Workers on other machines (docs/guide/cluster.md, docs/design/cluster.md).
//!
//! A *worker node* is a `hasami worker`: it has *slots*, each of which runs one of our engines or a child engine. A
//! *master* is an engine with the option `Cluster`: it has a *node pool*, which holds the slots that worker nodes give
//! to it. Each use of a slot by a master is a *lease*. Master and worker node are pure state machines ([`node_pool`],
//! [`worker_node`]): messages and times in, effects out. [`wire`] defines their messages, [`names`] their identities
//! and subjects, and [`shares`] divides slots among masters; [`teams`] carries what search groups share, and
//! [`channel`] makes messages reliable where necessary. The server decides which user may publish under which name
//! (docs/design/cluster.md). [`client`] and [`solver_slots`] (masters), [`node_runtime`] (worker nodes) and
//! [`discovery`] (listing of members) run the state machines on a [`mod@transport`]: NATS, or a broker in memory in
//! tests.

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
