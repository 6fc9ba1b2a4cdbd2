//! The P-GPP master tree (Yokoyama et al. 2014): pure data and rules, no I/O.

mod arena;
mod backup;
mod check;
mod continuations;
mod data;
mod disagreement;
mod exacts;
mod features;
mod frontier;
mod hearsay;
mod json;
mod layout;
mod logit;
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

#[cfg(test)]
pub(crate) use arena::Arena;
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
