//! Tools that measure engines and learn from games.
//!
//! - [`learn`]: transition probabilities, learned from game records
//! - [`worth`]: the worth of workers, measured by the moves of a cluster with these workers
//! - [`virtual_cluster`]: a cluster of real engines under a virtual clock, so that one machine measures many workers
//! - [`real_threads`]: threads on the processors of this machine
//!
//! The subcommands of the program `hasami-lab` that run these measurements are in `src/lab/cli`. Engines and opponents
//! run as in [`hasami_matches`], and the virtual cluster uses the event queue of [`hasami_tree`].
//!
//! ```
//! use hasami_lab::real_threads::{ThreadGain, TimedSearch};
//!
//! let one_thread = [TimedSearch { seconds: 4.0, nodes: 100.0 }, TimedSearch { seconds: 8.0, nodes: 200.0 }];
//! let two_threads = [TimedSearch { seconds: 2.0, nodes: 120.0 }, TimedSearch { seconds: 4.0, nodes: 240.0 }];
//! let gain = ThreadGain::new(&one_thread, &two_threads);
//! assert!((gain.speedup.0 - 2.0).abs() < 1e-9);
//! assert!((gain.nodes - 1.2).abs() < 1e-9);
//! ```

pub mod learn;
pub mod real_threads;
pub mod virtual_cluster;
pub mod worth;
