//! One sequential alpha-beta search for every game: generic over the rules ([`SearchGame`](hasami_api::SearchGame)) and
//! the evaluation ([`Evaluator`](hasami_api::Evaluator)), both by static dispatch. It knows no clock: it asks its limits
//! and its stop flag only.
//!
//! A task's way: [`Engine`] sets it up (`setup`), `iterate` deepens it, `root` searches the root's moves, `node` is the
//! node, from top to bottom, over moves in the `order` that their `history` gives. Leaves go to `quiescence`; `value` is
//! what positions are worth without a search. `report` turns lines into text.
//!
//! Deliberately absent: threads (a [`GroupMemory`] is shared by whoever is given it), time, floating point (the node count of
//! a task on a fresh engine is the same on every machine).
//!
//! ```
//! use hasami_alphabeta::{Engine, TranspositionTable};
//! use hasami_api::{Limits, Line, Searcher, Start, Stop, Task};
//! use hasami_chess::{Chess, ChessEval};
//!
//! // A mate on the back rank, found within 20,000 nodes.
//! let text = "6k1/5ppp/8/8/8/8/8/R5K1 w - - 0 1";
//! let line = Line { start: Start { text: Some(text.into()), ..Start::default() }, moves: Vec::new() };
//! let task = Task { line, limits: Limits { nodes: Some(20_000), ..Limits::default() }, ..Task::default() };
//! let mut engine = Engine::<Chess, _>::new(ChessEval::new(), TranspositionTable::new(1));
//! let mut last = None;
//! engine.search(&task, &Stop::new(), &mut |report| last = Some(report)).expect("a legal position");
//! assert!(last.is_some_and(|report| report.score.is_win()));
//! ```
#![warn(missing_docs)]

mod engine;
mod history;
mod iterate;
mod node;
mod order;
mod outbox;
mod params;
mod quiescence;
mod reductions;
mod report;
mod root;
mod setup;
mod slot;
mod state;
mod success;
mod table;
mod team;
mod value;
mod variant;

pub use engine::{Engine, GroupMemory};
#[cfg(feature = "tunable")]
pub use params::set_parameter;
pub use params::{Parameter, parameters};
pub use table::TranspositionTable;

#[cfg(test)]
mod tests;
