//! Runs engines, solvers and whole games on other machines, over NATS with the feature `cluster`.
//!
//! - [`cluster`]: slots that search leaves of a tree, or are cells of a mate search; the state machines of a cluster
//!   are pure, so that the simulator can run them under a virtual network
//! - `games`: whole games of matches and tunings, distributed by a persistent queue that loses no tasks or
//!   answers

pub mod cluster;
#[cfg(feature = "cluster")]
pub mod games;
