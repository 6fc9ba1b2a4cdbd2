//! Solvers for mates over [`hasami_api::MateGame`]: by checks, where the attacker checks and the defender tries everything,
//! and within so many moves of any kind.
//!
//! - `interface`: what the program and the solvers say to each other
//! - `core`: the searches and tables that algorithms are made of
//! - `algorithm`: the seam; `algorithms`: one file or folder an algorithm, and the registry of them all
//! - `engine`: the solver as the program sees it
//! - for other searches: `prover` decides positions whose attacks need not be checks, `inner` answers about one position
//!   after the other
//!
//! Each line imports from those above it only (`prover` and `inner` from `core` and `algorithms`).
#![warn(missing_docs)]

mod algorithm;
mod algorithms;
mod core;
mod engine;
mod inner;
mod interface;
mod prover;

pub use algorithm::{Capabilities, Description};
pub use algorithms::{Algorithm, MateCell};
pub use engine::MateEngine;
pub use inner::{InnerLimit, InnerMate, InnerMates, InnerMemory};
pub use interface::cell_link::{CellEvent, CellLinks, CellWorker, HostLink};
pub use interface::cell_message::{CellOrder, CellProblem, CellReply, CellResult, Fact};
pub use interface::cell_options::{CellOptions, CellSearch};
pub use interface::findings::{MateFindings, OtherAnswer, OtherMove, ProofBranch, ProofTree};
pub use interface::levels::{LevelCounts, LevelReport};
pub use interface::options::{AohpasCore, ProcessorUsage, SearchMachine, SolverOptions};
pub use interface::request::{MateRequest, MateRules};
pub use interface::solver::MateSolver;
pub use prover::{KnownProof, Prover, Searched};

pub use crate::core::attack_rules::{AttackRules, ByChecks, MoveStage, Twin};
pub use crate::core::notation::play_line;

#[cfg(test)]
mod tests;
