//! The P-GPP master tree (seed 002): pure data and rules, no I/O.

mod snapshot;

pub use snapshot::{NodeView, Snapshot};
