//! Tools that measure engines and learn from games.
//!
//! - [`learn`]: transition probabilities, learned from game records
//! - [`worth`]: the worth of workers, measured by the moves of a cluster with these workers
//! - [`virtual_cluster`]: a cluster of real engines under a virtual clock, so that one machine measures many workers
//! - [`real_threads`]: threads on the processors of this machine
//!
//! The subcommands of the program `hasami-lab` that run these measurements are in `src/lab/cli`. Engines and opponents
//! run as in [`hasami_matches`], and the virtual cluster uses the event queue of [`hasami_tree`].

pub mod learn;
pub mod real_threads;
pub mod virtual_cluster;
pub mod worth;
