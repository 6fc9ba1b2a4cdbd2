//! The P-GPP master tree (Yokoyama et al. 2014): pure data and rules, no I/O.
//!
//! - [`MasterTree`]: the game tree that the manager keeps; [`TreeNode`]: a node, which one worker searches
//! - [`Frontier`]: which places of the tree want a worker, the most urgent one first
//! - [`Transitions`], [`Model`]: how likely a move is played; [`Knowledge`]: the tables of a game
//! - [`rules`]: the rules of growth, each of which can be switched off
//! - [`Snapshot`]: the tree as it stands, for pictures, JSON and the page; [`mod@reasons`]: why a move is the best one
//! - [`event`]: everything that can happen and everything that can be done
//! - [`manage`]: the search manager as those who drive it see it
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
//! No thread, channel or clock is here. Events and the interface of the manager lie beside the tree, so that workers and
//! the match tool are compiled without the manager.

mod arena;
mod backup;
mod check;
mod continuations;
mod data;
mod disagreement;
pub mod event;
mod exacts;
mod features;
mod frontier;
mod hearsay;
mod json;
mod layout;
mod logit;
pub mod manage;
mod master;
mod models;
mod node;
mod phase;
mod picture;
mod reach;
mod reasons;
mod reroot;
pub mod rules;
mod snapshot;
mod variation;
mod worker_names;
mod workers;

pub use arena::Arena;
pub use arena::NodeId;
pub use data::{Knowledge, Transitions, TransitionsError};
pub use disagreement::{Disagreement, disagreements};
pub use features::{FEATURES, Sight, of as features_of};
pub use frontier::{Frontier, WorkItem};
pub use logit::{Logit, dot, normalized, shares};
pub use master::MasterTree;
pub use models::{Gap, Hasami, Model, Rank, Siblings};
pub use node::{Finding, NodeValue, NodeWorker, Settled, Source, TreeNode};
pub use phase::{men, phase};
pub use reasons::{Reason, Told, Why, reasons};
pub use snapshot::{LineView, NodeView, Progress, Snapshot, SpokenNode, marked_score, score_text};
pub use variation::{ExpansionCandidate, after, legal_beginning, legal_moves, plays_out, shows_end};
pub use worker_names::{worker_name, worker_names};

#[cfg(test)]
mod tests;
