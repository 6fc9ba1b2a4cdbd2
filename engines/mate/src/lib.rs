//! Mate solvers over [`hasami_api::MateGame`]: for mates by checks, in which the attacker checks and the defender tries
//! everything, and for mates within a number of moves of any kind.
//!
//! - `interface`: types and traits shared by the program and the solvers
//! - `core`: the searches and tables used by the algorithms
//! - `algorithm`: the interface of an algorithm; `algorithms`: one file or folder per algorithm, and their registry
//! - `defended`: positions in which the side to be mated moves first
//! - `engine`: the solver as used by the program
//! - for other searches: `prover` decides positions whose attacks need not be checks, `inner` decides thousands of
//!   positions of one problem inside another search, `line_proof` proves mating lines found by other engines
//!
//! Each module imports only from the modules above it (`prover`, `inner` and `line_proof` from `core` and
//! `algorithms`).
//!
//! ```
//! use hasami_api::{Goal, Line, MateAnswer, Start, Stop, Task};
//! use hasami_mate::{MateEngine, MateRequest, MateSolver};
//! use hasami_shogi::Shogi;
//!
//! let start = Start { text: Some("4k4/9/4P4/9/9/9/9/9/9 b G 1".into()), ..Start::default() };
//! let task = Task { line: Line { start, moves: Vec::new() }, goal: Goal::Mate, ..Task::default() };
//! let mut solver = MateEngine::<Shogi>::with_bytes(1 << 20);
//! let found = solver.examine(&task, MateRequest::default(), &Stop::new()).expect("a position");
//! assert!(matches!(found.answer, MateAnswer::Mate(line) if &*line[0] == "G*5b"));
//! ```
#![warn(missing_docs)]

mod algorithm;
mod algorithms;
mod core;
mod defended;
mod engine;
mod inner;
mod interface;
mod line_proof;
mod prover;

pub use algorithm::{Capabilities, Description};
pub use algorithms::{Algorithm, MateCell};
pub use engine::MateEngine;
pub use inner::{InnerLimit, InnerMate, InnerMates, InnerMemory};
pub use interface::cell_link::{CellEvent, CellLinks, CellWorker, HostLink};
pub use interface::cell_message::{CellOrder, CellProblem, CellReply, CellResult, Fact};
pub use interface::cell_options::{CellOptions, CellSearch};
pub use interface::findings::{
    DefenceReport, MateFindings, MoveLikeness, OpenReason, OtherAnswer, OtherMove, ProofBranch, ProofTree, Variation,
    VariationKind,
};
pub use interface::levels::{LevelCounts, LevelReport};
pub use interface::options::{AohpasCore, ProcessorUsage, SearchMachine, SolverOptions};
pub use interface::request::{MateRequest, MateRules};
pub use interface::solver::MateSolver;
pub use line_proof::is_proved_line;
pub use prover::{KnownProof, Prover, Searched};

pub use crate::core::attack_rules::{AttackRules, ByChecks, MoveStage, Twin};
pub use crate::core::notation::play_line;

#[cfg(test)]
mod tests;
