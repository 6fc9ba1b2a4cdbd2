//! A sequential alpha-beta search for any game that implements [`SearchGame`](hasami_api::SearchGame). The search is
//! generic over the rules and the evaluation ([`Evaluator`](hasami_api::Evaluator)), both with static dispatch.
//!
//! [`Engine`] sets up a task (`setup`), `iterate` runs iterative deepening, `root` searches the moves of the root,
//! `node` searches an inner node, and `quiescence` searches the leaves. The module `order` uses the statistics in
//! `history` to decide in which order the moves of a node are tried. The module `value` computes values that need no
//! search, and `report` turns lines of moves into text.
//!
//! The search uses no threads (several engines may share one [`GroupMemory`]), no clock and no floating point, so the
//! node count of a task on a fresh engine is the same on every machine.
//!
//! ```
//! use hasami_alphabeta::{Engine, TranspositionTable};
//! use hasami_api::{Limits, Line, Searcher, Start, Stop, Task};
//! use hasami_chess::Chess;
//! use hasami_nnue::{NetworkEval, NetworkGame, built_in};
//!
//! // A back-rank mate, found within 20,000 nodes.
//! let text = "6k1/5ppp/8/8/8/8/8/R5K1 w - - 0 1";
//! let line = Line { start: Start { text: Some(text.into()), ..Start::default() }, moves: Vec::new() };
//! let task = Task { line, limits: Limits { nodes: Some(20_000), ..Limits::default() }, ..Task::default() };
//! let evaluator = NetworkEval::new(built_in(NetworkGame::Chess));
//! let mut engine = Engine::<Chess, _>::new(evaluator, TranspositionTable::new(1));
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
