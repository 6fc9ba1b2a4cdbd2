//! Workers on other machines, over NATS (docs/cluster.md).
//!
//! A *station* is a `hasami worker`: it has seats, each an engine of ours or a child. A *master* is an engine with the
//! option Cluster: it has a *fleet*, the seats that stations lend it. Both sides are pure ([`fleet`], [`station`]); what
//! they say is in [`wire`], who they are in [`names`], how seats are shared in [`shares`].

pub mod fleet;
pub mod names;
mod past;
mod shares;
pub mod station;
pub mod wire;

#[cfg(test)]
mod tests;
