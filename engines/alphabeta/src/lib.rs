//! One sequential alpha-beta search for every game: generic over the rules ([`SearchGame`](hasami_api::SearchGame)) and
//! the evaluation ([`Evaluator`](hasami_api::Evaluator)), both by static dispatch. It knows no clock: it asks its limits
//! and its stop flag only.
//!
//! A task's way: [`Engine`] sets it up (`setup`), `iterate` deepens it, `root` searches the root's moves, `search` is
//! the node, split by phase: `probe` (draws, table, static evaluation), `prune` (whole node), `picker` (order),
//! `moves` (loop, `reductions`, `extend`), `store`. Leaves are `quiesce`d. `report` turns lines into text.
//!
//! Deliberately absent: threads (a [`GroupMemory`] is shared by whoever is given it), time, floating point (the node count of
//! a task on a fresh engine is the same on every machine).
#![warn(missing_docs)]

mod engine;
mod extend;
mod history;
mod iterate;
mod moves;
mod params;
mod picker;
mod probe;
mod prune;
mod quiesce;
mod reductions;
mod report;
mod root;
mod search;
mod setup;
mod state;
mod store;
mod table;
mod team;
mod unsaid;
mod variant;

pub use engine::{Engine, GroupMemory};
pub use params::{PARAMETERS, Parameter};
pub use table::TranspositionTable;

#[cfg(test)]
mod tests;
