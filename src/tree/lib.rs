//! The master tree of P-GPP (Yokoyama et al. 2014): pure data and rules, no I/O.
//!
//! - [`MasterTree`]: the game tree that the manager keeps; [`TreeNode`]: a node, which one worker searches
//! - [`Frontier`]: a priority queue of the work items in the tree
//! - [`Transitions`], [`Model`]: how likely each move is to be played; [`Knowledge`]: the tables of a game
//! - [`rules`]: the rules of growth, each of which can be switched off
//! - [`Snapshot`]: the tree at one moment, for pictures, JSON and the web page; [`mod@reasons`]: why a move was not
//!   chosen
//! - [`event`]: the manager's events and actions; [`EventQueue`]: future events, for virtual clocks
//! - [`manage`]: the interface of the search manager
//!
//! ```
//! use hasami_api::{Game, Start};
//! use hasami_chess::Chess;
//! use hasami_tree::MasterTree;
//!
//! let position = Chess::new(&Start::default()).expect("the start");
//! let tree = MasterTree::new(position);
//! assert_eq!(tree.len(), 1, "the root alone");
//! ```
//!
//! This crate has no threads, channels or clocks. The manager's events and interface are in this crate, so that workers
//! and the match tool can be compiled without the manager.

mod arena;
mod backup;
mod check;
mod continuations;
mod data;
pub mod event;
mod exacts;
mod features;
mod frontier;
mod json;
mod layout;
mod logit;
pub mod manage;
mod master;
mod models;
mod node;
mod phase;
mod picture;
mod queue;
mod reach;
mod reasons;
mod remote_findings;
mod reroot;
pub mod rules;
mod snapshot;
mod variation;
mod workers;

pub use arena::Arena;
pub use arena::NodeId;
pub use data::{Knowledge, Transitions};
pub use features::{FEATURES, Sight, of as features_of};
pub use frontier::{Frontier, Ranked, WorkItem};
pub use logit::{Logit, dot, normalized, shares};
pub use master::MasterTree;
pub use models::{Model, Siblings};
pub use node::{Finding, NodeValue, NodeWorker, Settled, Source, TreeNode};
pub use phase::{men, phase};
pub use queue::EventQueue;
pub use reasons::{ChosenMove, Reason, reasons};
pub use snapshot::{
    LineView, NodeView, Progress, Snapshot, SpokenNode, marked_score, score_text, worker_name, worker_names,
};
pub use variation::{ExpansionCandidate, after, legal_beginning, legal_moves, plays_out, shows_end};

#[cfg(test)]
mod tests;
