//! Search for brinkmates (hisshi): attacks by checks and threats of mate against which no defence is left.
//!
//! The length of a brinkmate is the number of plies up to and including the attacking move after which checks mate
//! whatever the defender plays. An attacking move that does not give check must threaten mate, that is, checks would
//! mate if the defender passed.
//!
//! - `interface`: requests to a solver and its results
//! - `brink`: a game in which the attacker need not give check and the defender may pass, for proof-number search
//! - `proof`: extracts the attacker's whole strategy from a table, as a certificate; `explain`: the main line and the
//!   proof tree of a strategy; `refutation`: extracts the defender's strategy
//! - `solver`: the solver that proves its answers; `floating`: the use of this solver for the leaves of a game tree
//! - `taco_h`: the algorithm of Hashimoto et al. 2001, which gives no proofs; `taco_solver`: the use of this algorithm
//!   as a solver
//!
//! ```
//! use hasami_api::{Limits, Line, Start, Stop, Task};
//! use hasami_brinkmate::{BrinkmateAnswer, BrinkmateRequest, BrinkmateSolver, ProofSolver};
//! use hasami_mate::SolverOptions;
//! use hasami_shogi::Shogi;
//!
//! // A lone pawn threatens nothing.
//! let start = Start { text: Some("4k4/9/9/9/9/9/4P4/9/9 b - 1".into()), ..Start::default() };
//! let limits = Limits { nodes: Some(10_000), ..Limits::default() };
//! let task = Task { line: Line { start, moves: Vec::new() }, limits, ..Task::default() };
//! let mut solver = ProofSolver::<Shogi>::new(&SolverOptions { hash_mb: 1, ..SolverOptions::default() });
//! let found = solver.solve(&task, BrinkmateRequest::default(), &Stop::new(), &mut |_| {}).expect("a position");
//! assert_eq!(found.answer, BrinkmateAnswer::None { within: None });
//! ```
#![warn(missing_docs)]

mod brink;
mod explain;
mod floating;
mod interface;
mod proof;
mod refutation;
mod solver;
mod taco_h;
mod taco_solver;

pub use brink::{Brink, BrinkProver, ENDLESS, ThreatRules};
pub use floating::FloatingSolver;
pub use interface::{
    BrinkmateAnswer, BrinkmateFindings, BrinkmateRequest, BrinkmateSearch, BrinkmateSolver, InnerSearches,
};
pub use solver::ProofSolver;
pub use taco_h::{TacoAnswer, TacoFound, TacoH, TacoOptions};
