//! Workers on other machines, over NATS (docs/guide/cluster.md).
//!
//! A *worker node* is a `hasami worker`: it has slots, each an engine of ours or a child. A *master* is an engine with the
//! option Cluster: it has a *pool*, the slots that worker nodes lend it. Both sides are pure ([`node_pool`], [`worker_node`]); what
//! they say is in [`wire`], who they are in [`names`], how slots are shared in [`shares`]; [`teams`] carries news, [`channel`]
//! messages. Beside them [`client`], [`solver_slots`] and [`service`] are the two sides at work, [`transport`] the connection,
//! which is one to NATS or, in tests, [`memory`]; [`discovery`] is a look at who is there.

pub mod brinkmates;
mod cell;
pub mod channel;
mod client;
pub mod discovery;
mod membership;
pub mod memory;
pub mod names;
#[cfg(feature = "cluster")]
mod nats;
pub mod node_pool;
pub mod node_runtime;
mod shares;
mod slot_numbers;
pub mod solver_slots;
mod teams;
mod tombstones;
pub mod transport;
pub mod wire;
pub mod worker_node;

pub use client::{ClusterClient, SlotOffer};
pub use membership::{Membership, machine};
pub use node_pool::MasterIdentity;
pub use teams::BUDGET as NEWS;
pub use transport::Transport;

#[cfg(test)]
mod tests;
