//! Measurements of the program, which are not needed to play.
//!
//! - [`learn`]: transition probabilities, learned from game records
//! - [`worth`]: the worth of workers, by the moves that the program plays with them
//! - [`virtual_cluster`]: a cluster of real engines under a virtual clock, so that one machine measures many workers
//! - [`real_threads`]: threads on the processors of this machine
//!
//! The subcommands of the program `hasami-lab` that run these measurements are in `src/lab/cli`. Engines and
//! opponents are played as in [`hasami_matches`]; the virtual cluster has the event queue of [`hasami_tree`].

pub mod learn;
pub mod real_threads;
pub mod virtual_cluster;
pub mod worth;
