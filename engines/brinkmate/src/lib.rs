//! Brinkmates (hisshi): attacks by checks and threats to mate after which no defence is left.
//!
//! The length of a brinkmate is the number of plies up to the attacker's last move before the mates: after that move,
//! every defence is mated by checks. A move of the attacker that does not check must threaten mate: if the defender
//! passed, checks would mate.
//!
//! - `interface`: requests to a solver and its results
//! - `brink`: a game in which the attacker need not check and the defender may pass, to be searched by proof numbers
//! - `proof`: extracts the attacker's whole strategy from a table, as a certificate; `explain`: the main line and proof
//!   tree of a strategy; `refutation`: extracts the defender's strategy
//! - `solver`: the solver that proves its answers; `floating`: examines the leaves of a game tree with it
//! - `taco_h`: the algorithm of Hashimoto et al. 2001, which proves nothing; `taco_solver`: its interface as a solver
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
