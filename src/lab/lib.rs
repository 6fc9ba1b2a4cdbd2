//! Tools that measure the program and are not needed to play: the worth of workers, learned transition probabilities,
//! and a cluster of real engines under a virtual clock.

pub mod learn;
pub mod virtual_cluster;
pub mod waste;
pub mod worth;
