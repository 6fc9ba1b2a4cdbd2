//! What measures the program and is not needed to play.
//!
//! - [`learn`]: transition probabilities, learned from game records
//! - [`worth`]: the worth of workers, by the moves that the program plays with them
//! - [`virtual_cluster`]: a cluster of real engines under a virtual clock, so that one machine measures many workers
//! - [`real_threads`]: threads on the processors of this machine
//! - [`waste`]: what the time of its workers was spent on, read from its diaries
//!
//! The program `hasami-lab` has them as its commands, in `src/lab/cli`. Engines and opponents are played as in
//! [`hasami_matches`]; the virtual cluster has the clock of [`hasami_sim`].

pub mod learn;
pub mod real_threads;
pub mod virtual_cluster;
pub mod waste;
pub mod worth;
