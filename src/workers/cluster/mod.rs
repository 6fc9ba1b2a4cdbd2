//! Workers on other machines, over NATS (docs/guide/cluster.md).
//!
//! A *station* is a `hasami worker`: it has seats, each an engine of ours or a child. A *master* is an engine with the
//! option Cluster: it has a *fleet*, the seats that stations lend it. Both sides are pure ([`fleet`], [`station`]); what
//! they say is in [`wire`], who they are in [`names`], how seats are shared in [`shares`]; [`teams`] carries news, [`stream`]
//! letters. Beside them [`guild`], [`letters`] and [`service`] are the two sides at work, [`transport`] the connection,
//! which is one to NATS or, in tests, [`memory`]; [`roll`] is a look at who is there.

pub mod brinkmates;
mod cell;
pub mod fleet;
mod guild;
pub mod letters;
mod membership;
pub mod memory;
pub mod names;
#[cfg(feature = "cluster")]
mod nats;
mod past;
pub mod roll;
mod seats;
pub mod service;
mod shares;
pub mod station;
pub mod stream;
mod teams;
pub mod transport;
pub mod wire;

pub use fleet::Identity;
pub use guild::{Applicant, Guild};
pub use membership::{Membership, machine};
pub use teams::BUDGET as NEWS;
pub use transport::Transport;

#[cfg(test)]
mod tests;
