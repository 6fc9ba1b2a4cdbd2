//! What measures the program and is not needed to play: the worth of workers, learned transition probabilities, and a cluster
//! of real engines under a virtual clock.

pub mod learn;
pub mod virtual_cluster;
pub mod waste;
pub mod worth;
